package main

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

func init() {
	models.RegisterNetwork(models.Network{
		Name: "attention", Title: "Attention", Summary: "a transformer whose tokens are the features of a row",
		Source:      "Gorishniy et al. 2021, FT-Transformer; Vaswani et al. 2017, with the layer norms of Xiong et al. 2020",
		Activations: networks.Activations(),
		Hyperparameters: []models.Hyperparameter{
			{Name: "heads", Default: 4.0, Whole: true, Range: models.Range{Min: 1, Max: 64}, Help: "attention heads of a block"},
			{Name: "head-width", Default: 8.0, Whole: true, Range: models.Range{Min: 1, Max: 512}, Help: "numbers of a token that a head looks at"},
		},
		Build: attention,
	})
}

// attention makes a token of each feature and puts a learned token before them. For each hidden layer
// it has a block: every token attends to all tokens, then goes through a hidden layer of this width, and
// both results are added to it. The outputs are a linear layer of the first token.
func attention(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	width := a.Int("heads") * a.Int("head-width")
	rows := x.Shape()[0]
	features := x.Shape()[1]
	return func(pass graph.Pass) *graph.Node {
		first := b.Weight("first", 1, width, graph.Normal(0.1))
		tokens := []*graph.Node{b.Repeat(first, rows, width)}
		for j := range features {
			tokens = append(tokens, networks.Dense(b, fmt.Sprintf("token%d", j), b.Columns(x, j, j+1), width))
		}
		h := b.Reshape(b.Concat(tokens...), rows, 1+features, width)
		for i, units := range a.Hidden {
			name := fmt.Sprintf("block%d", i+1)
			h = b.Add(h, attend(b, name, networks.LayerNorm(b, name+".norm1", h), a.Int("heads")))
			wide := activation(networks.Dense(b, name+".wide", networks.LayerNorm(b, name+".norm2", h), units))
			if a.Drop.Drops(i, len(a.Hidden)) {
				wide = b.Dropout(wide, pass, i, a.Dropout)
			}
			h = b.Add(h, networks.Dense(b, name+".narrow", wide, width))
			b.Layer(name, b.Reshape(h, rows, (1+features)*width))
		}
		out := b.Columns(b.Reshape(h, rows, (1+features)*width), 0, width)
		return networks.Dense(b, "output", networks.LayerNorm(b, "norm", out), a.Outputs)
	}
}

// attend is multi-head self-attention over the tokens h [rows, tokens, width].
func attend(b *graph.Builder, name string, h *graph.Node, heads int) *graph.Node {
	rows := h.Shape()[0]
	tokens := h.Shape()[1]
	width := h.Shape()[2]
	var all []*graph.Node
	for i := range heads {
		part := func(what string) *graph.Node {
			return networks.Dense(b, fmt.Sprintf("%s.%s%d", name, what, i), h, width/heads)
		}
		scores := b.BatchMatMul(part("query"), b.Transpose(part("key")))
		weights := b.Softmax(b.Scale(1/math.Sqrt(float64(width/heads)), scores))
		seen := b.BatchMatMul(weights, part("value"))
		all = append(all, b.Reshape(seen, rows*tokens, width/heads))
	}
	return b.Reshape(networks.Dense(b, name+".join", b.Concat(all...), width), rows, tokens, width)
}
