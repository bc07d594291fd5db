package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

// init registers the network "residual", which any method can train.
func init() {
	models.RegisterNetwork(models.Network{
		Name:        "residual",
		Title:       "Residual",
		Summary:     "hidden layers that add to their inputs, where the width stays",
		Source:      "He et al. 2016",
		Activations: networks.Activations(),
		Build:       residual,
	})
}

// residual returns a network whose hidden layers are added to the layer before, if they are as wide. A layer
// drops units, if the user chose so, before it is added. b.Layer makes a layer available by its name, for
// instance to exported models.
func residual(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			name := fmt.Sprintf("block%d", i+1)
			block := activation(networks.Dense(b, name, h, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				block = b.Dropout(block, pass, i, a.Dropout)
			}
			if i > 0 && width == a.Hidden[i-1] {
				block = b.Add(h, block)
			}
			h = block
			h = b.Layer(name, h)
		}
		return networks.Dense(b, "output", h, a.Outputs)
	}
}
