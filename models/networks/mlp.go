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
	return func(pass graph.Pass) *graph.Node {
		dense := func(name string, h *graph.Node, units int) *graph.Node { return Dense(b, name, h, units) }
		h := hiddenLayers(b, x, a, pass, dense)
		return Dense(b, "output", h, a.Outputs)
	}
}

// hiddenLayers returns x after the hidden layers of an architecture, each of them dense, an activation and, in the
// layers of a.Drop, dropout. dense returns a linear layer on h with the given number of units.
func hiddenLayers(b *graph.Builder, x *graph.Node, a models.Architecture, pass graph.Pass, dense func(name string, h *graph.Node, units int) *graph.Node) *graph.Node {
	activation := Activation(b, a.Activation)
	h := x
	for i, units := range a.Hidden {
		name := layerName(i)
		h = activation(dense(name, h, units))
		if a.Drop.Drops(i, len(a.Hidden)) {
			h = b.Dropout(h, pass, i, a.Dropout)
		}
		h = b.Layer(name, h)
	}
	return h
}

// layerName returns the name of the hidden layer with index i and the prefix of its parameters.
func layerName(i int) string { return fmt.Sprintf("hidden%d", i+1) }
