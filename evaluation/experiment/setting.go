package experiment

import (
	"fmt"
	"strconv"
	"strings"

	"sml/internal/registry"
	"sml/models"
)

// Setting is one thing that a user may choose about a training. Its entry in ListSettings
// is all that flags, configurations of studies, labels of methods, spaces of tunings and
// the columns of "sml runs" know about it.
type Setting struct {
	Key  string // such as "weight-decay": its flag, its key in YAML and JSON, its name in labels
	Help string // imperative or noun phrase, the placeholder for the value in backquotes
	Kind Kind

	Set func(s *Settings, value string) error // sets a value that Parse has returned
	Get func(s Settings) string               // returns the value; nil if a model does not keep it, or another setting shows it

	Choices func() []string // names that a value may have; nil if there is no such list
	Range   models.Range    // bounds of a whole number; the zero value checks nothing

	// ZeroIsDefault says that 0 stands for the default where settings are kept. A user
	// cannot choose it then.
	ZeroIsDefault bool

	Default     string        // value unless the user chooses one, "" if it depends on other settings
	DefaultNote func() string // how the default is chosen; nil if Default says it
	Saved       string        // path of its value in model.json; "" if it follows from others there

	// Part is the part of a training that the setting is about: network, training, calibration
	// or prediction. Labels and the help of train list the settings part by part.
	Part string

	// Replaces is the key of another setting for the same field of Settings, "" if the field
	// has no other. A user chooses at most one of both.
	Replaces string

	Train bool // whether training and tuning have a flag for it
	Vary  bool // whether a study may vary it
	Tune  bool // whether the space of a tuning may have it
}

// Kind is the kind of a setting's values.
type Kind int

// The kinds.
const (
	Whole  Kind = iota // whole number
	Number             // floating-point number
	Text               // text without commas, kept as it is written
	Phrase             // text of words, which may have commas; several blanks count as one
	Widths             // widths of hidden layers such as "50,50"; "none" or "" if there are no layers
)

// wholeSetting returns s as the setting of a field of whole numbers.
func wholeSetting(field func(*Settings) *int, s Setting) Setting {
	s.Kind, s.Get = Whole, fieldGetter(field)
	s.Set = func(to *Settings, value string) (err error) {
		*field(to), err = strconv.Atoi(value)
		return err
	}
	return s
}

// numberSetting returns s as the setting of a field of floating-point numbers.
func numberSetting(field func(*Settings) *float64, s Setting) Setting {
	s.Kind, s.Get = Number, fieldGetter(field)
	s.Set = func(to *Settings, value string) (err error) {
		*field(to), err = strconv.ParseFloat(value, 64)
		return err
	}
	return s
}

// textSetting returns s as the setting of a field of texts without commas.
func textSetting[T ~string](field func(*Settings) *T, s Setting) Setting {
	s.Kind, s.Get = Text, fieldGetter(field)
	s.Set = func(to *Settings, value string) error {
		*field(to) = T(value)
		return nil
	}
	return s
}

// getField returns a function that writes a field as text.
func fieldGetter[T any](field func(*Settings) *T) func(Settings) string {
	return func(s Settings) string { return fmt.Sprint(*field(&s)) }
}

// Parse returns the standard form of a value: equal values have equal forms. It returns an
// error if the value is not of the setting's kind, outside of its range, or 0 where 0 stands
// for the default. The error begins with the key.
func (s Setting) Parse(value string) (string, error) {
	switch s.Kind {
	case Whole:
		n, err := strconv.Atoi(value)
		if err != nil {
			return "", fmt.Errorf("%s %q: want a whole number", s.Key, value)
		}
		value = strconv.Itoa(n)
		return value, s.checkNumber(float64(n), value)
	case Number:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return "", fmt.Errorf("%s %q: want a number", s.Key, value)
		}
		value = fmt.Sprint(x)
		return value, s.checkNumber(x, value)
	case Phrase:
		return strings.Join(strings.Fields(value), " "), nil
	case Widths:
		if value == noHiddenLayers {
			return "", nil
		}
		list, err := models.ParseWidths(value)
		if err != nil {
			return "", fmt.Errorf("%s %q: %w", s.Key, value, err)
		}
		return formatWidths(list), nil
	}
	return value, nil
}

// checkNumber returns an error if x is outside of the setting's range, or 0 where 0 stands
// for the default. text is x as the error writes it.
func (s Setting) checkNumber(x float64, text string) error {
	if x == 0 && s.ZeroIsDefault {
		return fmt.Errorf("%s %s: it must be more than 0; leave it out for its default", s.Key, text)
	}
	if s.Range != (models.Range{}) && !s.Range.Has(x) {
		return fmt.Errorf("%s %s: want %v", s.Key, text, s.Range)
	}
	return nil
}

// noLayers is the value of hidden layers in labels and spaces where there are none.
const noHiddenLayers = "none"

// formatWidths writes widths as ParseWidths reads them, without blanks.
func formatWidths(widths []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(widths), "[]"), " ", ",")
}

// SameField reports whether two different settings set the same field of Settings.
func (s Setting) SetsSameField(other Setting) bool {
	return s.Key != other.Key && s.fieldKey() == other.fieldKey()
}

// field returns the key of the setting that stands for the field.
func (s Setting) fieldKey() string {
	if s.Replaces != "" {
		return s.Replaces
	}
	return s.Key
}

var settingRegistry = registry.New("setting", func(s Setting) string { return s.Key }, "")

// RegisterSetting adds a setting to ListSettings. It panics if there is one with its key, or
// a tuning may vary the setting and neither a study nor train can choose it: a mistake in
// the program.
func RegisterSetting(s Setting) {
	if s.Tune && (!s.Vary || !s.Train && s.Replaces == "") {
		panic(fmt.Sprintf("setting %q: a tuning needs studies that vary it and a flag of train", s.Key))
	}
	settingRegistry.Add(s)
}

// ListSettings returns the settings in the order of registration, which is the order of
// flags and of keys in files.
func ListSettings() []Setting { return settingRegistry.All() }

// LookupSetting returns the setting with a key. It returns an error that lists the keys if
// there is none.
func LookupSetting(key string) (Setting, error) { return settingRegistry.Lookup(key) }

// DefaultSettings returns settings with the defaults that do not depend on other settings.
func DefaultSettings() Settings {
	var s Settings
	for _, setting := range ListSettings() {
		if setting.Default == "" {
			continue
		}
		if err := setting.Set(&s, setting.Default); err != nil {
			panic(fmt.Sprintf("the default of setting %q: %v", setting.Key, err)) // a mistake in its entry
		}
	}
	return s
}
