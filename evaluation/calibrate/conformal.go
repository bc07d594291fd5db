package calibrate

import (
	"math"

	"sml/models/distribution"
)

var conformal = Kind{
	Name: "conformal", Title: "Conformal",
	Summary: "intervals of coverage c reach as many σ from the mean as cover ⌈(n + 1)c⌉ of n calibration rows; intervals between learned quantiles are widened",
	Source:  "Papadopoulos et al. (2002), Inductive confidence machines for regression; Lei et al. (2018), Distribution-free predictive inference for regression, sect. 5.2; of quantiles Romano et al. (2019), Conformalized quantile regression",
	Fit: func(s Sample) TargetFit {
		f := fitScale(s)
		r := residuals(s, f)
		for i := range r {
			r[i] = math.Abs(r[i])
		}
		f.Scores = newOrderStatistics(r)
		return f
	},
	Shape:        func(f TargetFit) distribution.Shape { return &symmetricShape{f.Scores} },
	FitQuantiles: fitQuantileShifts,
	Rows:         func(coverage float64) int { return max(2, ceilTolerant(coverage/(1-coverage))) },
}

// residuals returns (y − mean)/σ of each row, with the calibrated σ.
func residuals(s Sample, f TargetFit) []float64 {
	r := make([]float64, len(s.Y))
	for i, y := range s.Y {
		r[i] = (y - s.Mean[i]) / f.calibrateStd(s.Std[i])
	}
	return r
}

// symmetricShape is the distribution of standardised residuals whose central interval of a coverage
// reaches as far as the ⌈(n + 1)·coverage⌉-th smallest |residual| of the n calibration rows. The
// 1 is the row to be predicted, whose rank among the others is uniform (split conformal
// prediction).
type symmetricShape struct{ sizes OrderStatistics }

// Quantile returns the residual at a level: the end of the central interval that ends there.
func (s *symmetricShape) Quantile(level float64) float64 {
	coverage := math.Abs(float64(2*level) - 1)
	rank := ceilTolerant(float64(coverage * float64(s.sizes.Count+1)))
	if rank == 0 {
		return 0
	}
	return math.Copysign(s.sizes.valueAtOrAbove(rank), level-0.5)
}

// Level returns the level of a residual z, the inverse of Quantile. It is linear between 0 and the
// smallest residual.
func (s *symmetricShape) Level(z float64) float64 {
	size := math.Abs(z)
	smallest := s.sizes.Values[0]
	var coverage float64
	if size >= smallest {
		coverage = s.sizes.fractionBelow(size)
	} else {
		coverage = size / smallest / float64(s.sizes.Count+1)
	}
	return 0.5 + math.Copysign(coverage/2, z)
}
