package ops

import (
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// orderOp is a matrix [m n] with the row numbers, from 0, of the elements of each column of its operand in
// ascending order. Equal elements stay in the order of their rows, and NaN comes last.
type orderOp struct{ baseOp }

// NewOrder returns the operation that finds the order of rows.
func NewOrder() gorgonia.Op { return orderOp{baseOp{name: "order over rows", arity: 1}} }

// InferShape returns the shape of the matrix.
func (o orderOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, columns, err := matrixShape(shapes[0])
	return tensor.Shape{rows, columns}, err
}

// DiffWRT reports that no gradient flows: row numbers are piecewise constant.
func (o orderOp) DiffWRT(inputs int) []bool { return make([]bool, inputs) }

// SymDiff returns no gradient, which is a nil node.
func (o orderOp) SymDiff(operands gorgonia.Nodes, _, _ *gorgonia.Node) (gorgonia.Nodes, error) {
	return make(gorgonia.Nodes, len(operands)), nil
}

// Do returns the row numbers.
func (o orderOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	shape := inputs[0].Shape()
	buffer := make([]int, shape[0])
	return newValue(inputs[0], shape.Clone(),
		func(dst, x []float32) { OrderRows(dst, x, shape[1], buffer) },
		func(dst, x []float64) { OrderRows(dst, x, shape[1], buffer) })
}

// OrderRows writes the row numbers of the elements of each column of the matrix x, in ascending order of
// the elements, to dst. buffer is working memory with an integer for each row.
func OrderRows[T float32 | float64](dst, x []T, columns int, buffer []int) {
	for column := range columns {
		for row := range buffer {
			buffer[row] = row
		}
		slices.SortFunc(buffer, func(i, j int) int {
			return compareElements(x[i*columns+column], x[j*columns+column], i-j)
		})
		for i, row := range buffer {
			dst[i*columns+column] = T(row)
		}
	}
}

// compareElements returns a negative number if x comes before y in ascending order, a positive one if it
// comes after y, and ifEqual if both are equal or NaN. NaN comes after all numbers.
func compareElements[T float32 | float64](x, y T, ifEqual int) int {
	xIsNaN := x != x
	yIsNaN := y != y
	switch {
	case x < y, yIsNaN && !xIsNaN:
		return -1
	case x > y, xIsNaN && !yIsNaN:
		return 1
	}
	return ifEqual
}
