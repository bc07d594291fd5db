// Package statistics computes means, standard deviations, quantiles and medians of short lists of numbers, for
// use by several packages. All functions are independent of each other. The moments of a table's
// columns are not here but in package data (Moments).
package statistics

import (
	"math"
	"slices"
)

// IsFinite reports whether x is neither infinite nor NaN.
func IsFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Mean returns the mean of values. It returns NaN if there are none.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// MeanStd returns the mean and the sample standard deviation of values, with n − 1 in the
// denominator. The standard deviation of a single value is 0; without values both results are NaN.
func MeanStd(values []float64) (mean, std float64) {
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if len(values) == 1 {
		return mean, 0
	}
	variance := 0.0
	for _, v := range values {
		deviation := v - mean
		// The conversion keeps the compiler from fusing product and sum: the result has the same
		// bits on every CPU.
		variance += float64(deviation*deviation) / (n - 1)
	}
	return mean, math.Sqrt(variance)
}

// Skewness returns the mean of ((x − mean)/std)³, and 0 if std is 0. It returns NaN if a
// quotient is not finite.
func Skewness(values []float64, mean, std float64) float64 {
	if std == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		z := v/std - mean/std // not (v−mean)/std: the difference of large numbers could overflow
		sum += float64(float64(z*z) * z)
	}
	return sum / float64(len(values))
}

// Quantile returns the quantile of a level, from 0 to 1, of ascending values, interpolated linearly. There must be at least
// one value.
func Quantile(sorted []float64, level float64) float64 {
	position := float64(level * float64(len(sorted)-1))
	below := int(position)
	above := min(below+1, len(sorted)-1)
	fraction := position - float64(below)
	return float64((1-fraction)*sorted[below]) + float64(fraction*sorted[above])
}

// Median returns the median of values. It returns NaN if there are none, or one of them is NaN.
func Median(values []float64) float64 { return MedianInPlace(slices.Clone(values)) }

// MedianInPlace returns the Median of values without copying them: it changes their order.
func MedianInPlace(values []float64) float64 {
	n := len(values)
	if n == 0 || slices.ContainsFunc(values, math.IsNaN) {
		return math.NaN()
	}
	low := quickselect(values, (n-1)/2)
	if n%2 == 1 {
		return low
	}
	high := slices.Min(values[n/2:])
	if low == high {
		return low // both may be infinite
	}
	return float64(low/2) + float64(high/2) // (low + high)/2 may overflow
}

// quickselect returns the value that would be at index k if values were sorted. It reorders values:
// the result is at index k, no larger values are before it, and no smaller ones after it.
//
// Source: Hoare 1961, Algorithm 65: Find, with the median of three values as pivot.
func quickselect(values []float64, k int) float64 {
	firstIndex := 0
	lastIndex := len(values) - 1
	for firstIndex < lastIndex { // index k is between them; values before are no larger, and values after no smaller
		first := values[firstIndex]
		middle := values[(firstIndex+lastIndex)/2]
		last := values[lastIndex]
		pivot := max(min(first, middle), min(max(first, middle), last)) // the median of the three
		lowEnd, highStart := partition(values, firstIndex, lastIndex, pivot)
		switch {
		case k <= lowEnd:
			lastIndex = lowEnd
		case k >= highStart:
			firstIndex = highStart
		default:
			return values[k] // between both parts all values equal the pivot
		}
	}
	return values[k]
}

// partition reorders the values from firstIndex to lastIndex, both included: values up to lowEnd are
// then at most the pivot, and values from highStart on at least the pivot. Values between lowEnd and
// highStart equal the pivot, which must be one of the values.
func partition(values []float64, firstIndex, lastIndex int, pivot float64) (lowEnd, highStart int) {
	left := firstIndex // values before left are at most the pivot
	right := lastIndex // values after right are at least the pivot
	for left <= right {
		for values[left] < pivot { // ends, since a value not below the pivot is to the right
			left++
		}
		for values[right] > pivot {
			right--
		}
		if left <= right {
			values[left], values[right] = values[right], values[left]
			left++
			right--
		}
	}
	return right, left
}
