package models

import (
	"fmt"
	"strings"

	"sml/data"
	"sml/graph"
)

// scales are inputs that are filled from the scales of a training's columns.
type scales struct {
	wanted []scaled
	frozen []*Frozen
}

type scaled struct {
	name string
	to   []float32
}

// note takes an input that is a scale.
func (s *scales) note(name string, r *graph.Runner) {
	_, ofFrozen := cutFrozen(name)
	switch {
	case name == inputXMean, name == inputXStd, name == inputYMean, name == inputYStd, ofFrozen:
		s.wanted = append(s.wanted, scaled{name, r.Input(name)})
	}
}

// Scale sets the scalers that standardised the inputs and the targets. Without scalers, and
// before the first call, columns count as standardised already. It returns an error if a frozen
// model has other columns, as far as their names are known.
func (s *scales) Scale(inputs, targets data.Scalers) error {
	for _, f := range s.frozen {
		for _, c := range []struct {
			what      string
			own, have data.Scalers
		}{{"input", f.Inputs, inputs}, {"target", f.Targets, targets}} {
			for i, column := range c.have {
				if i < len(c.own) && column.Name != "" && c.own[i].Name != "" && column.Name != c.own[i].Name {
					return fmt.Errorf("the model in %s has %q as its %s %d, and this training %q: want a model of the same columns", f.Dir, c.own[i].Name, c.what, i+1, column.Name)
				}
			}
		}
	}
	at := func(columns data.Scalers, i int) data.Scaler {
		if i < len(columns) {
			return columns[i]
		}
		return data.Scaler{Std: 1}
	}
	for _, w := range s.wanted {
		for i := range w.to {
			w.to[i] = float32(s.value(w.name, at(inputs, i), at(targets, i), i, len(inputs) > 0))
		}
	}
	return nil
}

// value returns element i of the scale's input with that name. If no scale is known, a frozen
// model has the scale of this training.
func (s *scales) value(name string, x, y data.Scaler, i int, known bool) float64 {
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
	f, _ := cutFrozen(name)
	own := s.frozen[f.number]
	if !known {
		x, y = own.Inputs[min(i, len(own.Inputs)-1)], own.Targets[min(i, len(own.Targets)-1)]
	}
	switch f.what {
	case xFactor:
		return x.Std / own.Inputs[i].Std
	case xShift:
		return (x.Mean - own.Inputs[i].Mean) / own.Inputs[i].Std
	case yFactor:
		return own.Targets[i].Std / y.Std
	default:
		return (own.Targets[i].Mean - y.Mean) / y.Std
	}
}

// What brings values from one training's units to another's: value·factor + shift.
const (
	frozenPrefix = "frozen "
	xFactor      = "x factor"
	xShift       = "x shift"
	yFactor      = "y factor"
	yShift       = "y shift"
)

// ofFrozen is an input of a frozen model.
type ofFrozen struct {
	number int
	what   string
}

func (f ofFrozen) String() string { return fmt.Sprintf("%s%d %s", frozenPrefix, f.number, f.what) }

func cutFrozen(name string) (f ofFrozen, ok bool) {
	rest, ok := strings.CutPrefix(name, frozenPrefix)
	if !ok {
		return f, false
	}
	number, what, ok := strings.Cut(rest, " ")
	if _, err := fmt.Sscan(number, &f.number); err != nil {
		return f, false
	}
	f.what = what
	return f, ok
}
