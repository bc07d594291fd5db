// Package evaluation predicts rows with trained models and scores the predictions: how far the
// mean is from the target, and how realistic the predicted standard deviation is. Start with
// Predict and Evaluate; a Predictor serves callers that predict often. The package does not train
// models or read tables: package experiment does both, and calls this package.
package evaluation

import (
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/strict"
	"sml/models"
)

// Evaluation has the scores of a model's predictions on rows whose targets are known.
type Evaluation struct {
	Rows            int            `json:"rows"`                           // number of rows, without unlabelled rows
	Samples         int            `json:"samples"`                        // number of sub-networks; 0 if none are drawn
	Standardised    measure.Scores `json:"standardised"`                   // scores on the standardised targets; means over the targets, and scores of all targets together
	Original        measure.Scores `json:"original,omitempty"`             // scores in the target's unit; nil if there are several targets, which may have different units
	DropoutFraction *strict.Number `json:"dropout_std_fraction,omitempty"` // mean of σ_drop/σ_total over the rows, from 0 to 1; nil without sub-networks
	Columns         []Column       `json:"columns,omitempty"`              // scores of each target; nil if there is one target
	Classes         *Classes       `json:"classes,omitempty"`              // of a single target that is a class; nil for others
	IgnoredColumns  []string       `json:"ignored_columns,omitempty"`      // columns of the table that the objective reads, such as marks of censored rows, and no score does

	Uncalibrated *Evaluation `json:"uncalibrated,omitempty"` // scores before the calibration; nil if the model is not calibrated
}

// Column has the scores of one of several targets.
type Column struct {
	Name         string         `json:"name"`
	Rows         int            `json:"rows,omitempty"` // number of rows in which the target is known; 0 if it is known in all
	Standardised measure.Scores `json:"standardised"`
	Original     measure.Scores `json:"original"`
	Classes      *Classes       `json:"classes,omitempty"` // nil unless the target is a class
}

// Classes has the scores of each class of a target.
type Classes struct {
	Labels    []string              `json:"labels,omitempty"` // nil if classes have no labels
	Scores    []measure.ClassScores `json:"scores"`
	Confusion measure.Confusion     `json:"confusion"`
}

// Evaluate scores predictions by the measures with the given names; nil means the measures that are not
// on request, as in measure.Select. It returns an error if a measure is unknown, if the numbers of
// predictions and targets differ, or if a target cannot be standardised.
func Evaluate(p *Predictions, t Truth, protocol data.Protocol, names []string) (Evaluation, error) {
	measures, err := measure.Select(names)
	if err != nil {
		return Evaluation{}, err
	}
	if len(t.Columns) != p.Targets || len(t.Y) != len(p.Values) {
		return Evaluation{}, fmt.Errorf("there are %d values of %d targets and %d predictions of %d targets; want equal numbers", len(t.Y), len(t.Columns), len(p.Values), p.Targets)
	}
	standardised, err := t.Standardised()
	if err != nil {
		return Evaluation{}, err
	}
	e := Evaluation{Rows: len(t.Y) / p.Targets, Samples: p.Samples}
	joint, err := p.scoreJoint(t, standardised, protocol, measures)
	if err != nil {
		return Evaluation{}, err
	}
	if len(t.Columns) > 1 {
		isJoint := func(m measure.Measure) bool { return m.ComputeJoint != nil }
		measures = slices.DeleteFunc(slices.Clone(measures), isJoint)
	}
	for target := range t.Columns {
		column, err := p.evaluateTarget(target, t, standardised, protocol, measures)
		if err != nil {
			return Evaluation{}, err
		}
		e.Columns = append(e.Columns, column)
	}
	e.Standardised = append(averageStandardised(e.Columns), joint...)
	if len(e.Columns) == 1 {
		e.Original = e.Columns[0].Original
		e.Classes = e.Columns[0].Classes
		if known := e.Columns[0].Rows; known > 0 {
			e.Rows = known
		}
		e.Columns = nil
	}
	component := slices.Index(p.Components, models.DropoutStd)
	if component >= 0 {
		fraction := strict.Number(p.meanFraction(component))
		e.DropoutFraction = &fraction
	}
	return e, nil
}

// evaluateTarget returns the scores of one target. standardised has the standardised values of
// all targets, from Truth.Standardised.
func (p *Predictions) evaluateTarget(target int, t Truth, standardised []float64, protocol data.Protocol, measures []measure.Measure) (Column, error) {
	scaler := t.Columns[target]
	column := p.standardisedColumn(target, standardised, t, protocol)
	if len(column.Y) == 0 && len(t.Y) > 0 {
		return Column{}, fmt.Errorf("the target %s is known in none of the %d rows to be scored", scaler.Name, len(t.Y)/len(t.Columns))
	}
	if err := column.Check(); err != nil {
		return Column{}, err
	}
	areOwn := func(m measure.Measure) bool { return m.Unit == measure.OwnUnit }
	scores, err := scoreAll(column, slices.DeleteFunc(slices.Clone(measures), areOwn), nil)
	if err != nil {
		return Column{}, err
	}
	original := scores.InUnit(scaler.Std)
	unit := t.Unit(target)
	isScaled := unit.Transform == nil && unit.Bounds == nil // otherwise scores do not scale with the standard deviation
	if !isScaled || slices.ContainsFunc(measures, areOwn) {
		inUnit, err := p.InUnit(t, target, protocol)
		if err != nil {
			return Column{}, err
		}
		inUnit.Standardised = column
		var converted measure.Scores
		if isScaled {
			converted = original
		}
		original, err = scoreAll(inUnit, measures, converted)
		if err != nil {
			return Column{}, err
		}
	}
	scored := Column{Name: scaler.Name, Standardised: scores, Original: original, Classes: scoreClasses(column)}
	if len(column.Y)*len(t.Columns) < len(t.Y) {
		scored.Rows = len(column.Y)
	}
	return scored, nil
}

// scoreClasses returns the scores of each class, or nil if the target is no class.
func scoreClasses(c *measure.Column) *Classes {
	confusion := c.Confusion()
	if confusion == nil {
		return nil
	}
	return &Classes{Scores: confusion.Scores(), Confusion: confusion}
}

// LabelClasses sets the labels of the classes of each target, [targets][classes].
func (e *Evaluation) LabelClasses(labels [][]string) {
	if labels == nil {
		return
	}
	if e.Classes != nil {
		e.Classes.Labels = labels[0]
	}
	for target := range e.Columns {
		if e.Columns[target].Classes != nil {
			e.Columns[target].Classes.Labels = labels[target]
		}
	}
}

// Targets returns the scores of each target. The name of a single target is "".
func (e *Evaluation) Targets() []Column {
	if e.Columns != nil {
		return e.Columns
	}
	return []Column{{Standardised: e.Standardised, Original: e.Original, Classes: e.Classes}}
}

// averageStandardised returns the mean over the targets of each standardised score that all targets have.
func averageStandardised(columns []Column) measure.Scores {
	var means measure.Scores
	for _, value := range columns[0].Standardised {
		mean := measure.Value{Measure: value.Measure}
		allHave := true
		for _, column := range columns {
			allHave = allHave && column.Standardised.Has(value.Measure)
			mean.Score += column.Standardised.Get(value.Measure) / float64(len(columns))
		}
		if allHave {
			means = append(means, mean)
		}
	}
	return means
}

// meanFraction returns the mean of a component of the standard deviation divided by the standard
// deviation, over all predictions with a standard deviation above 0. It returns 0 if there are none.
func (p *Predictions) meanFraction(component int) float64 {
	sum := 0.0
	count := 0.0
	for _, prediction := range p.Values {
		std := prediction.Std()
		if std > 0 {
			sum += prediction.Components[component] / std
			count++
		}
	}
	return sum / max(1, count)
}
