package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/internal/statistics"
)

// Hyperparameter is a setting of a method, a network or an optimizer: a number, a switch or a word.
// The type of Default decides which.
type Hyperparameter struct {
	Name    string
	Default any      // a number or the text of a schedule for a number; true or false for a switch; a string for a word
	Range   Range    // allowed numbers; the zero Range allows all finite numbers
	Whole   bool     // whether the number has to be a whole one; it then cannot have a schedule
	Choices []string // allowed words; nil allows all
	Help    string   // description in one line

	// CheckWord returns an error that says what would be right if a word is not allowed. It is nil if
	// Choices decides.
	CheckWord func(word string) error
}

// IsSwitch reports whether the hyperparameter is a switch.
func (p Hyperparameter) IsSwitch() bool {
	_, isBool := p.Default.(bool)
	return isBool
}

// IsWord reports whether the hyperparameter is a word. A schedule as the default makes it a number.
func (p Hyperparameter) IsWord() bool {
	text, isText := p.Default.(string)
	if !isText {
		return false
	}
	_, err := parseNumberSchedule(text)
	return err != nil
}

// parseNumberSchedule returns the schedule of a hyperparameter that is a number. It returns an error
// for a schedule without parameters, which is a factor of the learning rate.
func parseNumberSchedule(text string) (Schedule, error) {
	if !strings.Contains(text, "(") {
		return Schedule{}, fmt.Errorf("want a number, or %s", scheduleForm)
	}
	return ParseSchedule(text)
}

// Value returns the chosen value in the form in which Hyperparameters holds it: a float64 for a number,
// 1 or 0 for a switch, a string for a word and for the schedule of a number (ParseSchedule). chosen is
// a float64, an int, a bool or a string. It returns an error if the value has the wrong type, is out of
// range, or is infinite or 0 as a float32, in which graphs compute.
func (p Hyperparameter) Value(chosen any) (any, error) {
	switch chosen.(type) {
	case float64, int, bool, string:
	default:
		return nil, fmt.Errorf("%s is a %T: want a number, a bool or a string", p.Name, chosen)
	}
	if p.IsWord() {
		return p.wordValue(chosen)
	}
	if whole, isInt := chosen.(int); isInt {
		chosen = float64(whole)
	}
	if p.IsSwitch() {
		return p.switchValue(chosen)
	}
	return p.numberValue(chosen)
}

// wordValue returns the value of a word. A number such as 0.5 is the word "0.5".
func (p Hyperparameter) wordValue(chosen any) (any, error) {
	switch v := chosen.(type) {
	case string:
		return v, p.checkWord(v)
	case float64:
		text := strconv.FormatFloat(v+0, 'g', -1, 64) // −0 + 0 is 0
		return text, p.checkWord(text)
	}
	return nil, fmt.Errorf("%s=%v: want a word", p.Name, chosen)
}

// switchValue returns 1 or 0, the value of a switch.
func (p Hyperparameter) switchValue(chosen any) (any, error) {
	switch v := chosen.(type) {
	case bool:
		if v {
			return 1.0, nil
		}
		return 0.0, nil
	case float64:
		if v == 0 || v == 1 {
			return v + 0, nil // −0 + 0 is 0
		}
	}
	return nil, fmt.Errorf("%s=%v: want true or false", p.Name, chosen)
}

// numberValue returns the value of a number, or the text of its schedule.
func (p Hyperparameter) numberValue(chosen any) (any, error) {
	switch v := chosen.(type) {
	case float64:
		v += 0 // −0 + 0 is 0
		return v, p.checkNumber(v)
	case string:
		return p.scheduleValue(v)
	}
	return nil, fmt.Errorf("%s=%v: want a number", p.Name, chosen)
}

// scheduleValue returns the text of a schedule after checking both of its ends.
func (p Hyperparameter) scheduleValue(text string) (any, error) {
	if p.Whole {
		return nil, fmt.Errorf("%s=%s: want a whole number", p.Name, text)
	}
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

// checkWord returns an error unless the word is allowed.
func (p Hyperparameter) checkWord(word string) error {
	if len(p.Choices) > 0 && !slices.Contains(p.Choices, word) {
		return fmt.Errorf("%s=%s; want one of %s", p.Name, word, strings.Join(p.Choices, ", "))
	}
	if p.CheckWord == nil {
		return nil
	}
	if err := p.CheckWord(word); err != nil {
		return fmt.Errorf("%s=%s: %w", p.Name, word, err)
	}
	return nil
}

// checkNumber returns an error unless the number is allowed.
func (p Hyperparameter) checkNumber(v float64) error {
	size := math.Abs(v)
	switch {
	case p.Whole && v != math.Trunc(v):
		return fmt.Errorf("%s=%v: want a whole number", p.Name, v)
	case !statistics.IsFinite(v):
		return fmt.Errorf("%s=%v is not a finite number", p.Name, v)
	case p.Range != (Range{}) && !p.Range.Contains(v):
		return fmt.Errorf("%s=%v is out of range: want %v", p.Name, v, p.Range)
	case v != 0 && (size < smallestNormal || size > math.MaxFloat32):
		return fmt.Errorf("%s=%v is not a float32: want 0, or a size of %.2g to %.2g", p.Name, v, smallestNormal, math.MaxFloat32)
	}
	return nil
}

// smallestNormal is the smallest float32 above 0 with full precision.
const smallestNormal = 0x1p-126

// DeclareHyperparameters returns a copy of hyperparameters in which the defaults have the form of
// Hyperparameter.Value; only switches keep true or false, by which IsSwitch knows them. It panics if a
// default, a range or a name is not allowed, which is a mistake in the program. owner is the method,
// network or optimizer, for the message.
func DeclareHyperparameters(owner string, hyperparameters []Hyperparameter) []Hyperparameter {
	declared := slices.Clone(hyperparameters)
	for i, h := range declared {
		isSameName := func(other Hyperparameter) bool { return other.Name == h.Name }
		switch {
		case h.Name == "" || strings.ContainsAny(h.Name, " =\t\n"):
			panic(fmt.Sprintf("%s has a hyperparameter called %q: want a name without blanks and =", owner, h.Name))
		case slices.ContainsFunc(declared[:i], isSameName):
			panic(fmt.Sprintf("%s has two hyperparameters called %q", owner, h.Name))
		case h.Range.Max < h.Range.Min:
			panic(fmt.Sprintf("%s: the range of %s is from %v to %v: want it ascending", owner, h.Name, h.Range.Min, h.Range.Max))
		}
		v, err := h.Value(h.Default)
		if err != nil {
			panic(fmt.Sprintf("%s: the default %v", owner, err)) // the error begins with the hyperparameter's name
		}
		if !h.IsSwitch() {
			declared[i].Default = v
		}
	}
	return declared
}

// Hyperparameters holds the chosen values of one method, network or optimizer, by name, in the form of
// Hyperparameter.Value. A user's choices may also be int and bool.
type Hyperparameters map[string]any

// Float returns a hyperparameter as a number; a switch is 1 or 0. It panics if there is none of that
// name, or if it is a word or has a schedule: these are mistakes in the objective, and building the
// graph reports the panic as an error.
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
		panic(fmt.Sprintf("hyperparameter %q is %v, not a number: Task.Scalar and Task.Term read schedules, Text reads words", name, v))
	}
}

// Int returns a hyperparameter as a whole number. It panics like Float.
func (h Hyperparameters) Int(name string) int { return int(h.Float(name)) }

// IsOn reports whether a switch is on. It panics like Float.
func (h Hyperparameters) IsOn(name string) bool { return h.Float(name) != 0 }

// Text returns a hyperparameter as a word, or the text of its schedule. It panics if there is none of
// that name, or if it is a number.
func (h Hyperparameters) Text(name string) string {
	v, ok := h.get(name).(string)
	if !ok {
		panic(fmt.Sprintf("hyperparameter %q is a number, not a word: read it by Float", name))
	}
	return v
}

// get returns the value with the given name. It panics if there is none.
func (h Hyperparameters) get(name string) any {
	v, ok := h[name]
	if !ok {
		panic(fmt.Sprintf("hyperparameter %q is not declared", name))
	}
	return v
}

// hyperparameterNames returns the names of hyperparameters.
func hyperparameterNames(hyperparameters []Hyperparameter) []string {
	var names []string
	for _, h := range hyperparameters {
		names = append(names, h.Name)
	}
	return names
}

// ChooseHyperparameters returns the values of the declared hyperparameters: the chosen values, and defaults for the
// others. It returns an error if a chosen hyperparameter is not declared, or if its value is not
// allowed. owner is the method, network or optimizer, for errors, such as "method sml".
func ChooseHyperparameters(owner string, declared []Hyperparameter, chosen Hyperparameters) (Hyperparameters, error) {
	values := make(Hyperparameters)
	for _, p := range declared {
		v, isChosen := chosen[p.Name]
		if !isChosen {
			v = p.Default
		}
		var err error
		values[p.Name], err = p.Value(v)
		if err != nil {
			return nil, fmt.Errorf("%s, hyperparameter %w", owner, err)
		}
	}
	for name := range chosen {
		if _, isDeclared := values[name]; isDeclared {
			continue
		}
		if len(declared) == 0 {
			return nil, fmt.Errorf("%s has no hyperparameters, and thus no %q", owner, name)
		}
		return nil, fmt.Errorf("%s has no hyperparameter %q; want one of %s", owner, name, strings.Join(hyperparameterNames(declared), ", "))
	}
	return values, nil
}

// ParseHyperparameters returns the hyperparameters in settings of the form name=value. A value is a
// number, true or false; any other text is a word or a schedule. It returns an error if a setting has
// another form, or if a name is repeated. Choose checks names and values.
func ParseHyperparameters(settings []string) (Hyperparameters, error) {
	chosen := make(Hyperparameters)
	for _, s := range settings {
		name, text, hasValue := strings.Cut(s, "=")
		if !hasValue {
			return nil, fmt.Errorf("setting %q: want name=value", s)
		}
		_, isRepeated := chosen[name]
		if isRepeated {
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
