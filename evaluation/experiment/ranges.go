package experiment

import (
	"errors"
	"math"
	"slices"

	"sml/data"
	"sml/models"
)

// A column with more categories keeps none: categories only tell that a text is new, and a model
// should not become a table.
const (
	maxKeptCategories = 1000    // per column
	maxKeptBytes      = 1 << 20 // of all columns together
)

// rangesOf returns the ranges of the training rows.
func (e *Experiment) inputRanges() []models.ColumnRange {
	if e.ranges != nil {
		return e.ranges
	}
	return columnRanges(e.table.Table, e.Rows.Train)
}

// rangesOf returns the ranges of a table's inputs in the given rows.
func columnRanges(t *data.Table, rows []int) []models.ColumnRange {
	columns := len(t.Columns)
	list := make([]models.ColumnRange, columns)
	bytes := 0
	for j := range list {
		if t.Fields != nil && t.Fields[j].Kind == data.Category {
			list[j].Categories = categoriesInRows(t, j, rows, &bytes)
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			if v := t.X[r*columns+j]; !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
		if low <= high {
			list[j] = models.ColumnRange{Low: &low, High: &high}
		}
	}
	return list
}

// categoriesInRows returns the categories of column j in the given rows, or nil if there are too many.
// It adds their length to bytes.
func categoriesInRows(t *data.Table, j int, rows []int, bytes *int) []string {
	all := t.Fields[j].Categories
	seen := make([]bool, len(all))
	for _, r := range rows {
		if v := t.X[r*len(t.Columns)+j]; v >= 0 {
			seen[int(v)] = true
		}
	}
	var categories []string
	size := *bytes
	for i, category := range all {
		if seen[i] {
			categories, size = append(categories, category), size+len(category)
		}
	}
	if len(categories) > maxKeptCategories || size > maxKeptBytes {
		return nil
	}
	*bytes = size
	return categories
}

// InputRanges returns the ranges of the input columns that the model reads, in the order of
// their names. It returns an error if the model has none, or has those of other columns.
func (m *Model) InputRanges() ([]models.ColumnRange, error) {
	incomplete := func(r models.ColumnRange) bool { return (r.Low == nil) != (r.High == nil) }
	switch {
	case m.Ranges == nil:
		return nil, errors.New("the model does not keep the ranges of its training rows")
	case len(m.Ranges) != len(m.tableColumns()), slices.ContainsFunc(m.Ranges, incomplete):
		return nil, errors.New("model.json: the ranges are not those of its columns")
	case m.Preparation == nil:
		return m.Ranges, nil
	}
	var list []models.ColumnRange
	for i, c := range m.Preparation.Columns {
		if c.Dropped == "" {
			list = append(list, m.Ranges[i])
		}
	}
	return list, nil
}

// WithCategories returns the fields with the categories of the ranges, so that a text of no training
// row becomes data.Unseen.
func WithCategories(fields []data.Field, ranges []models.ColumnRange) []data.Field {
	fields = slices.Clone(fields)
	for i, f := range fields {
		if f.Kind == data.Category && ranges[i].Categories != nil {
			fields[i].Categories = ranges[i].Categories
		}
	}
	return fields
}
