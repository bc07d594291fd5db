package models

import (
	"fmt"

	"sml/data"
	"sml/graph"
)

// scaleInput is an input of a graph that depends on the scalers of the inputs or the targets.
type scaleInput struct {
	name      string
	ofTargets bool         // whether it depends on the scalers of the targets
	own       data.Scalers // columns of the frozen model for which it converts values; nil if there is none

	// value returns the element of a column from its scaler in the training and in the frozen model.
	value  func(training, own data.Scaler) float64
	values []float32 // elements in a step; nil in a task
}

// scaleInputs holds the inputs of a step that depend on the scalers of the inputs and targets.
type scaleInputs struct {
	scales []scaleInput
	frozen []*Frozen // frozen models of the objective
}

// newScaleInputs returns the inputs of a runner that depend on scalers.
func (t *Task) newScaleInputs(r *graph.Runner) scaleInputs {
	inputs := scaleInputs{frozen: t.frozen}
	for _, s := range t.scales {
		s.values = r.Input(s.name)
		inputs.scales = append(inputs.scales, s)
	}
	return inputs
}

// Scale sets the scalers that standardised the inputs and the targets. Columns without scalers count as
// standardised with mean 0 and standard deviation 1. It returns an error if a frozen model has columns
// with other names.
func (s *scaleInputs) Scale(inputs, targets data.Scalers) error {
	for _, f := range s.frozen {
		if err := f.checkColumns("input", f.Inputs, inputs); err != nil {
			return err
		}
		if err := f.checkColumns("target", f.Targets, targets); err != nil {
			return err
		}
	}
	for _, input := range s.scales {
		training := inputs
		if input.ofTargets {
			training = targets
		}
		if input.own != nil && len(inputs) == 0 {
			training = input.own // unknown units count as the frozen model's, which then need no conversion
		}
		for i := range input.values {
			input.values[i] = float32(input.value(scalerAt(training, i), scalerAt(input.own, i)))
		}
	}
	return nil
}

// checkColumns returns an error if a column of the frozen model has another name than the same
// column of the training. kind is "input" or "target". Empty names are not compared.
func (f *Frozen) checkColumns(kind string, frozen, training data.Scalers) error {
	for i, column := range training {
		if i < len(frozen) && column.Name != "" && frozen[i].Name != "" && column.Name != frozen[i].Name {
			return fmt.Errorf("%s %d of the model in %s is %q, and of this training %q: want a model of the same columns", kind, i+1, f.Dir, frozen[i].Name, column.Name)
		}
	}
	return nil
}

// scalerAt returns the scaler with index i, or one that changes nothing if there are fewer.
func scalerAt(scalers data.Scalers, i int) data.Scaler {
	if i < len(scalers) {
		return scalers[i]
	}
	return data.Scaler{Std: 1}
}
