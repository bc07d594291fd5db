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

// bins divides rows into bins by the values of one column. A bin is a single value with a name, or a
// range between two edges.
type bins struct {
	names []string // name of each bin; "" for a range
	edges []string // labels of the ends of the ranges, one more than there are ranges; nil if there are no ranges
	ofRow []int32  // index of each row's bin
}

// maxBins is the largest number of bins without the bin of the missing values.
const maxBins = 10

// newBins divides rows by a column. Numbers and dates are divided into ten ranges with equally many
// rows, as far as equal values allow. Categories, and numbers with at most ten different values,
// have a bin for each value. Missing values have a bin of their own, which is the last.
func newBins(in input, rows int) bins {
	values := make([]float64, 0, rows)
	counts := make(map[float64]int) // number of rows by value; incomplete, and not used, if there are ranges
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
// are more than maxBins values, the rarest ones share a last bin, "others".
func (b *bins) addValues(field data.Field, counts map[float64]int) (binOf func(v float64) int) {
	values := frequentValues(counts)
	bins := make(map[float64]int) // bin of each value
	for i, v := range values {
		bins[v] = i
		b.names = append(b.names, field.Show(v))
	}
	others := len(values) // bin of all other values
	if len(counts) > len(values) {
		b.names = append(b.names, "others")
	}
	return func(v float64) int {
		bin, ok := bins[v]
		if !ok {
			return others
		}
		return bin
	}
}

// frequentValues returns the values with a bin of their own, ascending: all of at most maxBins
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
// to its bin. A range contains its start, and ends before the start of the next; the last range contains
// its end. Equal values are never divided, so there may be fewer ranges.
func (b *bins) addRanges(field data.Field, sorted []float64) (binOf func(v float64) int) {
	n := len(sorted)
	starts := []float64{sorted[0]}
	for i := 1; i < maxBins; i++ {
		quantile := sorted[i*n/maxBins]
		if quantile > starts[len(starts)-1] {
			starts = append(starts, quantile)
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
		return i - 1 // i is the first range that starts after v
	}
}

// edgeLabels returns labels of the edges, with as few digits as distinguish neighbouring edges.
func edgeLabels(edges []float64, field data.Field) []string {
	if field.Kind == data.Date {
		return dateLabels(edges)
	}
	const (
		minDigits = 2
		maxDigits = 6
	)
	labels := formatAll(edges, minDigits)
	for digits := minDigits + 1; digits <= maxDigits && !distinguish(labels, edges); digits++ {
		labels = formatAll(edges, digits)
	}
	return labels
}

// dateLabels returns labels of ascending dates, which are seconds since 1970. The longer the span of the
// dates, the less detail the labels have.
func dateLabels(dates []float64) []string {
	const day = 86400 // seconds
	span := dates[len(dates)-1] - dates[0]
	layout := "2006"
	switch {
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
		text = fmt.Sprint(rounded) // without the exponent that 'g' writes for 12000 with two digits
	}
	return strings.ReplaceAll(text, "-", "−")
}
