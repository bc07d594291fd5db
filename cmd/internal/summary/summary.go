// Package summary describes the columns of a table and points out suspicious columns and rows
// before a training. Start with New. The package does not change the table and prints nothing.
package summary

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// Summary describes a table.
type Summary struct {
	Rows       int         `json:"rows"`
	Unlabelled int         `json:"unlabelled,omitempty"` // number of rows left out because they have no target
	Blank      int         `json:"blank,omitempty"`      // number of rows left out because all their inputs are missing
	Incomplete int         `json:"incomplete,omitempty"` // number of rows left out because some of their inputs are missing
	Copies     int         `json:"copies"`               // number of rows with the inputs and targets of an earlier row
	Columns    []Column    `json:"columns"`              // inputs, targets, extra columns, the weight
	Suspicions []Suspicion `json:"suspicions"`
}

// Column describes a column. Only Missing counts its missing values.
type Column struct {
	Name     string    `json:"name"`
	Target   bool      `json:"target"`
	Role     string    `json:"role"` // input, target, extra, weight
	Kind     data.Kind `json:"kind"`
	Missing  int       `json:"missing"`
	Distinct int       `json:"distinct"` // number of different values

	*Numbers                   // nil for a category, and if all values are missing
	Categories []CategoryCount `json:"categories,omitempty"` // of a categorical column, the most frequent first

	// Histogram has the number of rows in each of 10 intervals of equal width from Min to Max,
	// or with each of the 10 most frequent categories.
	Histogram  []int `json:"histogram"`
	WithTarget []R   `json:"with_target,omitempty"`

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

	ZeroShare float64 `json:"zero_fraction"` // fraction of zeros among the numbers; 0 for dates
}

// CategoryCount is a category and its number of rows.
type CategoryCount struct {
	Text string `json:"text"`
	Rows int    `json:"rows"`
}

// R is a column's correlation with a target.
type R struct {
	Target string  `json:"target"`
	R      float64 `json:"r"`
}

// bins is the number of parts of a histogram.
const bins = 10

// New returns the summary of a table. It returns an error only if ctx ends.
func New(ctx context.Context, t *data.Table) (*Summary, error) {
	p := &Summary{Rows: t.Rows(), Unlabelled: t.UnlabelledRows, Blank: t.BlankRows, Incomplete: t.IncompleteRows, Suspicions: []Suspicion{}}
	roles := []string{"input", "target", "extra", "weight"} // of the groups of columns
	groups := t.Groups()
	for g, role := range roles {
		names := groups[g].Names
		for j, name := range names {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			c := Column{Name: name, Role: role, Target: role == "target", field: fieldOf(t, role, j)}
			values := *groups[g].Values
			for i := j; i < len(values); i += len(names) {
				c.values = append(c.values, values[i])
			}
			c.describe()
			p.Columns = append(p.Columns, c)
		}
	}
	p.Copies = countCopies(t)
	return p, p.addSuspicions(ctx)
}

// fieldOf returns the field of column j among the table's columns with the given role.
func fieldOf(t *data.Table, role string, j int) data.Field {
	switch {
	case role == "input" && t.Fields != nil:
		return t.Fields[j]
	case role == "target" && t.TargetFields != nil:
		return t.TargetFields[j]
	}
	return data.Field{Kind: data.Number}
}

// describe fills in the description of a column from its values and its field.
func (c *Column) describe() {
	c.Kind = c.field.Kind
	for _, v := range c.values {
		if !math.IsNaN(v) {
			c.sorted = append(c.sorted, v)
		}
	}
	c.Missing = len(c.values) - len(c.sorted)
	present := slices.Clone(c.sorted) // values in the order of the rows, without missing ones
	slices.Sort(c.sorted)
	c.Distinct = len(slices.Compact(slices.Clone(c.sorted)))
	c.Histogram = make([]int, bins)
	if c.Kind == data.Category {
		c.countCategories()
		return
	}
	if len(present) == 0 {
		return
	}
	means, stds := data.Moments(present, 1, nil)
	n := Numbers{
		Min: c.sorted[0], Mean: means[0], Max: c.sorted[len(c.sorted)-1], Std: stds[0],
		Low: quantile(c.sorted, 0.25), Median: quantile(c.sorted, 0.5), High: quantile(c.sorted, 0.75),
	}
	n.Skewness = skewness(present, n.Mean, n.Std)
	if c.Kind == data.Number {
		n.ZeroShare = zeroShare(present)
	}
	c.Numbers = &n
	for _, v := range present {
		c.Histogram[binOf(v, n.Min, n.Max)]++
	}
}

// binOf returns the index of the histogram's bin for a value between low and high. It computes with
// halves, so that no difference overflows.
func binOf(v, low, high float64) int {
	if !(high > low) {
		return 0
	}
	width := float64(high/2) - float64(low/2)
	distance := float64(v/2) - float64(low/2)
	return min(int(bins*(distance/width)), bins-1)
}

// countCategories counts the rows of each category.
func (c *Column) countCategories() {
	rows := make([]int, len(c.field.Categories))
	for _, v := range c.sorted {
		rows[int(v)]++
	}
	for i, n := range rows {
		if n > 0 {
			c.Categories = append(c.Categories, CategoryCount{c.field.Categories[i], n})
		}
	}
	slices.SortStableFunc(c.Categories, func(a, b CategoryCount) int { return b.Rows - a.Rows })
	for i := range min(bins, len(c.Categories)) {
		c.Histogram[i] = c.Categories[i].Rows
	}
}

// Show returns a value of the column as people write it.
func (c *Column) Show(v float64) string { return c.field.Show(v) }

// addSuspicions adds all suspicions. It returns an error only if ctx ends.
func (p *Summary) addSuspicions(ctx context.Context) error {
	var inputs, targets []*Column
	for i := range p.Columns {
		c := &p.Columns[i]
		switch c.Role {
		case "input":
			inputs = append(inputs, c)
		case "target":
			targets = append(targets, c)
		}
	}
	for _, inspect := range []func(inputs, targets []*Column){p.compareWithTargets, p.compareInputs, p.inspectInputs, p.inspectOrder, p.inspectTargets} {
		if err := ctx.Err(); err != nil {
			return err
		}
		inspect(inputs, targets)
	}
	const notableFraction = 0.02 // of rows that are copies
	if float64(p.Copies) > notableFraction*float64(p.Rows) {
		p.add(Copies, "", "%s the same inputs and targets as one before: %.0f%%", rowsHave(p.Copies), 100*float64(p.Copies)/float64(p.Rows))
	}
	return nil
}

// rowsHave returns a number of rows with the verb for it.
func rowsHave(rows int) string {
	if rows == 1 {
		return "1 row has"
	}
	return fmt.Sprintf("%d rows have", rows)
}
