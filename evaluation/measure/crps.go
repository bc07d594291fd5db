package measure

var crps = Measure{
	Name:       "crps",
	Title:      "CRPS",
	Summary:    "continuous ranked probability score of the predicted distribution",
	Formula:    "mean ∫ (F(x) − 1[x ≥ y])² dx; for N(μ, σ²): σ(r(2Φ(r) − 1) + 2φ(r) − 1/√π), φ the density of N(0, 1)",
	Convention: "nothing is added to σ. It is |μ − y| where σ = 0, even under the paper protocol. In the unit of a transformed target it is computed as twice the mean pinball loss at the levels 0.0025, 0.0075, …, 0.9975; bounds of the target take off the part of that loss that clipping the quantiles saves",
	Source:     "Gneiting & Raftery (2007), Strictly proper scoring rules, prediction, and estimation, eq. 21, with the opposite sign",
	Unit:       Target,
	Needs:      []Part{CDF},
	Compute:    func(c *Column) float64 { return c.Average(c.rowCRPS) },
}

// rowCRPS returns the CRPS of one row.
func (c *Column) rowCRPS(row int) float64 { return c.Distribution(row).CRPS(c.Y[row]) }
