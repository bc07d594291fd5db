package methods

import (
	"math"

	"sml/models"
)

// GaussianMixture combines as an equally weighted mixture of Gaussians:
// μ = mean of μᵢ, σ² = mean of (σᵢ² + μᵢ²) − μ². The parts StdDrop and
// MeanShift are the members' means. It panics if a member has no standard
// deviation, or quantiles or probabilities that a mixture would lose, which is a
// mistake in the method: Ensemble combines such. Source: Lakshminarayanan et al.
// 2017, section 2.4.
func GaussianMixture(members []models.Prediction) models.Prediction {
	if len(members) == 1 {
		return members[0]
	}
	n := float64(len(members))
	var p models.Prediction
	for _, m := range members {
		if m.NoStd || len(m.Quantiles)+len(m.Probabilities) > 0 {
			panic("a mixture of Gaussians is made of means and standard deviations alone: combine by Ensemble what has none, or quantiles, or probabilities")
		}
		p.Mean += m.Mean / n
		p.StdDrop += m.StdDrop / n
		p.MeanShift += m.MeanShift / n
	}
	variance := 0.0
	for _, m := range members {
		// The same as in the formula, without its cancellation.
		variance += (float64(m.Std*m.Std) + float64((m.Mean-p.Mean)*(m.Mean-p.Mean))) / n
	}
	p.Std = math.Sqrt(variance)
	return p
}
