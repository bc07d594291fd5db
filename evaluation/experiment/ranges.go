package experiment

import (
	"errors"
	"math"
	"slices"
	"strings"

	"sml/data"
	"sml/models"
)

// Limits on the categories that a model keeps. They only serve to notice texts that no training
// row had, and a model should not become a copy of its table.
const (
	maxKeptCategories = 1000    // categories of a column; a column with more keeps none
	maxKeptBytes      = 1 << 20 // bytes of the categories of all columns together
)

// inputRanges returns the ranges of the input columns in the training rows, as they were read.
func (e *Experiment) inputRanges() []models.ColumnRange {
	if e.ranges != nil {
		return e.ranges
	}
	return columnRanges(e.table.Table, e.Rows.Train)
}

// columnRanges returns the range of each input column of a table in the given rows: the
// smallest and the largest number, or the categories. A range is empty if all values are
// missing, or if there are too many categories to keep.
func columnRanges(t *data.Table, rows []int) []models.ColumnRange {
	ranges := make([]models.ColumnRange, len(t.Columns))
	freeBytes := maxKeptBytes
	for column := range ranges {
		if t.Fields == nil || t.Fields[column].Kind != data.Category {
			ranges[column] = numberRange(t, column, rows)
			continue
		}
		categories := categoriesInRows(t, column, rows)
		size := len(strings.Join(categories, ""))
		if len(categories) <= maxKeptCategories && size <= freeBytes {
			ranges[column].Categories = categories
			freeBytes -= size
		}
	}
	return ranges
}

// numberRange returns the smallest and the largest number of a column in the given rows. The
// range is empty if all values are missing.
func numberRange(t *data.Table, column int, rows []int) models.ColumnRange {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range rows {
		v := t.X[row*len(t.Columns)+column]
		if !math.IsNaN(v) {
			low = min(low, v)
			high = max(high, v)
		}
	}
	if low > high {
		return models.ColumnRange{}
	}
	return models.ColumnRange{Low: &low, High: &high}
}

// categoriesInRows returns the categories of a column that occur in the given rows, in the
// order of the table's categories, or nil if there are none.
func categoriesInRows(t *data.Table, column int, rows []int) []string {
	all := t.Fields[column].Categories
	occurs := make([]bool, len(all))
	for _, row := range rows {
		code := t.X[row*len(t.Columns)+column]
		if code >= 0 { // negative codes stand for missing and unknown
			occurs[int(code)] = true
		}
	}
	var categories []string
	for code, category := range all {
		if occurs[code] {
			categories = append(categories, category)
		}
	}
	return categories
}

// InputRanges returns the range of each input column that the model reads, in the order of
// the columns. It returns an error if the model keeps no ranges, or if they do not match its
// columns.
func (m *Model) InputRanges() ([]models.ColumnRange, error) {
	hasOneEnd := func(r models.ColumnRange) bool { return (r.Low == nil) != (r.High == nil) }
	switch {
	case m.Ranges == nil:
		return nil, errors.New("the model does not keep the ranges of its training rows")
	case len(m.Ranges) != len(m.tableColumns()), slices.ContainsFunc(m.Ranges, hasOneEnd):
		return nil, errors.New("model.json: the ranges do not match its columns")
	case m.Preparation == nil:
		return m.Ranges, nil
	}
	var ranges []models.ColumnRange
	for i, column := range m.Preparation.Columns {
		isRead := column.Dropped == ""
		if isRead {
			ranges = append(ranges, m.Ranges[i])
		}
	}
	return ranges, nil
}

// WithCategories returns the fields with the categories of the ranges in place of their own.
// A table that is read with these fields has data.UnseenCategory for a text that no training row had.
func WithCategories(fields []data.Field, ranges []models.ColumnRange) []data.Field {
	fields = slices.Clone(fields)
	for i, f := range fields {
		if f.Kind == data.Category && ranges[i].Categories != nil {
			fields[i].Categories = ranges[i].Categories
		}
	}
	return fields
}
