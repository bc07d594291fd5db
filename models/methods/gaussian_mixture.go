package methods

import (
	"math"
	"slices"

	"sml/graph"
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

// GaussianMixtureGraph is GaussianMixture as a graph.
func GaussianMixtureGraph(b *graph.Builder, members []models.PredictionNodes) models.PredictionNodes {
	mean := func(of func(models.PredictionNodes) *graph.Node) *graph.Node {
		parts := make([]*graph.Node, len(members))
		for i, m := range members {
			if parts[i] = of(m); parts[i] == nil {
				return nil
			}
		}
		return b.MeanOf(parts...)
	}
	weights := slices.Repeat([]*graph.Node{b.Const(1)}, len(members))
	p := mixtureGraph(b, weights, members)
	p.StdDrop = mean(func(m models.PredictionNodes) *graph.Node { return m.StdDrop })
	p.MeanShift = mean(func(m models.PredictionNodes) *graph.Node { return m.MeanShift })
	return p
}

// mixtureGraph is mixture as a graph.
func mixtureGraph(b *graph.Builder, weights []*graph.Node, parts []models.PredictionNodes) (p models.PredictionNodes) {
	sum := func(of func(i int) *graph.Node) *graph.Node {
		total := of(0)
		for i := range parts[1:] {
			total = b.Add(total, of(i+1))
		}
		return total
	}
	total := sum(func(i int) *graph.Node { return weights[i] })
	p.Mean = b.Div(sum(func(i int) *graph.Node { return b.Mul(parts[i].Mean, weights[i]) }), total)
	variance := sum(func(i int) *graph.Node {
		return b.Mul(b.Add(b.Square(parts[i].Std), b.Square(b.Sub(parts[i].Mean, p.Mean))), weights[i])
	})
	p.Std = b.Sqrt(b.Div(variance, total))
	return p
}
