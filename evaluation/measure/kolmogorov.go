package measure

var ks = Measure{
	Name: "ks", Title: "KS",
	Summary:    "Kolmogorov–Smirnov distance between the r and N(0, 1)",
	Formula:    "sup |Fₙ − Φ|",
	Convention: "two-sided, as scipy.stats.kstest",
	Source:     "Sicking et al., second-moment loss, figure 14",
	Unit:       None, Needs: []Part{CDF},
	Of: func(c *Column) float64 { return kolmogorovDistance(c.PIT(), c.pitWeightList()) },
}

// kolmogorov is sup|F_n − Φ| of residuals whose Φ(r), in ascending order, are q.
// F_n jumps at each residual, by its weight, so the supremum is found on one side of
// a jump. Without weights all jumps are 1/n.
func kolmogorovDistance(q, weights []float64) float64 {
	n := float64(len(q))
	var distance float64
	if weights != nil {
		for i, step := range cumulated(weights) {
			distance = max(distance, step.above-q[i], q[i]-step.below)
		}
		return distance
	}
	for i, q := range q {
		distance = max(distance, float64(i+1)/n-q, q-float64(i)/n)
	}
	return distance
}
