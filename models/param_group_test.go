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

func TestParseHyperparameters(t *testing.T) {
	got, err := models.ParseHyperparameters([]string{"beta=0.7", "through=true", "gamma=1e-3"})
	if err != nil || got["beta"] != 0.7 || got["through"] != true || got["gamma"] != 1e-3 {
		t.Errorf("%v, %v", got, err)
	}
	expect.Error(t, expect.ErrorOf(models.ParseHyperparameters([]string{"a=1", "a=2"})), "a is set twice")
}
