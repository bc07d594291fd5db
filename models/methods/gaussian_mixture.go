package methods

import (
	"math"

	"sml/models"
)

// GaussianMixture combines as an equally weighted mixture of Gaussians:
// μ = mean of μᵢ, σ² = mean of (σᵢ² + μᵢ²) − μ². The parts StdDrop and
// MeanShift are the members' means. Source: Lakshminarayanan et al. 2017,
// section 2.4.
func GaussianMixture(members []models.Prediction) models.Prediction {
	if len(members) == 1 {
		return members[0]
	}
	n := float64(len(members))
	var p models.Prediction
	for _, m := range members {
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
