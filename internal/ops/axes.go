package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Axis is an axis of a matrix.
type Axis int

const (
	OverRows    Axis = 0 // the result is a row, with a number for each column
	OverColumns Axis = 1 // the result is a column, with a number for each row
)

// reducedShape returns the shape of a reduction over an axis of a matrix: a row or a column.
func (a Axis) reducedShape(d gorgonia.DimSizer) (tensor.Shape, error) {
	rows, columns, err := matrixShape(d)
	if a == OverRows {
		return tensor.Shape{1, columns}, err
	}
	return tensor.Shape{rows, 1}, err
}

func (a Axis) String() string { return []string{"rows", "columns"}[a] }

// SumOver sums a matrix over an axis. The result is a matrix, too: a row or a column. Gorgonia's
// own sums drop the axis and then reshape the result, which is then a view.
type SumOver struct {
	baseOp
	Axis Axis
}

// NewSumOver returns the sum over an axis.
func NewSumOver(a Axis) SumOver { return SumOver{baseOp{fmt.Sprint("sum over ", a), 1}, a} }

func (o SumOver) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.Axis.reducedShape(in[0])
}

func (o SumOver) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return reduceAxis(o.Axis, in[0], sumOver[float32], sumOver[float64])
}

func (o SumOver) SymDiff(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewRepeatOver(o.Axis, in[0].Shape()[o.Axis]), grad))
}

func sumOver[T float32 | float64](a Axis, dst, x []T, rows, columns int) {
	clear(dst)
	for i := range rows {
		for j := range columns {
			dst[reducedIndex(a, i, j)] += x[i*columns+j]
		}
	}
}

// reducedIndex returns the index of a matrix's element (i, j) in a reduction over an axis.
func reducedIndex(a Axis, i, j int) int {
	if a == OverRows {
		return j
	}
	return i
}

// RepeatOver repeats a row or a column n times. It is the gradient of SumOver.
type RepeatOver struct {
	baseOp
	Axis Axis
	n    int
}

// NewRepeatOver returns the operation that repeats a row n times if a is OverRows, or else a
// column n times.
func NewRepeatOver(a Axis, n int) RepeatOver {
	return RepeatOver{baseOp{fmt.Sprintf("repeat to %d %v", n, a), 1}, a, n}
}

func (o RepeatOver) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, columns, err := matrixShape(in[0])
	if o.Axis == OverRows {
		return tensor.Shape{o.n, columns}, err
	}
	return tensor.Shape{rows, o.n}, err
}

func (o RepeatOver) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	shape, err := o.InferShape(in[0].Shape())
	if err != nil {
		return nil, err
	}
	return newValue(in[0], shape,
		func(dst, x []float32) { repeatOver(o.Axis, dst, x, shape[1]) },
		func(dst, x []float64) { repeatOver(o.Axis, dst, x, shape[1]) })
}

func repeatOver[T float32 | float64](a Axis, dst, x []T, columns int) {
	for i := range dst {
		dst[i] = x[reducedIndex(a, i/columns, i%columns)]
	}
}

func (o RepeatOver) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewSumOver(o.Axis), grad))
}

// MaxOver takes the maximum of a matrix over an axis. The result is a matrix, too: a row or a
// column. The maximum is NaN if an element is.
type MaxOver struct {
	baseOp
	Axis Axis
}

// NewMaxOver returns the maximum over an axis.
func NewMaxOver(a Axis) MaxOver { return MaxOver{baseOp{fmt.Sprint("maximum over ", a), 1}, a} }

func (o MaxOver) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	return o.Axis.reducedShape(in[0])
}

func (o MaxOver) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return reduceAxis(o.Axis, in[0], MaxAlongAxis[float32], MaxAlongAxis[float64])
}

// SymDiff divides the gradient among the elements that are the maximum, and is 0 for the
// others, also where the gradient is infinite or the maximum NaN.
func (o MaxOver) SymDiff(in gorgonia.Nodes, result, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	repeat := NewRepeatOver(o.Axis, in[0].Shape()[o.Axis])
	tied := e.compare(gorgonia.Eq, in[0], e.apply(repeat, result))
	count := e.apply(NewSumOver(o.Axis), tied)
	share := e.apply(repeat, e.div(grad, count))
	return e.results(e.gate(share, tied))
}

// MaxAlongAxis writes the maxima over an axis of a matrix to dst.
func MaxAlongAxis[T float32 | float64](a Axis, dst, x []T, rows, columns int) {
	for i := range rows {
		for j, v := range x[i*columns:][:columns] {
			to := &dst[reducedIndex(a, i, j)]
			if a == OverRows && i == 0 || a == OverColumns && j == 0 || v > *to || v != v {
				*to = v // a NaN stays: nothing is larger
			}
		}
	}
}

// reduceAxis computes a reduction over an axis with single or double, depending on the number type.
func reduceAxis(a Axis, v gorgonia.Value, single func(a Axis, dst, x []float32, rows, columns int), double func(a Axis, dst, x []float64, rows, columns int)) (gorgonia.Value, error) {
	shape, err := a.reducedShape(v.Shape())
	if err != nil {
		return nil, err
	}
	rows, columns := v.Shape()[0], v.Shape()[1]
	return newValue(v, shape,
		func(dst, x []float32) { single(a, dst, x, rows, columns) },
		func(dst, x []float64) { double(a, dst, x, rows, columns) })
}
