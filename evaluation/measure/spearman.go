package measure

var spearman = Measure{
	Name:           "spearman",
	Title:          "Spearman",
	Summary:        "rank correlation between σ and the absolute error: whether rows with larger σ have larger errors",
	Formula:        "correlation of the ranks of σ and |μ − y|",
	Convention:     "as in scipy.stats.spearmanr. Equal values get their mean rank; 0 if σ or |μ − y| is constant, NaN for a single row. Even true σ score well below 1, because errors are random",
	Source:         "Spearman (1904), The proof and measurement of association between two things; scipy.stats.spearmanr",
	Unit:           None,
	HigherIsBetter: true,
	Needs:          []Part{Mean, Std},
	OnRequest:      true,
	Compute: func(c *Column) float64 {
		return c.correlation(midranks(c.Std, c.scaledWeights()), midranks(c.AbsoluteErrors(), c.scaledWeights()))
	},
}
