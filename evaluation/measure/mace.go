package measure

var mace = Measure{
	Name: "mace", Title: "MACE",
	Summary: "mean absolute calibration error: how far the coverage of central intervals is from what they say",
	Formula: "mean of |fraction of y within the central interval of coverage c − c|, over c = 0, 1/99, …, 1",
	Convention: "from 0 to 1/2. What is covered is told by the PIT: by Φ(r), or by the calibrated distribution. " +
		"It counts too much and too little alike, and does not tell one side from the other, as ECE does",
	Source: "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; uncertainty-toolbox, mean_absolute_calibration_error",
	Unit:   None, Needs: []Part{CDF}, OnRequest: true,
	Compute: func(c *Column) float64 { return c.calibrationCurve().meanAbsoluteError() },
}
