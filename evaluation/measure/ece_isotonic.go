package measure

var eceIsotonic = Measure{
	Name: "ece_isotonic", Title: "ECE iso",
	Summary:    "ECE after an isotonic recalibration that is fitted on the training rows",
	Formula:    "the ECE of the g(Φ(r)), g the isotonic regression, over the training rows, of the share of them with a Φ(r) that is no larger",
	Convention: "the paper's variant, in studies under the paper protocol alone: a network fits its training rows better than others, so that rows of their own would be the right ones",
	Source:     "Kuleshov et al. 2018, algorithm 1, and the notebook of Sicking et al.",
	Unit:       None, Needs: []Part{CDF, Recalibration},
	Of: func(c *Column) float64 {
		recalibrated := make([]float64, len(c.PIT()))
		for i, q := range c.PIT() {
			recalibrated[i] = c.Recalibration.Eval(q)
		}
		return calibrationError(recalibrated, c.pitWeightList(), c.Protocol)
	},
}

// FitRecalibration returns the isotonic regression of the share of rows, by their
// weights, whose Φ(r) is no larger than that of a row on this row's Φ(r). Of honest
// predictions it is close to the identity.
func (c *Column) FitRecalibration() (Isotonic, error) {
	q, weights := c.PIT(), c.pitWeightList()
	shares := make([]float64, len(q))
	sum, all := 0.0, 0.0
	for i := range q {
		all += weighted(weights, i, 1)
	}
	for i, from := 0, 0; i < len(q); i++ {
		sum += weighted(weights, i, 1)
		if i+1 < len(q) && q[i+1] == q[i] {
			continue // rows of one Φ(r) have one share, that of the last
		}
		for ; from <= i; from++ {
			shares[from] = min(1, sum/all)
		}
	}
	return fitIsotonic(q, shares, weights)
}
