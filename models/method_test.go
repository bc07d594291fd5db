package models

import (
	"strings"
	"testing"
)

func TestMethodsAreInThePapersOrder(t *testing.T) {
	var names []string
	for _, m := range Methods() {
		names = append(names, m.Name)
		if m.Summary == "" || m.Source == "" {
			t.Errorf("%s has no summary or source", m.Name)
		}
	}
	if got, want := strings.Join(names, " "), "mc mc-ll sml pu pu-de de sml-de"; got != want {
		t.Errorf("methods %s, want %s", got, want)
	}
}

func TestUnknownNamesAreAnsweredWithTheKnown(t *testing.T) {
	_, unknown := Lookup("mcd")
	_, noSetting := NewSpec("sml", map[string]float64{"betta": 1}, Architecture{Inputs: 1, Targets: 1, Activation: "relu"})
	_, none := NewSpec("de", map[string]float64{"beta": 1}, Architecture{Inputs: 1, Targets: 1, Activation: "relu"})
	_, activation := NewSpec("de", nil, Architecture{Inputs: 1, Targets: 1, Activation: "rely"})
	_, layers := NewSpec("mc", nil, Architecture{Inputs: 1, Targets: 1, Activation: "relu", Drop: "first"})
	_, notSwitch := NewSpec("sml", map[string]float64{"through": 2}, Architecture{Inputs: 1, Targets: 1, Activation: "relu"})
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
	for name, m := range map[string]Method{
		"no name":      {Objective: FullMSE, Predict: FullNetwork},
		"no objective": {Name: "a", Predict: FullNetwork},
		"no predictor": {Name: "a", Objective: FullMSE},
		"no combiner":  {Name: "a", Objective: FullMSE, Predict: FullNetwork, Members: 2},
		"twice":        {Name: "mc", Objective: FullMSE, Predict: FullNetwork},
		"bad default":  {Name: "a", Objective: FullMSE, Predict: FullNetwork, Hyperparameters: []Hyperparameter{{Name: "h", Default: 2, Range: Range{0, 1}}}},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was registered", name)
				}
			}()
			Register(m)
		}()
	}
}

func TestParseHyperparameters(t *testing.T) {
	got, err := ParseHyperparameters([]string{"beta=0.7", "through=true", "gamma=1e-3"})
	if err != nil || got["beta"] != 0.7 || got["through"] != 1 || got["gamma"] != 1e-3 {
		t.Errorf("%v, %v", got, err)
	}
	for _, wrong := range []string{"beta", "beta=", "beta=half"} {
		if _, err := ParseHyperparameters([]string{wrong}); err == nil {
			t.Errorf("%q was accepted", wrong)
		}
	}
	if _, err := ParseHyperparameters([]string{"a=1", "a=2"}); err == nil {
		t.Error("a setting was given twice")
	}
}

// An objective that reads what its method does not declare is a mistake that
// building reports instead of crashing.
func TestUndeclaredHyperparameter(t *testing.T) {
	s, err := NewSpec("de", nil, Architecture{Inputs: 1, Targets: 1, Activation: "relu"})
	if err != nil {
		t.Fatal(err)
	}
	s.Method = "sml"
	if _, err := s.NewParams(1); err == nil || !strings.Contains(err.Error(), "does not declare") {
		t.Errorf("%v", err)
	}
}
