package main

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// The loss of ten rows is the mean of the nine smallest squared errors, and a wrong target changes it only
// until its error is the largest.
func TestTrimmedLeavesOutTheLargestError(t *testing.T) {
	const rows = 10
	s := expect.Must(models.NewSpec("trimmed", nil, models.Architecture{Inputs: 1, Targets: 1}))
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	r := newRunner(t, b, lossOf(t, s, rows)(b))
	for _, name := range r.Inputs() {
		r.Input64(name) // zeros
	}
	var squares []float64 // of the errors: all parameters are zeros, and so are all predictions
	for i := range r.Input64(models.InputY) {
		y := math.Sin(float64(5 * i))
		r.Input64(models.InputY)[i] = y
		squares = append(squares, y*y)
	}
	for _, wrong := range []float64{3, 1e6} {
		r.Input64(models.InputY)[4] = wrong
		squares[4] = wrong * wrong
		expect.NoError(t, r.Run())
		sorted := slices.Sorted(slices.Values(squares))
		want := 0.0
		for _, v := range sorted[:rows-1] {
			want += v / (rows - 1)
		}
		if got := r.Output64(0)[0]; !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("loss %v with a target of %v, want %v", got, wrong, want)
		}
	}
}
