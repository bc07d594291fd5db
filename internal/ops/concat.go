package ops

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Concat puts matrices side by side.
type Concat struct{ baseOp }

// NewConcat puts n matrices side by side.
func NewConcat(n int) Concat { return Concat{baseOp{"concat", n}} }

func (o Concat) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	width, height := 0, 0
	for _, d := range in {
		rows, columns, err := matrixShape(d)
		if err != nil {
			return nil, err
		}
		height = rows
		width += columns
	}
	return tensor.Shape{height, width}, nil
}

func (o Concat) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	width := 0
	for _, v := range in {
		width += v.Shape()[1]
	}
	dst := tensor.New(tensor.Of(in[0].Dtype()), tensor.WithShape(in[0].Shape()[0], width))
	at := 0
	for _, v := range in {
		x, err := asMatrix(v)
		if err != nil {
			return nil, err
		}
		copyColumns(dst, x, at, 0, x.Shape()[1])
		at += x.Shape()[1]
	}
	return dst, nil
}

func (o Concat) SymDiff(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	grads := make(gorgonia.Nodes, len(in))
	at := 0
	for i, x := range in {
		width := x.Shape()[1]
		grads[i] = e.apply(NewColumns(at, at+width), grad)
		at += width
	}
	return e.results(grads...)
}
