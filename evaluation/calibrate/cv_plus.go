package calibrate

import (
	"math"

	"sml/models/distribution"
)

var cvPlus = Kind{
	Name:         "cv-plus",
	Title:        "CV+",
	Summary:      "after a cross-validation or a bootstrap, an interval ends where enough of the calibration rows' errors end, each added to the prediction of the members that held the row out; otherwise like conformal",
	Source:       "Barber et al. (2021), Predictive inference with the jackknife+, section 3; with residuals in standard deviations. After a bootstrap: Kim, Xu and Barber (2020), Predictive inference is free with the jackknife+-after-bootstrap",
	Fit:          fitScale,
	Score:        math.Abs,
	Shape:        func(sizes Scores) distribution.Shape { return symmetricShape{sizes} },
	FitQuantiles: fitQuantileShifts,
	FoldShape: func(folds []FoldScores) distribution.Shape {
		return newFoldShape(folds)
	},
	Rows: conformal.Rows,
}
