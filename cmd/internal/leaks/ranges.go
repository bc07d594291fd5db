package leaks

import (
	"cmp"
	"math"
	"slices"
)

const maxRanges = 100 // maximum number of values of a column that may be ranges of a target

// minRangeRows returns the minimum number of rows of each of several values that may be ranges. Few rows of two
// values are ordered by chance.
func minRangeRows(values int) int {
	const few = 3
	if values <= few {
		return 10
	}
	return 3
}

// countRanges returns the number of different values of a column if each of them stands in one range of the
// target, and the ranges do not overlap, such as the classes "cheap" and "expensive" of a price. It returns
// 0 for all other columns, and for a target with so few values that a column may well order them. Missing
// values count as one value.
//
// Classes that differ much in the target do not overlap, either, such as small and large animals in their
// weight. But then the target has few values between them. A class derived from the target is as dense
// next to its bound as elsewhere.
func countRanges(values []float64, y *outcome) int {
	const minTargets = 5 // different targets
	codes, count := encode(values)
	isCoarser := count < y.distinct // unlike the names of groups with one target each
	if y.distinct < minTargets || count < 2 || 2*count > len(values) || !isCoarser {
		return 0
	}
	ranges, rows := targetsByValue(codes, count, y)
	const minFraction = 0.9 // minimum fraction of rows with a frequent value
	if len(ranges) < 2 || len(ranges) > maxRanges || float64(rows) < minFraction*float64(len(values)) {
		return 0
	}
	dense := 0 // number of bounds without a gap
	for i := range len(ranges) - 1 {
		isOrdered, isDense := compareRanges(ranges[i], ranges[i+1])
		if !isOrdered {
			return 0
		}
		if isDense {
			dense++
		}
	}
	if 2*dense < len(ranges)-1 {
		return 0
	}
	return len(ranges)
}

// targetsByValue returns the targets of each frequent value of a column, ascending, in the order of their medians,
// and the number of all these rows. codes numbers the count different values.
func targetsByValue(codes []int, count int, y *outcome) (targets [][]float64, rows int) {
	targets = make([][]float64, count)
	for row, code := range codes {
		targets[code] = append(targets[code], y.values[row])
	}
	targets = slices.DeleteFunc(targets, func(t []float64) bool { return len(t) < minRangeRows(count) })
	for _, t := range targets {
		slices.Sort(t)
		rows += len(t)
	}
	slices.SortStableFunc(targets, func(a, b []float64) int { return cmp.Compare(a[len(a)/2], b[len(b)/2]) })
	return targets, rows
}

// compareRanges reports whether all targets of a lower range are at most as large as the targets of an upper
// range, except for few, and whether there is no gap between them. Both ranges are ascending.
func compareRanges(lower, upper []float64) (isOrdered, isDense bool) {
	const rowsPerMistake = 500 // number of rows of a range for each row that may be on the wrong side
	isStrict := lower[len(lower)-1] <= upper[0]
	if !isStrict {
		lower = lower[:len(lower)-len(lower)/rowsPerMistake]
		upper = upper[len(upper)/rowsPerMistake:]
	}
	below := lower[len(lower)-1]
	above := upper[0]
	if below > above {
		return false, false
	}
	bound := float64(below/2) + float64(above/2)
	downwards := distances(lower, bound)
	upwards := distances(upper, bound)
	isDense = isDenseAtBound(downwards) && isDenseAtBound(upwards)
	return true, isDense || isStrict && hasUsualGap(downwards, upwards)
}

// distances returns the distances of sorted values from a bound on either side, ascending.
func distances(sorted []float64, bound float64) []float64 {
	d := make([]float64, len(sorted))
	for i, v := range sorted {
		d[i] = math.Abs(v - bound)
	}
	slices.Sort(d)
	return d
}

// isDenseAtBound reports whether the part next to the bound, a tenth of the median distance or at least the
// nearest value, has its share of the rows. distances is ascending.
func isDenseAtBound(distances []float64) bool {
	const (
		width       = 0.1  // of the part, in median distances
		minRows     = 3    // in the part
		minFraction = 0.01 // of the rows; about 0.05 if they are spread evenly
	)
	part := max(width*distances[len(distances)/2], distances[0])
	rows := 0
	for rows < len(distances) && distances[rows] <= part {
		rows++
	}
	return rows >= minRows && float64(rows) >= minFraction*float64(len(distances))
}

// hasUsualGap reports whether the gap between two ranges is about as wide as the gaps between the values next to
// it. lower and upper are the distances from the middle of the gap, ascending.
func hasUsualGap(lower, upper []float64) bool {
	const maxGap = 4 // in mean distances of the nearest values
	lowerSum, lowerCount := nearestDistances(lower)
	upperSum, upperCount := nearestDistances(upper)
	count := lowerCount + upperCount
	gap := lower[0] + upper[0]
	return count >= 2 && gap*float64(count) <= maxGap*(lowerSum+upperSum)
}

// nearestDistances returns the sum of the first distances between different neighbours in ascending values, and
// their number, which is at most 5.
func nearestDistances(sorted []float64) (sum float64, count int) {
	const maxCount = 5
	for i := 1; i < len(sorted) && count < maxCount; i++ {
		if sorted[i] != sorted[i-1] {
			sum = sorted[i] - sorted[0]
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
