package experiment

import (
	"errors"
	"math"
	"slices"

	"sml/data"
	"sml/data/preparation"
	"sml/models"
)

// Of texts, no more levels are kept than these, nor longer ones in all columns together:
// they are for telling that a text is new, and a model is not to become a table.
const (
	maxKeptLevels = 1000
	maxKeptBytes  = 1 << 20
)

// rangesOf are the ranges of the rows that are trained on.
func (e *Experiment) rangesOf() []models.ColumnRange {
	if e.ranges != nil {
		return e.ranges
	}
	return rangesOf(e.table.Table, e.TrainRows())
}

// rangesOf are those of the inputs of a table in the given rows.
func rangesOf(t *data.Table, rows []int) []models.ColumnRange {
	columns := len(t.Columns)
	list := make([]models.ColumnRange, columns)
	bytes := 0
	for j := range list {
		if t.Fields != nil && t.Fields[j].Kind == data.Category {
			list[j].Levels = levelsIn(t, j, rows, &bytes)
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

// levelsIn are the texts that column j has in the given rows, nil where they are too
// many.
func levelsIn(t *data.Table, j int, rows []int, bytes *int) []string {
	all := t.Fields[j].Levels
	seen := make([]bool, len(all))
	for _, r := range rows {
		if v := t.X[r*len(t.Columns)+j]; v >= 0 {
			seen[int(v)] = true
		}
	}
	var levels []string
	size := *bytes
	for i, l := range all {
		if seen[i] {
			levels, size = append(levels, l), size+len(l)
		}
	}
	if len(levels) > maxKeptLevels || size > maxKeptBytes {
		return nil
	}
	*bytes = size
	return levels
}

// RangesOf returns the ranges of those input columns of a model's table that have to be
// read for it, in the order of their names; p is its preparation. A model of an earlier
// version has none.
func RangesOf(m *models.Model, p *preparation.Preparation) ([]models.ColumnRange, error) {
	columns := len(m.Inputs)
	if p != nil {
		columns = len(p.Columns)
	}
	switch {
	case m.Ranges == nil:
		return nil, errors.New("the model does not keep the ranges of the rows that it was trained on, as those of earlier versions do not; train it again")
	case len(m.Ranges) != columns, slices.ContainsFunc(m.Ranges, func(r models.ColumnRange) bool { return (r.Low == nil) != (r.High == nil) }):
		return nil, errors.New("model.json: the ranges are not those of its columns")
	case p == nil:
		return m.Ranges, nil
	}
	var list []models.ColumnRange
	for i, c := range p.Columns {
		if c.Dropped == "" {
			list = append(list, m.Ranges[i])
		}
	}
	return list, nil
}

// WithLevels returns the fields with all texts that the ranges have, so that one which
// no training row has is data.Unseen.
func WithLevels(fields []data.Field, ranges []models.ColumnRange) []data.Field {
	fields = slices.Clone(fields)
	for i, f := range fields {
		if f.Kind == data.Category && ranges[i].Levels != nil {
			fields[i].Levels = ranges[i].Levels
		}
	}
	return fields
}
