package leaks

import (
	"math"
	"slices"
)

const (
	maxRanges    = 100 // maximum number of values of a column that may be ranges of a target
	minRangeRows = 10  // minimum number of rows of such a value: few rows are ordered by chance
)

// countRanges returns the number of different values of a column if each of them stands in one range of the
// target, and the ranges do not overlap, such as the classes "cheap" and "expensive" of a price. It returns
// 0 for all other columns, and for a target with so few values that a column may well order them. Missing
// values count as one value.
//
// Classes that differ much in the target do not overlap, either, such as small and large animals in their
// weight. But then the target has a gap between them. A class derived from the target has no gap:
// the rows next to its bound are as close together as others.
func countRanges(values []float64, y *outcome) int {
	const minTargets = 5 // different targets
	codes, count := encode(values)
	if y.distinct < minTargets || count < 2 || count*2 > len(values) {
		return 0
	}
	ranges := make([][]float64, count) // targets of each value
	for row, code := range codes {
		ranges[code] = append(ranges[code], y.values[row])
	}
	ranges = slices.DeleteFunc(ranges, func(r []float64) bool { return len(r) < minRangeRows })
	rows := 0
	for _, r := range ranges {
		slices.Sort(r)
		rows += len(r)
	}
	const minFraction = 0.9 // of the rows that must have a frequent value
	if len(ranges) < 2 || len(ranges) > maxRanges || float64(rows) < minFraction*float64(len(values)) {
		return 0
	}
	slices.SortFunc(ranges, func(a, b []float64) int {
		if a[len(a)/2] < b[len(b)/2] {
			return -1
		}
		return 1
	})
	close := 0 // number of bounds without a gap
	for i := range len(ranges) - 1 {
		isOrdered, isClose := compareRanges(ranges[i], ranges[i+1])
		if !isOrdered {
			return 0
		}
		if isClose {
			close++
		}
	}
	if 2*close < len(ranges)-1 {
		return 0
	}
	return len(ranges)
}

// compareRanges reports whether all targets of a lower range are at most as large as the targets of an upper
// range, except for few, and whether there is no gap between them. Both ranges are ascending.
func compareRanges(lower, upper []float64) (isOrdered, isClose bool) {
	const rowsPerMistake = 500 // number of rows of a range for each row that may be on the wrong side
	lower = lower[:len(lower)-len(lower)/rowsPerMistake]
	upper = upper[len(upper)/rowsPerMistake:]
	below := lower[len(lower)-1]
	above := upper[0]
	if below > above {
		return false, false
	}
	const maxGap = 4 // in mean distances of the nearest targets
	slices.Reverse(lower)
	lowerDistance, lowerCount := nearestDistances(lower)
	slices.Reverse(lower)
	upperDistance, upperCount := nearestDistances(upper)
	if lowerCount+upperCount < 2 {
		return true, false
	}
	meanDistance := (lowerDistance + upperDistance) / float64(lowerCount+upperCount)
	return true, above-below <= maxGap*meanDistance
}

// nearestDistances returns the sum of the first distances between different neighbours in sorted values, and
// their number, which is at most 5.
func nearestDistances(sorted []float64) (sum float64, count int) {
	const maxCount = 5
	for i := 1; i < len(sorted) && count < maxCount; i++ {
		if sorted[i] != sorted[i-1] {
			sum = math.Abs(sorted[i] - sorted[0])
			count++
		}
	}
	return sum, count
}

// markMissing returns 1 in the rows where the value is missing, and 0 in others.
func markMissing(values []float64) []float64 {
	marks := make([]float64, len(values))
	for i, v := range values {
		if math.IsNaN(v) {
			marks[i] = 1
		}
	}
	return marks
}
