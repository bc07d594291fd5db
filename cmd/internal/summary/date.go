package summary

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sml/data"
)

// isCalendarTime reports whether the column has years, or dates with a year.
func (c *Column) isCalendarTime() bool {
	if c.Kind == data.Date {
		return strings.Contains(c.field.Layout, "06") || strings.HasPrefix(c.field.Layout, "unix") // times of day have no year
	}
	return c.isYear()
}

// isYear reports whether the column has years: it has the name of a year, whole numbers, and most of them
// look like years.
func (c *Column) isYear() bool {
	const minYear, maxYear = 1500, 2200
	isNamedYear := hasWord(c.Name, "year", "yr")
	return c.Kind == data.Number && c.Numbers != nil && isNamedYear && c.isWhole() && c.Low >= minYear && c.High <= maxYear
}

// describeFuture says that some, but not most, values are in the future, and returns "" if not so. If most are later,
// the column has plans.
func describeFuture(t *inspection, c *Column) string {
	const maxFraction = 0.5 // of the values
	if !c.isCalendarTime() {
		return ""
	}
	bound := float64(t.now.Add(24 * time.Hour).Unix()) // a file may come from a place where tomorrow has begun
	if c.Kind == data.Number {
		bound = float64(t.now.Year() + 1) // such as the model of a car
	}
	first, _ := slices.BinarySearch(c.sorted, bound)
	future := len(c.sorted) - first
	if future == 0 || float64(future) > maxFraction*float64(len(c.sorted)) {
		return ""
	}
	return fmt.Sprintf("%s in the future, up to %s", rowsAre(future), c.Show(c.Max))
}

// describeFarDate says that few dates are much earlier or later than all others, such as 1900-01-01, which some
// programs write for a missing date. It returns "" if there are none.
func describeFarDate(_ *inspection, c *Column) string {
	if !c.isCalendarTime() {
		return ""
	}
	minGap := 365 * 24 * 3600.0 // a year in seconds; a shorter gap is no mistake
	if c.Kind == data.Number {
		minGap = 10 // years: dates of the same century may be far apart
	}
	const maxFraction = 0.1 // of the values that are few
	few := int(maxFraction * float64(len(c.sorted)))
	for count := 1; count <= few; count++ {
		rest := len(c.sorted) - count
		example := c.Max
		isFar := standsApart(c.sorted[:rest], c.sorted[rest:], minGap)
		if standsApart(c.sorted[:count], c.sorted[count:], minGap) {
			isFar = true
			example = c.Min
		}
		if isFar {
			return fmt.Sprintf("%s far from all others, such as %s", rowsAre(count), c.Show(example))
		}
	}
	return ""
}

// standsApart reports whether there is a gap between earlier and later values of at least minGap, which is more
// than twice as wide as the wider of the two parts. Both parts are ascending.
func standsApart(earlier, later []float64, minGap float64) bool {
	const minWidths = 2
	width := func(values []float64) float64 { return values[len(values)-1] - values[0] }
	gap := later[0] - earlier[len(earlier)-1]
	return gap >= minGap && gap > minWidths*max(width(earlier), width(later))
}

// rowsAre returns a number of rows with the verb for it.
func rowsAre(rows int) string {
	if rows == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", rows)
}
