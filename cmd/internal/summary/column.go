package summary

import (
	"cmp"
	"math"
	"slices"

	"sml/data"
	"sml/internal/statistics"
)

// Role is what a column is used for.
type Role string

const (
	Input  Role = "input"  // the network reads it
	Target Role = "target" // the network learns to predict it
	Extra  Role = "extra"  // only the objective reads it
	Weight Role = "weight" // weight of each row in the objective
)

// Column is the profile of a column. Only Missing counts its missing values.
type Column struct {
	Name     string    `json:"name"`
	Role     Role      `json:"role"`
	Kind     data.Kind `json:"kind"`
	Missing  int       `json:"missing"`
	Distinct int       `json:"distinct"` // number of different values

	*Numbers                   // nil for a categorical column, and if all values are missing
	Categories []CategoryCount `json:"categories,omitempty"` // the most frequent first; nil for a column of numbers

	// Histogram has the number of rows in each of 10 intervals of equal width from Min to Max,
	// or with each of the 10 most frequent categories.
	Histogram  []int         `json:"histogram"`
	WithTarget []Correlation `json:"with_target,omitempty"` // for an input of numbers: its correlation with each target
	Predicts   []Prediction  `json:"predicts,omitempty"`    // for an input: how well it predicts each target by itself; nil in a small table

	field     data.Field
	values    []float64 // values of all rows, NaN if missing; a category is its index
	sorted    []float64 // values without missing ones, ascending
	sample    []float64 // values of the rows of the sample
	code      float64   // number of an input or target that seems to stand for a missing value; NaN if none does
	namesRows bool      // whether the numbers of an input predict a target clearly better as names
}

// Numbers describe numbers; dates are seconds since 1970.
type Numbers struct {
	Min      float64 `json:"min"`
	Mean     float64 `json:"mean"`
	Max      float64 `json:"max"`
	Std      float64 `json:"std"` // population standard deviation
	Low      float64 `json:"low"` // first quartile
	Median   float64 `json:"median"`
	High     float64 `json:"high"`     // third quartile
	Skewness float64 `json:"skewness"` // mean of ((x − mean)/std)³

	ZeroFraction float64 `json:"zero_fraction"` // fraction of zeros among the numbers; 0 for dates
}

// CategoryCount is a category and its number of rows.
type CategoryCount struct {
	Text string `json:"text"`
	Rows int    `json:"rows"`
}

// Correlation is a column's correlation with a target.
type Correlation struct {
	Target string  `json:"target"` // name of the target
	R      float64 `json:"r"`      // Pearson's correlation coefficient, from -1 to 1
}

// Prediction says how well a target is predicted.
type Prediction struct {
	Target string  `json:"target"` // name of the target
	R2     float64 `json:"r2"`     // R² on held-out rows, 0 if they are not predicted better than by their mean
}

// bins is the number of bars of a histogram: a narrow column of a printed table has room for ten characters.
const bins = 10

// newColumn returns the profile of a column with the given values of all rows.
func newColumn(name string, role Role, field data.Field, values []float64) *Column {
	c := &Column{
		Name:      name,
		Role:      role,
		Kind:      field.Kind,
		Histogram: make([]int, bins),
		field:     field,
		values:    values,
	}
	present := withoutMissing(values) // in the order of the rows
	c.Missing = len(values) - len(present)
	c.sorted = slices.Sorted(slices.Values(present))
	c.Distinct = len(slices.Compact(slices.Clone(c.sorted)))
	switch {
	case c.Kind == data.Category:
		c.countCategories()
	case len(present) > 0:
		c.describeNumbers(present)
	}
	return c
}

// describeNumbers sets the description of a column's numbers, and the histogram. present are the numbers in
// the order of the rows, at least one: sums over them do not depend on how values are sorted.
func (c *Column) describeNumbers(present []float64) {
	mean, std := meanStd(present)
	n := Numbers{
		Min:      c.sorted[0],
		Mean:     mean,
		Max:      c.sorted[len(c.sorted)-1],
		Std:      std,
		Low:      statistics.Quantile(c.sorted, 0.25),
		Median:   statistics.Quantile(c.sorted, 0.5),
		High:     statistics.Quantile(c.sorted, 0.75),
		Skewness: statistics.Skewness(present, mean, std),
	}
	if c.Kind == data.Number {
		n.ZeroFraction = float64(countEqual(present, 0)) / float64(len(present))
	}
	c.Numbers = &n
	for _, v := range present {
		c.Histogram[binIndex(v, n.Min, n.Max)]++
	}
}

// binIndex returns the index of the histogram's bar for a value from low to high. It computes with
// halves, so that no difference overflows.
func binIndex(v, low, high float64) int {
	if !(high > low) { // all values are the same
		return 0
	}
	halfWidth := float64(high/2) - float64(low/2)
	halfDistance := float64(v/2) - float64(low/2)
	return min(int(bins*(halfDistance/halfWidth)), bins-1) // v = high belongs to the last bar
}

// countCategories sets the categories with their numbers of rows, and the histogram.
func (c *Column) countCategories() {
	for v, rows := range countValues(c.sorted) {
		c.Categories = append(c.Categories, CategoryCount{Text: c.field.Show(v), Rows: rows})
	}
	moreRowsFirst := func(a, b CategoryCount) int { return cmp.Compare(b.Rows, a.Rows) }
	slices.SortStableFunc(c.Categories, moreRowsFirst) // stable: equally frequent categories keep their order
	for i := range min(bins, len(c.Categories)) {
		c.Histogram[i] = c.Categories[i].Rows
	}
}

// Show returns a value of the column as people write it.
func (c *Column) Show(v float64) string { return c.field.Show(v) }

// isWhole reports whether all values are whole numbers.
func (c *Column) isWhole() bool {
	return !slices.ContainsFunc(c.sorted, func(v float64) bool { return v != math.Trunc(v) })
}

// isMonotone reports whether the values never go down from row to row, or never up.
func (c *Column) isMonotone() bool {
	descending := func(a, b float64) int { return cmp.Compare(b, a) }
	return c.Missing == 0 && (slices.IsSorted(c.values) || slices.IsSortedFunc(c.values, descending))
}

// counts reports whether the column counts the rows, in any order: the values are different whole
// numbers with few gaps.
func (c *Column) counts() bool {
	const minRows = 10         // in fewer rows, different whole numbers are often chance
	const maxRangePerRow = 1.5 // 1 if the numbers have no gaps
	n := len(c.values)
	allDifferent := c.Missing == 0 && c.Distinct == n
	return c.Kind == data.Number && n >= minRows && allDifferent && c.isWhole() && c.Max-c.Min < maxRangePerRow*float64(n)
}
