package calibrate

import (
	"math"
	"slices"

	"sml/internal/portable"
	"sml/models/distribution"
)

// Limits of the temperature. If the predicted class is right in every row, a lower temperature is always
// better, so there would be no best one without limits.
const (
	minTemperature = 0.05
	maxTemperature = 20
)

// minLogProbability replaces the logarithm of a probability of 0. Its exponential is still above 0.
const minLogProbability = -700

// bisectionSteps is the number of times that fitTemperature halves the range of 1/T: afterwards it is
// below the precision of float64.
const bisectionSteps = 60

// fitTemperature returns the temperature T with the smallest Σ −log q(y), where q is proportional
// to p^(1/T). The sum is convex in 1/T, so bisection finds the 1/T at which its slope is 0, or the limit
// at which it is smallest.
func fitTemperature(s sample) float64 {
	low := 1.0 / maxTemperature // limits of 1/T
	high := 1.0 / minTemperature
	for range bisectionSteps {
		middle := (low + high) / 2
		if s.slope(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return 2 / (low + high) // T at the middle of the range of 1/T
}

// slope returns the derivative of Σ −log q(y) with respect to 1/T. It is the weighted sum over the rows of
// the mean of log p under q, minus the log p of the row's class. inverse is 1/T.
func (s sample) slope(inverse float64) float64 {
	sum := 0.0
	for row, trueClass := range s.Y {
		classes := s.classes(row)
		meanLog := 0.0
		for class, q := range applyTemperature(classes, inverse) {
			meanLog += float64(q * logProbability(classes[class]))
		}
		sum += float64(s.weight(row) * (meanLog - logProbability(classes[int(trueClass)])))
	}
	return sum
}

// logProbability returns log p, and at least −700.
func logProbability(p float64) float64 { return math.Max(portable.Log(p), minLogProbability) }

// applyTemperature returns the probabilities that are proportional to p^inverse, where inverse is 1/T. It
// divides them by the largest one before it takes exponentials, which could otherwise underflow.
func applyTemperature(classes distribution.Classes, inverse float64) distribution.Classes {
	largestLog := logProbability(slices.Max(classes))
	tempered := make(distribution.Classes, len(classes))
	sum := 0.0
	for class, p := range classes {
		tempered[class] = portable.Exp(float64(inverse * (logProbability(p) - largestLog)))
		sum += tempered[class]
	}
	for class := range tempered {
		tempered[class] /= sum
	}
	return tempered
}
