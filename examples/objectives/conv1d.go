package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

// init registers the network "conv1d", for tables whose input columns are a sequence, such as the values of a
// sensor at successive times.
func init() {
	models.RegisterNetwork(models.Network{
		Name:        "conv1d",
		Title:       "Conv1D",
		Summary:     "convolutions of width 3 along the input columns, a channel for each hidden unit",
		Source:      "LeCun et al. 1989",
		Activations: networks.Activations(),
		Build:       conv1d,
	})
}

// conv1d returns a network that reads the input columns as a sequence [rows, inputs, 1] of one channel. Each
// hidden layer is a convolution along the sequence, padded so that its length stays, with a channel for each
// unit. The outputs are a linear layer of all channels at all positions.
func conv1d(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		rows := x.Shape()[0]
		length := a.Inputs
		channels := 1
		h := b.Reshape(x, rows, length, channels)
		for i, width := range a.Hidden {
			name := fmt.Sprintf("conv%d", i+1)
			h = activation(networks.Conv1D(b, name, h, width, graph.Window{Width: 3, Padding: 1}))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
			channels = width
		}
		return networks.Dense(b, "output", b.Reshape(h, rows, length*channels), a.Outputs)
	}
}
