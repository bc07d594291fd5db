package calibrate

import (
	"math"

	"sml/internal/portable"
)

var scale = Kind{
	Name: "scale", Title: "σ scaled",
	Summary: "σ times one factor, and not below a floor, by which the likelihood of the rows is greatest",
	Source:  "Levi et al. (2022), Evaluating and calibrating uncertainty prediction in regression tasks, sect. 5; Laves et al. (2020); without a floor",
	Fit:     fitScale,
}

// scaled is the factor k and the floor f that minimise Σ log(s) + (μ − y)²/(2s²) with
// s = k·max(σ, f): for each floor the factor is the root of the mean of r², by the rows'
// weights. There are few floors to choose from, of which the lowest is for networks that
// are right about their σ; a σ of next to nothing would make a residual of any size, and
// with the factor all others as wide.
func fitScale(s Sample) TargetFit {
	mean := s.meanSigma()
	var best TargetFit
	least := math.Inf(1)
	for _, share := range candidateFloors {
		f := TargetFit{Floor: math.Max(share*mean, minStd)}
		var squares, logs, of float64
		for i, std := range s.Std {
			std, w := math.Max(std, f.Floor), s.weight(i)
			r := (s.Mean[i] - s.Y[i]) / std
			squares += float64(w * float64(r*r))
			logs += float64(w * portable.Log(std))
			of += w
		}
		f.Scale = math.Max(math.Sqrt(squares/of), minStd)
		if loss := logs/of + portable.Log(f.Scale); loss < least { // the mean of r² is 1
			best, least = f, loss
		}
	}
	return best
}

// meanSigma returns the mean standard deviation of the rows, by their weights.
func (s Sample) meanSigma() float64 {
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

// weight returns the weight of a row, 1 if rows have none.
func (s Sample) weight(row int) float64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[row]
}

// floors are shares of the mean standard deviation.
var candidateFloors = []float64{0.001, 0.01, 0.1, 0.5}

// smallest keeps standard deviations above 0 where nothing varies or all is exact.
const minStd = 1e-6
