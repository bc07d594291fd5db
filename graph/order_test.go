package graph_test

import (
	"math"
	"testing"

	"sml/graph"
)

// PyTorch 1.13 in float64: cumsum, sort(stable=True), quantile and one_hot, and their gradients by autograd,
// for the gradient back with respect to the value.
func TestSortedAndCumulatedRows(t *testing.T) {
	x := matrix{{3, -1, 2}, {1, 5, 2}, {2, 0, -4}, {7, 5, 0.5}}
	back := matrix{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}
	quantile := func(level float64) operator {
		return func(b *graph.Builder, x *graph.Node) *graph.Node { return b.QuantileRows(x, level) }
	}
	for _, c := range []struct {
		name           string
		f              operator
		back           matrix
		want, wantBack []float64
	}{
		{"CumulativeSumRows", (*graph.Builder).CumulativeSumRows, back,
			[]float64{3, -1, 2, 4, 4, 4, 6, 4, 0, 13, 9, 0.5}, []float64{22, 26, 30, 21, 24, 27, 17, 19, 21, 10, 11, 12}},
		{"SortRows", (*graph.Builder).SortRows, back,
			[]float64{1, -1, -4, 2, 0, 0.5, 3, 5, 2, 7, 5, 2}, []float64{7, 2, 9, 1, 8, 12, 4, 5, 3, 10, 11, 6}},
		{"the minimum", quantile(0), back[:1],
			[]float64{1, -1, -4}, []float64{0, 2, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0}},
		{"the first quartile", quantile(0.25), back[:1],
			[]float64{1.75, -0.25, -0.625}, []float64{0, 0.5, 0, 0.25, 0, 0, 0.75, 1.5, 0.75, 0, 0, 2.25}},
		{"the maximum", quantile(1), matrix{{1, 0, 0}},
			[]float64{7, 5, 2}, []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}},
	} {
		forEachPlace(t, func(t *testing.T, in place) {
			got := in.evaluate(t, unary(c.f), c.back, x)
			in.checkNear(t, c.name, got[0], c.want)
			in.checkNear(t, c.name+", back", got[1], c.wantBack)
		})
	}
	forEachPlace(t, func(t *testing.T, in place) {
		got := in.evaluate(t, unary((*graph.Builder).OrderRows), nil, x)
		in.checkNear(t, "OrderRows", got[0], []float64{1, 0, 2, 2, 2, 3, 0, 1, 0, 3, 3, 1})
		got = in.evaluate(t, unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.OneHot(x, 4) }), nil, matrix{{2}, {0}, {1}})
		in.checkNear(t, "OneHot", got[0], []float64{0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0})
	})
}

// NaN comes last, infinities come at the ends, and 0 and −0 stay in the order of their rows, as in
// numpy.argsort(kind="stable").
func TestOrderOfSpecialNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	x := matrix{{nan}, {0}, {inf}, {math.Copysign(0, -1)}, {nan}, {-inf}, {3}}
	forEachPlace(t, func(t *testing.T, in place) {
		in.checkNear(t, "order", in.evaluate(t, unary((*graph.Builder).OrderRows), nil, x)[0], []float64{5, 1, 3, 6, 2, 0, 4})
		in.checkNear(t, "sorted", in.evaluate(t, unary((*graph.Builder).SortRows), nil, x)[0], []float64{-inf, 0, 0, 3, inf, nan, nan})
	})
}

// Rows of matrices and of images go where NumPy's x[from:to] and concatenate put them.
func TestSlicesOfRows(t *testing.T) {
	x := matrix{{1, 2}, {3, 4}, {5, 6}}
	y := matrix{{7, 8}}
	forEachPlace(t, func(t *testing.T, in place) {
		got := in.evaluate(t, unary(func(b *graph.Builder, x *graph.Node) *graph.Node { return b.SliceRows(x, 1, 3) }), matrix{{10, 20}, {30, 40}}, x)
		in.checkNear(t, "SliceRows", got[0], []float64{3, 4, 5, 6})
		in.checkNear(t, "SliceRows, back", got[1], []float64{0, 0, 10, 20, 30, 40})
		got = in.evaluate(t, func(b *graph.Builder, x graph.Nodes) *graph.Node { return b.ConcatRows(x[1], x[0], x[1]) },
			matrix{{1, 2}, {10, 20}, {30, 40}, {50, 60}, {3, 4}}, x, y)
		in.checkNear(t, "ConcatRows", got[0], []float64{7, 8, 1, 2, 3, 4, 5, 6, 7, 8})
		in.checkNear(t, "ConcatRows, back", got[1], []float64{10, 20, 30, 40, 50, 60})
		in.checkNear(t, "ConcatRows, back to the second", got[2], []float64{4, 6})
		got = in.evaluate(t, unary(func(b *graph.Builder, x *graph.Node) *graph.Node {
			sequences := b.Reshape(x, 3, 2, 1)
			return b.Reshape(b.ConcatRows(b.SliceRows(sequences, 2, 3), sequences), 4, 2)
		}), nil, x)
		in.checkNear(t, "sequences", got[0], []float64{5, 6, 1, 2, 3, 4, 5, 6})
	})
}
