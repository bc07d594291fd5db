// Package statistics has the statistics of small lists of numbers that several packages need.
// The moments of a table's columns are data.Moments.
package statistics

import (
	"math"
	"slices"
)

// Finite reports whether x is neither infinite nor NaN.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Mean returns the mean of values, NaN if there are none.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// MeanStd returns the mean and the sample standard deviation (n − 1) of values. The standard
// deviation of a single value is 0; without values both are NaN.
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
	for _, v := range values {
		d := v - mean
		std += float64(d*d) / (n - 1) // rounded first: the same bits on every CPU
	}
	return mean, math.Sqrt(std)
}

// Median returns the median of values, NaN if one of them is NaN or there are none.
func Median(values []float64) float64 { return MedianInPlace(slices.Clone(values)) }

// MedianInPlace is Median without a copy: it reorders values.
func MedianInPlace(values []float64) float64 {
	n := len(values)
	if n == 0 || slices.ContainsFunc(values, math.IsNaN) {
		return math.NaN()
	}
	low := selectSmallest(values, (n-1)/2)
	if n%2 == 1 {
		return low
	}
	high := slices.Min(values[n/2:])
	if low == high {
		return low // both may be infinite
	}
	return float64(low/2) + float64(high/2) // the sum of both may overflow
}

// selectSmallest returns the value that has k values before it in ascending order. It moves
// the value to index k, smaller ones before it and larger ones behind it.
func selectSmallest(values []float64, k int) float64 {
	from, to := 0, len(values)-1
	for from < to {
		a, b, c := values[from], values[(from+to)/2], values[to]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := partition(values, from, to, pivot)
		switch {
		case k <= j:
			to = j
		case k >= i:
			from = i
		default:
			return values[k]
		}
	}
	return values[k]
}

// partition reorders values[from:to+1] so that values up to index j are at most the pivot and
// values from index i are at least the pivot.
func partition(values []float64, from, to int, pivot float64) (i, j int) {
	i, j = from, to
	for i <= j {
		for values[i] < pivot {
			i++
		}
		for values[j] > pivot {
			j--
		}
		if i <= j {
			values[i], values[j] = values[j], values[i]
			i++
			j--
		}
	}
	return i, j
}
