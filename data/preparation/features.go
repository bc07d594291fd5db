package preparation

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/internal/statistics"
)

// Feature is an input of the network.
type Feature struct {
	Name        string
	Column      int  // index in Preparation.Columns of the column that it is made from
	SkipScaling bool // the feature is not standardised: it is an indicator, a sine or a cosine
}

// Features returns the inputs of the network, in order.
func (p *Preparation) Features() []Feature {
	var features []Feature
	for i, c := range p.columns() {
		features = append(features, c.features(i)...)
	}
	return features
}

// columns returns the columns of the preparation. A nil Preparation has none.
func (p *Preparation) columns() []Column {
	if p == nil {
		return nil
	}
	return p.Columns
}

// features returns the features of the column, which has the given index in
// Preparation.Columns. It returns none if the column is dropped. Column.appendFeatures computes
// their values in the same order.
func (c *Column) features(index int) []Feature {
	if c.Dropped != "" {
		return nil
	}
	var features []Feature
	add := func(name string, skipScaling bool) {
		features = append(features, Feature{Name: name, Column: index, SkipScaling: skipScaling})
	}
	switch {
	case c.isOneHot():
		for _, category := range c.Categories {
			add(c.Name+"="+category, true)
		}
		if c.OtherRows > 0 {
			add(c.Name+" is another", true)
		}
	case c.Kind == data.Date:
		for _, part := range dateParts {
			if slices.Contains(c.DateParts, part.name) {
				add(c.Name+", "+part.name, part.skipScaling)
			}
		}
	default:
		add(c.Name, false)
	}
	if c.Indicator {
		add(c.Name+" is missing", true)
	}
	return features
}

// isOneHot reports whether the column's categories have an indicator each.
func (c *Column) isOneHot() bool { return c.Kind == data.Category && !c.Ordered }

// FeatureNames returns the names of the features, in order.
func (p *Preparation) FeatureNames() []string {
	var names []string
	for _, f := range p.Features() {
		names = append(names, f.Name)
	}
	return names
}

// OneHot is a run of consecutive features: the indicators of one column's categories.
type OneHot struct {
	First int // index of the first indicator among all features
	Count int // number of indicators, including the indicator of all other categories
}

// OneHots returns the indicators of each one-hot column. They do not include the indicator
// of missing values.
func (p *Preparation) OneHots() []OneHot {
	var runs []OneHot
	first := 0
	for i, c := range p.columns() {
		features := len(c.features(i))
		if c.isOneHot() && features > 0 {
			indicators := features
			if c.Indicator {
				indicators-- // the last one marks missing values
			}
			runs = append(runs, OneHot{First: first, Count: indicators})
		}
		first += features
	}
	return runs
}

// Encoder makes features from the rows of one table. Only one goroutine may use it at a
// time.
type Encoder struct {
	Rows    int   // number of rows so far
	Missing []int // number of missing values so far, by index in Preparation.Columns
	Unseen  []int // number of values so far with a category that has no feature of its own, by index in Preparation.Columns

	preparation *Preparation
	columns     []encodedColumn // for each of Preparation.Columns
}

// encodedColumn connects a column of the preparation with a column of the table.
type encodedColumn struct {
	tableIndex int // index among the table's inputs, or −1 for a dropped column

	// categories maps the index of each category of the table's column to its index in
	// Column.Categories or to data.UnseenCategory. It is nil if the column is not categorical.
	categories []int
}

// Encoder returns an encoder for rows of a table with the given input columns. fields holds
// the kinds of these columns; it is nil if all are numbers. Encoder returns an error if an
// input column is absent or has another kind than in the training table, or if p is nil.
func (p *Preparation) Encoder(names []string, fields []data.Field) (*Encoder, error) {
	if p == nil {
		return nil, errors.New("the model has no preparation: its network reads the input columns as they are")
	}
	tableIndex := make(map[string]int, len(names))
	for i, name := range names {
		tableIndex[name] = i
	}
	e := &Encoder{
		Missing:     make([]int, len(p.Columns)),
		Unseen:      make([]int, len(p.Columns)),
		preparation: p,
	}
	for i := range p.Columns {
		column, err := p.Columns[i].findInTable(tableIndex, fields)
		if err != nil {
			return nil, err
		}
		e.columns = append(e.columns, column)
	}
	return e, nil
}

// findInTable returns the column of a table that the features of c are made from. tableIndex holds
// the indices of the table's input columns by name, and fields their kinds, nil if all are numbers.
func (c *Column) findInTable(tableIndex map[string]int, fields []data.Field) (encodedColumn, error) {
	if c.Dropped != "" {
		return encodedColumn{tableIndex: -1}, nil
	}
	index, ok := tableIndex[c.Name]
	if !ok {
		return encodedColumn{}, fmt.Errorf("the input %q is missing", c.Name)
	}
	field := data.Field{Kind: data.Number}
	if fields != nil {
		field = fields[index]
	}
	if field.Kind != c.Kind {
		return encodedColumn{}, fmt.Errorf("the input %q is a %s; the training table has a %s", c.Name, field.Kind, c.Kind)
	}
	found := encodedColumn{tableIndex: index}
	if c.Kind == data.Category {
		found.categories = c.categoryIndices(field)
	}
	return found, nil
}

// Append appends the features of a row to dst, and counts missing values and unseen categories. The
// row holds a value for each input column of the encoder's table. Append returns an error, and dst
// unchanged, if a value is missing that must not be.
func (e *Encoder) Append(dst, row []float64) ([]float64, error) {
	length := len(dst)
	e.Rows++
	for i := range e.preparation.Columns {
		if e.columns[i].tableIndex < 0 { // the column is dropped
			continue
		}
		value := row[e.columns[i].tableIndex]
		c := &e.preparation.Columns[i]
		missing := math.IsNaN(value)
		if missing && !c.acceptsMissing() {
			return dst[:length], fmt.Errorf("column %q: the value is missing; fill it in", c.Name)
		}
		if missing {
			e.Missing[i]++
		}
		category := data.UnseenCategory
		if c.Kind == data.Category && !missing {
			category = e.columns[i].category(value)
			if category < 0 {
				e.Unseen[i]++
			}
		}
		dst = c.appendFeatures(dst, value, category)
	}
	return dst, nil
}

// appendRow is Append for a row of the encoder's table. Its error names the table and the row.
func (e *Encoder) appendRow(dst []float64, t *data.Table, row int) ([]float64, error) {
	dst, err := e.Append(dst, t.X[row*len(t.Columns):][:len(t.Columns)])
	if err != nil {
		return nil, fmt.Errorf("%s: row %d: %w", t.Name, row+1, err)
	}
	return dst, nil
}

// acceptsMissing reports whether a row may lack a value in this column.
func (c *Column) acceptsMissing() bool {
	return !c.Required && (c.Kind == data.Category || c.Fill != nil)
}

// category returns the index in Column.Categories of a value of the table, which is the index of a
// category in the table's column or data.UnseenCategory. It returns data.UnseenCategory for a
// category that the training table lacks.
func (c *encodedColumn) category(value float64) int {
	if value < 0 {
		return data.UnseenCategory
	}
	return c.categories[int(value)]
}

// appendFeatures appends the features of one value to dst, in the order of Column.features. A
// missing value is NaN, and is replaced by Fill. category is only used for categorical columns: an
// index in c.Categories, or data.UnseenCategory.
func (c *Column) appendFeatures(dst []float64, value float64, category int) []float64 {
	missing := math.IsNaN(value)
	if missing && c.Kind != data.Category {
		value = *c.Fill
	}
	switch c.Kind {
	case data.Category:
		dst = c.appendCategory(dst, category, missing)
	case data.Date:
		dst = c.appendDate(dst, value)
	default:
		dst = append(dst, c.Clip.apply(value))
	}
	if c.Indicator {
		dst = append(dst, indicator(missing))
	}
	return dst
}

// Table returns a copy of the table with its inputs made into features and its targets
// transformed, and the encoder, which has counted missing values and unseen categories. A nil
// Preparation returns the table itself, and no encoder. Table returns an error if t does not have the
// columns of the training table, or lacks a value that it must have.
func (p *Preparation) Table(t *data.Table) (*data.Table, *Encoder, error) {
	if p == nil {
		return t, nil, nil
	}
	e, err := p.Encoder(t.Columns, t.Fields)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	transformed, err := p.transformTargets(t)
	if err != nil {
		return nil, nil, err
	}
	if p.keepsInputs(t) {
		return transformed, e, nil
	}
	columns := p.FeatureNames()
	x := make([]float64, 0, t.Rows()*len(columns))
	for r := range t.Rows() {
		x, err = e.appendRow(x, t, r)
		if err != nil {
			return nil, nil, err
		}
	}
	return transformed.WithInputs(columns, x), e, nil
}

// CountUnknown returns an encoder that has counted the missing values and the unseen categories in the given
// rows of a table. It returns nil if p is nil.
func (p *Preparation) CountUnknown(t *data.Table, rows []int) (*Encoder, error) {
	if p == nil {
		return nil, nil
	}
	e, err := p.Encoder(t.Columns, t.Fields)
	if err != nil {
		return nil, err
	}
	var features []float64
	for _, r := range rows {
		features, err = e.appendRow(features[:0], t, r)
		if err != nil {
			return nil, err
		}
	}
	return e, nil
}

// transformTargets returns a copy of the table with transformed targets, or the table itself if targets
// are not transformed. It returns an error if a target is outside the domain of its transform.
func (p *Preparation) transformTargets(t *data.Table) (*data.Table, error) {
	if len(p.Targets) == 0 {
		return t, nil
	}
	y := slices.Clone(t.Y)
	for i, value := range y { // row-major
		if math.IsNaN(value) { // unknown
			continue
		}
		row := i / len(p.Targets)
		target := i % len(p.Targets)
		y[i] = p.Targets[target].Apply(value)
		if !statistics.IsFinite(y[i]) {
			return nil, fmt.Errorf("%s: row %d: the target %q is %v, for which the transform %s is not defined", t.Name, row+1, t.Targets[target], value, p.Targets[target].Name)
		}
	}
	transformed := t.WithInputs(t.Columns, t.X)
	transformed.Fields = t.Fields // which WithInputs drops
	transformed.Y = y
	return transformed, nil
}

// keepsInputs reports whether the table's inputs are all numbers, and all of them become features as
// they are, in the same order.
func (p *Preparation) keepsInputs(t *data.Table) bool {
	names, _ := p.Inputs()
	isClipped := func(c Column) bool { return c.Clip != nil }
	return t.Fields == nil && slices.Equal(names, t.Columns) && !slices.ContainsFunc(p.Columns, isClipped)
}

// Inputs returns the names and fields of the columns with features. A table's other
// inputs need not be read.
func (p *Preparation) Inputs() (names []string, fields []data.Field) {
	for _, c := range p.columns() {
		if c.Dropped == "" {
			names = append(names, c.Name)
			fields = append(fields, c.Field)
		}
	}
	return names, fields
}

// TableColumns returns the names of all input columns of the training table, including
// dropped ones.
func (p *Preparation) TableColumns() []string {
	var names []string
	for _, c := range p.columns() {
		names = append(names, c.Name)
	}
	return names
}

// Layout returns a copy of the training table's layout without its dropped input columns.
// It returns the layout unchanged if it is nil or has another number of inputs than the
// preparation.
func (p *Preparation) Layout(training *data.Layout) *data.Layout {
	if p == nil || training == nil || len(training.Inputs) != len(p.Columns) {
		return training
	}
	layout := *training
	layout.Inputs = nil
	for i, c := range p.Columns {
		if c.Dropped == "" {
			layout.Inputs = append(layout.Inputs, training.Inputs[i])
		}
	}
	return &layout
}
