package networks

import "sml/graph"

// Embedding returns the embedding [rows, width] of an index [rows, 1] with the values 0, 1, …,
// categories−1: row i of the parameter name.weight [categories, width] for index i. The parameter starts
// from N(0, 1), as in torch.nn.Embedding.
//
// A run returns an error if an index is not an integer from 0 to categories−1. Inputs of a network are
// standardised and cannot be indices: use models.Task.Column.
func Embedding(b *graph.Builder, name string, index *graph.Node, categories, width int) *graph.Node {
	table := b.Weight(name+".weight", categories, width, graph.Normal(1))
	return b.Rows(table, index)
}
