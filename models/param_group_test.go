package models_test

import (
	"testing"

	"sml/internal/expect"
	"sml/models"
)

func TestParseParamGroups(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"critic:lr=1e-4":         "critic:lr=0.0001",
		"log noise:lr=0.1":       "log noise:lr=0.1",
		"critic:decay=0,every=1": "critic:decay=0,every=1",
		"a:decay=0,nesterov=true;main:optimizer=sgd,momentum=0.5,every=5,offset=4": "a:nesterov=true,decay=0;main:optimizer=sgd,momentum=0.5,every=5,offset=4",
	} {
		g, err := models.ParseParamGroups(text)
		if err != nil || g.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, g, err, want)
		}
	}
	for text, want := range map[string]string{
		"critic":                   `group "critic": want NAME:KEY=VALUE,KEY=VALUE`,
		":lr=1":                    `group ":lr=1": want NAME`,
		"critic:":                  `group "critic": setting "": want name=value`,
		"critic:lr=0":              "lr is 0: want a number above 0",
		"critic:every=0":           "every is 0: want a number above 0",
		"critic:lr=fast":           `group "critic": lr is "fast": want a number`,
		"critic:every=1.5":         `every is "1.5": want a number`,
		"critic:lr=1,lr=2":         "lr is set twice",
		"critic:lr=1;critic:lr=2":  `group "critic" is repeated`,
		"critic:lr=1; main:lr=1":   `group " main:lr=1": want no blanks around names and values`,
		"critic:lr=1 ;main:lr=1":   "want no blanks around",
		"critic :lr=1":             "want no blanks around",
		"critic:momentum=1,moment": `setting "moment": want name=value`,
	} {
		expect.Error(t, expect.ErrorOf(models.ParseParamGroups(text)), want)
	}
}

// Chosen values replace the declared ones, value by value. Another optimizer keeps no hyperparameter and no
// learning rate of the declared one.
func TestParamGroupsWith(t *testing.T) {
	for _, c := range []struct{ declared, chosen, want string }{
		{"", "a:lr=1", "a:lr=1"},
		{"a:lr=1", "", "a:lr=1"},
		{"a:lr=1,beta1=0.5", "b:lr=2;a:beta2=0.9", "a:beta1=0.5,beta2=0.9,lr=1;b:lr=2"},
		{"a:optimizer=sgd,momentum=0.5,lr=1,decay=2,every=3,offset=2", "a:optimizer=adam", "a:optimizer=adam,decay=2,every=3,offset=2"},
		{"a:optimizer=sgd,momentum=0.5,lr=1", "a:optimizer=sgd,decay=0", "a:optimizer=sgd,momentum=0.5,lr=1,decay=0"},
		{"a:every=3,offset=2", "a:every=2", "a:every=2"},
	} {
		declared := expect.Must(models.ParseParamGroups(c.declared))
		chosen := expect.Must(models.ParseParamGroups(c.chosen))
		if got := declared.Merge(chosen).String(); got != c.want {
			t.Errorf("%q with %q is %q, want %q", c.declared, c.chosen, got, c.want)
		}
		if declared.String() != mustGroups(t, c.declared) {
			t.Errorf("%q has been changed to %q", c.declared, declared)
		}
	}
}

// mustGroups returns the standard form of a text of groups.
func mustGroups(t *testing.T, text string) string {
	t.Helper()
	g := expect.Must(models.ParseParamGroups(text))
	return g.String()
}
