package measure

var rmse = Measure{
	Name:    "rmse",
	Title:   "RMSE",
	Summary: "root-mean-square error of the predicted mean",
	Formula: "√ mean (μ − y)²",
	Source:  "Sicking et al., second-moment loss, appendix \"Evaluation measures\"",
	Unit:    Target,
	Needs:   []Part{Mean},
	Compute: func(c *Column) float64 { return c.rootMeanSquare(c.Mean, c.Y) },
}
