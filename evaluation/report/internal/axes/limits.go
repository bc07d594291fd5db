package axes

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"sml/evaluation"
	"sml/internal/statistics"
)

// Fences returns limits within which the bulk of a few scores is readable:
// all of them, unless some lie further than 1.5 times the distance of the
// quartiles beyond a quartile (Tukey's fences), with a little tolerance. Scores
// that cannot be negative are shown from 0 on. Values that are not finite, or not
// far from it, lie outside.
func Fences(values []float64) (low, high float64) {
	sorted := sortedFinite(values)
	if len(sorted) == 0 {
		return 0, 1
	}
	least, most := sorted[0], sorted[len(sorted)-1]
	q1, q3 := stat.Quantile(0.25, stat.Empirical, sorted, nil), stat.Quantile(0.75, stat.Empirical, sorted, nil)
	low, high = evaluation.Within(q1-1.5*(q3-q1), q3+1.5*(q3-q1), least, most)
	if least >= 0 {
		low = 0
	}
	return Widened(low, high)
}

// Quantiles returns limits that hold the given share of many values.
func Quantiles(values []float64, share float64) (low, high float64) {
	return Widened(evaluation.Limits(values, share))
}

// Widened gives a range of no width, or of less than float64 resolves, some.
func Widened(low, high float64) (float64, float64) {
	if resolved(low, high) {
		return low, high
	}
	around := max(1, math.Abs(low)/2)
	return max(low-around, -math.MaxFloat64), min(high+around, math.MaxFloat64)
}

// WideScale is a linear scale over any finite range, also one too large for a
// float64.
type WideScale struct{}

// Normalize implements plot.Normalizer.
func (WideScale) Normalize(low, high, x float64) float64 {
	if width := high - low; statistics.Finite(width) {
		return (x - low) / width
	}
	return (x/2 - low/2) / (high/2 - low/2)
}

// Drawn tells whether a value can be put on an axis with limits. Sums and
// differences of a few such values, and small multiples, stay finite; what is
// larger lies as far outside any axis that can be read as what is infinite.
func Drawn(x float64) bool { return math.Abs(x) <= 1e300 }

func sortedFinite(values []float64) []float64 {
	var sorted []float64
	for _, v := range values {
		if Drawn(v) {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	return sorted
}
