package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Rows looks up rows of a matrix. Its second operand is a column of row numbers.
type Rows struct{ baseOp }

// NewRows returns a look-up of rows.
func NewRows() Rows { return Rows{baseOp{"rows", 2}} }

func (o Rows) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	_, columns, err := matrixShape(in[0])
	if err != nil {
		return nil, err
	}
	rows, _, err := matrixShape(in[1])
	return tensor.Shape{rows, columns}, err
}

func (o Rows) DiffWRT(int) []bool { return []bool{true, false} }

func (o Rows) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return computeByIndex(in, tensor.Shape{in[1].Shape()[0], in[0].Shape()[1]}, LookUpRows[float32], LookUpRows[float64])
}

func (o Rows) SymDiff(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(newSumByRow(in[0].Shape()[0]), grad, in[1]), nil)
}

// SumByRow adds each row of its first operand to a row of the result. Its second operand is a
// column with the row numbers in the result. It is the gradient of Rows.
type SumByRow struct {
	baseOp
	n int
}

func newSumByRow(n int) SumByRow { return SumByRow{baseOp{fmt.Sprintf("sum by %d rows", n), 2}, n} }

func (o SumByRow) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	_, columns, err := matrixShape(in[0])
	return tensor.Shape{o.n, columns}, err
}

func (o SumByRow) DiffWRT(int) []bool { return []bool{true, false} }

func (o SumByRow) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return computeByIndex(in, tensor.Shape{o.n, in[0].Shape()[1]}, SumRowsByIndex[float32], SumRowsByIndex[float64])
}

func (o SumByRow) SymDiff(in gorgonia.Nodes, _, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	e := new(expression)
	return e.results(e.apply(NewRows(), grad, in[1]), nil)
}

// LookUpRows copies rows of x to dst, one for each row number in index. columns is the length of a
// row.
func LookUpRows[T float32 | float64](dst, x, index []T, columns int) error {
	for i, at := range index {
		row, err := rowNumber(i, at, len(x)/columns)
		if err != nil {
			clear(dst)
			return err
		}
		copy(dst[i*columns:][:columns], x[row*columns:])
	}
	return nil
}

// SumRowsByIndex clears dst and adds each row of x, in order, to the row of dst with the number in index.
func SumRowsByIndex[T float32 | float64](dst, x, index []T, columns int) error {
	clear(dst)
	for i, at := range index {
		row, err := rowNumber(i, at, len(dst)/columns)
		if err != nil {
			return err
		}
		addEach(dst[row*columns:][:columns], x[i*columns:][:columns])
	}
	return nil
}

// rowNumber returns the row number at, which stands in row i of an index. It returns an error
// unless at is an integer from 0 to rows−1.
func rowNumber[T float32 | float64](i int, at T, rows int) (int, error) {
	if at >= 0 && at < T(rows) && at == T(int(at)) {
		return int(at), nil
	}
	return 0, fmt.Errorf("the index in row %d, counted from 0, is %v: want an integer from 0 to %d, not standardised", i, at, rows-1)
}

// computeByIndex computes a value with the given shape from a matrix and an index, with single or
// double depending on the number type.
func computeByIndex(in []gorgonia.Value, shape tensor.Shape, single func(dst, x, index []float32, columns int) error, double func(dst, x, index []float64, columns int) error) (gorgonia.Value, error) {
	index, err := asMatrix(in[1])
	if err != nil {
		return nil, err
	}
	var failed error
	v, err := newValue(in[0], shape,
		func(dst, x []float32) { failed = single(dst, x, index.Float32s(), shape[1]) },
		func(dst, x []float64) { failed = double(dst, x, index.Float64s(), shape[1]) })
	if failed != nil {
		return nil, failed
	}
	return v, err
}
