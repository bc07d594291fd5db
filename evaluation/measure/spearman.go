package measure

var spearman = Measure{
	Name: "spearman", Title: "Spearman",
	Summary:    "rank correlation of σ with the size of the error: whether larger σ stand at larger errors",
	Formula:    "Pearson's correlation of the ranks of σ and of |μ − y|",
	Convention: "equal values share the mean of their ranks, as scipy.stats.spearmanr; 0 where σ or |μ − y| is the same in all rows, NaN for a single row. Of true σ it is well below 1, since an error is drawn",
	Source:     "Spearman (1904), The proof and measurement of association between two things; scipy.stats.spearmanr",
	Unit:       None, HigherIsBetter: true, Needs: []Part{Mean, Std}, OnRequest: true,
	Compute: func(c *Column) float64 {
		return c.correlation(midranks(c.Std, c.scaledWeights()), midranks(c.absoluteErrors(), c.scaledWeights()))
	},
}
