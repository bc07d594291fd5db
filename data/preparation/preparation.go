// Package preparation turns the columns of a raw table into the numbers that a network
// reads: categories become indicators, dates become their parts, and missing values are
// replaced. Start with Fit, which fits a Preparation to the training rows, and with
// Preparation.Table, which applies it to a table. The package does not standardise
// features; the model does.
package preparation

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/statistics"
)

// Missing says how missing numbers and dates are handled.
type Missing string

const (
	Median Missing = "median" // replace them by the median of the training rows; the default
	Mean   Missing = "mean"   // replace them by the mean of the training rows
	Drop   Missing = "drop"   // the caller has removed rows with missing values
	Refuse Missing = "error"  // return an error
)

// Options change how columns are prepared.
type Options struct {
	Missing Missing  `json:"missing,omitempty"` // handling of missing values; "" is Median
	Ordinal []Order  `json:"ordinal,omitempty"` // orders of the categories of ordinal columns
	Keep    []string `json:"keep,omitempty"`    // names or numbers of columns to keep, even if they look constant, like identifiers or like row numbers

	// MaxCategories is the maximum number of categories of a column that have an indicator each: a
	// feature that is 1 in rows of the category and 0 in others. All other categories of the column
	// share one indicator. 0 is DefaultMaxCategories.
	MaxCategories int `json:"max_categories,omitempty"`

	Transform string `json:"transform,omitempty"` // transform of all targets, a name in TransformNames or Auto; "" or None for none
	Support   string `json:"support,omitempty"`   // bounds of all targets: Auto, positive, non-negative, or such as 0..1; "" or None for none

	// PredictsFuture is true if the rows to predict are later than the training rows, as
	// in a split by time. Dates then have no feature that grows with time, since such a
	// feature would lie beyond everything that the network was trained on.
	PredictsFuture bool `json:"-"`
}

// Check returns an error that lists all mistakes in the options that do not depend on the
// table.
func (o Options) Check() error {
	var errs []error
	known := []Missing{"", Median, Mean, Drop, Refuse}
	if !slices.Contains(known, o.Missing) {
		errs = append(errs, fmt.Errorf("unknown handling of missing values %q; want %s, %s, %s or %s", o.Missing, Median, Mean, Drop, Refuse))
	}
	if o.MaxCategories < 0 {
		errs = append(errs, fmt.Errorf("the maximum number of categories is %d; want 1 or more", o.MaxCategories))
	}
	if !slices.Contains([]string{"", None, Auto}, o.Transform) && !slices.Contains(TransformNames(), o.Transform) {
		errs = append(errs, unknownTransform(o.Transform))
	}
	if _, err := parseSupport(o.Support); err != nil {
		errs = append(errs, err)
	}
	for i, order := range o.Ordinal {
		errs = append(errs, order.check()...)
		// Orders of different columns may still have the same Column if a name contains "=" (see
		// ResolveColumns); then their texts differ.
		isSame := func(other Order) bool { return other.Column == order.Column && other.text == order.text }
		if slices.ContainsFunc(o.Ordinal[:i], isSame) {
			errs = append(errs, fmt.Errorf("the order of column %q is repeated; give it once", order.Column))
		}
	}
	return errors.Join(errs...)
}

// Order is the order of an ordinal column's categories.
type Order struct {
	Column     string   `json:"column"`     // name, or number from 1, of an input column
	Categories []string `json:"categories"` // categories, lowest first

	text string // text that ParseOrder read; "" if the order was not read from text
}

// check returns an error for each mistake in the order's categories.
func (o Order) check() []error {
	var errs []error
	if len(o.Categories) < 2 {
		errs = append(errs, fmt.Errorf("the order of column %q has %s; want at least 2", o.Column, formatCount(len(o.Categories), "category", "categories")))
	}
	for i, category := range o.Categories {
		switch {
		case category == "":
			errs = append(errs, fmt.Errorf("the order of column %q has an empty category", o.Column))
		case slices.Contains(o.Categories[:i], category):
			errs = append(errs, fmt.Errorf("the order of column %q repeats the category %q", o.Column, category))
		}
	}
	return errs
}

// Preparation turns the input columns of a table into features, and transforms its targets.
// A nil Preparation leaves tables unchanged: it has no columns and makes no features.
type Preparation struct {
	Columns  []Column    `json:"columns"`            // all input columns of the training table, in its order
	Targets  []Transform `json:"targets,omitempty"`  // transform of each target; nil if no target is transformed
	Supports []Support   `json:"supports,omitempty"` // bounds of each target; nil if no target has any

	// CategoryLimit is the largest number of categories of a column that have an indicator
	// each, if the table has so many categories that it is lower than usual; otherwise 0.
	CategoryLimit int `json:"most_levels,omitempty"`
}

// Column says how the features of an input column are made.
type Column struct {
	Name string `json:"name"`
	data.Field

	Dropped string `json:"dropped,omitempty"` // reason why the column has no features; "" if it has features

	Clip *Clip `json:"clip,omitempty"` // range of numbers; nil for all numbers

	Required    bool     `json:"required,omitempty"`     // a missing value is an error
	Fill        *float64 `json:"fill,omitempty"`         // replacement of a missing number or date; nil if there is none
	Indicator   bool     `json:"indicator,omitempty"`    // one feature is 1 if the value is missing, and 0 otherwise
	MissingRows int      `json:"missing_rows,omitempty"` // number of training rows without a value

	// Ordered is true for an ordinal column: its only feature is the index in Categories. Other
	// categorical columns have an indicator for each of Categories.
	Ordered bool `json:"ordered,omitempty"`

	// OtherRows is the number of training rows whose category is not in Categories. If there
	// are any, one more indicator stands for all categories outside of Categories.
	OtherRows int `json:"other,omitempty"`

	FirstDate float64  `json:"first,omitempty"` // earliest date of the training rows, in seconds since 1970
	DateParts []string `json:"parts,omitempty"` // names of the date's parts with a feature each
}

// Reasons in Column.Dropped. They are written to the model's file and shown to users.
const (
	dropEmpty          = "empty"
	dropConstant       = "constant"
	dropIdentifier     = "an identifier"
	dropRowNumber      = "the number of the row"
	dropRareCategories = "of categories that stand in one training row each"
)

// Fit fits a preparation to the given rows of table t, or to all rows if rows is nil. It
// returns an error that lists all columns and targets that cannot be prepared.
func Fit(t *data.Table, rows []int, o Options) (*Preparation, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o = o.ResolveColumns(t)
	orderErr := o.checkOrderedColumns(t)
	transforms, transformErr := fitTargets(t, rows, o.Transform, fitTransform, Transform.isSet)
	supports, supportErr := fitTargets(t, rows, o.Support, fitSupport, Support.IsBounded)
	columns, limit, columnErr := fitColumns(t, rows, o)
	if err := errors.Join(orderErr, transformErr, supportErr, columnErr); err != nil {
		return nil, err
	}
	p := &Preparation{
		Columns:       columns,
		Targets:       transforms,
		Supports:      supports,
		CategoryLimit: limit,
	}
	if len(p.Features()) == 0 {
		return nil, fmt.Errorf("no input column can be used: of %s, the first, %q, is %s", formatCount(len(columns), "column", "columns"), columns[0].Name, columns[0].Dropped)
	}
	return p, nil
}

// checkOrderedColumns returns an error unless all columns in Ordinal are categorical inputs of table t.
func (o Options) checkOrderedColumns(t *data.Table) error {
	var errs []error
	for _, order := range o.Ordinal {
		i := slices.Index(t.Columns, order.Column)
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("the order of column %q cannot be used: there is no such input", order.Column))
		case t.Fields == nil || t.Fields[i].Kind != data.Category:
			errs = append(errs, fmt.Errorf("the order of column %q cannot be used: the column is not categorical; declare it as categorical", order.Column))
		}
	}
	return errors.Join(errs...)
}

// fitTargets fits the named transform or support to each target in the given rows, or in all rows if rows is nil.
// fit fits it to the values of one target, and changes reports whether a result changes anything. fitTargets returns nil
// if no result does.
func fitTargets[T any](t *data.Table, rows []int, name string, fit func(name, target string, y []float64) (T, error), changes func(T) bool) ([]T, error) {
	if name == "" || name == None {
		return nil, nil
	}
	var fitted []T
	var errs []error
	for j, target := range t.Targets {
		result, err := fit(name, target, targetValues(t, j, rows))
		if err != nil {
			errs = append(errs, err)
		}
		fitted = append(fitted, result)
	}
	if !slices.ContainsFunc(fitted, changes) {
		fitted = nil
	}
	return fitted, errors.Join(errs...)
}

// targetValues returns the known values of target j, from 0, in the given rows, or in all rows if rows is
// nil.
func targetValues(t *data.Table, j int, rows []int) []float64 {
	var values []float64
	for _, r := range t.KnownTargets(j, rows) {
		values = append(values, t.Y[r*len(t.Targets)+j])
	}
	return values
}

// fitColumns fits all input columns. It also returns the CategoryLimit, and an error that
// lists all columns that cannot be prepared.
func fitColumns(t *data.Table, rows []int, o Options) (columns []Column, categoryLimit int, err error) {
	columns = make([]Column, len(t.Columns))
	var errs []error
	var categorical []*categoryCounts // of one-hot columns, whose indicators are limited together
	var values columnValues           // of one column; the next column uses its memory again
	for j, name := range t.Columns {
		c := &columns[j]
		c.Name = name
		c.Field = data.Field{Kind: data.Number}
		if t.Fields != nil {
			c.Field = t.Fields[j]
		}
		values = readColumn(t, j, rows, values.present)
		c.Bits = c.Kind == data.Number && data.AreBits(values.present)
		counts, err := c.fit(values, o, len(t.Columns))
		if err != nil {
			errs = append(errs, err)
		}
		if counts != nil {
			categorical = append(categorical, counts)
		}
	}
	if len(errs) > 0 {
		return nil, 0, errors.Join(errs...)
	}
	trainingRows := values.rows // of any column
	maxCategories := cmp.Or(o.MaxCategories, DefaultMaxCategories)
	return columns, limitIndicators(categorical, maxCategories, trainingRows), nil
}

// columnValues holds the values of one column in the training rows.
type columnValues struct {
	present     []float64 // values without missing ones, in the order of the rows
	rows        int       // number of training rows
	missingRows int       // number of training rows without a value
	isConstant  bool      // whether all values in present are equal

	anyMissing bool // whether the value is missing in any row of the table, training row or not
}

// readColumn returns the values of column j in the given rows, or in all rows if rows is
// nil. It overwrites buffer, which may be nil.
func readColumn(t *data.Table, j int, rows []int, buffer []float64) columnValues {
	columns := len(t.Columns)
	v := columnValues{isConstant: true}
	if rows == nil {
		v.present = slices.Grow(buffer[:0], t.Rows())
		for i := j; i < len(t.X); i += columns {
			v.add(t.X[i])
		}
	} else {
		v.present = slices.Grow(buffer[:0], len(rows))
		for _, r := range rows {
			v.add(t.X[r*columns+j])
		}
	}
	v.anyMissing = hasMissing(t, j)
	return v
}

// hasMissing reports whether a value of column j is missing in any row of table t.
func hasMissing(t *data.Table, j int) bool {
	if t.Fields == nil { // all inputs are numbers, and none is missing
		return false
	}
	for i := j; i < len(t.X); i += len(t.Columns) {
		if math.IsNaN(t.X[i]) {
			return true
		}
	}
	return false
}

// add adds the value of one training row, and updates the other fields but anyMissing. NaN is a missing
// value.
func (v *columnValues) add(x float64) {
	v.rows++
	if math.IsNaN(x) {
		v.missingRows++
		return
	}
	if len(v.present) > 0 && x != v.present[0] {
		v.isConstant = false
	}
	v.present = append(v.present, x)
}

// fit decides how the column is prepared. columns is the number of input columns. For a
// one-hot column, fit returns the counts of its categories: limitIndicators chooses the
// indicators after all columns are fitted. fit may reorder v.present.
func (c *Column) fit(v columnValues, o Options, columns int) (*categoryCounts, error) {
	c.MissingRows = v.missingRows
	keep := slices.Contains(o.Keep, c.Name)
	c.Dropped = c.dropReason(v, keep, columns)
	if c.Dropped != "" {
		c.Categories = nil
		return nil, nil
	}
	if o.Missing == Refuse && v.anyMissing {
		return nil, fmt.Errorf("column %q: values are missing; fill them in, leave the column out, or choose a replacement", c.Name)
	}
	c.Required = o.Missing == Refuse || o.Missing == Drop // a later table must not lack values, either
	c.Indicator = v.missingRows > 0
	if c.Kind == data.Category {
		return c.fitCategories(v, o.Ordinal)
	}
	if c.Kind == data.Date {
		c.fitDate(v, o.PredictsFuture)
	}
	if c.Kind == data.Number && !keep {
		c.Clip = fitClip(v.present)
	}
	if !c.Required {
		c.fitFill(v, o.Missing)
	}
	return nil, nil
}

// dropReason returns why the column should have no features, or "". keep is true if the
// user declared the column as an input; columns is the number of input columns.
func (c *Column) dropReason(v columnValues, keep bool, columns int) string {
	switch {
	case len(v.present) == 0:
		return dropEmpty
	case keep:
		return ""
	case v.isConstant && v.missingRows == 0 && v.rows > 1: // that a value is missing may tell something
		return dropConstant
	case c.Kind == data.Category && isIdentifier(v):
		return dropIdentifier
	case c.Kind == data.Number && columns > 1 && isRowNumberName(c.Name) && areRowNumbers(v): // the only input is never dropped
		return dropRowNumber
	}
	return ""
}

// fitCategories makes the column ordinal if orders has an order for it. Otherwise it returns the counts
// of its categories, from which limitIndicators chooses the indicators. It returns an error if the
// order lacks a category.
func (c *Column) fitCategories(v columnValues, orders []Order) (*categoryCounts, error) {
	for _, order := range orders {
		if order.Column == c.Name {
			return nil, c.setOrder(order.Categories)
		}
	}
	return c.countCategories(v), nil
}

// fitFill sets Fill, the replacement of a missing number or date, to the mean or, by default, the median
// of the values. The median reorders v.present.
func (c *Column) fitFill(v columnValues, missing Missing) {
	var fill float64
	if missing == Mean {
		means, _ := data.Moments(v.present, 1, nil)
		fill = means[0]
	} else {
		fill = statistics.MedianInPlace(v.present)
	}
	c.Fill = &fill
}

// KindToKeep returns the kind that a user must declare a dropped or clipped column as (Options.Keep)
// to make it an input as it is. It reports false if the column is one, or no declaration can keep it.
func (c *Column) KindToKeep() (kind data.Kind, ok bool) {
	if c.Clip != nil {
		return c.Kind, true
	}
	switch c.Dropped {
	case dropConstant, dropIdentifier, dropRowNumber:
		return c.Kind, c.Kind != data.Date
	}
	return "", false
}
