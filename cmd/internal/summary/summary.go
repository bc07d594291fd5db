// Package summary describes the columns of a table, and points out what its user should look at
// before a training.
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
	Unlabelled int         `json:"unlabelled,omitempty"` // number of rows left out, as they have no target
	Blank      int         `json:"blank,omitempty"`      // number of rows left out, as all their inputs are missing
	Incomplete int         `json:"incomplete,omitempty"` // number of rows left out, as some of their inputs are missing
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

	ZeroShare float64 `json:"zero_share"` // fraction of zeros among the numbers; 0 for dates
}

// CategoryCount is a text of a column.
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

// New returns the summary of a table. The only error is the error of ctx.
func New(ctx context.Context, t *data.Table) (*Summary, error) {
	p := &Summary{Rows: t.Rows(), Unlabelled: t.Unlabelled, Blank: t.Blank, Incomplete: t.Incomplete, Suspicions: []Suspicion{}}
	add := func(names []string, values []float64, role string) error {
		for j, name := range names {
			if err := ctx.Err(); err != nil {
				return err
			}
			c := Column{Name: name, Role: role, Target: role == "target", field: data.Field{Kind: data.Number}}
			switch {
			case role == "input" && t.Fields != nil:
				c.field = t.Fields[j]
			case role == "target" && t.TargetFields != nil:
				c.field = t.TargetFields[j]
			}
			for i := j; i < len(values); i += len(names) {
				c.values = append(c.values, values[i])
			}
			c.describe()
			p.Columns = append(p.Columns, c)
		}
		return nil
	}
	weight := []string{t.Weight}
	if t.Weight == "" {
		weight = nil
	}
	for _, of := range []struct {
		names  []string
		values []float64
		role   string
	}{{t.Columns, t.X, "input"}, {t.Targets, t.Y, "target"}, {t.Extras, t.E, "extra"}, {weight, t.W, "weight"}} {
		if err := add(of.names, of.values, of.role); err != nil {
			return nil, err
		}
	}
	p.Copies = copies(t)
	return p, p.suspect(ctx)
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
	there := slices.Clone(c.sorted)
	slices.Sort(c.sorted)
	c.Distinct = len(slices.Compact(slices.Clone(c.sorted)))
	c.Histogram = make([]int, bins)
	if c.Kind == data.Category {
		c.countCategories()
		return
	}
	if len(there) == 0 {
		return
	}
	means, stds := data.Moments(there, 1, nil)
	n := Numbers{
		Min: c.sorted[0], Mean: means[0], Max: c.sorted[len(c.sorted)-1], Std: stds[0],
		Low: quantile(c.sorted, 0.25), Median: quantile(c.sorted, 0.5), High: quantile(c.sorted, 0.75),
	}
	n.Skewness = skewness(there, n.Mean, n.Std)
	if c.Kind == data.Number {
		n.ZeroShare = zeroShare(there)
	}
	c.Numbers = &n
	for _, v := range there {
		bin := 0
		if n.Max > n.Min {
			bin = min(int(bins*((float64(v/2)-float64(n.Min/2))/(float64(n.Max/2)-float64(n.Min/2)))), bins-1) // halves, so that no difference overflows
		}
		c.Histogram[bin]++
	}
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

// suspect adds all suspicions.
func (p *Summary) suspect(ctx context.Context) error {
	var inputs, targets []*Column
	for i := range p.Columns {
		switch c := &p.Columns[i]; c.Role {
		case "input":
			inputs = append(inputs, c)
		case "target":
			targets = append(targets, c)
		}
	}
	for _, look := range []func(inputs, targets []*Column){p.likeTarget, p.duplicates, p.inspectInputs, p.inspectOrder, p.inspectTargets} {
		if err := ctx.Err(); err != nil {
			return err
		}
		look(inputs, targets)
	}
	const worthAWord = 0.02
	if float64(p.Copies) > worthAWord*float64(p.Rows) {
		p.add(Copies, "", "%s the same inputs and targets as one before: %.0f%%", rowsHave(p.Copies), 100*float64(p.Copies)/float64(p.Rows))
	}
	return nil
}

func rowsHave(rows int) string {
	if rows == 1 {
		return "1 row has"
	}
	return fmt.Sprintf("%d rows have", rows)
}
