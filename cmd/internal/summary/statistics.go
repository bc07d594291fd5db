package summary

import (
	"iter"
	"math"
)

// minPairs is the number of rows below which a correlation may well be chance.
const minPairs = 8

// correlation returns Pearson's correlation coefficient of two columns over the rows where both have a
// value: r = Σ dx dy / √(Σ dx² Σ dy²), with the deviations dx and dy from the means. ok is false if there
// are too few such rows, or if a column is constant in them.
func correlation(a, b []float64) (r float64, ok bool) {
	x, y := completePairs(a, b)
	n := float64(len(x))
	// Dividing a column by its largest magnitude does not change r, and lets no product overflow.
	scaleX := largestMagnitude(x)
	scaleY := largestMagnitude(y)
	if n < minPairs || scaleX == 0 || scaleY == 0 {
		return 0, false
	}
	var meanX, meanY float64
	for i := range x {
		meanX += x[i] / scaleX / n
		meanY += y[i] / scaleY / n
	}
	var sumXX, sumYY, sumXY float64
	for i := range x {
		dx := x[i]/scaleX - meanX
		dy := y[i]/scaleY - meanY
		sumXX += float64(dx * dx)
		sumYY += float64(dy * dy)
		sumXY += float64(dx * dy)
	}
	const roundingVariance = 1e-24 // largest variance that rounding causes in a constant column
	if sumXX <= roundingVariance*n || sumYY <= roundingVariance*n {
		return 0, false
	}
	r = sumXY / (math.Sqrt(sumXX) * math.Sqrt(sumYY))
	return max(-1, min(r, 1)), true // rounding can lead out of [−1, 1]
}

// completePairs returns the values of two columns in the rows where both have a value.
func completePairs(a, b []float64) (x, y []float64) {
	x = make([]float64, 0, len(a))
	y = make([]float64, 0, len(a))
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			x = append(x, a[i])
			y = append(y, b[i])
		}
	}
	return x, y
}

// largestMagnitude returns the largest absolute value, or 0 if there are no values.
func largestMagnitude(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	return largest
}

// sample returns the values or, if there are more than sampleRows, this number of them at equal
// distances.
func sample(values []float64) []float64 {
	if len(values) <= sampleRows {
		return values
	}
	out := make([]float64, sampleRows)
	for i := range out {
		out[i] = values[i*len(values)/sampleRows]
	}
	return out
}

// quantile returns the quantile of level p of the sorted values, interpolated linearly. There
// must be at least one value.
func quantile(sorted []float64, p float64) float64 {
	position := float64(p * float64(len(sorted)-1))
	below := int(position)
	above := min(below+1, len(sorted)-1)
	fraction := position - float64(below)
	return float64((1-fraction)*sorted[below]) + float64(fraction*sorted[above])
}

// zeroFraction returns the fraction of zeros among the values.
func zeroFraction(values []float64) float64 {
	zeros := 0
	for _, v := range values {
		if v == 0 {
			zeros++
		}
	}
	return float64(zeros) / float64(len(values))
}

// equalEnd returns the index after the last value equal to sorted[first]. sorted is ascending.
func equalEnd(sorted []float64, first int) int {
	end := first + 1
	for end < len(sorted) && sorted[end] == sorted[first] {
		end++
	}
	return end
}

// countValues yields the different values of ascending values, with the number of rows of each.
func countValues(sorted []float64) iter.Seq2[float64, int] {
	return func(yield func(value float64, rows int) bool) {
		for first := 0; first < len(sorted); {
			end := equalEnd(sorted, first)
			if !yield(sorted[first], end-first) {
				return
			}
			first = end
		}
	}
}
