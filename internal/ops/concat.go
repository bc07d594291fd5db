package ops

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// concatOp joins matrices with the same number of rows side by side.
type concatOp struct{ baseOp }

// NewConcat returns the operation that joins n matrices side by side.
func NewConcat(n int) gorgonia.Op { return concatOp{baseOp{name: "concat", arity: n}} }

// InferShape returns the shape of the joined matrices: their number of rows, and the sum of their
// columns.
func (o concatOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	height := 0
	width := 0
	for _, shape := range shapes {
		rows, columns, err := matrixShape(shape)
		if err != nil {
			return nil, err
		}
		height = rows
		width += columns
	}
	return tensor.Shape{height, width}, nil
}

// Do returns the joined matrices.
func (o concatOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	width := 0
	for _, v := range inputs {
		width += v.Shape()[1]
	}
	dst := tensor.New(tensor.Of(inputs[0].Dtype()), tensor.WithShape(inputs[0].Shape()[0], width))
	column := 0 // of dst, where the next matrix begins
	for _, v := range inputs {
		x, err := asMatrix(v)
		if err != nil {
			return nil, err
		}
		copyColumns(dst, x, column, 0, x.Shape()[1])
		column += x.Shape()[1]
	}
	return dst, nil
}

// SymDiff returns the gradient with respect to each matrix: its columns of grad.
func (o concatOp) SymDiff(operands gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	grads := make(gorgonia.Nodes, len(operands))
	column := 0
	for i, x := range operands {
		width := x.Shape()[1]
		grads[i] = e.apply(NewColumns(column, column+width), grad)
		column += width
	}
	return e.results(grads...)
}
