package calibrate

import (
	"math"

	"sml/models/distribution"
)

var conformal = Kind{
	Name: "conformal", Title: "Conformal",
	Summary: "intervals of a coverage c reach as many σ from the mean as hold ⌈(n + 1)c⌉ of the n rows; of quantiles, they are widened as far",
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

// residuals are those in calibrated standard deviations.
func residuals(s Sample, f TargetFit) []float64 {
	r := make([]float64, len(s.Y))
	for i, y := range s.Y {
		r[i] = (y - s.Mean[i]) / f.calibrateStd(s.Std[i])
	}
	return r
}

// symmetric is a distribution whose central intervals hold as many rows as they
// should, one more than there are being counted: that to be predicted.
type symmetricShape struct{ sizes OrderStatistics }

func (s *symmetricShape) Quantile(level float64) float64 {
	coverage := math.Abs(float64(2*level) - 1)
	rank := ceilTolerant(float64(coverage * float64(s.sizes.Count+1)))
	if rank == 0 {
		return 0
	}
	return math.Copysign(s.sizes.valueAtOrAbove(rank), level-0.5)
}

func (s *symmetricShape) Level(z float64) float64 {
	size, share := math.Abs(z), 0.0
	if least := s.sizes.Values[0]; size >= least {
		share = s.sizes.fractionBelow(size)
	} else { // from 0 on, where there is nothing below
		share = size / least / float64(s.sizes.Count+1)
	}
	return 0.5 + math.Copysign(share/2, z)
}
