package models

import (
	"strings"

	"sml/graph"
)

// Progress is the position of a training before a step.
type Progress struct {
	Step, Steps   int // steps done, and steps of the training; 0 steps if unknown
	Epoch, Epochs int // epochs done, and epochs of the training; 0 epochs if unknown
	Rows          int // number of training rows
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
	Weight []float32     // weight of each row, with mean 1 over the training rows

	// InputRange is the largest minus the smallest value of each input in the training rows,
	// standardised. It is typicalRange until the trainer sets it.
	InputRange []float32

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
func (s Spec) newStepInputs(r *graph.Runner) (stepInputs, error) {
	var inputs stepInputs
	for _, name := range r.Inputs() {
		column, isColumn := strings.CutPrefix(name, columnPrefix)
		hyperparameter, isScheduled := strings.CutPrefix(name, scalarPrefix)
		switch {
		case isColumn:
			inputs.Extras = append(inputs.Extras, extraColumn{column, r.Input(name)})
		case isScheduled:
			schedule, err := ParseSchedule(s.Hyperparameters.Text(hyperparameter))
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
		default:
			inputs.scaleInputs.addIfScale(name, r)
		}
	}
	return inputs, nil
}

// SetProgress sets the inputs that depend on the position of the training.
func (in *stepInputs) SetProgress(p Progress) {
	setScalarInput(in.step, float64(p.Step))
	setScalarInput(in.progress, fraction(p.Step, p.Steps))
	setScalarInput(in.rows, float64(p.Rows))
	for _, h := range in.scheduled {
		h.input[0] = float32(h.schedule.Value(p))
	}
}

// setScalarInput sets an input of one element, which is nil if the objective does not use it.
func setScalarInput(input []float32, value float64) {
	if input != nil {
		input[0] = float32(value)
	}
}
