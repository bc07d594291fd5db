package report

import (
	"cmp"
	"image/color"
	"slices"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/evaluation/study"
)

// Rows has the predictions of one target for some rows and the true values, in the target's unit.
type Rows struct {
	Name   string // name of the model or the method
	Target string // name of the target's column

	Raw        *measure.Column // predictions before calibration
	Calibrated *measure.Column // nil if the model has no calibration

	Inputs []input // input columns that the model uses; nil if unknown

	Model    *experiment.Model   // model with its history; nil if unknown, as for the rows of a study
	Number   int                 // index of the target in Model.Targets
	Sampling evaluation.Sampling // settings with which the rows were predicted

	stdParts []stdPart // parts of the standard deviation of predictions()
}

// input is an input column of a table.
type input struct {
	Name  string
	Field data.Field
	Value func(row int) float64 // value of a drawn row, in the unit of the file; NaN if it is missing
}

// stdPart is one part of the standard deviation, such as the aleatoric part.
type stdPart struct {
	name   string
	values []float64 // value of each row, in the target's unit
}

// Predicted has the predictions of rows of a table, from which NewRows makes the rows of plots.
type Predicted struct {
	Model    *experiment.Model
	Table    *data.Table             // table as it was read
	Numbers  []int                   // rows of Table that were predicted; nil for all rows
	Raw      *evaluation.Predictions // predictions of these rows before calibration
	Sampling evaluation.Sampling     // settings with which Raw was computed
	Protocol data.Protocol           // protocol by which the predictions will be judged
}

// NewRows returns Rows for each target of the model, in the order of its targets. They leave out the rows in which the
// target is unknown. NewRows returns an error if the predictions cannot be calibrated, or if the true values or predictions
// cannot be converted to the target's unit.
func NewRows(p Predicted) ([]*Rows, error) {
	calibrate, err := p.Model.Calibrator(p.Table, p.Numbers)
	if err != nil {
		return nil, err
	}
	var calibrated *evaluation.Predictions
	if calibrate != nil { // the model has a calibration
		calibrated = calibrate(p.Raw)
	}
	name := study.MethodTitle(p.Model.Method)
	truth := p.Model.Truth(p.Table, p.Numbers)
	var targets []*Rows
	for number, column := range p.Model.Targets {
		known := p.Table.KnownTargets(number, p.Numbers)
		r := &Rows{
			Name:     name,
			Target:   column.Name,
			Inputs:   usedInputs(p.Model.Preparation, p.Table, known),
			Model:    p.Model,
			Number:   number,
			Sampling: p.Sampling,
			stdParts: stdParts(cmp.Or(calibrated, p.Raw), truth, number),
		}
		r.Raw, err = p.Raw.InUnit(truth, number, p.Protocol)
		if err != nil {
			return nil, err
		}
		if calibrated != nil {
			r.Calibrated, err = calibrated.InUnit(truth, number, p.Protocol)
			if err != nil {
				return nil, err
			}
		}
		targets = append(targets, r)
	}
	return targets, nil
}

// stdParts returns the parts of the standard deviation of one target's predictions, in the target's
// unit. It returns an empty list if the method does not separate the standard deviation into parts.
func stdParts(p *evaluation.Predictions, truth evaluation.Truth, target int) []stdPart {
	unit := truth.Unit(target)
	parts := make([]stdPart, len(p.Components))
	for k, name := range p.Components {
		parts[k].name = name
	}
	for _, row := range truth.KnownRows(target) {
		prediction := unit.Convert(p.Values[row*p.Targets+target]) // the targets of a row are side by side
		for k := range parts {
			parts[k].values = append(parts[k].values, prediction.Components[k])
		}
	}
	return parts
}

// usedInputs returns the input columns that the preparation uses, or all of them if p is nil.
// numbers[i] is the index in t of the drawn row i.
func usedInputs(p *preparation.Preparation, t *data.Table, numbers []int) []input {
	var inputs []input
	for column, name := range t.Columns {
		if isUsed(p, name) {
			inputs = append(inputs, newInput(t, column, numbers))
		}
	}
	return inputs
}

// newInput returns a column of the table as an input of the drawn rows; see usedInputs for their numbers.
func newInput(t *data.Table, column int, numbers []int) input {
	field := data.Field{Kind: data.Number} // of all columns of a table without fields
	if t.Fields != nil {
		field = t.Fields[column]
	}
	value := func(row int) float64 {
		index := numbers[row]                   // in t
		return t.X[index*len(t.Columns)+column] // t.X has the values of a row side by side
	}
	return input{Name: t.Columns[column], Field: field, Value: value}
}

// isUsed reports whether the preparation makes a feature of the column. Without a preparation, all
// columns are features.
func isUsed(p *preparation.Preparation, column string) bool {
	return p == nil || slices.ContainsFunc(p.Columns, func(c preparation.Column) bool { return c.Name == column && c.Dropped == "" })
}

// predictions returns the calibrated predictions, or the raw predictions if the model has no calibration.
func (r *Rows) predictions() *measure.Column { return cmp.Or(r.Calibrated, r.Raw) }

// predictionVersion is a version of the predictions with its appearance in figures.
type predictionVersion struct {
	name   string
	colour color.NRGBA
	*measure.Column
}

// versions returns the raw predictions and, if the model has a calibration, the calibrated ones. The last version has
// the same colour whether the model has a calibration or not; without one, its name is soleName.
func (r *Rows) versions(soleName string) []predictionVersion {
	if r.Calibrated == nil {
		return []predictionVersion{{name: soleName, colour: shownColour, Column: r.Raw}}
	}
	return []predictionVersion{
		{name: "raw", colour: chart.Orange, Column: r.Raw},
		{name: "calibrated", colour: shownColour, Column: r.Calibrated},
	}
}

// describeVersions returns a note that applies describe to each version of the predictions. describe returns
// a part of a sentence.
func (r *Rows) describeVersions(describe func(*measure.Column) string) string {
	if r.Calibrated == nil {
		return "Here: " + describe(r.Raw) + "."
	}
	return "Raw: " + describe(r.Raw) + ". Calibrated: " + describe(r.Calibrated) + "."
}
