package graph_test

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
)

// Mean and variance of n numbers are within five standard errors: of U(−b, b),
// b²/3 and b⁴·4/45; of N(0, s²), s² and 2s⁴ (moments by hand).
func TestInitialValues(t *testing.T) {
	const n = 20000
	initial := func(seed uint64) (values [][]float32) {
		params := new(graph.Params)
		b := graph.New(graph.Float32, params)
		for i, kind := range []graph.Init{graph.Uniform(0.5), graph.Normal(2), graph.Fill(0.25), {}} {
			b.Param(string(rune('a'+i)), 1, n, kind)
		}
		expect.NoError(t, params.Allocate(graph.Float32))
		params.Initialise(seed)
		return slices.Collect(slices.Chunk(params.Float32s(), n))
	}
	v := initial(5)
	for i, want := range []struct{ variance, spread float64 }{{0.25 / 3, 0.0625 * 4 / 45}, {4, 32}} {
		sum, squares := 0.0, 0.0
		for _, x := range v[i] {
			sum += float64(x)
			squares += float64(float64(x) * float64(x))
		}
		if mean := sum / n; math.Abs(mean) > 5*math.Sqrt(want.variance/n) {
			t.Errorf("parameter %d has mean %v", i, mean)
		}
		if variance := squares / n; math.Abs(variance-want.variance) > 5*math.Sqrt(want.spread/n) {
			t.Errorf("parameter %d has variance %v, want %v", i, variance, want.variance)
		}
	}
	for j := range n {
		if math.Abs(float64(v[0][j])) > 0.5 || v[2][j] != 0.25 || v[3][j] != 0 {
			t.Fatalf("value %d: %v, %v, %v", j, v[0][j], v[2][j], v[3][j])
		}
	}
	if same := initial(5)[0]; !slices.Equal(same, v[0]) {
		t.Error("the same seed gave other values")
	}
	equal := 0
	for j, other := range initial(6)[0] {
		if other == v[0][j] {
			equal++
		}
	}
	if equal > 10 {
		t.Errorf("%d values are equal under another seed", equal)
	}
}
