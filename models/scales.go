package models

import (
	"fmt"
	"strings"

	"sml/data"
	"sml/graph"
)

// scaleInputs holds the inputs of a graph that depend on the scalers of the inputs and targets.
type scaleInputs struct {
	inputs []namedInput
	frozen []*Frozen // frozen models of the objective, in the order of Frozen.index
}

// namedInput is an input of a graph.
type namedInput struct {
	name   string
	values []float32
}

// addIfScale adds the input of a runner with the given name if it depends on scalers.
func (s *scaleInputs) addIfScale(name string, r *graph.Runner) {
	_, isFrozenInput := parseFrozenInput(name)
	switch {
	case isFrozenInput, name == inputXMean, name == inputXStd, name == inputYMean, name == inputYStd:
		s.inputs = append(s.inputs, namedInput{name, r.Input(name)})
	}
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
	areKnown := len(inputs) > 0
	for _, input := range s.inputs {
		for i := range input.values {
			value := s.value(input.name, i, scalerAt(inputs, i), scalerAt(targets, i), areKnown)
			input.values[i] = float32(value)
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

// value returns element i of the input with the given name. x and y are the scalers of input i and
// target i of the training. If they are not known, the training counts as standardised like the frozen
// model, whose inputs and outputs then need no conversion.
func (s *scaleInputs) value(name string, i int, x, y data.Scaler, areKnown bool) float64 {
	switch name {
	case inputXMean:
		return x.Mean
	case inputXStd:
		return x.Std
	case inputYMean:
		return y.Mean
	case inputYStd:
		return y.Std
	}
	input, _ := parseFrozenInput(name)
	f := s.frozen[input.model]
	if !areKnown {
		x = f.Inputs[min(i, len(f.Inputs)-1)]
		y = f.Targets[min(i, len(f.Targets)-1)]
	}
	switch input.conversion {
	case xFactor:
		return x.Std / f.Inputs[i].Std
	case xShift:
		return (x.Mean - f.Inputs[i].Mean) / f.Inputs[i].Std
	case yFactor:
		return f.Targets[i].Std / y.Std
	default:
		return (f.Targets[i].Mean - y.Mean) / y.Std
	}
}

// Conversions of standardised values between the units of a training and of a frozen model:
// value·factor + shift.
const (
	xFactor = "x factor" // inputs, from the training's units to the model's
	xShift  = "x shift"
	yFactor = "y factor" // targets, from the model's units to the training's
	yShift  = "y shift"
)

// frozenPrefix begins the names of the inputs and parameters of frozen models.
const frozenPrefix = "frozen "

// frozenInput is an input of a graph that converts values for a frozen model.
type frozenInput struct {
	model      int // Frozen.index
	conversion string
}

// String returns the name of the input, such as "frozen 0 x factor".
func (f frozenInput) String() string {
	return fmt.Sprintf("%s%d %s", frozenPrefix, f.model, f.conversion)
}

// parseFrozenInput returns the input with a name that frozenInput.String returned, and false for any
// other name.
func parseFrozenInput(name string) (f frozenInput, ok bool) {
	rest, ok := strings.CutPrefix(name, frozenPrefix)
	if !ok {
		return f, false
	}
	model, conversion, ok := strings.Cut(rest, " ")
	if _, err := fmt.Sscan(model, &f.model); err != nil {
		return f, false
	}
	f.conversion = conversion
	return f, ok
}
