package main

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
)

// init registers the network "attention", with hyperparameters of its own.
func init() {
	models.RegisterNetwork(models.Network{
		Name:        "attention",
		Title:       "Attention",
		Summary:     "a transformer whose tokens are the features of a row",
		Source:      "Gorishniy et al. 2021, FT-Transformer; Vaswani et al. 2017, with the layer norms of Xiong et al. 2020",
		Activations: networks.Activations(),
		Hyperparameters: []models.Hyperparameter{
			{Name: "heads", Default: 4.0, Whole: true, Range: models.Range{Min: 1, Max: 64}, Help: "number of attention heads of a block"},
			{Name: "head-width", Default: 8.0, Whole: true, Range: models.Range{Min: 1, Max: 512}, Help: "number of units of an attention head"},
		},
		Build: attention,
	})
}

// attention returns a transformer. It makes a token, a vector of heads·head-width numbers, of each feature,
// and puts a learned token before them. For each hidden layer it has a block: every token attends to all
// tokens, then goes through a hidden layer of this width, and both results are added to it. The outputs are a
// linear layer of the first token.
func attention(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	width := a.Int("heads") * a.Int("head-width")
	rows := x.Shape()[0]
	features := x.Shape()[1]
	return func(pass graph.Pass) *graph.Node {
		firstToken := b.Weight("first", 1, width, graph.Normal(0.1))
		tokens := []*graph.Node{b.Repeat(firstToken, rows, width)} // the same for all rows
		for j := range features {
			feature := b.Columns(x, j, j+1)
			tokens = append(tokens, networks.Dense(b, fmt.Sprintf("token%d", j), feature, width))
		}
		h := b.Reshape(b.Concat(tokens...), rows, 1+features, width)
		for i, units := range a.Hidden {
			name := fmt.Sprintf("block%d", i+1)
			h = b.Add(h, attend(b, name, networks.LayerNorm(b, name+".norm1", h), a.Int("heads")))
			normalised := networks.LayerNorm(b, name+".norm2", h)
			hidden := activation(networks.Dense(b, name+".wide", normalised, units))
			if a.Drop.Drops(i, len(a.Hidden)) {
				hidden = b.Dropout(hidden, pass, i, a.Dropout)
			}
			h = b.Add(h, networks.Dense(b, name+".narrow", hidden, width))
			h = b.Reshape(b.Layer(name, b.Reshape(h, rows, (1+features)*width)), h.Shape()...)
		}
		result := b.Columns(b.Reshape(h, rows, (1+features)*width), 0, width) // the first token
		return networks.Dense(b, "output", networks.LayerNorm(b, "norm", result), a.Outputs)
	}
}

// attend returns multi-head self-attention over the tokens h [rows, tokens, width], in the same shape. Each
// head computes a query, a key and a value of every token; a token gets the mean of all values, weighted by
// the softmax of query·key/√(width/heads). A linear layer joins the results of the heads. Source: Vaswani et
// al. 2017, equation 1 and section 3.2.2.
func attend(b *graph.Builder, name string, h *graph.Node, heads int) *graph.Node {
	rows := h.Shape()[0]
	tokens := h.Shape()[1]
	width := h.Shape()[2]
	headWidth := width / heads
	var results []*graph.Node
	for i := range heads {
		project := func(role string) *graph.Node {
			return networks.Dense(b, fmt.Sprintf("%s.%s%d", name, role, i), h, headWidth)
		}
		scores := b.BatchMatMul(project("query"), b.Transpose(project("key")))
		weights := b.Softmax(b.Scale(1/math.Sqrt(float64(headWidth)), scores))
		means := b.BatchMatMul(weights, project("value"))
		results = append(results, b.Reshape(means, rows*tokens, headWidth))
	}
	joined := networks.Dense(b, name+".join", b.Concat(results...), width)
	return b.Reshape(joined, rows, tokens, width)
}
