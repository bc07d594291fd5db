package graph_test

import (
	"testing"

	"sml/graph"
)

// The numbers go where NumPy's .T and .reshape put them; the gradient brings
// each back.
func TestRearrange(t *testing.T) {
	x := matrix{{1, 2, 3}, {4, 5, 6}}
	forEachPlace(t, func(t *testing.T, in place) {
		got := in.evaluate(t, unary((*graph.Builder).Transpose), matrix{{10, 20}, {30, 40}, {50, 60}}, x)
		in.checkNear(t, "Transpose", got[0], []float64{1, 4, 2, 5, 3, 6})
		in.checkNear(t, "Transpose, back", got[1], []float64{10, 30, 50, 20, 40, 60})

		// [n 1] of a row, by either: the operand is used again, and stays.
		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node {
			column := b.Transpose(x[0])
			return b.Add(b.MatMul(x[0], b.Square(column)), b.Sum(b.Sub(column, b.Reshape(b.Scale(2, x[0]), 3, 1))))
		}, matrix{{1}}, matrix{{1, 2, 3}})
		in.checkNear(t, "a row", got[0], []float64{1 + 8 + 27 - 6})
		in.checkNear(t, "a row, back", got[1], []float64{3 - 1, 12 - 1, 27 - 1})

		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.Reshape(b.Reshape(x[0], 3, 1, 2), 3, 2) }, matrix{{10, 20}, {30, 40}, {50, 60}}, x)
		in.checkNear(t, "Reshape", got[0], []float64{1, 2, 3, 4, 5, 6})
		in.checkNear(t, "Reshape, back", got[1], []float64{10, 20, 30, 40, 50, 60})

		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node {
			return b.Mul(b.Reshape(b.Reshape(x[0]), 1, 1), b.Reshape(b.Sum(x[0]), 1, 1))
		}, matrix{{1}}, matrix{{3}})
		in.checkNear(t, "Reshape of scalars", got[0], []float64{9})
		in.checkNear(t, "Reshape of scalars, back", got[1], []float64{6})

		// Operations on more than two axes, on vectors and on scalars.
		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node {
			y := b.Erf(b.Elementwise("half", b.Reshape(x[0], 3, 1, 2), func(x float64) float64 { return x / 2 }, func(float64) float64 { return 0.5 }))
			chosen := b.Where(b.Reshape(y, 6), b.Reshape(x[0], 6), b.Const(-1))
			return b.Add(b.Reshape(chosen, 3, 2), b.Where(b.Sum(x[0]), b.Mean(x[0]), b.Const(7)))
		}, matrix{{1, 1}, {1, 1}, {1, 1}}, matrix{{1, -2, 3}, {4, -5, 6}})
		in.checkNear(t, "several axes", got[0], []float64{1 + 7.0/6, -1 + 7.0/6, 3 + 7.0/6, 4 + 7.0/6, -1 + 7.0/6, 6 + 7.0/6})
		in.checkNear(t, "several axes, back", got[1], []float64{2, 1, 2, 2, 1, 2})

		// Repeat writes all copies.
		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node {
			return b.Transpose(b.Sub(b.Scale(0, x[0]), b.MeanRows(x[0])))
		}, nil, x)
		in.checkNear(t, "Transpose of a difference", got[0], []float64{-2.5, -2.5, -3.5, -3.5, -4.5, -4.5})
	})
}

// [n 2] − [n 1] takes the column from both.
func TestColumnFromTwoColumns(t *testing.T) {
	forEachPlace(t, func(t *testing.T, in place) {
		got := in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.Sub(x[0], x[1]) }, matrix{{1, 2}, {3, 4}}, matrix{{5, 6}, {7, 8}}, matrix{{1}, {2}})
		in.checkNear(t, "difference", got[0], []float64{4, 5, 5, 6})
		in.checkNear(t, "to the column", got[2], []float64{-3, -7})
	})
}

// Rows go to every row, columns to every column; what comes back is summed.
func TestRepeat(t *testing.T) {
	forEachPlace(t, func(t *testing.T, in place) {
		row, column, back := matrix{{1, 2, 3}}, matrix{{4}, {5}}, matrix{{1, 2, 3, 1, 1, 1, 1, 1, 1}, {4, 5, 6, 1, 1, 1, 2, 2, 2}}
		got := in.evaluate(t, func(b *graph.Builder, p graph.Nodes) *graph.Node {
			return b.Concat(b.Repeat(p[0], 2, 3), b.Repeat(p[1], 2, 3), b.Repeat(b.Sum(p[0]), 2, 3))
		}, back, row, column)
		in.checkNear(t, "Repeat", got[0], []float64{1, 2, 3, 4, 4, 4, 6, 6, 6, 1, 2, 3, 5, 5, 5, 6, 6, 6})
		in.checkNear(t, "Repeat, back to a row", got[1], []float64{5 + 9, 7 + 9, 9 + 9})
		in.checkNear(t, "Repeat, back to a column", got[2], []float64{3, 3})

		got = in.evaluate(t, func(b *graph.Builder, p graph.Nodes) *graph.Node {
			return b.Transpose(b.Square(b.Repeat(b.Repeat(p[0], 1, 2), 3, 2)))
		}, matrix{{1, 2, 3}, {4, 5, 6}}, matrix{{3}})
		in.checkNear(t, "Repeat of one number", got[0], []float64{9, 9, 9, 9, 9, 9})
		in.checkNear(t, "Repeat of one number, back", got[1], []float64{6 * 21})
	})
}
