package ops

import (
	"fmt"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Transposed is the transpose of a matrix, copied.
type Transposed struct{ identity }

// NewTransposed is the transpose of a matrix.
func NewTransposed() Transposed { return Transposed{identity{"transpose", 1}} }

func (o Transposed) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, columns, err := matrixShape(in[0])
	return tensor.Shape{columns, rows}, err
}

func (o Transposed) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	shape, err := o.InferShape(in[0].Shape())
	if err != nil {
		return nil, err
	}
	return made(in[0], shape,
		func(dst, x []float32) { transpose(dst, x, shape[0], shape[1]) },
		func(dst, x []float64) { transpose(dst, x, shape[0], shape[1]) })
}

func transpose[T float32 | float64](dst, x []T, rows, columns int) {
	for i := range dst {
		dst[i] = x[i%columns*rows+i/columns]
	}
}

func (o Transposed) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	g, err := gorgonia.ApplyOp(o, grad)
	return gorgonia.Nodes{g}, err
}

// Reshaped is the same numbers under another shape, copied.
type Reshaped struct {
	identity
	from, to tensor.Shape
}

// NewReshaped gives numbers of one shape another.
func NewReshaped(from, to tensor.Shape) Reshaped {
	return Reshaped{identity{fmt.Sprintf("reshape %v to %v", []int(from), []int(to)), 1}, from.Clone(), to.Clone()}
}

func (o Reshaped) Type() hm.Type {
	number := hm.TypeVariable('a')
	of := func(s tensor.Shape) hm.Type {
		if s.Dims() == 0 {
			return number
		}
		return gorgonia.TensorType{Dims: s.Dims(), Of: number}
	}
	return hm.NewFnType(of(o.from), of(o.to))
}

func (o Reshaped) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) { return o.to.Clone(), nil }

func (o Reshaped) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return made(in[0], o.to, func(dst, x []float32) { copy(dst, x) }, func(dst, x []float64) { copy(dst, x) })
}

func (o Reshaped) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	g, err := gorgonia.ApplyOp(NewReshaped(o.to, o.from), grad)
	return gorgonia.Nodes{g}, err
}
