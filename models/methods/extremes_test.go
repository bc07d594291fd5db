package methods_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// Of outputs of ±20 and ±80, whose softplus is at its floor or far above it, loss and
// gradients are finite in float32, and those of float64 but for rounding. Two components
// of a mixture may both be so far away that float32 does not tell which is nearer: its
// gradients need only be finite.
func TestExtremeOutputs(t *testing.T) {
	for name, outputs := range map[string]int{"student-t": 3, "evidential": 4, "mdn": 9, "quantiles": 7} {
		single, double := rowOf(t, name, outputs, false), rowOf(t, name, outputs, true)
		random := rand.New(rand.NewPCG(1, 1))
		for range 2000 {
			out := make([]float64, outputs)
			for i := range out {
				out[i] = []float64{-80, -20, -0.5, 0, 1.25, 20, 80}[random.IntN(7)]
			}
			y := []float64{-3, 0, 0.75, 5}[random.IntN(4)]
			got, want := single(out, y), double(out, y)
			for i, w := range want {
				if close := math.Abs(got[i]-w) <= 1e-5*max(1, math.Abs(w)); got[i]-got[i] != 0 || !close && (name != "mdn" || i == 0) {
					t.Errorf("%s of %v, y = %v: number %d is %v in float32, and %v in float64", name, out, y, i, got[i], w)
				}
			}
		}
	}
}

// rowOf returns loss and gradient of a method's objective, of the outputs for one row.
func rowOf(t *testing.T, name string, outputs int, double bool) func(out []float64, y float64) []float64 {
	t.Helper()
	m := expect.Must(models.Lookup(name))
	h := expect.Must(m.Choose(nil))
	b := graph.New(graph.Float32, new(graph.Params))
	if double {
		b = graph.New(graph.Float64, new(graph.Params))
	}
	out, y := b.Input("out", 1, outputs), b.Input("y", 1, 1)
	loss := m.Objective(b, models.NewTask(b, func(graph.Pass) *graph.Node { return out }, y, h))
	r := expect.Must(graph.NewRunner(graph.Compiled, b, loss, b.Grad(loss, out)[0]))
	t.Cleanup(func() { r.Close() })
	return func(out []float64, y float64) []float64 {
		set(r, "out", out...)
		set(r, "y", y)
		expect.NoError(t, r.Run())
		return append(outputOf(r, 0), outputOf(r, 1)...)
	}
}
