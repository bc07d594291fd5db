package experiment

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sml/internal/expect"
)

// settingExamples holds a value of each kind, different from all defaults.
var settingExamples = map[Kind]string{WholeNumber: "7", Number: "0.25", Text: "word", Phrase: "sgd", Widths: "7,5"}

// keyExamples holds values of settings whose texts have a special form.
var keyExamples = map[string]string{"cross-validation": "true", "bootstrap": "true", "validation-measure": "crps", "schedule": "linear(1,0.1,0.5)", "average": "swa(0.75)", "param-groups": "critic:optimizer=sgd,lr=0.01;main:every=2"}

// absentValues are values that model.json leaves out.
var absentValues = []string{"0", "none", "false"}

// A setting's entry is complete: its default and an example keep their form, are found
// where they were set, and stand in model.json where the entry says.
func TestSettingEntries(t *testing.T) {
	for _, s := range ListSettings() {
		if s.Help == "" || s.Set == nil || s.StudyOnly && s.TrainOnly {
			t.Errorf("%s has no help, no values or no place", s.Key)
		}
		example := cmp.Or(keyExamples[s.Key], settingExamples[s.Kind])
		for _, value := range []string{s.Default, example} {
			if value == "" {
				continue
			}
			if got, err := s.Parse(value); err != nil || got != value {
				t.Errorf("%s: %q is %q, %v", s.Key, value, got, err)
			}
			var to Settings
			if err := s.Set(&to, value); err != nil {
				t.Errorf("%s: %v", s.Key, err)
			}
			if s.Get != nil && s.Get(to) != value {
				t.Errorf("%s: %q is set, and it is %q", s.Key, value, s.Get(to))
			}
			if s.Saved != "" && savedValue(t, to, s.Saved) != value && !slices.Contains(absentValues, value) {
				t.Errorf("%s: %q is set, and %s in model.json is %q", s.Key, value, s.Saved, savedValue(t, to, s.Saved))
			}
		}
	}
}

// savedValue returns a value of the parts of model.json in the form of Setting.Parse.
func savedValue(t *testing.T, s Settings, path string) string {
	t.Helper()
	var part any = s.Spec.Architecture
	name, ok := strings.CutPrefix(path, "calibration.")
	switch {
	case ok:
		part = s.Calibration
	case !strings.Contains(string(encodeJSON(part)), `"`+name+`":`):
		part = s.Training
	}
	var fields map[string]json.RawMessage
	expect.NoError(t, json.Unmarshal(encodeJSON(part), &fields))
	return strings.Trim(string(fields[name]), `"[]`)
}

func TestParseSetting(t *testing.T) {
	hidden, _ := LookupSetting("hidden")
	for value, want := range map[string]string{"50, 20": "50,20", "50 20": "50,20", "": "", "none": ""} {
		if got, err := hidden.Parse(value); err != nil || got != want {
			t.Errorf("hidden %q is %q, %v; want %q", value, got, err, want)
		}
	}
	for _, c := range []struct{ key, value, want string }{
		{"epochs", "1.5", `epochs "1.5": want a whole number`},
		{"epochs", "-1", "epochs -1: want 1 to 1000000"},
		{"hidden", "5,", `hidden "5,": want widths such as 50,50`},
	} {
		s := expect.Must(LookupSetting(c.key))
		if got, err := s.Parse(c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %q is %q, %v; want %s", c.key, c.value, got, err, c.want)
		}
	}
}
