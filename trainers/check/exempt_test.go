package check_test

import (
	"strings"
	"testing"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
	"sml/trainers/check"
)

// exempted is a method whose predictor is in another unit, on purpose.
func exempted(name string, list ...models.Exemption) models.Method {
	return models.Method{Name: name, Objective: methods.FullMSE, Exempt: list, Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
		return methods.Point(b.Scale(10, m.Full[0]))
	}}
}

func TestExemptionsArePrinted(t *testing.T) {
	m := exempted("wrong-exempted", models.Exemption{Check: "predicts", Reason: "the unit is another"}, models.Exemption{Check: "held-out", Reason: "that as well"})
	models.Register(m)
	r, err := check.Method(m.Name, check.Settings{Seed: 1})
	if err != nil || !r.Passed() {
		t.Fatal(err, r)
	}
	for _, words := range []string{"– predicts", "    exempt: the unit is another\n", "– held-out", "    exempt: that as well\n"} {
		if !strings.Contains(r.String(), words) {
			t.Errorf("the report does not say %q:\n%s", words, r)
		}
	}
}

func TestExemptionsThatAreNotNeeded(t *testing.T) {
	models.Register(models.Method{Name: "wrong-unneeded", Objective: methods.FullMSE, Predict: methods.FullNetwork,
		Exempt: []models.Exemption{{Check: "gradients", Reason: "a kink"}}})
	r, err := check.Method("wrong-unneeded", check.Settings{Seed: 1})
	if err != nil || !r.Passed() {
		t.Fatal(err, r)
	}
	if words := "! gradients    the exemption is not needed: a kink"; !strings.Contains(r.String(), words) {
		t.Errorf("the report does not say %q:\n%s", words, r)
	}
}

func TestExemptionsFromUnknownChecks(t *testing.T) {
	m := exempted("wrong-unknown", models.Exemption{Check: "predict", Reason: "a typo"})
	models.Register(m)
	_, err := check.Method(m.Name, check.Settings{Seed: 1})
	want := `method wrong-unknown is exempt from check "predict", which does not exist: want one of architecture, calibration, `
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
}

// A network's exemption holds for every method on it, and in the network's own checks.
func TestExemptionsOfNetworks(t *testing.T) {
	models.RegisterNetwork(models.Network{
		Name: "wrong-recurrent", Exempt: []models.Exemption{{Check: "parameters", Reason: "each step has the same weights"}},
		Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(pass graph.Pass) *graph.Node {
				h := b.Tanh(networks.Dense(b, "first", x, 20))
				for range 3 {
					h = b.Tanh(networks.Dense(b, "step", h, 20))
				}
				if a.Drop.Drops(0, 1) {
					h = b.Dropout(h, pass, 0, a.Dropout)
				}
				return networks.Dense(b, "output", h, a.Outputs)
			}
		},
	})
	models.Register(models.Method{Name: "wrong-on-recurrent", Objective: methods.FullMSE, Predict: methods.FullNetwork, Network: "wrong-recurrent"})
	r, err := check.Method("wrong-on-recurrent", check.Settings{Seed: 1})
	if err != nil || !strings.Contains(r.String(), "several layers share step.weight") || !strings.Contains(r.String(), "exempt: each step has the same weights") {
		t.Errorf("%v\n%s", err, r)
	}
	f, err := check.Network("wrong-recurrent", 1)
	if err != nil || !strings.Contains(f.String(), "exempt: each step has the same weights") {
		t.Errorf("%v\n%s", err, f)
	}
}
