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

// Dimension is a setting that differs between trials: a choice from a list, or a number in a range.
type Dimension struct {
	Key       string
	Choices   []string // values to choose from; nil for a number in a range
	Low, High float64  // ends of the range, both included
	Log       bool     // draw the number's logarithm uniformly, not the number
	Whole     bool     // draw a whole number
}

// Space lists the settings that a search strategy chooses for each trial.
type Space []Dimension

// index returns the index of the dimension with the given key, or -1 if there is none.
func (s Space) index(key string) int {
	return slices.IndexFunc(s, func(d Dimension) bool { return d.Key == key })
}

// Largest sizes of a space. They keep a mistaken text, such as the content of a file, from becoming a space.
const (
	maxTextBytes  = 64 << 10
	maxDimensions = 64
	maxChoices    = 256
)

// maxWhole is the largest whole number of a range: a float64 holds all whole numbers up to it exactly.
const maxWhole = 1 << 53

// errEmptySpace is the error for a space without settings.
var errEmptySpace = errors.New("the space is empty; want settings such as dropout=0.05..0.3")

// ParseSpace returns the space with the settings that the texts describe, in their order. A text has one setting,
// or several with commas between them, of the forms
//
//	dropout=0.05..0.3       a number, uniform
//	lr=1e-4..1e-2:log       a number, its logarithm uniform
//	batch=16..256:log:int   a whole number; settings that are whole need no int
//	hidden=20|50,50|none    a choice from a list
//	clip=1                  always 1
//
// A comma ends a setting if a key and an equals sign follow; otherwise it belongs to the value, as between the
// widths 50,50. ParseSpace returns an error that quotes the setting if it has another form or repeats a key. It
// does not check whether a training has the settings: Tuning.Check does.
func ParseSpace(texts ...string) (Space, error) {
	var space Space
	for _, text := range texts {
		if len(text) > maxTextBytes {
			return nil, fmt.Errorf("the space has %d bytes; want at most %d", len(text), maxTextBytes)
		}
		if strings.TrimSpace(text) == "" {
			return nil, errEmptySpace
		}
		for _, setting := range splitSettings(text) {
			d, err := parseDimension(setting)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", strings.TrimSpace(setting), err)
			}
			if space.index(d.Key) >= 0 {
				return nil, fmt.Errorf("the space has the setting %s twice; want each setting once", d.Key)
			}
			if len(space) == maxDimensions {
				return nil, fmt.Errorf("the space has more than %d settings", maxDimensions)
			}
			space = append(space, d)
		}
	}
	return space, nil
}

// splitSettings returns the settings in a text. Parts between commas belong to the setting before them unless they
// begin a new one.
func splitSettings(text string) []string {
	var settings []string
	var current []string // parts of the current setting
	for i, part := range strings.Split(text, ",") {
		if i > 0 && beginsSetting(part) {
			settings = append(settings, strings.Join(current, ","))
			current = nil
		}
		current = append(current, part)
	}
	return append(settings, strings.Join(current, ","))
}

// beginsSetting reports whether a text begins with a key and an equals sign. A value such as "sgd momentum=0.5"
// does not: a key has neither blanks nor bars.
func beginsSetting(text string) bool {
	key, _, hasValue := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	return hasValue && key != "" && !strings.ContainsAny(key, " |")
}

// parseDimension returns the dimension that a text describes, in a form that ParseSpace lists.
func parseDimension(text string) (Dimension, error) {
	key, value, hasValue := strings.Cut(text, "=")
	d := Dimension{Key: strings.TrimSpace(key)}
	value = strings.TrimSpace(value)
	if !hasValue || d.Key == "" || strings.ContainsFunc(d.Key, isForbiddenInKey) {
		return d, errors.New("want a setting and its values, such as dropout=0.05..0.3 or hidden=20|50")
	}
	if value == "" {
		return d, errors.New("the setting has no value; want values such as 0.05..0.3 or 20|50")
	}
	if low, highAndOptions, isRange := strings.Cut(value, ".."); isRange && !strings.Contains(value, "|") {
		err := d.parseRange(low, highAndOptions)
		return d, err
	}
	var err error
	d.Choices, err = parseChoices(value)
	return d, err
}

// isForbiddenInKey reports whether the key of a setting cannot have the character: blanks, control characters,
// and the characters that separate values.
func isForbiddenInKey(r rune) bool { return r <= ' ' || strings.ContainsRune("|,:", r) }

// parseChoices returns the choices in a text such as "20|50,50|none".
func parseChoices(text string) ([]string, error) {
	parts := strings.Split(text, "|")
	if len(parts) > maxChoices {
		return nil, fmt.Errorf("the setting has %d values; want at most %d, or a range such as 1..1000", len(parts), maxChoices)
	}
	var choices []string
	for _, part := range parts {
		choice := strings.Join(strings.Fields(part), " ")
		if choice == "" {
			return nil, errors.New("a value between the bars is empty")
		}
		if slices.Contains(choices, choice) {
			return nil, fmt.Errorf("the value %s is repeated; want each value once", choice)
		}
		choices = append(choices, choice)
	}
	return choices, nil
}

// parseRange sets the range of the dimension from the text of its lower end, such as "1e-4", and the text of its
// upper end and its options, such as "1e-2:log".
func (d *Dimension) parseRange(low, highAndOptions string) error {
	parts := strings.Split(highAndOptions, ":")
	high, options := parts[0], parts[1:]
	for _, option := range options {
		if err := d.setOption(strings.TrimSpace(option)); err != nil {
			return err
		}
	}
	var err error
	d.Low, err = parseRangeEnd(low)
	if err != nil {
		return err
	}
	d.High, err = parseRangeEnd(high)
	if err != nil {
		return err
	}
	return d.checkRange()
}

// setOption sets the option of a range with the given name. It returns an error if the name is unknown or the
// option is set already.
func (d *Dimension) setOption(name string) error {
	switch {
	case name == "log" && !d.Log:
		d.Log = true
	case name == "int" && !d.Whole:
		d.Whole = true
	default:
		return fmt.Errorf("%q after the range; want :log or :int, each at most once", ":"+name)
	}
	return nil
}

// parseRangeEnd returns the number at an end of a range.
func parseRangeEnd(text string) (float64, error) {
	text = strings.TrimSpace(text)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !statistics.IsFinite(v) {
		return 0, fmt.Errorf("%q is not a finite number; want a range such as 0.05..0.3", text)
	}
	return v + 0, nil // turns −0 into 0
}

// checkRange returns an error unless numbers can be drawn from the range.
func (d *Dimension) checkRange() error {
	switch {
	case !(d.Low < d.High):
		return fmt.Errorf("the range %v..%v is empty; want the lower end first", d.Low, d.High)
	case math.IsInf(d.High-d.Low, 0):
		return fmt.Errorf("the range %v..%v is too wide for a float64", d.Low, d.High)
	case d.Log && d.Low <= 0:
		return fmt.Errorf("the range begins at %v; a logarithm needs a number above 0", d.Low)
	case d.Whole && (d.Low != math.Trunc(d.Low) || d.High != math.Trunc(d.High)):
		return fmt.Errorf("the range %v..%v has an end that is not a whole number; the setting takes whole numbers", d.Low, d.High)
	case d.Whole && max(-d.Low, d.High) > maxWhole:
		return fmt.Errorf("the whole numbers %v..%v are too large; want at most 2^53", d.Low, d.High)
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

// MarshalText returns the dimension as String does: so it stands in tuning.json.
func (d Dimension) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// formatNumber returns a number with as many digits as it needs to be read again exactly.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// extremes returns all choices, or the two ends of the range.
func (d Dimension) extremes() []string {
	if d.Choices != nil {
		return d.Choices
	}
	return []string{d.formatValue(d.Low), d.formatValue(d.High)}
}

// formatValue returns a number as the text of a value of the dimension. The text of a whole number has digits
// only, no exponent.
func (d Dimension) formatValue(v float64) string {
	if d.Whole {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return formatNumber(v)
}
