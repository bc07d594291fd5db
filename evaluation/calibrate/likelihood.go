package calibrate

import (
	"math"

	"sml/internal/portable"
)

// fitScale returns the floor f and the factor k that minimise the negative log-likelihood
// Σ log(s) + (μ − y)²/(2s²) with s = k·max(σ, f), by the rows' weights.
//
// For a given floor the best factor is √mean(r²), with r = (μ − y)/max(σ, f). The floor is chosen
// from a few candidates: without a floor, one row with σ near 0 would have a huge residual, and the
// factor would widen all intervals because of it.
func fitScale(s sample) TargetFit {
	meanStd := s.meanStd()
	var best TargetFit
	lowestLoss := math.Inf(1)
	for _, fraction := range candidateFloors {
		fit, loss := s.fitFactor(max(fraction*meanStd, minStd))
		if loss < lowestLoss {
			best = fit
			lowestLoss = loss
		}
	}
	return best
}

// fitFactor returns the fit with the given floor and the best factor for it. loss is the mean negative
// log-likelihood, without a constant: with the best factor, the mean of (y − μ)²/(2s²) is 1/2 for every
// floor.
func (s sample) fitFactor(floor float64) (fit TargetFit, loss float64) {
	var squares, logs, totalWeight float64 // Σ w·r², Σ w·log max(σ, f), Σ w
	for row, std := range s.Std {
		std = math.Max(std, floor)
		weight := s.weight(row)
		residual := (s.Mean[row] - s.Y[row]) / std
		squares += float64(weight * float64(residual*residual))
		logs += float64(weight * portable.Log(std))
		totalWeight += weight
	}
	factor := math.Max(math.Sqrt(squares/totalWeight), minStd)
	return TargetFit{Floor: floor, Scale: factor}, logs/totalWeight + portable.Log(factor)
}

// meanStd returns the mean standard deviation of the rows, by their weights.
func (s sample) meanStd() float64 {
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

// candidateFloors are the floors that fitScale tries, as fractions of the mean standard deviation.
var candidateFloors = []float64{0.001, 0.01, 0.1, 0.5}

// minStd keeps standard deviations and factors above 0 if all σ are 0 or all means are exact. It is
// in standard deviations of the target.
const minStd = 1e-6
