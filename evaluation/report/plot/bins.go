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

// bins are parts of rows by one of their columns: each by its name, or between edges.
type bins struct {
	names []string
	edges []string // of the first bins, one more than these; nil: all have names
	of    []int32  // bin of each row
}

const mostBins = 10

// binsOf puts rows in ten parts by a number or a date, each with as many rows as ties
// allow, and by the values of a text or of few numbers. What is missing has a part of
// its own behind the others.
func binsOf(in input, rows int) bins {
	values := make([]float64, 0, rows)
	counts := make(map[float64]int)
	for row := range rows {
		v := in.At(row)
		if math.IsNaN(v) {
			continue
		}
		values = append(values, v)
		if len(counts) <= mostBins || in.Field.Kind == data.Category {
			counts[v]++
		}
	}
	b := bins{of: make([]int32, rows)}
	var place func(v float64) int
	if in.Field.Kind == data.Category || len(counts) <= mostBins {
		place = b.byValue(in, counts)
	} else {
		slices.Sort(values)
		place = b.byRange(in, values)
	}
	missing := -1
	for row := range rows {
		v := in.At(row)
		if !math.IsNaN(v) {
			b.of[row] = int32(place(v))
			continue
		}
		if missing < 0 {
			b.names = append(b.names, "missing")
			missing = len(b.names) - 1
		}
		b.of[row] = int32(missing)
	}
	return b
}

func (b *bins) byValue(in input, counts map[float64]int) (place func(v float64) int) {
	var values []float64
	for v := range counts {
		values = append(values, v)
	}
	slices.Sort(values)
	if len(values) > mostBins { // the most frequent ones
		slices.SortStableFunc(values, func(x, y float64) int { return counts[y] - counts[x] })
		values = values[:mostBins-1]
		slices.Sort(values)
	}
	places := make(map[float64]int)
	for i, v := range values {
		places[v] = i
		b.names = append(b.names, in.Field.Show(v))
	}
	others := len(values)
	if len(counts) > len(values) {
		b.names = append(b.names, "others")
	}
	return func(v float64) int {
		if i, ok := places[v]; ok {
			return i
		}
		return others
	}
}

func (b *bins) byRange(in input, sorted []float64) (place func(v float64) int) {
	n := len(sorted)
	edges := []float64{sorted[0]}
	for i := 1; i < mostBins; i++ {
		if v := sorted[i*n/mostBins]; v > edges[len(edges)-1] {
			edges = append(edges, v)
		}
	}
	b.edges = shortened(append(slices.Clone(edges), sorted[n-1]), in.Field)
	b.names = make([]string, len(edges))
	return func(v float64) int {
		i, found := slices.BinarySearch(edges, v)
		if !found {
			i--
		}
		return i
	}
}

// shortened writes edges as short as tells them apart.
func shortened(edges []float64, f data.Field) []string {
	list := make([]string, len(edges))
	if f.Kind == data.Date {
		layout, span := "2006", edges[len(edges)-1]-edges[0]
		const day = 86400
		switch {
		case span < 3*day:
			layout = "Jan 2 15:04"
		case span < 400*day:
			layout = "Jan 2"
		case span < 8*366*day:
			layout = "2006-01"
		}
		for i, v := range edges {
			list[i] = time.Unix(int64(v), 0).UTC().Format(layout)
		}
		return list
	}
	for digits := 2; digits <= 6; digits++ {
		apart := true
		for i, v := range edges {
			list[i] = number(v, digits)
			apart = apart && (i == 0 || list[i] != list[i-1] || v == edges[i-1])
		}
		if apart {
			break
		}
	}
	return list
}

// number writes a number with so many digits, without an exponent where it is short.
func number(v float64, digits int) string {
	if size := math.Abs(v); size >= 1e5 || size > 0 && size < 1e-3 {
		return strings.ReplaceAll(strconv.FormatFloat(v, 'g', digits, 64), "-", "−")
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return strings.ReplaceAll(fmt.Sprint(rounded), "-", "−")
}
