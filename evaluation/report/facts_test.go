package report

import (
	"testing"

	"sml/evaluation/study"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// The fact about the network names the network of the cells, also for methods with their own network.
func TestNetworkFact(t *testing.T) {
	models.RegisterNetwork(models.Network{Name: "blocks", Build: func(*graph.Builder, *graph.Node, models.Architecture) models.Forward { return nil }})
	for name, network := range map[string]string{"plain": "", "own": "blocks"} {
		models.Register(models.Method{
			Name: name, Network: network, Predict: methods.PredictFullNetwork,
			Objective: func(*graph.Builder, *models.Task) *graph.Node { return nil },
		})
	}
	plan := new(study.Plan)
	for method, activation := range map[string]string{"plain": "relu", "own": "tanh"} {
		plan.Cells = []study.PlannedCell{{}}
		plan.Cells[0].Spec = models.Spec{Method: method, Architecture: models.Architecture{Hidden: []int{50, 50}, Activation: activation, Dropout: 0.1}}
		want := Fact{"network", map[string]string{"plain": "two hidden layers of 50, ReLU, dropout 0.1", "own": "blocks, two hidden layers of 50, tanh, dropout 0.1"}[method]}
		if facts := (Study{Plan: plan}).facts(); facts[2] != want {
			t.Errorf("%s: the page says %q; want %q", method, facts[2], want)
		}
	}
}
