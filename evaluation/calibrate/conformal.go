package calibrate

import (
	"math"

	"sml/models/distribution"
)

var conformal = Kind{
	Name: "conformal", Title: "Conformal",
	Summary: "intervals of a coverage c reach as many σ from the mean as hold ⌈(n + 1)c⌉ of the n rows; of quantiles, they are widened as far",
	Source:  "Papadopoulos et al. (2002), Inductive confidence machines for regression; Lei et al. (2018), Distribution-free predictive inference for regression, sect. 5.2; of quantiles Romano et al. (2019), Conformalized quantile regression",
	Fit: func(s Sample) Fitted {
		f := scaled(s)
		r := residuals(s, f)
		for i := range r {
			r[i] = math.Abs(r[i])
		}
		f.Scores = rank(r)
		return f
	},
	Shape:        func(f Fitted) distribution.Shape { return &symmetric{f.Scores} },
	FitQuantiles: conformalised,
	Rows:         func(coverage float64) int { return max(2, ceil(coverage/(1-coverage))) },
}

// residuals are those in calibrated standard deviations.
func residuals(s Sample, f Fitted) []float64 {
	r := make([]float64, len(s.Y))
	for i, y := range s.Y {
		r[i] = (y - s.Mean[i]) / f.std(s.Std[i])
	}
	return r
}

// symmetric is a distribution whose central intervals hold as many rows as they
// should, one more than there are being counted: that to be predicted.
type symmetric struct{ sizes Ranked }

func (s *symmetric) Quantile(level float64) float64 {
	coverage := math.Abs(float64(2*level) - 1)
	rank := ceil(float64(coverage * float64(s.sizes.Of+1)))
	if rank == 0 {
		return 0
	}
	return math.Copysign(s.sizes.atLeast(rank), level-0.5)
}

func (s *symmetric) Level(z float64) float64 {
	size, share := math.Abs(z), 0.0
	if least := s.sizes.Values[0]; size >= least {
		share = s.sizes.share(size)
	} else { // from 0 on, where there is nothing below
		share = size / least / float64(s.sizes.Of+1)
	}
	return 0.5 + math.Copysign(share/2, z)
}
