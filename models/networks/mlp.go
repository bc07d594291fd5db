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
// a linear output. Inputs and outputs are never dropped.
func MLP(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	act := Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			h = act(Dense(b, fmt.Sprintf("hidden%d", i+1), h, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
		}
		return Dense(b, "output", h, a.Outputs)
	}
}
