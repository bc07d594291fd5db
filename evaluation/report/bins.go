package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"sml/data"
	"sml/evaluation/report/chart"
)

// bins divides rows into bins by the values of one column. A bin is a single value with a name, or a
// range between two edges.
type bins struct {
	names []string // name of each bin; "" for a range
	edges []string // labels of the ends of the ranges, one more than there are ranges; nil if there are no ranges
	ofRow []int32  // index of each row's bin
}

const (
	maxRanges = 10 // largest number of ranges
	maxValues = 12 // largest number of bins of single values, with "others", such as months
)

// newBins divides the rows 0 to rows-1 by a column. Numbers and dates are divided into maxRanges ranges with
// equally many rows, as far as equal values allow. Categories, and numbers with at most maxValues different
// values, have a bin for each value. Missing values have a bin of their own, which is the last.
func newBins(in input, rows int) bins {
	isCategory := in.Field.Kind == data.Category
	known := make([]float64, 0, rows)
	counts := make(map[float64]int) // number of rows with each value; incomplete if the column has ranges, which need no counts
	for row := range rows {
		value := in.Value(row)
		if math.IsNaN(value) {
			continue
		}
		known = append(known, value)
		if isCategory || len(counts) <= maxValues { // a column with more values has ranges, which need no counts
			counts[value]++
		}
	}
	b := bins{ofRow: make([]int32, rows)}
	var binOf func(value float64) int
	if isCategory || len(counts) <= maxValues {
		binOf = b.addValues(in.Field, counts)
	} else {
		slices.Sort(known)
		binOf = b.addRanges(in.Field, known)
	}
	missing := len(b.names) // index of the bin of missing values
	for row := range b.ofRow {
		bin := missing
		if value := in.Value(row); !math.IsNaN(value) {
			bin = binOf(value)
		}
		b.ofRow[row] = int32(bin)
	}
	if len(known) < rows {
		b.names = append(b.names, "missing")
	}
	return b
}

// addValues adds a bin for each value and returns the function from a value to its bin. If there
// are more than maxValues values, the rarest ones share a last bin, "others".
func (b *bins) addValues(field data.Field, counts map[float64]int) (binOf func(value float64) int) {
	values := frequentValues(counts)
	field.SortValues(values)
	binOfValue := make(map[float64]int)
	for bin, value := range values {
		binOfValue[value] = bin
		b.names = append(b.names, field.Show(value))
	}
	others := len(values) // bin of all other values
	if len(counts) > len(values) {
		b.names = append(b.names, "others")
	}
	return func(value float64) int {
		bin, hasOwnBin := binOfValue[value]
		if !hasOwnBin {
			return others
		}
		return bin
	}
}

// frequentValues returns the values with a bin of their own: all of at most maxValues values, otherwise the maxValues-1
// most frequent ones.
func frequentValues(counts map[float64]int) []float64 {
	values := slices.Sorted(maps.Keys(counts)) // also the order of equally frequent values, as the next sort is stable
	if len(values) > maxValues {
		slices.SortStableFunc(values, func(x, y float64) int { return counts[y] - counts[x] })
		values = values[:maxValues-1]
	}
	return values
}

// addRanges adds at most maxRanges ranges of the sorted values, of which there must be some, and returns the
// function from a value to its bin. A range contains its start, and ends before the start of the next; the
// last range contains its end. Equal values are never divided, so there may be fewer ranges.
func (b *bins) addRanges(field data.Field, sorted []float64) (binOf func(value float64) int) {
	var starts []float64
	for i := range maxRanges {
		starts = append(starts, sorted[i*len(sorted)/maxRanges])
	}
	starts = slices.Compact(starts) // a value that fills several tenths starts one range only
	end := sorted[len(sorted)-1]
	b.edges = edgeLabels(append(slices.Clone(starts), end), field)
	b.names = make([]string, len(starts))
	return func(value float64) int {
		i, isStart := slices.BinarySearch(starts, value)
		if isStart {
			return i
		}
		return i - 1 // i is the first range that starts after value
	}
}

// edgeLabels returns labels of the edges, with as few digits as distinguish neighbouring edges. The labels have at most
// maxDigits, even if neighbours are then alike: longer ones would overlap.
func edgeLabels(edges []float64, field data.Field) []string {
	if field.Kind == data.Date {
		return dateLabels(edges)
	}
	const minDigits, maxDigits = 2, 6
	labels := make([]string, len(edges))
	for digits := minDigits; digits <= maxDigits; digits++ {
		for i, edge := range edges {
			labels[i] = formatNumber(edge, digits)
		}
		if distinguish(labels, edges) {
			break
		}
	}
	return labels
}

// dateLabels returns labels of ascending dates, which are seconds since 1970. The longer the span of the
// dates, the less detail the labels have.
func dateLabels(dates []float64) []string {
	const ( // in seconds
		day               = 86400
		maxSpanWithTimes  = 3 * day
		maxSpanWithDays   = 400 * day     // a year and a little more: days need no year
		maxSpanWithMonths = 8 * 366 * day // eight years
	)
	span := dates[len(dates)-1] - dates[0]
	layout := "2006" // a reference date that stands for its parts, as in package time
	switch {
	case span < maxSpanWithTimes:
		layout = "Jan 2 15:04"
	case span < maxSpanWithDays:
		layout = "Jan 2"
	case span < maxSpanWithMonths:
		layout = "2006-01"
	}
	labels := make([]string, len(dates))
	for i, date := range dates {
		labels[i] = time.Unix(int64(date), 0).UTC().Format(layout)
	}
	return labels
}

// distinguish reports whether neighbouring labels differ wherever the edges differ.
func distinguish(labels []string, edges []float64) bool {
	for i := 1; i < len(edges); i++ {
		if labels[i] == labels[i-1] && edges[i] != edges[i-1] {
			return false
		}
	}
	return true
}

// formatNumber formats a number with the given number of significant digits. Only very small and
// very large numbers have an exponent.
func formatNumber(v float64, digits int) string {
	const ( // numbers between them have no exponent
		minPlain = 1e-3
		maxPlain = 1e5
	)
	text := strconv.FormatFloat(v, 'g', digits, 64)
	size := math.Abs(v)
	if size == 0 || size >= minPlain && size < maxPlain {
		rounded, _ := strconv.ParseFloat(text, 64)
		text = fmt.Sprint(rounded) // without the exponent that 'g' writes for 12000 with two digits
	}
	return chart.WithMinusSign(text)
}
