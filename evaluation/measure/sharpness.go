package measure

import "math"

var sharpness = Measure{
	Name: "sharpness", Title: "Sharp",
	Summary:    "root-mean-square σ",
	Formula:    "√ mean σ²",
	Convention: "of two equally well calibrated models the sharper is better. Calibrated intervals do not change it: compare their widths",
	Source:     "Gneiting, Balabdaoui & Raftery (2007), Probabilistic forecasts, calibration and sharpness; uncertainty-toolbox, sharpness",
	Unit:       Target, Undirected: true, Needs: []Part{Std}, OnRequest: true,
	Compute: func(c *Column) float64 {
		unit := squareUnit(c.scaledWeights(), c.Std)
		none := make([]float64, len(c.Std))
		return math.Ldexp(math.Sqrt(sumOfSquares(c.Std, none, c.scaledWeights(), unit)/float64(len(c.Y))), unit)
	},
}
