package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/internal/statistics"
)

// Dimension is a setting that differs between trials: a choice from a list or a number in a range.
type Dimension struct {
	Key       string
	Choices   []string // nil for a number
	Low, High float64  // both ends belong to the range
	Log       bool     // draw the number's logarithm uniformly, not the number
	Whole     bool     // draw a whole number
}

// Space lists the settings that a strategy draws for each trial.
type Space []Dimension

// methodKey is the key of the method in a space.
const methodKey = "method"

// Bounds of a space.
const (
	maxText       = 64 << 10 // bytes
	maxDimensions = 64
	maxChoices    = 256
	maxWhole      = 1 << 53 // whole number that a float64 holds exactly
)

// ParseSpace reads settings of the forms
//
//	dropout=0.05..0.3       a number, uniform
//	lr=1e-4..1e-2:log       a number, its logarithm uniform
//	batch=16..256:log:int   a whole number; settings that are whole need no int
//	hidden=20|50,50|none    a choice from a list
//	clip=1                  always 1
//
// A text has one setting or several with commas between them. A comma ends a setting if a key and
// an equals sign follow; otherwise it belongs to the value, as between widths. ParseSpace does not
// check whether the settings exist: Tuning.Check does. The error says which setting is wrong, and
// what would be right.
func ParseSpace(texts ...string) (Space, error) {
	var s Space
	for _, text := range texts {
		if len(text) > maxText {
			return nil, fmt.Errorf("the space has %d bytes: want at most %d", len(text), maxText)
		}
		if strings.TrimSpace(text) == "" {
			return nil, errors.New("the space is empty: want settings such as dropout=0.05..0.3")
		}
		for _, setting := range splitSettings(text) {
			d, err := parseDimension(setting)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", strings.TrimSpace(setting), err)
			}
			if slices.ContainsFunc(s, func(o Dimension) bool { return o.Key == d.Key }) {
				return nil, fmt.Errorf("%s stands there twice", d.Key)
			}
			if s = append(s, d); len(s) > maxDimensions {
				return nil, fmt.Errorf("the space has more than %d settings", maxDimensions)
			}
		}
	}
	return s, nil
}

// splitSettings splits a text at the commas that end a setting.
func splitSettings(text string) []string {
	var list []string
	begin, offset := 0, 0 // of the current setting, of the current part
	for i, part := range strings.Split(text, ",") {
		key, _, hasValue := strings.Cut(part, "=")
		if key = strings.TrimSpace(key); i > 0 && hasValue && key != "" && !strings.ContainsAny(key, " |") {
			list = append(list, text[begin:offset-1])
			begin = offset
		}
		offset += len(part) + 1
	}
	return append(list, text[begin:])
}

// parseDimension reads one setting of a space, in a form that ParseSpace describes.
func parseDimension(text string) (Dimension, error) {
	key, value, ok := strings.Cut(text, "=")
	d := Dimension{Key: strings.TrimSpace(key)}
	value = strings.TrimSpace(value)
	switch {
	case !ok || d.Key == "" || strings.ContainsFunc(d.Key, func(r rune) bool { return r <= ' ' || strings.ContainsRune("|,:", r) }):
		return d, errors.New("want a setting and its values, such as dropout=0.05..0.3 or hidden=20|50")
	case value == "":
		return d, errors.New("it has no value: want values such as 0.05..0.3 or 20|50")
	}
	if low, rest, ok := strings.Cut(value, ".."); ok && !strings.Contains(value, "|") {
		return d, d.parseRange(low, rest)
	}
	choices := strings.Split(value, "|")
	if len(choices) > maxChoices {
		return d, fmt.Errorf("it has %d values: want at most %d, or a range such as 1..1000", len(choices), maxChoices)
	}
	for _, choice := range choices {
		choice = strings.Join(strings.Fields(choice), " ")
		if choice == "" {
			return d, errors.New("one of its values is empty")
		}
		if slices.Contains(d.Choices, choice) {
			return d, fmt.Errorf("%s stands there twice", choice)
		}
		d.Choices = append(d.Choices, choice)
	}
	return d, nil
}

// parseRange reads the ends of a range and the options after them.
func (d *Dimension) parseRange(low, rest string) error {
	parts := strings.Split(rest, ":")
	for _, option := range parts[1:] {
		switch option = strings.TrimSpace(option); {
		case option == "log" && !d.Log:
			d.Log = true
		case option == "int" && !d.Whole:
			d.Whole = true
		default:
			return fmt.Errorf("%q behind the range: there is :log and :int, each once", ":"+option)
		}
	}
	for _, end := range []struct {
		text string
		to   *float64
	}{{low, &d.Low}, {parts[0], &d.High}} {
		v, err := strconv.ParseFloat(strings.TrimSpace(end.text), 64)
		if err != nil || !statistics.Finite(v) {
			return fmt.Errorf("%q is not a finite number: want a range such as 0.05..0.3", strings.TrimSpace(end.text))
		}
		*end.to = v + 0 // turns −0 into 0
	}
	return d.checkRange()
}

// checkRange returns an error unless numbers can be drawn from the range.
func (d *Dimension) checkRange() error {
	switch {
	case !(d.Low < d.High):
		return fmt.Errorf("it ranges from %v to %v: want the lower end first", d.Low, d.High)
	case math.IsInf(d.High-d.Low, 0):
		return fmt.Errorf("from %v to %v is too far for a float64", d.Low, d.High)
	case d.Log && d.Low <= 0:
		return fmt.Errorf("a logarithm needs more than 0, and it begins at %v", d.Low)
	case d.Whole && (d.Low != math.Trunc(d.Low) || d.High != math.Trunc(d.High)):
		return fmt.Errorf("it is a whole number, and ranges from %v to %v", d.Low, d.High)
	case d.Whole && max(-d.Low, d.High) > maxWhole:
		return fmt.Errorf("whole numbers from %v to %v are too large: want at most 2^53", d.Low, d.High)
	}
	return nil
}

// String returns the dimension in the form that ParseSpace reads.
func (d Dimension) String() string {
	if d.Choices != nil {
		return d.Key + "=" + strings.Join(d.Choices, "|")
	}
	text := d.Key + "=" + formatNumber(d.Low) + ".." + formatNumber(d.High)
	if d.Log {
		text += ":log"
	}
	if d.Whole {
		text += ":int"
	}
	return text
}

// formatNumber returns a number with as many digits as it needs to be read again exactly.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// extremes returns all choices, or the two ends of the range.
func (d Dimension) extremes() []string {
	if d.Choices != nil {
		return d.Choices
	}
	return []string{d.text(d.Low), d.text(d.High)}
}

// text returns a number in the form of the dimension's values. A whole number has digits only, no
// exponent.
func (d Dimension) text(v float64) string {
	if d.Whole {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return formatNumber(v)
}
