// Package preparation makes numbers of tables as people have them: texts become
// indicators, dates their parts, what is missing the median of what is there. It is
// fitted on training rows alone, and kept with the model that was trained on them.
package preparation

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/statistics"
)

// Missing says what becomes of numbers that are missing.
type Missing string

const (
	Median Missing = "median" // of the training rows, which is the default
	Mean   Missing = "mean"   // likewise
	Drop   Missing = "drop"   // their rows are left out
	Refuse Missing = "error"
)

// Options overrule what is done with columns, and say what is done with targets.
type Options struct {
	Missing Missing  `json:"missing,omitempty"` // default Median
	Ordinal []Order  `json:"ordinal,omitempty"` // texts that have an order, by name or number
	Keep    []string `json:"keep,omitempty"`    // columns that are inputs though they look like identifiers, likewise

	Transform string `json:"transform,omitempty"` // of the targets: one of TransformNames; default none

	// Ahead says that the rows to come are later than those that it is fitted on, as in
	// a split by time: what grows with a date is left out, since all of theirs is beyond
	// anything that was learnt.
	Ahead bool `json:"-"`
}

// Check returns all that is wrong with the options, whatever the table.
func (o Options) Check() error {
	var wrong []error
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if all := []Missing{Median, Mean, Drop, Refuse}; o.Missing != "" && !slices.Contains(all, o.Missing) {
		bad("missing values %q: there is %s, %s, %s, %s", o.Missing, Median, Mean, Drop, Refuse)
	}
	if o.Transform != "" && !slices.Contains(TransformNames(), o.Transform) {
		wrong = append(wrong, Transform{Name: o.Transform}.check())
	}
	for i, order := range o.Ordinal {
		if len(order.Levels) < 2 {
			bad("the order of column %q has %s; at least 2 are needed", order.Column, count(len(order.Levels), "level"))
		}
		for k, l := range order.Levels {
			if l == "" {
				bad("the order of column %q has a level without a name", order.Column)
			} else if slices.Contains(order.Levels[:k], l) {
				bad("the order of column %q has the level %q twice", order.Column, l)
			}
		}
		if slices.ContainsFunc(o.Ordinal[:i], func(other Order) bool { return other.Column == order.Column && other.text == order.text }) {
			bad("the order of column %q is given twice", order.Column)
		}
	}
	return errors.Join(wrong...)
}

// Order is the levels of a column, the lowest first.
type Order struct {
	Column string   `json:"column"`
	Levels []string `json:"levels"`

	text string // that it was read from
}

// Preparation is what becomes of each input column of a table. A nil Preparation leaves
// tables unchanged: it has no columns and makes no features.
type Preparation struct {
	Columns []Column    `json:"columns"`
	Targets []Transform `json:"targets,omitempty"` // of each target; nil: they are as they are

	// MostLevels is how many levels of a text have features of their own, where that
	// are fewer than usual since texts are many.
	MostLevels int `json:"most_levels,omitempty"`
}

// Column is an input column of a table, and how its features are made.
type Column struct {
	Name string `json:"name"`
	data.Field

	Dropped string `json:"dropped,omitempty"` // why it has no features; "": it has

	Required    bool     `json:"required,omitempty"`     // none may be missing (Drop, Refuse)
	Fill        *float64 `json:"fill,omitempty"`         // what stands for a number or date that is missing
	Indicator   bool     `json:"indicator,omitempty"`    // a feature that is 1 where it is missing, and 0 elsewhere
	MissingRows int      `json:"missing_rows,omitempty"` // training rows in which it is missing

	Ordered bool `json:"ordered,omitempty"` // the levels are one feature, 0, 1, …, in place of an indicator for each
	Other   int  `json:"other,omitempty"`   // training rows of levels that have none of their own: they have one together

	First float64  `json:"first,omitempty"` // of a date: the earliest in the training rows
	Parts []string `json:"parts,omitempty"` // of a date: those that it is taken apart into
}

// Fit finds how the inputs of a table are prepared, from the given rows; nil rows are
// all. The error says all that is wrong.
func Fit(t *data.Table, rows []int, o Options) (*Preparation, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o = o.ResolveColumns(t)
	var wrong []error
	for _, order := range o.Ordinal {
		j := slices.Index(t.Columns, order.Column)
		switch {
		case j < 0:
			wrong = append(wrong, fmt.Errorf("the levels of %q are in order, and there is no such input", order.Column))
		case t.Fields == nil || t.Fields[j].Kind != data.Category:
			wrong = append(wrong, fmt.Errorf("the levels of %q are in order, and it is no text; say that it is categorical", order.Column))
		}
	}
	p := new(Preparation)
	if o.Transform != "" {
		for j, target := range t.Targets {
			transform, err := fitTransform(o.Transform, target, column(t.Y, j, len(t.Targets), rows))
			if err != nil {
				wrong = append(wrong, err)
			}
			p.Targets = append(p.Targets, transform)
		}
	}
	var texts []*levelCounts
	var v values
	p.Columns = make([]Column, len(t.Columns))
	for j, name := range t.Columns {
		c := &p.Columns[j]
		*c = Column{Name: name, Field: data.Field{Kind: data.Number}}
		if t.Fields != nil {
			c.Field = t.Fields[j]
		}
		v = columnValues(t, j, rows, v.of)
		levels, err := c.fit(v, o, len(t.Columns))
		if err != nil {
			wrong = append(wrong, err)
		}
		if levels != nil {
			texts = append(texts, levels)
		}
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	p.MostLevels = keepLevels(texts)
	if len(p.Features()) == 0 {
		return nil, fmt.Errorf("no input is left of %s: %s", count(len(p.Columns), "column"), p.Columns[0].Name+" is "+p.Columns[0].Dropped)
	}
	return p, nil
}

// values are those of one column.
type values struct {
	of           []float64 // in the rows that it is fitted on, without those that are missing
	missing      int       // of these rows
	missingAtAll bool      // in any row
	rows         int
	first        float64
	constant     bool
}

// columnValues returns the values of column j in the given rows, or in all rows if rows is nil. It
// overwrites before, the values of another column.
func columnValues(t *data.Table, j int, rows []int, before []float64) values {
	n := len(t.Columns)
	most := len(rows)
	if rows == nil {
		most = t.Rows()
	}
	v := values{constant: true, of: slices.Grow(before[:0], most)}
	for i := j; i < len(t.X) && t.Fields != nil && !v.missingAtAll; i += n {
		v.missingAtAll = math.IsNaN(t.X[i])
	}
	see := func(x float64) {
		switch {
		case math.IsNaN(x):
			v.missing++
			return
		case len(v.of) == 0 && v.rows == v.missing:
			v.first = x
		}
		v.constant = v.constant && x == v.first
		v.of = append(v.of, x)
	}
	if rows == nil {
		for i := j; i < len(t.X); i += n {
			see(t.X[i])
			v.rows++
		}
		return v
	}
	for _, r := range rows {
		see(t.X[r*n+j])
		v.rows++
	}
	return v
}

// fit finds what becomes of the column, one of so many. The levels of a text are
// kept when those of all columns are known.
func (c *Column) fit(v values, o Options, columns int) (*levelCounts, error) {
	c.MissingRows = v.missing
	keep := slices.Contains(o.Keep, c.Name)
	switch {
	case len(v.of) == 0:
		c.Dropped = "empty"
	case v.constant && v.missing == 0 && v.rows > 1 && !keep:
		c.Dropped = "constant"
	case c.Kind == data.Category && !keep && identifies(v):
		c.Dropped = "an identifier"
	case c.Kind == data.Number && !keep && columns > 1 && indexName(c.Name) && counts(v):
		c.Dropped = "the number of the row"
	}
	if c.Dropped != "" {
		c.Levels = nil
		return nil, nil
	}
	if o.Missing == Refuse && v.missingAtAll {
		return nil, fmt.Errorf("column %q: values are missing; fill them in, leave the column out, or say what is to be done", c.Name)
	}
	c.Required = o.Missing == Refuse || o.Missing == Drop
	c.Indicator = v.missing > 0
	switch {
	case c.Kind == data.Category:
		return c.countLevels(v, o)
	case c.Kind == data.Date:
		c.fitDate(v, o.Ahead)
	}
	if !c.Required {
		fill := 0.0
		if o.Missing == Mean {
			means, _ := data.Moments(v.of, 1, nil)
			fill = means[0]
		} else {
			fill = statistics.MedianInPlace(v.of)
		}
		c.Fill = &fill
	}
	return nil, nil
}

// KindToKeep returns the kind that a column has to be declared as (Options.Keep) to be an input
// although it would be dropped; ok is false if it was not dropped or nothing keeps it.
func (c *Column) KindToKeep() (kind data.Kind, ok bool) {
	switch c.Dropped {
	case "constant", "an identifier", "the number of the row":
		return c.Kind, c.Kind != data.Date
	}
	return "", false
}

// column returns the values of column j in the given rows, nil for all.
func column(values []float64, j, columns int, rows []int) []float64 {
	var of []float64
	if rows == nil {
		for i := j; i < len(values); i += columns {
			of = append(of, values[i])
		}
		return of
	}
	for _, r := range rows {
		of = append(of, values[r*columns+j])
	}
	return of
}
