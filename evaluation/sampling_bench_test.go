package evaluation

import (
	"fmt"
	"math"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// BenchmarkPredict is what a service does: a model is opened once, and then asked for
// rows again and again.
func BenchmarkPredict(b *testing.B) {
	for _, c := range []struct{ inputs, width, rows int }{{13, 50, 1}, {13, 50, 10}, {13, 50, 1000}, {90, 50, 1}, {90, 50, 5000}, {13, 1024, 1}, {13, 1024, 50}, {13, 1024, 1000}} {
		for _, workers := range []int{1, 0} {
			name := fmt.Sprintf("inputs=%d/width=%d/rows=%d/workers=%d", c.inputs, c.width, c.rows, workers)
			b.Run(name, func(b *testing.B) {
				m := untrained(b, "sml", 1, func(a *models.Architecture) { a.Inputs, a.Hidden = c.inputs, []int{c.width, c.width} })
				p := expect.Must(NewPredictor(m, Sampling{Workers: workers}))
				defer p.Close()
				x := make([]float64, c.rows*c.inputs)
				for i := range x {
					x[i] = math.Sin(float64(5 * i))
				}
				b.ReportAllocs()
				for b.Loop() {
					expect.Must(p.Predict(b.Context(), data.Subset{X: x}))
				}
			})
		}
	}
}
