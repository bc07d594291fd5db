package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"sml/data"
)

// bins divides rows into bins by the values of one column. A bin has a category's or number's name,
// or it is a range between two edges.
type bins struct {
	names []string // name of each bin; "" for a range
	edges []string // ends of the ranges, one more than there are ranges; nil if there are no ranges
	ofRow []int32  // bin of each row
}

// maxBins is the largest number of bins beside the bin of the missing values.
const maxBins = 10

// newBins divides rows by a column. Numbers and dates are divided into ten ranges with equally many
// rows, as far as equal values allow. Categories, and numbers with at most ten different values,
// have a bin for each value. Missing values have a bin of their own, the last.
func newBins(in input, rows int) bins {
	values := make([]float64, 0, rows)
	counts := make(map[float64]int) // rows by value; incomplete for numbers with more than maxBins values
	for row := range rows {
		v := in.At(row)
		if math.IsNaN(v) {
			continue
		}
		values = append(values, v)
		if len(counts) <= maxBins || in.Field.Kind == data.Category {
			counts[v]++
		}
	}
	b := bins{ofRow: make([]int32, rows)}
	var binOf func(v float64) int
	if in.Field.Kind == data.Category || len(counts) <= maxBins {
		binOf = b.addValues(in.Field, counts)
	} else {
		slices.Sort(values)
		binOf = b.addRanges(in.Field, values)
	}
	b.assignRows(in, binOf)
	return b
}

// assignRows sets the bin of each row, and adds a bin for missing values if there are any.
func (b *bins) assignRows(in input, binOf func(v float64) int) {
	missing := -1 // index of the bin of missing values; -1 before the first of them
	for row := range b.ofRow {
		v := in.At(row)
		if !math.IsNaN(v) {
			b.ofRow[row] = int32(binOf(v))
			continue
		}
		if missing < 0 {
			b.names = append(b.names, "missing")
			missing = len(b.names) - 1
		}
		b.ofRow[row] = int32(missing)
	}
}

// addValues adds a bin for each value and returns the function from a value to its bin. If there
// are too many values, the rarest share the bin "others".
func (b *bins) addValues(field data.Field, counts map[float64]int) (binOf func(v float64) int) {
	values := frequentValues(counts)
	index := make(map[float64]int)
	for i, v := range values {
		index[v] = i
		b.names = append(b.names, field.Show(v))
	}
	others := len(values)
	if len(counts) > len(values) {
		b.names = append(b.names, "others")
	}
	return func(v float64) int {
		if i, ok := index[v]; ok {
			return i
		}
		return others
	}
}

// frequentValues returns the values that have a bin of their own, ascending: all of at most maxBins
// values, otherwise the maxBins-1 most frequent ones.
func frequentValues(counts map[float64]int) []float64 {
	var values []float64
	for v := range counts {
		values = append(values, v)
	}
	slices.Sort(values)
	if len(values) > maxBins {
		slices.SortStableFunc(values, func(x, y float64) int { return counts[y] - counts[x] })
		values = values[:maxBins-1]
		slices.Sort(values)
	}
	return values
}

// addRanges adds at most maxBins ranges of the sorted values and returns the function from a value
// to its bin.
func (b *bins) addRanges(field data.Field, sorted []float64) (binOf func(v float64) int) {
	n := len(sorted)
	starts := []float64{sorted[0]}
	for i := 1; i < maxBins; i++ {
		v := sorted[i*n/maxBins]
		if v > starts[len(starts)-1] {
			starts = append(starts, v)
		}
	}
	end := sorted[n-1]
	b.edges = edgeLabels(append(slices.Clone(starts), end), field)
	b.names = make([]string, len(starts))
	return func(v float64) int {
		i, isStart := slices.BinarySearch(starts, v)
		if isStart {
			return i
		}
		return i - 1
	}
}

// edgeLabels returns the shortest labels that distinguish neighbouring edges.
func edgeLabels(edges []float64, field data.Field) []string {
	if field.Kind == data.Date {
		return dateLabels(edges)
	}
	const maxDigits = 6
	labels := formatAll(edges, 2)
	for digits := 3; digits <= maxDigits && !distinguish(labels, edges); digits++ {
		labels = formatAll(edges, digits)
	}
	return labels
}

// dateLabels returns labels of dates, which are seconds since 1970. The labels have as little detail
// as the span of the dates allows.
func dateLabels(dates []float64) []string {
	const day = 86400 // seconds
	layout := "2006"
	switch span := dates[len(dates)-1] - dates[0]; {
	case span < 3*day:
		layout = "Jan 2 15:04"
	case span < 400*day:
		layout = "Jan 2"
	case span < 8*366*day:
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

// formatAll formats numbers with the given number of significant digits.
func formatAll(numbers []float64, digits int) []string {
	texts := make([]string, len(numbers))
	for i, v := range numbers {
		texts[i] = formatNumber(v, digits)
	}
	return texts
}

// formatNumber formats a number with the given number of significant digits. Only very small and
// very large numbers have an exponent.
func formatNumber(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'g', digits, 64)
	size := math.Abs(v)
	if size == 0 || size >= 1e-3 && size < 1e5 {
		rounded, _ := strconv.ParseFloat(text, 64)
		text = fmt.Sprint(rounded)
	}
	return strings.ReplaceAll(text, "-", "−")
}
