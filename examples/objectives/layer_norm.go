package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

func init() {
	models.RegisterNetwork(models.Network{
		Name: "layer-norm", Title: "Layer norm", Summary: "residual blocks with a layer norm before each",
		Source:      "Ba et al. 2016; He et al. 2016",
		Activations: networks.Activations(),
		Build:       layerNorm,
	})
}

// layerNorm adds a block to what comes in for each hidden layer, h + activation(D(N(h)));
// where the width is another than before, a linear layer comes first.
func layerNorm(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			name := fmt.Sprintf("block%d", i+1)
			if i == 0 || width != a.Hidden[i-1] {
				h = networks.Dense(b, name+".in", h, width)
			}
			block := activation(networks.Dense(b, name, networks.LayerNorm(b, name+".norm", h), width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				block = b.Dropout(block, pass, i, a.Dropout)
			}
			h = b.Add(h, block)
			b.Layer(name, h)
		}
		return networks.Dense(b, "output", h, a.Outputs)
	}
}
