package models

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Hyperparameter is a number that a method, or an optimizer, lets its user choose.
type Hyperparameter struct {
	Name    string
	Default float64
	Switch  bool  // either on (1) or off (0)
	Range   Range // what can be chosen; the zero Range is any finite number
	Help    string
}

// Check returns an error if v cannot be chosen: if it is out of the range, or
// if float32, which graphs compute in, knows it as infinite or as 0.
func (p Hyperparameter) Check(v float64) error {
	switch size := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%s=%v is not a finite number", p.Name, v)
	case p.Switch && v != 0 && v != 1:
		return fmt.Errorf("%s=%v: want true or false", p.Name, v)
	case !p.Switch && p.Range != (Range{}) && !p.Range.Has(v):
		return fmt.Errorf("%s=%v is out of range: want %v", p.Name, v, p.Range)
	case v != 0 && (size < smallestNormal || size > math.MaxFloat32):
		return fmt.Errorf("%s=%v is no number of float32: want 0, or a size of %.2g to %.2g", p.Name, v, smallestNormal, math.MaxFloat32)
	}
	return nil
}

// smallestNormal is the smallest float32 that has all its digits.
const smallestNormal = 0x1p-126

// Hyperparameters are the chosen numbers of one method, or optimizer, by name.
type Hyperparameters map[string]float64

// Float returns the number of that name. A name that the method does not
// declare is a mistake in the objective and panics; building the graph reports it.
func (h Hyperparameters) Float(name string) float64 {
	v, ok := h[name]
	if !ok {
		panic(fmt.Sprintf("the objective reads hyperparameter %q, which its method does not declare", name))
	}
	return v
}

// On tells whether a switch is on.
func (h Hyperparameters) On(name string) bool { return h.Float(name) != 0 }

// Choose returns the method's hyperparameters: the defaults, with those in
// chosen in their place.
func (m Method) Choose(chosen map[string]float64) (Hyperparameters, error) {
	return Choose("method "+m.Name, m.Hyperparameters, chosen)
}

// Choose returns the hyperparameters that something declares: the defaults, with
// those in chosen in their place. of is what errors call it, as "method sml".
func Choose(of string, declared []Hyperparameter, chosen map[string]float64) (Hyperparameters, error) {
	h := make(Hyperparameters)
	var known []string
	for _, p := range declared {
		known = append(known, p.Name)
		h[p.Name] = p.Default
		v, ok := chosen[p.Name]
		if !ok {
			continue
		}
		if err := p.Check(v); err != nil {
			return nil, err
		}
		h[p.Name] = v + 0 // no −0
	}
	for name := range chosen {
		if _, ok := h[name]; !ok {
			if len(known) == 0 {
				return nil, fmt.Errorf("%s has no hyperparameters, so no %q", of, name)
			}
			return nil, fmt.Errorf("%s has no hyperparameter %q: there is %s", of, name, strings.Join(known, ", "))
		}
	}
	return h, nil
}

// ParseHyperparameters reads settings of the form name=value, where a value
// is a number, true or false.
func ParseHyperparameters(settings []string) (map[string]float64, error) {
	chosen := make(map[string]float64)
	for _, s := range settings {
		name, text, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("setting %q: want name=value", s)
		}
		if _, twice := chosen[name]; twice {
			return nil, fmt.Errorf("%s is set twice", name)
		}
		switch text {
		case "true":
			chosen[name] = 1
		case "false":
			chosen[name] = 0
		default:
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("setting %q: %q is not a number, true or false", s, text)
			}
			chosen[name] = v
		}
	}
	return chosen, nil
}
