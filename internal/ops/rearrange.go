package ops

import (
	"fmt"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// transposeOp is the transpose of a matrix [m n], or the transposes of the k matrices in a tensor
// [k m n].
type transposeOp struct {
	baseOp
	axes int // number of axes of the operand: 2 or 3
}

// NewTranspose returns the transpose of a value with 2 or 3 axes.
func NewTranspose(axes int) gorgonia.Op {
	return transposeOp{baseOp: baseOp{name: "transpose", arity: 1}, axes: axes}
}

// permutation returns the operand's axes in the order of the transpose: the last two exchanged.
func (o transposeOp) permutation() []int {
	if o.axes == 2 {
		return []int{1, 0}
	}
	return []int{0, 2, 1}
}

// Type returns the type of the operation, from tensors to tensors with as many axes.
func (o transposeOp) Type() hm.Type { return tensorFunctionType(o.axes, o.axes) }

// InferShape returns the shape of the operand with its last two axes exchanged.
func (o transposeOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := shapes[0].(tensor.Shape)
	if !ok || shape.Dims() != o.axes {
		return nil, fmt.Errorf("want %d axes, not %v", o.axes, shapes[0])
	}
	shape = shape.Clone()
	shape[o.axes-2], shape[o.axes-1] = shape[o.axes-1], shape[o.axes-2]
	return shape, nil
}

// Do returns a transposed copy.
func (o transposeOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	shape, err := o.InferShape(inputs[0].Shape())
	if err != nil {
		return nil, err
	}
	rows := shape[o.axes-2]
	columns := shape[o.axes-1]
	return newValue(inputs[0], shape,
		func(dst, x []float32) { transpose(dst, x, rows, columns) },
		func(dst, x []float64) { transpose(dst, x, rows, columns) })
}

// transpose writes the transposes of the matrices in x, which follow one another, to dst. rows and
// columns are the size of each transpose.
func transpose[T float32 | float64](dst, x []T, rows, columns int) {
	size := rows * columns
	for i := range dst {
		start := i / size * size // index of the matrix's first number, in dst and x
		row := i % size / columns
		column := i % columns
		dst[i] = x[start+column*rows+row] // the matrix in x has rows columns
	}
}

// SymDiff returns the gradient with respect to the operand: the transpose of grad.
func (o transposeOp) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(o, grad))
}

// reshapeOp copies numbers into another shape of the same size.
type reshapeOp struct {
	baseOp
	from, to tensor.Shape
}

// NewReshape returns the operation that copies a value of the shape from into the shape to. A
// shape without axes is a scalar.
func NewReshape(from, to tensor.Shape) gorgonia.Op {
	name := fmt.Sprintf("reshape %v to %v", []int(from), []int(to))
	return reshapeOp{baseOp: baseOp{name: name, arity: 1}, from: from.Clone(), to: to.Clone()}
}

// Type returns the type of the operation, from values with the old number of axes to values with
// the new one.
func (o reshapeOp) Type() hm.Type {
	number := hm.TypeVariable('a')
	return hm.NewFnType(valueType(number, o.from.Dims()), valueType(number, o.to.Dims()))
}

// valueType returns the type of values with the given number of axes: number itself for a scalar,
// else a tensor of numbers.
func valueType(number hm.Type, axes int) hm.Type {
	if axes == 0 {
		return number
	}
	return gorgonia.TensorType{Dims: axes, Of: number}
}

// InferShape returns the new shape.
func (o reshapeOp) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) { return o.to.Clone(), nil }

// Do returns a copy in the new shape.
func (o reshapeOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	return newValue(inputs[0], o.to,
		func(dst, x []float32) { copy(dst, x) },
		func(dst, x []float64) { copy(dst, x) })
}

// SymDiff returns the gradient with respect to the operand: grad in the old shape.
func (o reshapeOp) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewReshape(o.to, o.from), grad))
}
