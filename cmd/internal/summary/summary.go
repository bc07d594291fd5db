// Package summary describes the columns of a table and points out suspicious columns and rows
// before a training. Start with New. The package does not change the table and prints nothing.
package summary

import (
	"context"
	"math"
	"slices"
	"time"

	"sml/data"
	"sml/internal/statistics"
)

// Summary describes a table.
type Summary struct {
	Rows       int         `json:"rows"`
	Unlabelled int         `json:"unlabelled,omitempty"` // number of rows left out because they have no target
	Blank      int         `json:"blank,omitempty"`      // number of rows left out because all their inputs are missing
	Incomplete int         `json:"incomplete,omitempty"` // number of rows left out because some of their inputs are missing
	Weightless int         `json:"weightless,omitempty"` // number of rows left out because their weight is 0
	Copies     int         `json:"copies"`               // number of rows with the inputs and targets of an earlier row
	Columns    []Column    `json:"columns"`              // inputs, targets, extra columns, the weight
	Suspicions []Suspicion `json:"suspicions"`

	Together   []Prediction `json:"together,omitempty"`    // ridge regression of each target on all inputs that do not give it away; nil for a small table
	ScoredRows int          `json:"scored_rows,omitempty"` // number of rows, or of a random sample of them, for Together and Column.Predicts
}

// Role is what a column is used for.
type Role string

const (
	Input  Role = "input"  // the network reads it
	Target Role = "target" // the network learns to predict it
	Extra  Role = "extra"  // only the objective reads it
	Weight Role = "weight" // weight of each row in the objective
)

// Column describes a column. Only Missing counts its missing values.
type Column struct {
	Name     string    `json:"name"`
	Target   bool      `json:"target"`
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

	Predicts           []Prediction `json:"predicts,omitempty"`           // for an input: how well it predicts each target by itself; nil in a small table
	IsBetterAsCategory bool         `json:"better_as_category,omitempty"` // for an input of whole numbers: they predict better as names than as numbers

	field  data.Field
	values []float64 // values of all rows, NaN if missing
	sorted []float64 // values without missing ones, ascending
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

// bins is the number of bars of a histogram: a narrow column of a printed table has room for ten characters.
const bins = 10

// New returns the summary of a table. Dates after now are suspicious. It returns an error only if ctx ends.
func New(ctx context.Context, t *data.Table, now time.Time) (*Summary, error) {
	s := &Summary{
		Rows:       t.Rows(),
		Unlabelled: t.UnlabelledRows,
		Blank:      t.BlankRows,
		Incomplete: t.IncompleteRows,
		Weightless: t.WeightlessRows,
		Suspicions: []Suspicion{}, // not nil, so that JSON has [] if there are none
	}
	// The roles of the groups that t.Groups returns. The last group, the column by which rows are split, is
	// not described.
	roles := []Role{Input, Target, Extra, Weight}
	groups := t.Groups()
	for i, role := range roles {
		columns, err := describeGroup(ctx, t, groups[i], role)
		if err != nil {
			return nil, err
		}
		s.Columns = append(s.Columns, columns...)
	}
	s.Copies = countCopies(t)
	return s, s.addSuspicions(ctx, now)
}

// describeGroup returns the descriptions of the columns of a group, which have the same role. It returns
// an error only if ctx ends.
func describeGroup(ctx context.Context, t *data.Table, group data.Group, role Role) ([]Column, error) {
	var columns []Column
	values := *group.Values // row by row, with a value for each column of the group
	for j, name := range group.Names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := Column{
			Name:   name,
			Role:   role,
			Target: role == Target,
			field:  columnField(t, role, j),
		}
		for i := j; i < len(values); i += len(group.Names) {
			c.values = append(c.values, values[i])
		}
		c.describe()
		columns = append(columns, c)
	}
	return columns, nil
}

// columnField returns the field of column j among the columns with the given role. In a table without
// fields, all columns are numbers.
func columnField(t *data.Table, role Role, j int) data.Field {
	switch {
	case role == Input && t.Fields != nil:
		return t.Fields[j]
	case role == Target && t.TargetFields != nil:
		return t.TargetFields[j]
	}
	return data.Field{Kind: data.Number}
}

// describe fills in the description of a column from its values and its field.
func (c *Column) describe() {
	c.Kind = c.field.Kind
	var present []float64 // values in the order of the rows, without missing ones
	for _, v := range c.values {
		if !math.IsNaN(v) {
			present = append(present, v)
		}
	}
	c.Missing = len(c.values) - len(present)
	c.sorted = slices.Clone(present)
	slices.Sort(c.sorted)
	c.Distinct = len(slices.Compact(slices.Clone(c.sorted)))
	c.Histogram = make([]int, bins)
	switch {
	case c.Kind == data.Category:
		c.countCategories()
	case len(present) > 0:
		c.describeNumbers(present)
	}
}

// describeNumbers sets the description of a column's numbers, and the histogram. present are the numbers in
// the order of the rows, at least one: sums over them do not depend on how values are sorted.
func (c *Column) describeNumbers(present []float64) {
	means, stds := data.Moments(present, 1, nil) // of one column
	n := Numbers{
		Min:    c.sorted[0],
		Mean:   means[0],
		Max:    c.sorted[len(c.sorted)-1],
		Std:    stds[0],
		Low:    quantile(c.sorted, 0.25),
		Median: quantile(c.sorted, 0.5),
		High:   quantile(c.sorted, 0.75),
	}
	n.Skewness = statistics.Skewness(present, n.Mean, n.Std)
	if c.Kind == data.Number {
		n.ZeroFraction = zeroFraction(present)
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

// countCategories sets the categories with their numbers of rows, and the histogram. The value of a row is
// the index of its category.
func (c *Column) countCategories() {
	rows := make([]int, len(c.field.Categories)) // number of rows, by category
	for _, v := range c.sorted {
		rows[int(v)]++
	}
	for i, n := range rows {
		if n > 0 {
			c.Categories = append(c.Categories, CategoryCount{Text: c.field.Categories[i], Rows: n})
		}
	}
	moreRowsFirst := func(a, b CategoryCount) int { return b.Rows - a.Rows }
	slices.SortStableFunc(c.Categories, moreRowsFirst) // stable: equally frequent categories keep their order
	for i := range min(bins, len(c.Categories)) {
		c.Histogram[i] = c.Categories[i].Rows
	}
}

// Show returns a value of the column as people write it.
func (c *Column) Show(v float64) string { return c.field.Show(v) }

// addSuspicions makes all inspections and adds the suspicions they find. It returns an error only if ctx
// ends.
func (s *Summary) addSuspicions(ctx context.Context, now time.Time) error {
	inputs := s.columnsWithRole(Input)
	targets := s.columnsWithRole(Target)
	s.compareWithTargets(inputs, targets)
	if err := s.predictTargets(ctx, inputs, targets); err != nil {
		return err
	}
	inspections := []func(inputs, targets []*Column){
		s.compareInputs,
		s.inspectInputs,
		s.inspectDates(now),
		s.inspectOrder,
		s.inspectNames,
		s.inspectTargets,
		s.inspectCopies,
	}
	for _, inspect := range inspections { // some take seconds for a large table
		if err := ctx.Err(); err != nil {
			return err
		}
		inspect(inputs, targets)
	}
	return nil
}

// columnsWithRole returns the columns with a role, as pointers into s.Columns.
func (s *Summary) columnsWithRole(role Role) []*Column {
	var columns []*Column
	for i := range s.Columns {
		if s.Columns[i].Role == role {
			columns = append(columns, &s.Columns[i])
		}
	}
	return columns
}
