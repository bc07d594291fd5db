package models

import (
	"fmt"
	"math"
	"strings"

	"sml/graph"
)

// Position is the position of a training before a step. Steps and Rows may be 0 if they are unknown: an
// objective that reads them then refuses to run.
type Position struct {
	Step, Steps   int // steps done, and steps of the training
	Epoch, Epochs int // epochs done, and epochs of the training
	Rows          int // number of training rows

	Masks graph.MaskKey // selects dropout masks and noise; the default is different ones for each Step
}

// extraColumn is a further column of the table, neither input nor target, that an objective reads.
type extraColumn struct {
	Name   string
	Values []float32 // value of each row of the batch; the trainer fills them in
}

// stepInputs holds the inputs of a Step other than x and y. A slice is nil if the objective does not
// use the input.
type stepInputs struct {
	Extras []extraColumn // columns in the unit of the table
	Weight []float32     // weight of each row, or [rows, targets] of Spec.PartlyKnown, with mean 1 over the training rows

	InputRange []float32 // largest minus smallest value of each input in the training rows, standardised

	scaleInputs
	step, progress, rows []float32                 // one element each
	scheduled            []scheduledHyperparameter // hyperparameters with a schedule
}

// scheduledHyperparameter is a hyperparameter with a schedule.
type scheduledHyperparameter struct {
	schedule Schedule
	input    []float32 // the present value, one element
}

// typicalRange is about the range of a standardised input: four standard deviations hold 95 % of a
// normal distribution.
const typicalRange = 4

// newStepInputs returns the inputs of a runner that a trainer has to fill, which it knows by their names.
// It returns an error if a hyperparameter has a text that is no schedule.
func (t *Task) newStepInputs(r *graph.Runner) (stepInputs, error) {
	inputs := stepInputs{scaleInputs: t.newScaleInputs(r)}
	for _, name := range r.Inputs() {
		column, isColumn := strings.CutPrefix(name, columnPrefix)
		hyperparameter, isScheduled := strings.CutPrefix(name, scalarPrefix)
		switch {
		case isColumn:
			inputs.Extras = append(inputs.Extras, extraColumn{column, r.Input(name)})
		case isScheduled:
			schedule, err := ParseSchedule(t.spec.Hyperparameters.Text(hyperparameter))
			if err != nil {
				return inputs, err
			}
			inputs.scheduled = append(inputs.scheduled, scheduledHyperparameter{schedule, r.Input(name)})
		case name == InputWeight:
			inputs.Weight = r.Input(name)
		case name == inputStep:
			inputs.step = r.Input(name)
		case name == inputProgress:
			inputs.progress = r.Input(name)
		case name == inputRows:
			inputs.rows = r.Input(name)
		case name == inputXRange:
			inputs.InputRange = r.Input(name)
			for i := range inputs.InputRange {
				inputs.InputRange[i] = typicalRange
			}
		}
	}
	return inputs, nil
}

// setPosition sets the inputs that depend on the position of the training. Inputs that depend on an unknown
// number of steps or rows become NaN, which Run refuses.
func (in *stepInputs) setPosition(p Position) {
	knownOrNaN := func(value float64, count int) float64 {
		if count == 0 {
			return math.NaN()
		}
		return value
	}
	setScalarInput(in.step, float64(p.Step))
	setScalarInput(in.progress, knownOrNaN(fraction(p.Step, p.Steps), p.Steps))
	setScalarInput(in.rows, knownOrNaN(float64(p.Rows), p.Rows))
	for _, h := range in.scheduled {
		h.input[0] = float32(knownOrNaN(h.schedule.Value(p), p.Steps))
	}
}

// howToSet returns advice on how a training loop sets the input with the given name.
func howToSet(name string) string {
	column, isColumn := strings.CutPrefix(name, columnPrefix)
	switch {
	case name == InputX:
		return "fill Step.X"
	case name == InputY:
		return "fill Step.Y"
	case name == InputWeight:
		return "fill Step.Weight"
	case name == inputXRange:
		return "fill Step.InputRange"
	case isColumn:
		return fmt.Sprintf("fill the Values of %q in Step.Extras", column)
	case name == inputStep, name == inputProgress, name == inputRows, strings.HasPrefix(name, scalarPrefix):
		return "call Run with Step, Steps and Rows"
	}
	return "call Scale with the scalers of the inputs and targets"
}

// setScalarInput sets an input of one element, which is nil if the objective does not use it.
func setScalarInput(input []float32, value float64) {
	if input != nil {
		input[0] = float32(value)
	}
}
