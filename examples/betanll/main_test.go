package main

import (
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
	"sml/models/networks"
	"sml/trainers/check"
)

func TestGradient(t *testing.T) {
	for _, beta := range []float64{0, 0.5, 1} {
		gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
			x := b.Input("x", 6, 2)
			f := networks.MLP(b, x, models.Architecture{Inputs: 2, Targets: 1, Outputs: 2, Hidden: []int{5}, Activation: "tanh", Drop: models.NoLayers})
			return betaNLL(b, f, b.Input("y", 6, 1), models.Hyperparameters{"beta": beta})
		}, gradcheck.Settings{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range gradients {
			if !(g.Error <= 1e-6) {
				t.Errorf("β = %v: gradient of %s is wrong by %.1e", beta, g.Name, g.Error)
			}
		}
	}
}

func TestMethod(t *testing.T) { check.Test(t, "beta-nll", nil) }
