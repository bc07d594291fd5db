package graph

import (
	"errors"
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// CumulativeSumRows returns the cumulative sums over the rows of x [m n]: row i of the result is the sum of
// the rows 0, …, i of x. The sums are added in float64, in time m·n.
func (b *Builder) CumulativeSumRows(x *Node) *Node {
	return b.reduceAxis("CumulativeSumRows", ops.NewCumulativeSum(false), x)
}

// OrderRows returns the row numbers, from 0, of the elements of each column of x [m n] in ascending order:
// [m n]. Equal elements stay in the order of their rows, and NaN comes last, as in a stable sort of NumPy.
// No gradient flows. For a column x [m 1], b.Rows(y, b.OrderRows(x)) are the rows of y in the order of x.
func (b *Builder) OrderRows(x *Node) *Node {
	return b.apply("OrderRows", Nodes{x}, func() (*Node, error) {
		if !x.IsMatrix() {
			return nil, errors.New("want a matrix [m n]" + reshapeHint(x))
		}
		const float32Integers = 1 << 24 // float32 has all integers up to this one
		if size := product(x.Shape()); b.dtype == Float32 && size > float32Integers {
			return nil, fmt.Errorf("%d elements are more than float32 can number: want at most %d", size, float32Integers)
		}
		return gorgonia.ApplyOp(ops.NewOrder(), x)
	})
}

// SortRows returns x [m n] with each column in ascending order. NaN comes last. The gradient of an
// element of the result flows to the element of x that stands there, the first row's among equal ones.
func (b *Builder) SortRows(x *Node) *Node {
	order := b.OrderRows(x)
	if b.err != nil {
		return order
	}
	rows := x.Shape()[0]
	columns := x.Shape()[1]
	if columns == 1 {
		return b.Rows(x, order)
	}
	// The elements of x, row by row, are a table of one column, in which the element in row i and
	// column j has the number i·columns + j.
	columnNumbers := make([]float64, columns)
	for j := range columnNumbers {
		columnNumbers[j] = float64(j)
	}
	index := b.Add(b.Scale(float64(columns), order), b.Constant(1, columns, columnNumbers))
	sorted := b.Rows(b.Reshape(x, rows*columns, 1), b.Reshape(index, rows*columns, 1))
	return b.Reshape(sorted, rows, columns)
}

// QuantileRows returns the quantile of each column of x [m n] at a level in [0, 1]: [1 n]. Between two rows
// it is interpolated linearly, as in numpy.quantile; level ½ is the median. The gradient flows to the
// elements between which the quantile lies. NaN counts as larger than every number.
func (b *Builder) QuantileRows(x *Node, level float64) *Node {
	if !(level >= 0 && level <= 1) {
		b.failOperation("QuantileRows", Nodes{x}, "level %v is not in [0, 1]", level)
	}
	sorted := b.SortRows(x)
	if b.err != nil {
		return sorted
	}
	place := float64(level * float64(x.Shape()[0]-1)) // in the sorted rows
	lower := int(math.Floor(place))
	fraction := place - float64(lower)
	low := b.SliceRows(sorted, lower, lower+1)
	if fraction == 0 {
		return low
	}
	high := b.SliceRows(sorted, lower+1, lower+2)
	return b.Add(low, b.Scale(fraction, b.Sub(high, low)))
}
