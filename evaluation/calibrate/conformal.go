package calibrate

import (
	"math"

	"sml/models/distribution"
)

var conformal = Kind{
	Name:         "conformal",
	Title:        "Conformal",
	Summary:      "an interval of coverage c extends as many σ from the mean as are needed to cover ⌈(n + 1)c⌉ of n calibration rows; intervals between learned quantiles are widened or narrowed",
	Source:       "Papadopoulos et al. (2002), Inductive confidence machines for regression; Lei et al. (2018), Distribution-free predictive inference for regression, sect. 5.2; of quantiles Romano et al. (2019), Conformalized quantile regression",
	Fit:          fitScale,
	Score:        math.Abs,
	Shape:        func(sizes Scores) distribution.Shape { return symmetricShape{sizes} },
	FitQuantiles: fitQuantileShifts,

	// An interval is finite if its rank ⌈(n + 1)c⌉ is at most n, that is, if n is at least c/(1 − c).
	Rows: func(coverage float64) int { return max(fewestRows, ceilTolerant(coverage/(1-coverage))) },
}

// symmetricShape is the symmetric distribution of residuals, in calibrated σ, whose central interval
// of a coverage ends at the ⌈(n + 1)·coverage⌉-th smallest |residual| of the n calibration rows. That is
// split conformal prediction: the rank of a new row among the n + 1 rows is uniform, so its |residual| is
// at most that large with at least the probability coverage.
type symmetricShape struct{ sizes Scores }

// Quantile returns the residual at a level, which is an end of the central interval of coverage
// |2·level − 1|. It is infinite if there are too few calibration rows for that coverage.
func (s symmetricShape) Quantile(level float64) float64 {
	coverage := math.Abs(float64(2*level) - 1)
	if coverage < rankTolerance {
		return 0
	}
	return math.Copysign(s.sizes.AtOrAbove(coverage), level-0.5)
}

// Level returns the level of a residual z, the inverse of Quantile. Between 0 and the smallest
// |residual| of the calibration rows it is linear in z.
func (s symmetricShape) Level(z float64) float64 {
	size := math.Abs(z)
	smallest, coverage := s.sizes.Smallest()
	if size >= smallest {
		coverage = s.sizes.FractionBelow(size)
	} else {
		coverage *= size / smallest
	}
	return 0.5 + math.Copysign(coverage/2, z)
}
