package measure

var ks = Measure{
	Name:       "ks",
	Title:      "KS",
	Summary:    "Kolmogorov–Smirnov distance between the distribution of r and N(0, 1)",
	Formula:    "sup |Fₙ − Φ|",
	Convention: "two-sided, as in scipy.stats.kstest",
	Source:     "Sicking et al., second-moment loss, figure 14",
	Unit:       None,
	Needs:      []Part{CDF},
	Compute:    func(c *Column) float64 { return kolmogorovDistance(c.PIT(), c.sortedPITWeights()) },
}

// kolmogorovDistance returns sup|Fₙ − Φ|, where Fₙ is the empirical distribution function of the
// residuals r, and pit has their Φ(r) in ascending order. Fₙ jumps at each residual by its weight, by 1/n
// without weights, and is constant in between, so the supremum is just before or at a jump.
func kolmogorovDistance(pit, weights []float64) float64 {
	var distance float64
	for i, step := range cumulativeSteps(weightsOrOnes(weights, len(pit))) {
		distance = max(distance, step.above-pit[i], pit[i]-step.below)
	}
	return distance
}
