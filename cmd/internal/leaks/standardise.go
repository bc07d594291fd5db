package leaks

import (
	"math"

	"sml/data"
)

// standardise returns the values minus their mean, divided by their standard deviation, and 0 for missing
// values. The results are 0 if all values are equal.
func standardise(values []float64) []float64 {
	scale := 0.0 // dividing by the largest magnitude first lets no sum overflow
	for _, v := range values {
		if !math.IsNaN(v) {
			scale = max(scale, math.Abs(v))
		}
	}
	standardised := make([]float64, len(values))
	if scale == 0 {
		return standardised
	}
	var present []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			present = append(present, v/scale)
		}
	}
	mean, std := meanStd(present)
	const roundingStd = 1e-12 // largest standard deviation that rounding causes in equal values
	if std <= roundingStd {
		return standardised
	}
	for i, v := range values {
		if !math.IsNaN(v) {
			standardised[i] = (v/scale - mean) / std
		}
	}
	return standardised
}

// meanStd returns the mean and the standard deviation of the values.
func meanStd(values []float64) (mean, std float64) {
	means, stds := data.Moments(values, 1, nil)
	return means[0], stds[0]
}
