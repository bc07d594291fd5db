package plot

import (
	"math"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/internal/preparation"
	"sml/models"
	"sml/models/distribution"
)

// Rows are the predictions of one target and its true values, in the target's own unit.
type Rows struct {
	Name   string // name of the model or the method
	Target string // name of the target's column

	Raw        *measure.Column
	Calibrated *measure.Column // nil if the model has no calibration

	parts []uncertaintyPart // of the standard deviation of predictions()

	Inputs []input // input columns of the table as it was read; nil if they are unknown

	Model    *experiment.Model // model with its history; nil if it is unknown
	Number   int               // index of the target in Model
	Sampling evaluation.Sampling
}

// input is a column from which a model's inputs are made.
type input struct {
	Name  string
	Field data.Field
	At    func(row int) float64 // value in the unit of the file; NaN if it is missing
}

// NewRows returns Rows for each of a model's targets. t is the table as it was read, numbers lists the
// predicted rows, nil for all, and found has their predictions before calibration.
func NewRows(m *experiment.Model, t *data.Table, numbers []int, found *evaluation.Predictions, s evaluation.Sampling, protocol data.Protocol) ([]*Rows, error) {
	truth := m.Truth(t, numbers)
	calibrate, err := m.Calibrator(t, numbers)
	if err != nil {
		return nil, err
	}
	var calibrated *evaluation.Predictions
	if calibrate != nil {
		calibrated = calibrate(found)
	}
	inputs := inputsOf(m.Preparation, t, numbers)
	var all []*Rows
	for target, c := range m.Targets {
		r := &Rows{Name: m.Method, Target: c.Name, Inputs: inputs, Model: m, Number: target, Sampling: s}
		if method, err := models.Lookup(m.Method); err == nil {
			r.Name = method.Title
		}
		if r.Raw, err = found.InUnit(truth, target, protocol); err != nil {
			return nil, err
		}
		predictions := found
		if calibrated != nil {
			predictions = calibrated
			if r.Calibrated, err = calibrated.InUnit(truth, target, protocol); err != nil {
				return nil, err
			}
		}
		r.parts = partsOf(predictions, truth, target)
		all = append(all, r)
	}
	return all, nil
}

// partsOf returns the parts of the standard deviation of one target's predictions.
func partsOf(p *evaluation.Predictions, truth evaluation.Truth, target int) []uncertaintyPart {
	parts := make([]uncertaintyPart, len(p.Components))
	var transform distribution.Transform
	if truth.Transforms != nil {
		transform = truth.Transforms[target]
	}
	for i := target; i < len(p.Values); i += p.Targets {
		v := evaluation.InUnit(p.Values[i], truth.Columns[target], transform)
		for k, name := range p.Components {
			parts[k].name = name
			parts[k].std = append(parts[k].std, v.Components[k])
		}
	}
	return parts
}

// inputsOf returns the input columns that the preparation uses, or all of them if p is nil.
// numbers[i] is the row of the table that is drawn as row i; nil if all rows are drawn.
func inputsOf(p *preparation.Preparation, t *data.Table, numbers []int) []input {
	used := func(name string) bool {
		if p == nil {
			return true
		}
		for _, c := range p.Columns {
			if c.Name == name {
				return c.Dropped == ""
			}
		}
		return false
	}
	var list []input
	for j, name := range t.Columns {
		if !used(name) {
			continue
		}
		in := input{Name: name, Field: data.Field{Kind: data.Number}}
		if t.Fields != nil {
			in.Field = t.Fields[j]
		}
		in.At = func(row int) float64 {
			if numbers != nil {
				row = numbers[row]
			}
			return t.X[row*len(t.Columns)+j]
		}
		list = append(list, in)
	}
	return list
}

// predictions returns the calibrated predictions, or the raw predictions if the model has no
// calibration.
func (r *Rows) predictions() *measure.Column {
	if r.Calibrated != nil {
		return r.Calibrated
	}
	return r.Raw
}

// versions are the columns that a plot of both shows: raw, then calibrated if there is
// such.
func (r *Rows) versions() []*measure.Column {
	if r.Calibrated != nil {
		return []*measure.Column{r.Raw, r.Calibrated}
	}
	return []*measure.Column{r.Raw}
}

// tooLarge says that numbers are so large that their squares are not.
const tooLarge = "there are numbers beyond 1e150"

func squarable(c *measure.Column) bool {
	for _, values := range [][]float64{c.Mean, c.Std, c.Y} {
		for _, v := range values {
			if math.Abs(v) > 1e150 {
				return false
			}
		}
	}
	return true
}

// weight is how much a row counts.
func weight(c *measure.Column, row int) float64 {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[row]
}

// effective is how many rows of one weight tell as much as rows of theirs: (Σw)²/Σw²
// (Kish 1965).
func effective(sum, squares float64) int {
	if squares == 0 {
		return 0
	}
	return int(sum*sum/squares + 0.5)
}

// level returns the probability that the target of a row is below its true value, by its
// prediction.
func level(c *measure.Column, row int) float64 {
	if c.Distributions != nil {
		return c.Distributions[row].CDF(c.Y[row])
	}
	return distribution.NewNormal(c.Mean[row], c.Std[row]).CDF(c.Y[row])
}
