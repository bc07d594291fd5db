package measure

var sharpness = Measure{
	Name:       "sharpness",
	Title:      "Sharp",
	Summary:    "root mean square of σ",
	Formula:    "√ mean σ²",
	Convention: "of two equally well calibrated models the one with the smaller σ is better. A calibration of intervals does not change σ: compare widths instead",
	Source:     "Gneiting, Balabdaoui & Raftery (2007), Probabilistic forecasts, calibration and sharpness; uncertainty-toolbox, sharpness",
	Unit:       Target,
	Undirected: true,
	Needs:      []Part{Std},
	OnRequest:  true,
	Compute:    func(c *Column) float64 { return c.rootMeanSquare(c.Std, make([]float64, len(c.Std))) },
}
