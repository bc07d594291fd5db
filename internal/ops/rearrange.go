package ops

import (
	"fmt"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Transposed transposes a matrix, or each of the k matrices in a tensor [k m n], and copies it.
type Transposed struct {
	baseOp
	axes int
}

// NewTransposed returns the transpose of a value with 2 or 3 axes.
func NewTransposed(axes int) Transposed { return Transposed{baseOp{"transpose", 1}, axes} }

func (o Transposed) Type() hm.Type { return betweenAxes(o.axes, o.axes) }

func (o Transposed) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := in[0].(tensor.Shape)
	if !ok || shape.Dims() != o.axes {
		return nil, fmt.Errorf("want %d axes, not %v", o.axes, in[0])
	}
	shape = shape.Clone()
	shape[o.axes-2], shape[o.axes-1] = shape[o.axes-1], shape[o.axes-2]
	return shape, nil
}

func (o Transposed) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	shape, err := o.InferShape(in[0].Shape())
	if err != nil {
		return nil, err
	}
	rows, columns := shape[o.axes-2], shape[o.axes-1]
	return newValue(in[0], shape,
		func(dst, x []float32) { transpose(dst, x, rows, columns) },
		func(dst, x []float64) { transpose(dst, x, rows, columns) })
}

// transpose transposes the matrices in x, which follow one another. rows and columns are the size
// of a result.
func transpose[T float32 | float64](dst, x []T, rows, columns int) {
	size := rows * columns
	for i := range dst {
		matrix, at := i/size*size, i%size
		dst[i] = x[matrix+at%columns*rows+at/columns]
	}
}

func (o Transposed) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(o, grad))
}

// Reshaped copies numbers into another shape.
type Reshaped struct {
	baseOp
	from, to tensor.Shape
}

// NewReshaped returns the operation that reshapes a value.
func NewReshaped(from, to tensor.Shape) Reshaped {
	return Reshaped{baseOp{fmt.Sprintf("reshape %v to %v", []int(from), []int(to)), 1}, from.Clone(), to.Clone()}
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
	return newValue(in[0], o.to, func(dst, x []float32) { copy(dst, x) }, func(dst, x []float64) { copy(dst, x) })
}

func (o Reshaped) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewReshaped(o.to, o.from), grad))
}
