package measure

var pearson = Measure{
	Name:           "pearson",
	Title:          "Pearson",
	Summary:        "correlation between σ and the absolute error",
	Formula:        "Σ(σ − σ̄)(e − ē)/√(Σ(σ − σ̄)² Σ(e − ē)²), e = |μ − y|",
	Convention:     "0 if σ or |μ − y| is constant. NaN for a single row. A few large values can determine it; spearman uses ranks instead",
	Source:         "scipy.stats.pearsonr",
	Unit:           None,
	HigherIsBetter: true,
	Needs:          []Part{Mean, Std},
	OnRequest:      true,
	Compute:        func(c *Column) float64 { return c.correlation(c.Std, c.AbsoluteErrors()) },
}
