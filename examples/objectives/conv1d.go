package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

func init() {
	models.RegisterNetwork(models.Network{
		Name: "conv1d", Title: "Conv1D", Summary: "convolutions of width 3 along the input columns, a channel for each hidden unit",
		Source:      "LeCun et al. 1989",
		Activations: networks.Activations(),
		Build:       conv1d,
	})
}

// conv1d takes the input columns for a sequence of one channel.
func conv1d(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		rows := x.Shape()[0]
		length := a.Inputs
		channels := 1
		h := b.Reshape(x, rows, length, channels)
		for i, width := range a.Hidden {
			h = activation(networks.Conv1D(b, fmt.Sprintf("conv%d", i+1), h, width, graph.Window{Width: 3, Padding: 1}))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
			channels = width
		}
		return networks.Dense(b, "output", b.Reshape(h, rows, length*channels), a.Outputs)
	}
}
