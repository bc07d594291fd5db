package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

func init() {
	models.RegisterNetwork(models.Network{
		Name: "residual", Title: "Residual", Summary: "hidden layers that add to what comes in, where the width stays",
		Source:      "He et al. 2016",
		Activations: networks.Activations(),
		Build:       residual,
	})
}

// residual is a network whose hidden layers add to what comes in where they are
// as wide. A layer drops units, if the user has it drop any, before it adds.
func residual(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			block := activation(networks.Dense(b, fmt.Sprintf("block%d", i+1), h, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				block = b.Dropout(block, pass, i, a.Dropout)
			}
			if i > 0 && width == a.Hidden[i-1] {
				block = b.Add(h, block)
			}
			h = block
			b.Layer(fmt.Sprintf("block%d", i+1), h)
		}
		return networks.Dense(b, "output", h, a.Outputs)
	}
}
