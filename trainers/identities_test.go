package trainers_test

import (
	"testing"

	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// Degenerate cases are identities, to the last bit of the weights: an ensemble of one member is this
// member's method, and a second-moment loss with a single term is the method of this term.
func TestIdentities(t *testing.T) {
	one := short
	one.Members = 1
	trained := func(method string, chosen models.Hyperparameters, drop models.Layers) *trainers.Result {
		t.Helper()
		spec := expect.Must(models.NewSpec(method, chosen, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{8, 8}, Dropout: 0.1, Drop: drop}))
		r := mustTrain(t, spec, wave(50), one, trainers.Options{})
		for i, row := range r.History.Rows {
			r.History.Rows[i].Values = row.Values[:1] // terms are logged beside the loss
		}
		return r
	}
	for _, m := range shipped() {
		if m.MemberMethod != "" && !equal(trained(m.Name, nil, ""), trained(m.MemberMethod, nil, "")) {
			t.Errorf("an ensemble of one %s is not %s", m.Name, m.MemberMethod)
		}
	}
	if !equal(trained("sml", models.Hyperparameters{"beta": 0}, ""), trained("de", nil, "")) {
		t.Error("SML with β = 0 and γ = 0 is not the squared error of the full network")
	}
	if !equal(trained("sml", models.Hyperparameters{"alpha": 0, "beta": 0, "gamma": 1}, ""), trained("mc", nil, "")) {
		t.Error("SML with γ = 1 alone is not MC")
	}
	if !equal(trained("mc", nil, models.LastLayer), trained("mc-ll", nil, "")) {
		t.Error("MC that drops in the last layer is not MC-LL")
	}
	if !equal(trained("mc", nil, models.NoLayers), trained("de", nil, "")) {
		t.Error("MC that drops nowhere is not the squared error of the full network")
	}
}
