package summary

import (
	"cmp"
	"math"
	"slices"
)

// countRanges returns the number of classes of a column that was derived from the target, such as "cheap" and "expensive"
// from a price: each class has a range of the target, the ranges do not overlap, and most of them touch. It returns 0 for
// other columns. Classes that differ in the target, as small and large animals do in their weight, have gaps between their
// ranges. A missing value is a class.
func (y *outcome) countRanges(values []float64) int {
	const (
		minTargets  = 5   // different targets
		maxRanges   = 100 // classes
		minFraction = 0.9 // of the rows, in frequent classes
	)
	codes, classes := encode(values)
	_, distinct := encode(y.sample)
	isCoarser := classes < distinct // unlike the names of groups with one target each
	isMostlyRepeated := classes >= 2 && 2*classes <= len(values)
	if distinct < minTargets || !isMostlyRepeated || !isCoarser {
		return 0
	}
	ranges, rows := targetsByCode(codes, classes, y.sample)
	if len(ranges) < 2 || len(ranges) > maxRanges || float64(rows) < minFraction*float64(len(values)) {
		return 0
	}
	touching := 0 // number of bounds without a gap
	for i, upper := range ranges[1:] {
		lower := ranges[i]
		if lower[len(lower)-1] > upper[0] {
			return 0
		}
		if !hasGap(lower, upper) {
			touching++
		}
	}
	if 2*touching < len(ranges)-1 {
		return 0
	}
	return len(ranges)
}

// targetsByCode returns the targets of each frequent code, ascending, in the order of their medians, and the number
// of all these rows. codes are below count.
func targetsByCode(codes []int, count int, y []float64) (targets [][]float64, rows int) {
	minRows := 3 // with each value; few rows of two or three values are ordered by chance
	if count <= 3 {
		minRows = 10
	}
	targets = make([][]float64, count)
	for row, code := range codes {
		if !math.IsNaN(y[row]) { // an unknown one of several targets
			targets[code] = append(targets[code], y[row])
		}
	}
	targets = slices.DeleteFunc(targets, func(t []float64) bool { return len(t) < minRows })
	for _, t := range targets {
		slices.Sort(t)
		rows += len(t)
	}
	slices.SortStableFunc(targets, func(a, b []float64) int { return cmp.Compare(a[len(a)/2], b[len(b)/2]) })
	return targets, rows
}

// hasGap reports whether the gap between two ascending ranges is clearly wider than the mean gap between the
// different values next to it, or there are too few of these to tell.
func hasGap(lower, upper []float64) bool {
	const (
		maxNeighbours = 5 // gaps on each side of the bound
		maxRatio      = 4 // of the gap to the mean gap next to it
	)
	below := slices.Compact(slices.Clone(lower))
	above := slices.Compact(slices.Clone(upper))
	below = below[max(0, len(below)-1-maxNeighbours):]
	above = above[:min(maxNeighbours+1, len(above))]
	neighbours := len(below) + len(above) - 2
	width := (below[len(below)-1] - below[0]) + (above[len(above)-1] - above[0])
	gap := above[0] - below[len(below)-1]
	return neighbours < 2 || gap*float64(neighbours) > maxRatio*width
}
