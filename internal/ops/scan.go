package ops

import (
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// cumulativeSumOp is a matrix whose row i is the sum of the rows up to row i of its operand, counted from
// the first row, or from the last one if FromEnd is set.
type cumulativeSumOp struct {
	baseOp
	FromEnd bool
}

// NewCumulativeSum returns the cumulative sum over rows, from the last row on if fromEnd is set.
func NewCumulativeSum(fromEnd bool) gorgonia.Op {
	name := "cumulative sum over rows"
	if fromEnd {
		name += " from the end"
	}
	return cumulativeSumOp{baseOp: baseOp{name: name, arity: 1}, FromEnd: fromEnd}
}

// InferShape returns the shape of the matrix.
func (o cumulativeSumOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, columns, err := matrixShape(shapes[0])
	return tensor.Shape{rows, columns}, err
}

// Do returns the sums.
func (o cumulativeSumOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	shape := inputs[0].Shape()
	return newValue(inputs[0], shape.Clone(),
		func(dst, x []float32) { CumulateRows(dst, x, shape[1], o.FromEnd) },
		func(dst, x []float64) { CumulateRows(dst, x, shape[1], o.FromEnd) })
}

// SymDiff returns the gradient with respect to the matrix: the cumulative sum of grad from the other end,
// since each row is a term of its own sum and of all sums behind it.
func (o cumulativeSumOp) SymDiff(_ gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewCumulativeSum(!o.FromEnd), grad))
}

// CumulateRows writes the cumulative sums of each column of the matrix x to dst, from the last row on if
// fromEnd is set. Sums are added in float64.
func CumulateRows[T float32 | float64](dst, x []T, columns int, fromEnd bool) {
	rows := len(x) / columns
	for column := range columns {
		sum := 0.0
		for i := range rows {
			row := i
			if fromEnd {
				row = rows - 1 - i
			}
			sum += float64(x[row*columns+column])
			dst[row*columns+column] = T(sum)
		}
	}
}
