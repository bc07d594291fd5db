package measure

var ks = Measure{
	Name: "ks", Title: "KS",
	Summary:    "Kolmogorov–Smirnov distance between the r and N(0, 1)",
	Formula:    "sup |Fₙ − Φ|",
	Convention: "two-sided, as scipy.stats.kstest",
	Source:     "Sicking et al., second-moment loss, figure 14",
	Unit:       None, Needs: []Part{CDF},
	Compute: func(c *Column) float64 { return kolmogorovDistance(c.PIT(), c.sortedPITWeights()) },
}

// kolmogorovDistance returns sup|Fₙ − Φ|, with Fₙ the empirical distribution function of residuals
// whose Φ(r), in ascending order, are q. Fₙ jumps at each residual by its weight, so the supremum
// is just before or at a jump. Without weights each jump is 1/n.
func kolmogorovDistance(q, weights []float64) float64 {
	var distance float64
	if weights != nil {
		for i, step := range cumulativeSteps(weights) {
			distance = max(distance, step.above-q[i], q[i]-step.below)
		}
		return distance
	}
	n := float64(len(q))
	for i, q := range q {
		distance = max(distance, float64(i+1)/n-q, q-float64(i)/n)
	}
	return distance
}
