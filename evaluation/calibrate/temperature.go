package calibrate

import (
	"math"
	"slices"

	"sml/internal/portable"
	"sml/models/distribution"
)

var temperature = Kind{
	Name: "temperature", Title: "Temperature",
	Summary:    "for classes: the logarithms of the probabilities divided by one number, by which the likelihood of the rows is greatest",
	Source:     "Guo et al. (2017), On calibration of modern neural networks, section 4.2",
	FitClasses: fitTemperature,
}

// The range of temperatures. It is bounded because no temperature is best if every row is
// predicted right.
const (
	minTemperature = 0.05
	maxTemperature = 20
)

// smallestLog replaces the logarithm of a probability of 0.
const minLogProbability = -700

// fitTemperature returns the temperature T with the smallest Σ −log p(y), where p is
// proportional to p^(1/T). The sum is convex in 1/T: bisection finds where its slope is 0.
func fitTemperature(s ClassSample) float64 {
	low, high := 1.0/maxTemperature, 1.0/minTemperature
	for range 60 {
		middle := (low + high) / 2
		if s.slope(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return 2 / (low + high)
}

// slope returns the derivative of Σ −log p(y) by 1/T: by the rows' weights, the mean of
// log p under the predicted probabilities minus the log p of the row's class.
func (s ClassSample) slope(inverse float64) float64 {
	sum := 0.0
	for row, classes := range s.Classes {
		mean := 0.0
		for class, p := range applyTemperature(classes, inverse) {
			mean += float64(p * logProbability(classes[class]))
		}
		w := 1.0
		if s.Weights != nil {
			w = s.Weights[row]
		}
		sum += float64(w * (mean - logProbability(classes[int(s.Y[row])])))
	}
	return sum
}

func logProbability(p float64) float64 { return math.Max(portable.Log(p), minLogProbability) }

// heated returns probabilities proportional to p^inverse.
func applyTemperature(classes distribution.Classes, inverse float64) distribution.Classes {
	largest := logProbability(slices.Max(classes))
	out := make(distribution.Classes, len(classes))
	sum := 0.0
	for class, p := range classes {
		out[class] = portable.Exp(float64(inverse * (logProbability(p) - largest)))
		sum += out[class]
	}
	for class := range out {
		out[class] /= sum
	}
	return out
}
