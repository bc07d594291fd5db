package networks

import "sml/graph"

// Embedding is a learnt row of so many numbers for each level 0, 1, … of an index
// [rows, 1]: [rows, width]. The rows are the parameter name.weight [levels, width],
// which starts from N(0, 1) as torch.nn.Embedding's. An index that is no integer from 0
// to levels − 1 is an error of the run, so it may not be standardised: it is a
// models.Task.Column, not a part of a network's inputs.
func Embedding(b *graph.Builder, name string, index *graph.Node, levels, width int) *graph.Node {
	return b.Rows(b.Weight(name+".weight", levels, width, graph.Normal(1)), index)
}
