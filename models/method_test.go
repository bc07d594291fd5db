package models_test

import (
	"strings"
	"testing"

	"sml/models"
	"sml/models/methods"
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

func TestRegisterRefusesIncompleteMethods(t *testing.T) {
	for name, m := range map[string]models.Method{
		"no name":      {Objective: methods.FullMSE, Predict: methods.PredictFullNetwork},
		"no objective": {Name: "a", Predict: methods.PredictFullNetwork},
		"no predictor": {Name: "a", Objective: methods.FullMSE},
		"twice":        {Name: "mc", Objective: methods.FullMSE, Predict: methods.PredictFullNetwork},
		"unlabelled":   {Name: "a", Objective: methods.FullMSE, Predict: methods.PredictFullNetwork, Classes: models.AnyClasses, UsesUnlabelled: true},
		"bad default":  {Name: "a", Objective: methods.FullMSE, Predict: methods.PredictFullNetwork, Hyperparameters: []models.Hyperparameter{{Name: "h", Default: 2, Range: models.Range{0, 1}}}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was registered", name)
				}
			}()
			models.Register(m)
		}()
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
	s, err := models.NewSpec("de", nil, models.Architecture{Inputs: 1, Targets: 1, Activation: "relu"})
	if err != nil {
		t.Fatal(err)
	}
	s.Method = "sml"
	if _, err := s.NewParams(1); err == nil || !strings.Contains(err.Error(), "is not declared") {
		t.Errorf("%v", err)
	}
}
