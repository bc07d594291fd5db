package calibrate

import (
	"math"

	"sml/internal/portable"
)

var scale = Kind{
	Name: "scale", Title: "σ scaled",
	Summary: "σ is multiplied by a factor and raised to a floor, which maximise the likelihood of the calibration rows",
	Source:  "Levi et al. (2022), Evaluating and calibrating uncertainty prediction in regression tasks, sect. 5; Laves et al. (2020); without a floor",
	Fit:     fitScale,
}

// fitScale returns the floor f and the factor k that minimise the negative log-likelihood
// Σ log(s) + (μ − y)²/(2s²) with s = k·max(σ, f), by the rows' weights.
//
// For a given floor the best factor is √mean(r²), with r = (μ − y)/max(σ, f). The floor is chosen
// from a few candidates: without a floor, one row with σ near 0 would have a huge residual, and the
// factor would widen all intervals because of it.
func fitScale(s Sample) TargetFit {
	meanStd := s.meanStd()
	var best TargetFit
	lowestLoss := math.Inf(1)
	for _, fraction := range candidateFloors {
		fit := TargetFit{Floor: math.Max(fraction*meanStd, minStd)}
		var squares, logs, total float64
		for i, std := range s.Std {
			std = math.Max(std, fit.Floor)
			w := s.weight(i)
			r := (s.Mean[i] - s.Y[i]) / std
			squares += float64(w * float64(r*r))
			logs += float64(w * portable.Log(std))
			total += w
		}
		fit.Scale = math.Max(math.Sqrt(squares/total), minStd)
		loss := logs/total + portable.Log(fit.Scale) // the mean of r² is 1, whatever the floor
		if loss < lowestLoss {
			best = fit
			lowestLoss = loss
		}
	}
	return best
}

// meanStd returns the mean standard deviation of the rows, by their weights.
func (s Sample) meanStd() float64 {
	total := 0.0
	for i := range s.Std {
		total += s.weight(i)
	}
	mean := 0.0
	for i, std := range s.Std {
		mean += float64(s.weight(i)*std) / total
	}
	return mean
}

// weight returns the weight of a row, 1 if all rows count the same.
func (s Sample) weight(row int) float64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[row]
}

// candidateFloors has the floors that fitScale tries, as fractions of the mean standard deviation.
var candidateFloors = []float64{0.001, 0.01, 0.1, 0.5}

// minStd keeps standard deviations and factors above 0 if all σ are 0 or all means are exact. It is
// in standard deviations of the target.
const minStd = 1e-6
