package evaluation

import (
	"fmt"
	"math"

	"sml/data"
	"sml/internal/statistics"
	"sml/models/distribution"
)

// Truth has the true targets that predictions are compared with.
type Truth struct {
	Y          []float64                // targets in their own units, [rows, targets], row by row; NaN for an unknown one
	Columns    data.Scalers             // scalers of the targets; predictions are standardised by them
	Transforms []distribution.Transform // transform of each target, which the model was trained on; an item, or all, is nil if there is none
	Bounds     []*distribution.Bounds   // bounds of each target's predictions; an item, or all, is nil if there are none
	Weights    []float64                // weight of each row (measure.Column.Weights); nil if all rows count the same
	Extras     map[string][]float64     // values of further columns of the table in each row, by name (measure.Column.Extras); may be nil
}

// Standardised returns the targets transformed and standardised as the predictions are, NaN for unknown ones. It
// returns an error if a transform is not defined for a target, or if a standardised target
// overflows.
func (t Truth) Standardised() ([]float64, error) {
	standardised := make([]float64, len(t.Y))
	for i, y := range t.Y {
		if math.IsNaN(y) {
			standardised[i] = y
			continue
		}
		row := i / len(t.Columns)
		target := i % len(t.Columns)
		unit := t.Unit(target)
		column := unit.Scaler
		transformed := y
		if unit.Transform != nil {
			transformed = unit.Transform.Apply(y)
			if !statistics.IsFinite(transformed) {
				return nil, fmt.Errorf("row %d to be scored: target %s is %v, for which the transform of the training is not defined", row+1, column.Name, y)
			}
		}
		standardised[i] = (transformed - column.Mean) / column.Std
		if math.IsInf(standardised[i], 0) && !math.IsInf(transformed, 0) {
			return nil, fmt.Errorf("row %d to be scored: target %s is %v, more than 1e308 standard deviations from the mean of the training rows", row+1, column.Name, transformed)
		}
	}
	return standardised, nil
}

// KnownRows returns the indices of the rows in which a target is known.
func (t Truth) KnownRows(target int) []int {
	var known []int
	for i := target; i < len(t.Y); i += len(t.Columns) {
		if !math.IsNaN(t.Y[i]) {
			known = append(known, i/len(t.Columns))
		}
	}
	return known
}

// extrasOf returns the values of the extra columns in the given rows.
func (t Truth) extrasOf(rows []int) map[string][]float64 {
	selected := make(map[string][]float64, len(t.Extras))
	for name, values := range t.Extras {
		selected[name] = SelectRows(values, rows)
	}
	return selected
}

// SelectRows returns the values of the given rows, or nil if values is nil, as weights are if all rows count the same.
func SelectRows(values []float64, rows []int) []float64 {
	if values == nil {
		return nil
	}
	selected := make([]float64, len(rows))
	for i, row := range rows {
		selected[i] = values[row]
	}
	return selected
}
