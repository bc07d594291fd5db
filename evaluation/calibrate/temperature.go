package calibrate

import (
	"math"
	"slices"

	"sml/internal/portable"
	"sml/models/distribution"
)

var temperature = Kind{
	Name: "temperature", Title: "Temperature",
	Summary:    "for classes: the log probabilities are divided by the number that maximises the likelihood of the calibration rows",
	Source:     "Guo et al. (2017), On calibration of modern neural networks, section 4.2",
	FitClasses: fitTemperature,
}

// Limits of the temperature. If every row is predicted right, a lower temperature is always better,
// so that there is no best one without limits.
const (
	minTemperature = 0.05
	maxTemperature = 20
)

// minLogProbability replaces the logarithm of a probability of 0.
const minLogProbability = -700

// bisectionSteps halve the range of 1/T to below the precision of float64.
const bisectionSteps = 60

// fitTemperature returns the temperature T with the smallest Σ −log q(y), where q is proportional
// to p^(1/T). The sum is convex in 1/T, so that bisection finds where its slope is 0.
func fitTemperature(s ClassSample) float64 {
	low, high := 1.0/maxTemperature, 1.0/minTemperature
	for range bisectionSteps {
		middle := (low + high) / 2
		if s.slope(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return 2 / (low + high)
}

// slope returns the derivative of Σ −log q(y) by 1/T: the weighted sum over the rows of the mean of
// log p under q minus the log p of the row's class. inverse is 1/T.
func (s ClassSample) slope(inverse float64) float64 {
	sum := 0.0
	for row, classes := range s.Classes {
		mean := 0.0
		for class, q := range applyTemperature(classes, inverse) {
			mean += float64(q * logProbability(classes[class]))
		}
		weight := 1.0
		if s.Weights != nil {
			weight = s.Weights[row]
		}
		sum += float64(weight * (mean - logProbability(classes[int(s.Y[row])])))
	}
	return sum
}

// logProbability returns log p, and at least −700.
func logProbability(p float64) float64 { return math.Max(portable.Log(p), minLogProbability) }

// applyTemperature returns probabilities proportional to p^inverse, with inverse = 1/T.
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
