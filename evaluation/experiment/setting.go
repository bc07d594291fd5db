package experiment

import (
	"encoding"
	"fmt"
	"strconv"
	"strings"

	"sml/internal/registry"
	"sml/models"
)

// Setting is one thing that a user may choose about a training. The entries of ListSettings
// define the flags, the configuration keys of studies, the labels of methods, the spaces of
// tunings and the columns of "sml runs".
type Setting struct {
	Key  string // such as "weight-decay": its flag, its key in YAML and JSON, its name in labels
	Help string // imperative or noun phrase, the placeholder for the value in backquotes
	Kind Kind

	Set func(s *Settings, value string) error // sets a value that Parse has returned
	Get func(s Settings) string               // returns the value; nil if a model does not keep it, or another setting shows it

	Choices func() []string // names that a value may have; nil if there is no such list
	Range   models.Range    // bounds of a number; the zero value checks nothing

	// ZeroIsDefault says that 0 stands for the default in files. A user cannot choose 0 then.
	ZeroIsDefault bool

	Default     string        // value unless the user chooses one; "" if it depends on other settings
	DefaultNote func() string // how the default is chosen; nil if Default says it
	Saved       string        // path of its value in model.json; "" if it follows from others there

	// Part is the part of a training that the setting is about: network, training, calibration
	// or prediction. Labels and the help of train list the settings part by part.
	Part string

	// Replaces is the key of another setting that sets the same field of Settings, "" if there
	// is none. A user chooses at most one of both.
	Replaces string

	// Ignored returns why a training of the method with these settings does not read the setting, so that a chosen
	// value is refused; "" if it does. nil if every training reads the setting.
	Ignored func(s Settings, m models.Method) string

	// A setting may be chosen for a training, varied by a study, and tuned, unless one of these is true.
	StudyOnly bool // train and tune have no flag for it
	TrainOnly bool // no study varies it, and no tuning
	NotTuned  bool // the space of a tuning cannot have it
}

// Kind is the kind of a setting's values.
type Kind int

// The kinds.
const (
	WholeNumber Kind = iota // whole number
	Number                  // floating-point number
	Text                    // text without commas, kept as it is written
	Phrase                  // text of words, which may have commas; several blanks count as one
	Widths                  // widths of hidden layers such as "50,50"; "none" or "" if there are no layers
)

// wholeSetting returns s with Kind, Get and Set for the whole number that field points to.
func wholeSetting(field func(*Settings) *int, s Setting) Setting {
	s.Kind = WholeNumber
	s.Get = fieldGetter(field)
	s.Set = func(to *Settings, value string) (err error) {
		*field(to), err = strconv.Atoi(value)
		return err
	}
	return s
}

// numberSetting returns s with Kind, Get and Set for the floating-point number that field points
// to.
func numberSetting(field func(*Settings) *float64, s Setting) Setting {
	s.Kind = Number
	s.Get = fieldGetter(field)
	s.Set = func(to *Settings, value string) (err error) {
		*field(to), err = strconv.ParseFloat(value, 64)
		return err
	}
	return s
}

// textSetting returns s with Kind, Get and Set for the text without commas that field points to.
func textSetting[T ~string](field func(*Settings) *T, s Setting) Setting {
	s.Kind = Text
	s.Get = fieldGetter(field)
	s.Set = func(to *Settings, value string) error {
		*field(to) = T(value)
		return nil
	}
	return s
}

// switchSetting returns s with Kind, Get, Set and Default for the field that is true or false.
func switchSetting(field func(*Settings) *bool, s Setting) Setting {
	s.Kind = Text
	s.Default = "false"
	s.Get = fieldGetter(field)
	s.Set = func(to *Settings, value string) error {
		isOn, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%s %q: want true or false", s.Key, value)
		}
		*field(to) = isOn
		return nil
	}
	return s
}

// textField is a pointer to a field of Settings that decodes the text which String returns.
type textField interface {
	encoding.TextUnmarshaler
	fmt.Stringer
}

// encodedSetting returns s with Get and Set for the field that decodes its own text.
func encodedSetting(field func(*Settings) textField, s Setting) Setting {
	s.Get = func(from Settings) string { return field(&from).String() }
	s.Set = func(to *Settings, value string) error { return field(to).UnmarshalText([]byte(value)) }
	return s
}

// fieldGetter returns a function that returns the value that field points to as text.
func fieldGetter[T any](field func(*Settings) *T) func(Settings) string {
	return func(s Settings) string { return fmt.Sprint(*field(&s)) }
}

// Parse returns the standard form of a value: equal values have equal forms. It returns an
// error if the value is not of the setting's kind, outside of its range, or 0 where 0 stands
// for the default. The error begins with the key.
func (s Setting) Parse(value string) (string, error) {
	switch s.Kind {
	case WholeNumber:
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

// checkNumber returns an error if x is outside of the setting's range, or 0 where 0 stands for
// the default. text is x as the error writes it.
func (s Setting) checkNumber(x float64, text string) error {
	if x == 0 && s.ZeroIsDefault {
		return fmt.Errorf("%s %s: it must be more than 0; leave it out for its default", s.Key, text)
	}
	if s.Range != (models.Range{}) && !s.Range.Contains(x) {
		return fmt.Errorf("%s %s: want %v", s.Key, text, s.Range)
	}
	return nil
}

// noHiddenLayers is the value of the hidden layers of a linear model in labels and spaces, where
// "" would not be visible.
const noHiddenLayers = "none"

// formatWidths returns widths as models.ParseWidths reads them, such as "50,50".
func formatWidths(widths []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(widths), "[]"), " ", ",")
}

// SetsSameField reports whether two different settings set the same field of Settings, so that
// a user chooses only one of them.
func (s Setting) SetsSameField(other Setting) bool {
	return s.Key != other.Key && s.fieldKey() == other.fieldKey()
}

// fieldKey returns the key that identifies the field of Settings: the key of the setting that
// this one replaces, or its own.
func (s Setting) fieldKey() string {
	if s.Replaces != "" {
		return s.Replaces
	}
	return s.Key
}

var settingRegistry = registry.New("setting", func(s Setting) string { return s.Key }, "")

// RegisterSetting adds a setting to ListSettings. It panics, as for any mistake in the program,
// if there is one with its key, or if neither studies nor train can choose it, or if a tuning can and train cannot.
func RegisterSetting(s Setting) {
	if s.StudyOnly && (s.TrainOnly || !s.NotTuned && s.Replaces == "") {
		panic(fmt.Sprintf("setting %q: a study needs to vary it, and a tuning needs a flag of train", s.Key))
	}
	settingRegistry.Add(s)
}

// ListSettings returns the settings in the order of registration, which is the order of
// flags and of keys in files.
func ListSettings() []Setting { return settingRegistry.All() }

// LookupSetting returns the setting with a key. If there is none, it returns an error that lists
// the keys.
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
