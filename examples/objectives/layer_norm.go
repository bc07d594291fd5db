package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

// init registers the network "layer-norm", which any method can train.
func init() {
	models.RegisterNetwork(models.Network{
		Name:        "layer-norm",
		Title:       "Layer norm",
		Summary:     "residual blocks with a layer norm before each",
		Source:      "Ba et al. 2016; He et al. 2016",
		Activations: networks.Activations(),
		Build:       layerNorm,
	})
}

// layerNorm returns a network with a residual block for each hidden layer, h + activation(D(N(h))) with a
// linear layer D and a layer norm N. If the width differs from the layer before, another linear layer comes
// before the block.
func layerNorm(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			name := fmt.Sprintf("block%d", i+1)
			if i == 0 || width != a.Hidden[i-1] {
				h = networks.Dense(b, name+".in", h, width)
			}
			normalised := networks.LayerNorm(b, name+".norm", h)
			block := activation(networks.Dense(b, name, normalised, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				block = b.Dropout(block, pass, i, a.Dropout)
			}
			h = b.Add(h, block)
			h = b.Layer(name, h)
		}
		return networks.Dense(b, "output", h, a.Outputs)
	}
}
