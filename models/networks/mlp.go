package networks

import (
	"fmt"

	"sml/graph"
	"sml/models"
)

// mlp is the network that most methods train.
var mlp = models.Network{
	Name:        "mlp",
	Title:       "MLP",
	Summary:     "fully connected layers, each with an activation and dropout",
	Source:      "Sicking et al. 2021, appendix B.1",
	Activations: Activations(),
	Build:       MLP,
}

// MLP returns the fully connected network of Sicking et al. 2021: hidden layers with an activation,
// inverted dropout after the activation of the layers in a.Drop, and a linear output. Inputs and
// outputs are never dropped. The hidden layers are named hidden1, hidden2, …; their values are
// taken after the dropout. Source: Sicking et al. 2021, appendix B.1.
func MLP(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			name := layerName(i)
			h = activation(Dense(b, name, h, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
			h = b.Layer(name, h)
		}
		return Dense(b, "output", h, a.Outputs)
	}
}

// layerName returns the name of the hidden layer with index i and the prefix of its parameters.
func layerName(i int) string { return fmt.Sprintf("hidden%d", i+1) }
