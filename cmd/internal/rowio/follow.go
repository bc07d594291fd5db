package rowio

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/data/read"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/shift"
)

// Following adapts the intervals of rows in the order of time: after it has adapted a row's predictions, it reads the
// row's targets, which adapt the next rows. The texts of the targets are the last kept columns of a batch.
type Following struct {
	Follower *shift.Follower // state, which adapt changes

	model *experiment.Model
	parse func(dst []float64, cells []string) ([]float64, error) // appends the numbers of the targets' texts, NaN for a missing target
}

// NewFollowing returns a Following of the model's predictions that begins with the state of f.
func NewFollowing(f *shift.Follower, m *experiment.Model) *Following {
	names := m.Targets.Names()
	fields := make([]data.Field, len(names))
	for i := range fields {
		fields[i].Kind = data.Number
	}
	return &Following{Follower: f, model: m, parse: read.RowParser(names, fields, m.Settings.Table.Layout)}
}

// adapt replaces the predictions of a batch by adapted predictions, row after row. The targets of a row change only the
// predictions of later rows, and a row in b.failures changes nothing. If the targets of a row cannot be read, adapt calls
// fail with the error.
func (f *Following) adapt(b *batch, fail func(row int, err error)) {
	adapted := *b.predictions
	adapted.Values = slices.Clone(adapted.Values)
	targets := adapted.Targets
	for row := range b.lines {
		f.Follower.Rows++
		if b.failures[row] != nil {
			continue
		}
		predictions := adapted.Values[row*targets : (row+1)*targets]
		for target, p := range predictions {
			predictions[target] = f.Follower.Adapt(p, target)
		}
		y, err := f.readTargets(b, row)
		if err != nil {
			fail(row, err)
			continue
		}
		for target, p := range predictions {
			if !math.IsNaN(y[target]) {
				f.Follower.Observe(p, y[target], target)
			}
		}
	}
	b.predictions = &adapted
}

// readTargets returns the standardised targets of a readable row, NaN for a missing target. It returns an error if a text
// is not a number, or if the target's transform is not defined for the number.
func (f *Following) readTargets(b *batch, row int) ([]float64, error) {
	targets := len(f.model.Targets)
	first := len(b.keptTexts.Names) - targets
	cells := make([]string, targets)
	for target := range cells {
		cells[target] = b.keptTexts.At(b.keptRow(row), first+target)
	}
	y, err := f.parse(nil, cells)
	if err != nil {
		return nil, err
	}
	for target, value := range y {
		if math.IsNaN(value) {
			continue
		}
		standardised, err := f.standardise(target, value)
		if err != nil {
			return nil, err
		}
		y[target] = standardised
	}
	return y, nil
}

// standardise returns the standardised value of a target. It returns an error if the target's transform is not defined for
// the value.
func (f *Following) standardise(target int, value float64) (float64, error) {
	column := f.model.Targets[target]
	truth := evaluation.Truth{Y: []float64{value}, Columns: data.Scalers{column}}
	if f.model.Transforms != nil {
		truth.Transforms = f.model.Transforms[target : target+1]
	}
	standardised, err := truth.Standardised()
	if err != nil {
		return 0, fmt.Errorf("column %q: %v is no value that the target can have", column.Name, value)
	}
	return standardised[0], nil
}
