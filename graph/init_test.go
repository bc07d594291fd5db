package graph

import (
	"math"
	"slices"
	"testing"

	"sml/internal/expect"
)

// initial returns the initial values of parameters of the given kinds.
func initial(t *testing.T, seed uint64, n int, kinds ...Init) [][]float32 {
	t.Helper()
	params := new(Params)
	b := New(Float32, params)
	for i, k := range kinds {
		b.Param(string(rune('a'+i)), 1, n, k)
	}
	expect.NoError(t, b.Err())
	expect.NoError(t, params.Allocate(Float32))
	params.Initialise(seed)
	var values [][]float32
	for i := range kinds {
		values = append(values, ParamValues(params, params.Float32s(), i))
	}
	return values
}

// Mean and variance of n numbers are within five standard errors: of U(−b, b),
// b²/3 and b⁴·4/45; of N(0, s²), s² and 2s⁴ (moments by hand).
func TestInitialValues(t *testing.T) {
	const n = 20000
	v := initial(t, 5, n, Uniform(0.5), Normal(2), Fill(0.25), Init{})
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
	if same := initial(t, 5, n, Uniform(0.5))[0]; !slices.Equal(same, v[0]) {
		t.Error("the same seed gave other values")
	}
	equal := 0
	for j, other := range initial(t, 6, n, Uniform(0.5))[0] {
		if other == v[0][j] {
			equal++
		}
	}
	if equal > 10 {
		t.Errorf("%d values are equal under another seed", equal)
	}
}
