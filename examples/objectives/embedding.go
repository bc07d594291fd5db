package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

func init() {
	models.RegisterNetwork(models.Network{
		Name: "embedding", Title: "Embedding", Summary: "an MLP on texts that are embedded in up to 8 numbers each",
		Source:      "Guo and Berkhahn 2016",
		Activations: networks.Activations(),
		Embeds:      true,
		Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return networks.MLP(b, networks.EmbedTexts(b, x, a, 8), a)
		},
	})
}
