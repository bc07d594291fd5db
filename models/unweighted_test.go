package models_test

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// Rows without weights weigh 1, however many there are and whatever their targets say.
func TestWeightOfRowsWithoutWeights(t *testing.T) {
	for _, rows := range []int{1, 5} {
		b := graph.New(graph.Float32, new(graph.Params))
		y := b.Input(models.InputY, rows, 2)
		w := models.NewTask(b, func(graph.Pass) *graph.Node { return y }, y, nil).Weight()
		r := expect.Must(graph.NewRunner(graph.Compiled, b, w, b.Mean(y)))
		for i := range r.Input(models.InputY) {
			r.Input(models.InputY)[i] = float32(math.NaN())
		}
		expect.NoError(t, r.Run())
		if got := r.Output(0); !slices.Equal(got, slices.Repeat([]float32{1}, rows)) {
			t.Errorf("%d rows weigh %v, want 1 each", rows, got)
		}
		expect.NoError(t, r.Close())
	}
}
