package methods

import (
	"math"
	"slices"

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
	for _, m := range members {
		if m.NoStd || len(m.Quantiles)+len(m.Probabilities) > 0 {
			panic("a mixture of Gaussians is made of means and standard deviations alone: combine by Ensemble what has none, or quantiles, or probabilities")
		}
	}
	n := float64(len(members))
	p := mixture(slices.Repeat([]float64{1}, len(members)), members)
	for _, m := range members {
		p.StdDrop += m.StdDrop / n
		p.MeanShift += m.MeanShift / n
	}
	return p
}

// mixture is the mean and the standard deviation of a mixture of Gaussians with these
// weights, up to a factor.
func mixture(weights []float64, parts []models.Prediction) (p models.Prediction) {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	for i, part := range parts {
		p.Mean += float64(weights[i]*part.Mean) / total
	}
	variance := 0.0
	for i, part := range parts {
		// mean of (σᵢ² + μᵢ²) − μ², without its cancellation
		off := part.Mean - p.Mean
		variance += float64(weights[i]*(float64(part.Std*part.Std)+float64(off*off))) / total
	}
	p.Std = math.Sqrt(variance)
	return p
}
