package networks

import (
	"fmt"

	"sml/graph"
	"sml/models"
)

// EmbedTexts returns the inputs x [rows, a.Inputs] with each column of texts (a.Texts), which has
// one input per category, replaced by its embedding: [rows, numbers], first all other inputs, then
// the embeddings.
//
// The embedding of a column of n categories has min(width, ⌈n/2⌉) numbers. It is the parameter
// text1.weight [n, numbers], text2.weight and so on, which starts from N(0, 1) as in
// torch.nn.Embedding. A row without a category gets zeros. Source: Guo and Berkhahn 2016.
func EmbedTexts(b *graph.Builder, x *graph.Node, a models.Architecture, width int) *graph.Node {
	if len(a.Texts) == 0 {
		return x
	}
	var others, embedded []*graph.Node
	end := 0 // index after the inputs of the last text
	for i, text := range a.Texts {
		others = appendColumns(others, b, x, end, text.First)
		end = text.First + text.Categories
		numbers := min(width, (text.Categories+1)/2)
		table := b.Weight(fmt.Sprintf("text%d.weight", i+1), text.Categories, numbers, graph.Normal(1))
		oneHot := b.Columns(x, text.First, end)
		// A row of oneHot has a 1 for its category, so the product is the category's row of the table.
		embedded = append(embedded, b.MatMul(oneHot, table))
	}
	others = appendColumns(others, b, x, end, a.Inputs)
	return b.Concat(append(others, embedded...)...)
}

// appendColumns appends the columns from, …, to−1 of x to nodes as one node, if there are any.
func appendColumns(nodes []*graph.Node, b *graph.Builder, x *graph.Node, from, to int) []*graph.Node {
	if from >= to {
		return nodes
	}
	return append(nodes, b.Columns(x, from, to))
}
