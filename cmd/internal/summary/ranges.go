package summary

import (
	"cmp"
	"math"
	"slices"
)

// countRanges returns the number of different values of a column of the sample if each of them stands in one range
// of the target, and the ranges do not overlap, such as the classes "cheap" and "expensive" of a price. It returns 0
// for all other columns, and for a target with so few values that a column may well order them. Missing values count
// as one value.
//
// Classes that differ much in the target do not overlap, either, such as small and large animals in their
// weight. But then there is a gap between them. A class derived from the target has none.
func (y *outcome) countRanges(values []float64) int {
	const (
		minTargets  = 5   // different targets
		maxRanges   = 100 // values of a column that may be ranges
		minFraction = 0.9 // minimum fraction of rows with a frequent value
	)
	codes, count := encode(values)
	_, distinct := encode(y.sample)
	isCoarser := count < distinct // unlike the names of groups with one target each
	if distinct < minTargets || count < 2 || 2*count > len(values) || !isCoarser {
		return 0
	}
	ranges, rows := targetsByCode(codes, count, y.sample)
	if len(ranges) < 2 || len(ranges) > maxRanges || float64(rows) < minFraction*float64(len(values)) {
		return 0
	}
	dense := 0 // number of bounds without a gap
	for i, upper := range ranges[1:] {
		lower := ranges[i]
		if lower[len(lower)-1] > upper[0] {
			return 0
		}
		if !hasGap(lower, upper) {
			dense++
		}
	}
	if 2*dense < len(ranges)-1 {
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
