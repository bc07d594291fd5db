package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/internal/statistics"
)

// Hyperparameter is a setting of a method, a network or an optimizer: a number, a switch or a
// word.
type Hyperparameter struct {
	Name    string
	Default any      // a number, or a schedule of one; true or false for a switch; a string for a word
	Range   Range    // of a number; the zero Range is any finite one
	Whole   bool     // whether a number is a whole one, which has no schedule
	Choices []string // of a word; none: any
	Help    string

	// CheckWord returns an error that says what would be right if a word cannot be chosen; nil
	// if Choices say which can.
	CheckWord func(word string) error
}

// Switch tells whether it is on or off.
func (p Hyperparameter) Switch() bool {
	_, is := p.Default.(bool)
	return is
}

// Word tells whether it is a word. A default that is a schedule is one of a number.
func (p Hyperparameter) Word() bool {
	text, is := p.Default.(string)
	if !is {
		return false
	}
	_, err := parseNumberSchedule(text)
	return err != nil
}

// parseNumberSchedule returns the schedule of a numerical hyperparameter. A
// schedule without parameters is an error: it is a factor of the learning rate.
func parseNumberSchedule(text string) (Schedule, error) {
	if !strings.Contains(text, "(") {
		return Schedule{}, fmt.Errorf("want a number, or %s", scheduleForm)
	}
	return ParseSchedule(text)
}

// Value returns what a choice is kept as: a float64, of a switch 1 or 0; a string for
// a word, and for a schedule of a number (ParseSchedule). It returns an error for what
// cannot be chosen: what is of another kind or out of range, and what float32, which
// graphs compute in, knows as infinite or as 0.
func (p Hyperparameter) Value(chosen any) (any, error) {
	v, text := math.NaN(), ""
	switch c := chosen.(type) {
	case float64:
		v = c + 0 // no −0
		text = strconv.FormatFloat(v, 'g', -1, 64)
	case int:
		v = float64(c)
	case bool:
		if c {
			v = 1
		} else {
			v = 0
		}
	case string:
		text = c
	default:
		return nil, fmt.Errorf("%s is a %T: want a number, a bool or a string", p.Name, chosen)
	}
	_, isText := chosen.(string)
	_, isBool := chosen.(bool)
	switch {
	case p.Word() && text == "" && !isText:
		return nil, fmt.Errorf("%s=%v: want a word", p.Name, chosen)
	case p.Word():
		return text, p.checkWord(text)
	case p.Switch() && v != 0 && v != 1:
		return nil, fmt.Errorf("%s=%v: want true or false", p.Name, chosen)
	case p.Switch():
		return v, nil
	case isBool:
		return nil, fmt.Errorf("%s=%v: want a number", p.Name, chosen)
	case isText && p.Whole:
		return nil, fmt.Errorf("%s=%s: want a whole number", p.Name, text)
	case isText:
		s, err := parseNumberSchedule(text)
		if err != nil {
			return nil, fmt.Errorf("%s=%s: %w", p.Name, text, err)
		}
		for _, end := range []float64{s.From, s.To} {
			if err := p.checkNumber(end); err != nil {
				return nil, err
			}
		}
		return s.String(), nil
	}
	return v, p.checkNumber(v)
}

func (p Hyperparameter) checkWord(text string) error {
	if len(p.Choices) > 0 && !slices.Contains(p.Choices, text) {
		return fmt.Errorf("%s=%s: there is %s", p.Name, text, strings.Join(p.Choices, ", "))
	}
	if p.CheckWord == nil {
		return nil
	}
	if err := p.CheckWord(text); err != nil {
		return fmt.Errorf("%s=%s: %w", p.Name, text, err)
	}
	return nil
}

func (p Hyperparameter) checkNumber(v float64) error {
	switch size := math.Abs(v); {
	case p.Whole && v != math.Trunc(v):
		return fmt.Errorf("%s=%v: want a whole number", p.Name, v)
	case !statistics.Finite(v):
		return fmt.Errorf("%s=%v is not a finite number", p.Name, v)
	case p.Range != (Range{}) && !p.Range.Has(v):
		return fmt.Errorf("%s=%v is out of range: want %v", p.Name, v, p.Range)
	case v != 0 && (size < smallestNormal || size > math.MaxFloat32):
		return fmt.Errorf("%s=%v is no number of float32: want 0, or a size of %.2g to %.2g", p.Name, v, smallestNormal, math.MaxFloat32)
	}
	return nil
}

// smallestNormal is the smallest float32 that has all its digits.
const smallestNormal = 0x1p-126

// Declared returns hyperparameters as they are registered: a copy, with defaults that
// Value returns, but for switches. It panics if a default cannot be chosen, or a name not
// be said, which is a mistake in the program.
func Declared(of string, list []Hyperparameter) []Hyperparameter {
	list = slices.Clone(list)
	for i, h := range list {
		switch {
		case h.Name == "" || strings.ContainsAny(h.Name, " =\t\n"):
			panic(fmt.Sprintf("%s has a hyperparameter called %q: want a name without blanks and =", of, h.Name))
		case slices.ContainsFunc(list[:i], func(g Hyperparameter) bool { return g.Name == h.Name }):
			panic(fmt.Sprintf("%s has two hyperparameters called %q", of, h.Name))
		case h.Range.Max < h.Range.Min:
			panic(fmt.Sprintf("%s: the range of %s is from %v to %v: want it ascending", of, h.Name, h.Range.Min, h.Range.Max))
		}
		v, err := h.Value(h.Default)
		if err != nil {
			panic(fmt.Sprintf("%s: the default %v", of, err))
		}
		if !h.Switch() {
			list[i].Default = v
		}
	}
	return list
}

// Hyperparameters are the chosen values of one method, network or optimizer, by name. A
// method keeps them as Hyperparameter.Value returns them; where they are chosen, an
// int stands for its number, and a bool for a switch.
type Hyperparameters map[string]any

// Float returns the number of that name; of a switch 1 or 0. A name that is not
// declared, a word and a schedule are mistakes in the objective and panic; building
// the graph reports it.
func (h Hyperparameters) Float(name string) float64 {
	switch v := h.get(name).(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case bool:
		if v {
			return 1
		}
		return 0
	default:
		panic(fmt.Sprintf("hyperparameter %q is %v, and is read as a number: Task.Scalar and Task.Term read schedules, Text reads words", name, v))
	}
}

// Int returns the whole number of that name.
func (h Hyperparameters) Int(name string) int { return int(h.Float(name)) }

// On tells whether a switch is on.
func (h Hyperparameters) On(name string) bool { return h.Float(name) != 0 }

// Text returns the word of that name.
func (h Hyperparameters) Text(name string) string {
	v, ok := h.get(name).(string)
	if !ok {
		panic(fmt.Sprintf("hyperparameter %q is a number, and is read as a word", name))
	}
	return v
}

func (h Hyperparameters) get(name string) any {
	v, ok := h[name]
	if !ok {
		panic(fmt.Sprintf("hyperparameter %q is read, and is not declared", name))
	}
	return v
}

// names returns the names of hyperparameters.
func names(list []Hyperparameter) []string {
	var all []string
	for _, h := range list {
		all = append(all, h.Name)
	}
	return all
}

// Choose returns the hyperparameters that something declares: the defaults, with
// those in chosen in their place. of is what errors call it, as "method sml".
func Choose(of string, declared []Hyperparameter, chosen Hyperparameters) (Hyperparameters, error) {
	h := make(Hyperparameters)
	known := names(declared)
	for _, p := range declared {
		v, ok := chosen[p.Name]
		if !ok {
			v = p.Default
		}
		var err error
		if h[p.Name], err = p.Value(v); err != nil {
			return nil, err
		}
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

// ParseHyperparameters reads settings of the form name=value. What is not a number,
// true or false is a word or a schedule, of which Choose says whether it can be.
func ParseHyperparameters(settings []string) (Hyperparameters, error) {
	chosen := make(Hyperparameters)
	for _, s := range settings {
		name, text, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("setting %q: want name=value", s)
		}
		if _, twice := chosen[name]; twice {
			return nil, fmt.Errorf("%s is set twice", name)
		}
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case text == "true" || text == "false":
			chosen[name] = text == "true"
		case err == nil:
			chosen[name] = v
		default:
			chosen[name] = text
		}
	}
	return chosen, nil
}
