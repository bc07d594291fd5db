package measure

var mace = Measure{
	Name:       "mace",
	Title:      "MACE",
	Summary:    "mean absolute calibration error: how far the coverages of central intervals are from their nominal coverages",
	Formula:    "mean |coverage of the central interval − c|, c = 0, 1/99, …, 1",
	Convention: "from 0 to 1/2. The coverages follow from Φ(r), or from the calibrated distribution. Unlike ECE, it ignores on which side of an interval targets lie",
	Source:     "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; uncertainty-toolbox, mean_absolute_calibration_error",
	Unit:       None,
	Needs:      []Part{CDF},
	OnRequest:  true,
	Compute:    func(c *Column) float64 { return c.calibrationCurve().meanAbsoluteError() },
}
