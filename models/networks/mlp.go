package networks

import (
	"fmt"

	"sml/graph"
	"sml/models"
)

var mlp = models.Network{
	Name:        "mlp",
	Title:       "MLP",
	Summary:     "fully connected layers with an activation, dropout behind it",
	Source:      "Sicking et al. 2021, appendix B.1",
	Activations: Activations(),
	Build:       MLP,
}

// MLP is the fully connected network of the paper: hidden layers with an
// activation, inverted dropout after each activation (where a.Drop says so),
// a linear output. Inputs and outputs are never dropped. Its layers are hidden1, hidden2, …, behind
// their dropout.
func MLP(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	act := Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			h = act(Dense(b, layerName(i), h, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
			b.Layer(layerName(i), h)
		}
		return Dense(b, "output", h, a.Outputs)
	}
}

// layerName returns the name of hidden layer i, from 0, and of its parameters.
func layerName(i int) string { return fmt.Sprintf("hidden%d", i+1) }
