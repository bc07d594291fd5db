package models

import (
	"fmt"

	"sml/graph"
)

// Embedding is a categorical column that the network embeds. The column has one input for each
// category: the input of the row's category is 1, and the others are 0. Categories that are not told
// apart count as one.
type Embedding struct {
	First      int `json:"first"`      // index of the first input
	Categories int `json:"categories"` // number of categories, and of inputs
}

// maxOneHot is the maximum number of categories of a column that the network does not embed, whatever
// the width. Source: Holzmüller et al. 2024, RealMLP.
const maxOneHot = 9

// Embeds reports whether the network embeds a column with this number of categories. It keeps the inputs
// of a column with few categories, or with no more than an embedding has numbers.
func (a Architecture) Embeds(categories int) bool {
	return a.EmbeddingWidth > 0 && categories > max(maxOneHot, a.EmbeddingWidth)
}

// checkEmbeddings returns an error unless the inputs of the embedded columns exist, ascend and do not
// overlap, and embeddings have a width.
func (a Architecture) checkEmbeddings() error {
	widths := Range{0, Limits.Units.Max}
	if err := widths.Check("the width of embeddings", a.EmbeddingWidth); err != nil {
		return err
	}
	if len(a.Embeddings) > 0 && a.EmbeddingWidth == 0 {
		return fmt.Errorf("%d columns are embedded in 0 numbers", len(a.Embeddings))
	}
	end := 0 // index after the inputs of the previous column
	for _, e := range a.Embeddings {
		if e.First < end || e.Categories < 1 || e.Categories > a.Inputs-e.First {
			return fmt.Errorf("an embedded column of %d categories from input %d on does not fit: there are %d inputs, and the column before it ends at input %d", e.Categories, e.First, a.Inputs, end)
		}
		end = e.First + e.Categories
	}
	return nil
}

// embed returns the inputs x [rows, a.Inputs] with the inputs of each embedded column replaced by its
// embedding: first all other inputs, then the embeddings. It returns x if no column is embedded.
//
// The embedding of a column is the row of its category in the parameter embedding1.weight
// [categories, a.EmbeddingWidth], embedding2.weight and so on. Source: Guo and Berkhahn 2016. The
// parameter starts from 0, so that a category of few rows stays near 0, the embedding of a row without
// a category; predictions are worse if it starts from N(0, 1), as in torch.nn.Embedding.
//
// The inputs are indicators and not the category's index, since an objective may give the network
// other inputs, such as mixtures of rows: their embedding is a mixture of rows of the parameter.
func (a Architecture) embed(b *graph.Builder, x *graph.Node) *graph.Node {
	if len(a.Embeddings) == 0 {
		return x
	}
	var others, embedded []*graph.Node
	end := 0 // index after the inputs of the previous column
	for i, e := range a.Embeddings {
		others = appendColumns(others, b, x, end, e.First)
		end = e.First + e.Categories
		table := b.Weight(fmt.Sprintf("embedding%d.weight", i+1), e.Categories, a.EmbeddingWidth, graph.Fill(0))
		embedded = append(embedded, b.MatMul(b.Columns(x, e.First, end), table))
	}
	others = appendColumns(others, b, x, end, a.Inputs)
	return b.Concat(append(others, embedded...)...)
}
