package measure

var pearson = Measure{
	Name: "pearson", Title: "Pearson",
	Summary:    "correlation of σ with the size of the error",
	Formula:    "Σ(σ − σ̄)(e − ē)/√(Σ(σ − σ̄)² Σ(e − ē)²), e = |μ − y|",
	Convention: "0 if σ or |μ − y| is constant; a few large σ or errors can decide it",
	Source:     "scipy.stats.pearsonr",
	Unit:       None, HigherIsBetter: true, Needs: []Part{Mean, Std}, OnRequest: true,
	Compute: func(c *Column) float64 { return c.correlation(c.Std, c.absoluteErrors()) },
}
