package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

// init registers the network "embedding". With Embeds, it gets the columns of texts as they are, and learns a few
// numbers for each category.
func init() {
	models.RegisterNetwork(models.Network{
		Name:        "embedding",
		Title:       "Embedding",
		Summary:     "an MLP on texts that are embedded in up to 8 numbers each",
		Source:      "Guo and Berkhahn 2016",
		Activations: networks.Activations(),
		Embeds:      true,
		Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			const maxNumbers = 8 // of a category
			return networks.MLP(b, networks.EmbedTexts(b, x, a, maxNumbers), a)
		},
	})
}
