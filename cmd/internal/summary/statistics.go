package summary

import (
	"iter"
	"math"
	"slices"

	"sml/data"
	"sml/internal/linear"
)

// correlation returns Pearson's correlation coefficient of two columns over the rows where both have a
// value. ok is false if there are too few such rows, or if a column is constant in them.
func correlation(a, b []float64) (r float64, ok bool) {
	const minPairs = 8 // rows; a correlation of fewer may well be chance
	x, y := completePairs(a, b)
	x = standardise(x)
	y = standardise(y)
	if len(x) < minPairs || slices.Max(x) == 0 || slices.Max(y) == 0 {
		return 0, false
	}
	r = linear.Dot(x, y) / float64(len(x))
	return max(-1, min(r, 1)), true // rounding can lead out of [−1, 1]
}

// rankCorrelation returns the correlation of the ranks of two columns (Spearman's). It is ±1 for every monotone
// function, also a curved one.
func rankCorrelation(a, b []float64) float64 {
	x, y := completePairs(a, b)
	r, _ := correlation(rank(x), rank(y))
	return r
}

// completePairs returns the values of two columns in the rows where both have a value.
func completePairs(a, b []float64) (x, y []float64) {
	for i := range a {
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			x = append(x, a[i])
			y = append(y, b[i])
		}
	}
	return x, y
}

// lagCorrelation returns the correlation of the values of each row and the row before it.
func lagCorrelation(values []float64) (r float64, ok bool) {
	if len(values) == 0 {
		return 0, false
	}
	return correlation(values[1:], values[:len(values)-1])
}

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
	present := withoutMissing(values)
	for i := range present {
		present[i] /= scale
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
	means, stds := data.Moments(values, 1, nil) // of one column
	return means[0], stds[0]
}

// withoutMissing returns the values that are not missing, in their order.
func withoutMissing(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}

// countEqual returns the number of values equal to v.
func countEqual(values []float64, v float64) int {
	count := 0
	for _, value := range values {
		if value == v {
			count++
		}
	}
	return count
}

// countValues yields the different values of ascending values, with the number of rows of each.
func countValues(sorted []float64) iter.Seq2[float64, int] {
	return func(yield func(value float64, rows int) bool) {
		for first := 0; first < len(sorted); {
			end := first + 1
			for end < len(sorted) && sorted[end] == sorted[first] {
				end++
			}
			if !yield(sorted[first], end-first) {
				return
			}
			first = end
		}
	}
}

// mostFrequentValue returns the value in most rows, the smallest of several, with their number. values are ascending.
func mostFrequentValue(sorted []float64) (value float64, rows int) {
	for v, n := range countValues(sorted) {
		if n > rows {
			value = v
			rows = n
		}
	}
	return value, rows
}

// frequentValues returns the most frequent values, at most maxCount, the most frequent first, the smaller of equally
// frequent ones. It leaves out missing values, and values in fewer than minRows rows.
func frequentValues(values []float64, maxCount, minRows int) (frequent []float64) {
	present := withoutMissing(values)
	slices.Sort(present)
	counts := make(map[float64]int)
	for v, rows := range countValues(present) {
		if rows >= minRows {
			frequent = append(frequent, v)
			counts[v] = rows
		}
	}
	slices.SortStableFunc(frequent, func(a, b float64) int { return counts[b] - counts[a] })
	return frequent[:min(maxCount, len(frequent))]
}

// encode numbers the different values in the order of their first rows. Missing values count as one value.
func encode(values []float64) (codes []int, count int) {
	numbers := make(map[uint64]int) // by the bits of a value, since NaN is equal to no key of floats
	codes = make([]int, len(values))
	for i, v := range values {
		key := math.Float64bits(v + 0) // + 0 turns −0 into 0
		if math.IsNaN(v) {
			key = math.Float64bits(math.NaN())
		}
		number, isKnown := numbers[key]
		if !isKnown {
			number = len(numbers)
			numbers[key] = number
		}
		codes[i] = number
	}
	return codes, len(numbers)
}

// indicate returns 1 in the rows for which isMarked is true of the value, and 0 in others.
func indicate(values []float64, isMarked func(v float64) bool) []float64 {
	marks := make([]float64, len(values))
	for i, v := range values {
		if isMarked(v) {
			marks[i] = 1
		}
	}
	return marks
}

// pick returns the values of the given rows.
func pick(values []float64, rows []int) []float64 {
	picked := make([]float64, len(rows))
	for i, row := range rows {
		picked[i] = values[row]
	}
	return picked
}

// indices returns 0, …, n−1.
func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
