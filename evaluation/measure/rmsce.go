package measure

import "math"

var rmsce = Measure{
	Name:       "rmsce",
	Title:      "RMSCE",
	Summary:    "root-mean-square calibration error: like MACE, with squared distances",
	Formula:    "√ mean (coverage of the central interval − c)², c = 0, 1/99, …, 1",
	Convention: "never less than MACE",
	Source:     "Kuleshov et al. (2018), Accurate uncertainties for deep learning using calibrated regression; uncertainty-toolbox, root_mean_squared_calibration_error",
	Unit:       None,
	Needs:      []Part{CDF},
	OnRequest:  true,
	Compute: func(c *Column) float64 {
		sum := 0.0
		for point, fraction := range c.calibrationCurve() {
			difference := fraction - nominalCoverages[point]
			sum += float64(difference * difference)
		}
		return math.Sqrt(sum / curvePoints)
	},
}
