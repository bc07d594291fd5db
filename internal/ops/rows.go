package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// rowsOp looks up rows of a table [levels width] by an index [n 1] of row numbers from 0. The result
// is [n width].
type rowsOp struct{ baseOp }

// NewRows returns the operation that looks up rows.
func NewRows() gorgonia.Op { return rowsOp{baseOp{name: "rows", arity: 2}} }

// InferShape returns the shape [n width] of the rows.
func (o rowsOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	_, width, err := matrixShape(shapes[0])
	if err != nil {
		return nil, err
	}
	n, _, err := matrixShape(shapes[1])
	return tensor.Shape{n, width}, err
}

// DiffWRT reports that a gradient flows to the table and none to the index.
func (o rowsOp) DiffWRT(int) []bool { return []bool{true, false} }

// Do returns the rows. It returns an error if a number of the index is not a row of the table.
func (o rowsOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	shape := tensor.Shape{inputs[1].Shape()[0], inputs[0].Shape()[1]}
	return computeByIndex(inputs, shape, LookUpRows[float32], LookUpRows[float64])
}

// SymDiff returns the gradient with respect to the table: for each row the sum of grad over the
// uses of the row.
func (o rowsOp) SymDiff(operands gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	levels := operands[0].Shape()[0]
	return e.results(e.apply(newSumByRow(levels), grad, operands[1]), nil)
}

// sumByRowOp adds each row of its first operand [n width] to the row of a table of zeros [levels
// width] whose number is in its second operand, an index [n 1]. It is the gradient of rowsOp.
type sumByRowOp struct {
	baseOp
	levels int // number of rows of the table
}

// newSumByRow returns the operation that adds rows to a table with the given number of rows.
func newSumByRow(levels int) sumByRowOp {
	name := fmt.Sprintf("sum by %d rows", levels)
	return sumByRowOp{baseOp: baseOp{name: name, arity: 2}, levels: levels}
}

// InferShape returns the shape [levels width] of the table.
func (o sumByRowOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	_, width, err := matrixShape(shapes[0])
	return tensor.Shape{o.levels, width}, err
}

// DiffWRT reports that a gradient flows to the rows and none to the index.
func (o sumByRowOp) DiffWRT(int) []bool { return []bool{true, false} }

// Do returns the table. It returns an error if a number of the index is not a row of the table.
func (o sumByRowOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	shape := tensor.Shape{o.levels, inputs[0].Shape()[1]}
	return computeByIndex(inputs, shape, SumRowsByIndex[float32], SumRowsByIndex[float64])
}

// SymDiff returns the gradient with respect to the rows: the rows of grad with the numbers in the
// index.
func (o sumByRowOp) SymDiff(operands gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewRows(), grad, operands[1]), nil)
}

// LookUpRows copies to row i of dst the row of the matrix x whose number is index[i]. Rows have
// the given number of columns. It clears dst and returns an error if x has no such row.
func LookUpRows[T float32 | float64](dst, x, index []T, columns int) error {
	for i, number := range index {
		row, err := rowNumber(i, number, len(x)/columns)
		if err != nil {
			clear(dst)
			return err
		}
		copy(dst[i*columns:][:columns], x[row*columns:])
	}
	return nil
}

// SumRowsByIndex clears dst and adds each row i of x, in order, to the row of dst whose number is
// index[i]. It returns an error if dst has no such row.
func SumRowsByIndex[T float32 | float64](dst, x, index []T, columns int) error {
	clear(dst)
	for i, number := range index {
		row, err := rowNumber(i, number, len(dst)/columns)
		if err != nil {
			return err
		}
		addNumbers(dst[row*columns:][:columns], x[i*columns:][:columns])
	}
	return nil
}

// rowNumber returns the number in row i of an index as an integer. It returns an error unless the
// number is an integer from 0 to rows−1.
func rowNumber[T float32 | float64](i int, number T, rows int) (int, error) {
	isInRange := number >= 0 && number < T(rows) // false for NaN
	isInteger := isInRange && number == T(int(number))
	if isInteger {
		return int(number), nil
	}
	return 0, fmt.Errorf("the index in row %d, counted from 0, is %v: want an integer from 0 to %d, not standardised", i, number, rows-1)
}

// computeByIndex returns a value with the given shape that compute32 or compute64, depending on the
// number type, computes from a matrix x and an index, which are the inputs.
func computeByIndex(inputs []gorgonia.Value, shape tensor.Shape, compute32 func(dst, x, index []float32, columns int) error, compute64 func(dst, x, index []float64, columns int) error) (gorgonia.Value, error) {
	index, err := asMatrix(inputs[1])
	if err != nil {
		return nil, err
	}
	var indexErr error // set by the functions below, which newValue calls
	v, err := newValue(inputs[0], shape,
		func(dst, x []float32) { indexErr = compute32(dst, x, index.Float32s(), shape[1]) },
		func(dst, x []float64) { indexErr = compute64(dst, x, index.Float64s(), shape[1]) })
	if indexErr != nil {
		return nil, indexErr
	}
	return v, err
}
