package graph_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// choice is an operation on rows of numbers with its expected value and gradients.
type choice struct {
	name  string
	f     func(b builder, x nodes) node
	in    [][]float64
	back  []float64 // gradient with respect to the value; nil if no gradients are compared
	want  []float64
	grads [][]float64
}

// Values and gradients follow from the definition, and are equal to the last bit, for all kinds of numbers
// in all lanes of a vector register. Max and Min have the gradients of torch.maximum and torch.minimum:
// half to each of two equal numbers and nothing to the other one, whatever comes back; except for NaN, where
// they are 0.
func TestChoices(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	x := []float64{1, 2, 2, -1, inf, -inf, nan, 1, -inf, 1e30, inf, 1, 2, 2}
	y := []float64{2, 1, 2, -2, 1, 0, 1, nan, -inf, 1e-30, inf, 2, 1, 2}
	back := []float64{3, 3, 3, 3, 3, inf, 3, 3, 3, nan, 3, inf, nan, inf}
	clipped := []float64{-inf, -2, -1, 0, 2, 3, inf, nan, 1e30}
	backOfClipped := []float64{5, nan, inf, 5, 5, inf, 5, 5, 5}
	low := []float64{-inf, -101, -100, -99, 0, inf, nan, -inf, -200, -5}
	backOfLow := []float64{2, 2, 2, 2, -3, 2, 2, inf, nan, inf}
	pair := func(f func(b builder, x, y node) node) func(b builder, x nodes) node {
		return func(b builder, x nodes) node { return f(b, x[0], x[1]) }
	}
	clampMin := func(floor float64) func(b builder, x nodes) node {
		return func(b builder, x nodes) node { return b.ClampMin(x[0], floor) }
	}
	for _, c := range append(powers(), []choice{
		{"Min", pair(builder.Min), [][]float64{x, y}, back,
			[]float64{1, 1, 2, -2, 1, -inf, nan, nan, -inf, 1e-30, inf, 1, 1, 2},
			[][]float64{{3, 0, 1.5, 0, 0, inf, 0, 0, 1.5, 0, 1.5, inf, 0, inf}, {0, 3, 1.5, 3, 3, 0, 0, 0, 1.5, nan, 1.5, 0, nan, inf}}},
		{"Max", pair(builder.Max), [][]float64{x, y}, back,
			[]float64{2, 2, 2, -1, inf, 0, nan, nan, -inf, 1e30, inf, 2, 2, 2},
			[][]float64{{0, 3, 1.5, 3, 3, 0, 0, 0, 1.5, nan, 1.5, 0, nan, inf}, {3, 0, 1.5, 0, 0, inf, 0, 0, 1.5, 0, 1.5, inf, 0, inf}}},
		{"Greater", pair(builder.Greater), [][]float64{x, y}, nil, []float64{0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0}, nil},
		{"Equal", pair(builder.Equal), [][]float64{x, y}, nil, []float64{0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1}, nil},
		{"Clip", func(b builder, x nodes) node { return b.Clip(x[0], -1, 2) }, [][]float64{clipped}, backOfClipped,
			[]float64{-1, -1, -1, 0, 2, 2, 2, nan, 2}, [][]float64{{0, 0, 0, 5, 0, 0, 0, 0, 0}}},
		{"ClampMax", func(b builder, x nodes) node { return b.ClampMax(x[0], 2) }, [][]float64{clipped}, backOfClipped,
			[]float64{-inf, -2, -1, 0, 2, 2, 2, nan, 2}, [][]float64{{5, nan, inf, 5, 0, 0, 0, 0, 0}}},
		{"ClampMin at -100", clampMin(-100), [][]float64{low}, backOfLow,
			[]float64{-100, -100, -100, -99, 0, inf, nan, -100, -100, -5}, [][]float64{{0, 0, 0, 2, -3, 2, 0, 0, 0, inf}}},
		{"ClampMin at 1e-12", clampMin(1e-12), [][]float64{{0, 1e-12, 2e-12}}, []float64{7, 7, 7}, []float64{1e-12, 1e-12, 2e-12}, [][]float64{{0, 0, 7}}},
		{"ClampMin at 0", clampMin(0), [][]float64{{-1, 1}}, []float64{7, 7}, []float64{0, 1}, [][]float64{{0, 7}}},
		{"ClampMin at -∞", clampMin(-inf), [][]float64{{-inf, 3}}, []float64{2, 2}, []float64{-inf, 3}, [][]float64{{0, 2}}},
		{"ClampMin at ∞", clampMin(inf), [][]float64{{3}}, []float64{2}, []float64{inf}, [][]float64{{0}}},
	}...) {
		forEachPlace(t, func(t *testing.T, in place) {
			for _, times := range []int{1, 37} { // whole lanes, too
				var operands []matrix
				for _, x := range c.in {
					operands = append(operands, matrix{slices.Repeat(x, times)})
				}
				var back matrix
				if c.back != nil {
					back = matrix{slices.Repeat(c.back, times)}
				}
				got := in.evaluate(t, c.f, back, operands...)
				in.check(t, c.name, got[0], slices.Repeat(c.want, times), 0)
				for i, grad := range c.grads {
					in.check(t, fmt.Sprint(c.name, ", gradient of operand ", i), got[i+1], slices.Repeat(grad, times), 0)
				}
			}
		})
	}
}

// powers returns powers and their gradients by the conventions of torch.pow: IEEE 754 for the value (√x for ½), c·x^(c−1)
// for the gradient, and 0 for c = 0.
func powers() (all []choice) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		exponent       float64
		x, value, grad []float64
	}{
		{3, []float64{2, -2, 0, -inf}, []float64{8, -8, 0, -inf}, []float64{12, 12, 0, inf}},
		{2, []float64{-2, 0, nan, inf}, []float64{4, 0, nan, inf}, []float64{-4, 0, nan, inf}},
		{5, []float64{-2}, []float64{-32}, []float64{80}},
		{-3, []float64{-2, -inf}, []float64{-0.125, 0}, []float64{-0.1875, 0}},
		{-2, []float64{0, inf}, []float64{inf, 0}, []float64{-inf, 0}},
		{-1, []float64{-2, 0}, []float64{-0.5, inf}, []float64{-0.25, -inf}},
		{0.5, []float64{4, -4, 0}, []float64{2, nan, 0}, []float64{0.25, nan, inf}},
		{-0.5, []float64{4}, []float64{0.5}, []float64{-0.0625}},
		{1.5, []float64{4, -4, 0}, []float64{8, nan, 0}, []float64{3, nan, 0}},
		{-1.5, []float64{4}, []float64{0.125}, []float64{-0.046875}},
		{0.25, []float64{0}, []float64{0}, []float64{inf}},
		{1, []float64{3, -3, 0}, []float64{3, -3, 0}, []float64{1, 1, 1}},
		{0, []float64{3, -3, 0, nan}, []float64{1, 1, 1, 1}, []float64{0, 0, 0, 0}},
	} {
		all = append(all, choice{
			name:  fmt.Sprint("power ", c.exponent),
			f:     func(b builder, x nodes) node { return b.Pow(x[0], c.exponent) },
			in:    [][]float64{c.x},
			back:  slices.Repeat([]float64{1}, len(c.x)),
			want:  c.value,
			grads: [][]float64{c.grad},
		})
	}
	return all
}
