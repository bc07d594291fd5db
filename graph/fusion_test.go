package graph_test

import (
	"slices"
	"testing"

	"sml/graph"
)

// Operands of a fused operation may be results of other fused operations. The expected numbers are
// calculated by hand.
func TestFusedOperandsAreComputedOnce(t *testing.T) {
	type builder = *graph.Builder
	constant := func(b builder, rows int, values ...float64) node { return b.Constant(rows, len(values)/rows, values) }
	product := func(b builder) node { // [10 10; 20 20]
		return b.MatMul(constant(b, 2, 10, 20), constant(b, 1, 1, 1))
	}
	row := func(b builder) node { return b.MatMul(constant(b, 1, 1), constant(b, 1, 3, 3)) } // 3 3
	for _, c := range []struct {
		name   string
		output func(b builder) node
		want   []float32
	}{
		{"a bias that is the sum of a product and a row", func(b builder) node {
			return b.Add(product(b), b.Add(row(b), b.Square(constant(b, 1, 2, 2))))
		}, []float32{17, 17, 27, 27}},
		{"a bias that is a product times a row", func(b builder) node {
			return b.Add(product(b), b.Mul(row(b), constant(b, 1, 2, 5)))
		}, []float32{16, 25, 26, 35}},
		{"a gradient that is a sum of products", func(b builder) node {
			// The gradient of m[i j] is r[i], from the right factor, plus the sum of row j of m, from the
			// left one, plus 2·r[j].
			m := b.Param("m", 2, 2, graph.Uniform(1))
			r := b.SumRows(m) // 4 6
			return b.Grad(b.Add(b.Sum(b.MatMul(r, m)), b.Sum(b.Square(r))), m)[0]
		}, []float32{15, 23, 17, 25}},
		{"a gradient through a ReLU and a factor that is negative", func(b builder) node {
			// y = n·max(w·x, 0) for noise n has the gradient 2·y·n·x of y², if w·x is positive.
			w := b.Param("w", 2, 2, graph.Uniform(1))
			x := b.Constant(1, 2, []float64{5, 6})
			n := b.Normal(graph.Noise{}, 1, 2)
			y := b.Mul(b.ReLU(b.MatMul(x, w)), n)
			want := b.MatMul(b.Transpose(x), b.Scale(2, b.Mul(b.StopGradient(y), n)))
			return b.Sub(b.Grad(b.Sum(b.Square(y)), w)[0], want)
		}, []float32{0, 0, 0, 0}},
	} {
		params := new(graph.Params)
		b := graph.New(graph.Float32, params)
		r := newRunner(t, graph.Compiled, b, c.output(b))
		copy(params.Float32s(), []float32{1, 2, 3, 4})
		r.SampleMasks(graph.MaskKey{})
		run(t, r)
		if got := r.Output(0); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
