package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Axis is an axis of a matrix. Reductions over it leave one number for each index of the other
// axis.
type Axis int

const (
	OverRows    Axis = 0 // the result is a row, with a number for each column
	OverColumns Axis = 1 // the result is a column, with a number for each row
)

// reducedShape returns the shape of a reduction of a matrix over the axis: a row [1 n] or a
// column [m 1]. It returns an error if the operand is not a matrix.
func (a Axis) reducedShape(d gorgonia.DimSizer) (tensor.Shape, error) {
	rows, columns, err := matrixShape(d)
	if a == OverRows {
		return tensor.Shape{1, columns}, err
	}
	return tensor.Shape{rows, 1}, err
}

// String returns "rows" or "columns".
func (a Axis) String() string {
	if a == OverRows {
		return "rows"
	}
	return "columns"
}

// reducedIndex returns the index in the result of a reduction to which the element in the
// given row and column of the matrix contributes.
func (a Axis) reducedIndex(row, column int) int {
	if a == OverRows {
		return column
	}
	return row
}

// sumOverOp is the sum of a matrix over an axis: a row [1 n] or a column [m 1]. Gorgonia's own sums
// drop the axis and reshape the result, which is then a view of memory that can be overwritten.
type sumOverOp struct {
	baseOp
	Axis Axis
}

// NewSumOver returns the sum over an axis.
func NewSumOver(a Axis) gorgonia.Op {
	return sumOverOp{baseOp: baseOp{name: fmt.Sprint("sum over ", a), arity: 1}, Axis: a}
}

// InferShape returns the shape of the sums.
func (o sumOverOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.Axis.reducedShape(shapes[0])
}

// Do returns the sums, each added in the order of the matrix.
func (o sumOverOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	return reduceAxis(o.Axis, inputs[0], sumOver[float32], sumOver[float64])
}

// SymDiff returns the gradient with respect to the matrix: grad, repeated along the axis.
func (o sumOverOp) SymDiff(operands gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewRepeatOver(o.Axis, operands[0].Shape()[o.Axis]), grad))
}

// sumOver writes the sums of the matrix x over an axis to dst.
func sumOver[T float32 | float64](a Axis, dst, x []T, rows, columns int) {
	clear(dst)
	for row := range rows {
		for column := range columns {
			dst[a.reducedIndex(row, column)] += x[row*columns+column]
		}
	}
}

// repeatOverOp repeats a row or a column. It is the gradient of sumOverOp.
type repeatOverOp struct {
	baseOp
	Axis  Axis
	times int // length of the axis in the result
}

// NewRepeatOver returns the operation that repeats a row [1 n] to [times n] if a is OverRows, and
// a column [m 1] to [m times] otherwise.
func NewRepeatOver(a Axis, times int) gorgonia.Op {
	name := fmt.Sprintf("repeat to %d %v", times, a)
	return repeatOverOp{baseOp: baseOp{name: name, arity: 1}, Axis: a, times: times}
}

// InferShape returns the shape of the repeated row or column.
func (o repeatOverOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, columns, err := matrixShape(shapes[0])
	if o.Axis == OverRows {
		return tensor.Shape{o.times, columns}, err
	}
	return tensor.Shape{rows, o.times}, err
}

// Do returns the repeated row or column.
func (o repeatOverOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	shape, err := o.InferShape(inputs[0].Shape())
	if err != nil {
		return nil, err
	}
	return newValue(inputs[0], shape,
		func(dst, x []float32) { repeatOver(o.Axis, dst, x, shape[1]) },
		func(dst, x []float64) { repeatOver(o.Axis, dst, x, shape[1]) })
}

// repeatOver fills dst, a matrix with the given number of columns, with copies of the row or
// column x.
func repeatOver[T float32 | float64](a Axis, dst, x []T, columns int) {
	for i := range dst {
		dst[i] = x[a.reducedIndex(i/columns, i%columns)]
	}
}

// SymDiff returns the gradient with respect to the row or column: grad, summed over the
// copies.
func (o repeatOverOp) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewSumOver(o.Axis), grad))
}

// maxOverOp is the maximum of a matrix over an axis: a row [1 n] or a column [m 1]. A maximum is NaN
// if one of its elements is.
type maxOverOp struct {
	baseOp
	Axis Axis
}

// NewMaxOver returns the maximum over an axis.
func NewMaxOver(a Axis) gorgonia.Op {
	return maxOverOp{baseOp: baseOp{name: fmt.Sprint("maximum over ", a), arity: 1}, Axis: a}
}

// InferShape returns the shape of the maxima.
func (o maxOverOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.Axis.reducedShape(shapes[0])
}

// Do returns the maxima.
func (o maxOverOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	return reduceAxis(o.Axis, inputs[0], MaxAlongAxis[float32], MaxAlongAxis[float64])
}

// SymDiff returns the gradient with respect to the matrix. Elements that equal the maximum share
// grad evenly. All others get 0, also if grad is infinite or the maximum is NaN.
func (o maxOverOp) SymDiff(operands gorgonia.Nodes, maximum, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	repeat := NewRepeatOver(o.Axis, operands[0].Shape()[o.Axis])
	isMaximum := e.compare(gorgonia.Eq, operands[0], e.apply(repeat, maximum))
	count := e.apply(NewSumOver(o.Axis), isMaximum) // 0 if the maximum is NaN, which equals nothing
	gradPerMaximum := e.apply(repeat, e.div(grad, count))
	return e.results(e.gate(gradPerMaximum, isMaximum)) // a product with 0 would be NaN if grad is infinite
}

// MaxAlongAxis writes the maxima over an axis of the matrix x [rows columns] to dst.
func MaxAlongAxis[T float32 | float64](a Axis, dst, x []T, rows, columns int) {
	for row := range rows {
		for column, v := range x[row*columns:][:columns] {
			largest := &dst[a.reducedIndex(row, column)]
			isFirst := a == OverRows && row == 0 || a == OverColumns && column == 0
			isNaN := v != v
			if isFirst || isNaN || v > *largest { // a NaN in largest stays, since no number is larger
				*largest = v
			}
		}
	}
}

// reduceAxis returns the reduction of the matrix v over an axis. It calls reduce32 or reduce64,
// depending on the number type of v, with the matrix x and the memory dst for the result.
func reduceAxis(a Axis, v gorgonia.Value, reduce32 func(a Axis, dst, x []float32, rows, columns int), reduce64 func(a Axis, dst, x []float64, rows, columns int)) (gorgonia.Value, error) {
	shape, err := a.reducedShape(v.Shape())
	if err != nil {
		return nil, err
	}
	rows := v.Shape()[0]
	columns := v.Shape()[1]
	return newValue(v, shape,
		func(dst, x []float32) { reduce32(a, dst, x, rows, columns) },
		func(dst, x []float64) { reduce64(a, dst, x, rows, columns) })
}
