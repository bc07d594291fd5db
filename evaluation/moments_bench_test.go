package evaluation

import (
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// BenchmarkMoments predicts 10,000 rows on one core, with moments of 200 sub-networks and analytic ones: of a network
// that drops units in two hidden layers, and in the last one.
func BenchmarkMoments(b *testing.B) {
	const rows = 10_000
	for _, drop := range []models.Layers{models.AllLayers, models.LastLayer} {
		for _, source := range []MomentSource{SampledMoments, AnalyticMoments} {
			b.Run("drop="+string(drop)+"/moments="+string(source), func(b *testing.B) {
				m := untrained(b, "sml", 1, func(a *models.Architecture) {
					a.Inputs = 10
					a.Hidden = []int{50, 50}
					a.Drop = drop
				})
				p := expect.Must(NewPredictor(m, Sampling{Moments: source, Workers: 1}))
				defer p.Close()
				x := points(rows * 10 / 2)
				for b.Loop() {
					expect.Must(p.Predict(b.Context(), data.Subset{X: x}))
				}
			})
		}
	}
}
