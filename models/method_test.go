package models_test

import (
	"strings"
	"testing"

	"sml/internal/expect"
	"sml/models"
)

func TestUnknownNamesAreAnsweredWithTheKnown(t *testing.T) {
	_, unknown := models.Lookup("mcd")
	_, noSetting := models.NewSpec("sml", models.Hyperparameters{"betta": 1}, models.Architecture{Inputs: 1, Targets: 1, Activation: "relu"})
	_, none := models.NewSpec("de", models.Hyperparameters{"beta": 1}, models.Architecture{Inputs: 1, Targets: 1, Activation: "relu"})
	_, activation := models.NewSpec("de", nil, models.Architecture{Inputs: 1, Targets: 1, Activation: "rely"})
	_, layers := models.NewSpec("mc", nil, models.Architecture{Inputs: 1, Targets: 1, Activation: "relu", Drop: "first"})
	_, notSwitch := models.NewSpec("sml", models.Hyperparameters{"through": 2}, models.Architecture{Inputs: 1, Targets: 1, Activation: "relu"})
	for _, c := range []struct {
		err  error
		want string
	}{
		{unknown, "mc-ll"}, {noSetting, "alpha, beta, gamma, through"}, {none, "no hyperparameters"},
		{activation, "relu, tanh"}, {layers, "all, last, none"}, {notSwitch, "true or false"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v does not name %q", c.err, c.want)
		}
	}
}

func TestParseHyperparameters(t *testing.T) {
	got, err := models.ParseHyperparameters([]string{"beta=0.7", "through=true", "gamma=1e-3"})
	if err != nil || got["beta"] != 0.7 || got["through"] != true || got["gamma"] != 1e-3 {
		t.Errorf("%v, %v", got, err)
	}
	for _, wrong := range []string{"beta"} {
		if _, err := models.ParseHyperparameters([]string{wrong}); err == nil {
			t.Errorf("%q was accepted", wrong)
		}
	}
	if _, err := models.ParseHyperparameters([]string{"a=1", "a=2"}); err == nil {
		t.Error("a setting was given twice")
	}
}

// An objective that reads what its method does not declare is a mistake that
// building reports instead of crashing.
func TestUndeclaredHyperparameter(t *testing.T) {
	s := expect.Must(models.NewSpec("de", nil, models.Architecture{Inputs: 1, Targets: 1, Activation: "relu"}))
	s.Method = "sml"
	expect.Error(t, expect.ErrorOf(s.NewParams(1)), "is not declared")
}
