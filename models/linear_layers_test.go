package models_test

import (
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

// A network without linear layers, or with one that is applied to several positions of a row, is an error that says so.
func TestLinearLayersOfOtherNetworks(t *testing.T) {
	for _, c := range []struct {
		network, want string
		build         func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward
	}{
		{"products", "the network has no linear layer (Builder.Linear)", func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(graph.Pass) *graph.Node {
				return b.MatMul(x, b.Weight("weight", x.Shape()[1], a.Outputs, graph.Uniform(1)))
			}
		}},
		{"positions", "linear layer 0 of the network, from 0, has 4 rows of inputs for 2 rows of the batch", func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(graph.Pass) *graph.Node {
				rows, inputs := x.Shape()[0], x.Shape()[1]
				positions := b.Reshape(x, rows, inputs, 1)
				hidden := b.Reshape(networks.Dense(b, "shared", positions, 3), rows, 3*inputs)
				return networks.Dense(b, "output", hidden, a.Outputs)
			}
		}},
	} {
		models.RegisterNetwork(models.Network{Name: c.network, Build: c.build})
		s := expect.Must(models.NewSpec("laplace-kron", nil, models.Architecture{Network: c.network, Inputs: 2, Targets: 1}))
		expect.Error(t, expect.ErrorOf(s.LinearShapes(models.AllLayers)), c.want)
	}
}
