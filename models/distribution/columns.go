package distribution

import (
	"slices"

	"sml/graph"
)

// repeatColumns returns, for each node, n copies of it side by side as one node.
func repeatColumns(b *graph.Builder, nodes []*graph.Node, n int) []*graph.Node {
	var repeated []*graph.Node
	for _, node := range nodes {
		copies := slices.Repeat([]*graph.Node{node}, n)
		repeated = append(repeated, b.Concat(copies...))
	}
	return repeated
}

// constantRow returns a constant [1, columns] in which each value fills an equal number of
// neighbouring columns.
func constantRow(b *graph.Builder, values []float64, columns int) *graph.Node {
	columnsPerValue := columns / len(values)
	var row []float64
	for _, v := range values {
		row = append(row, slices.Repeat([]float64{v}, columnsPerValue)...)
	}
	return b.Constant(1, columns, row)
}

// standardQuantiles returns the quantiles of N(0, 1) at the given levels.
func standardQuantiles(levels []float64) []float64 {
	var quantiles []float64
	for _, level := range levels {
		quantiles = append(quantiles, standardQuantile(level))
	}
	return quantiles
}

// fold returns op(op(op(n₀, n₁), n₂), …) of nodes, such as their sum. There is at least one.
func fold(op func(x, y *graph.Node) *graph.Node, nodes []*graph.Node) *graph.Node {
	result := nodes[0]
	for _, n := range nodes[1:] {
		result = op(result, n)
	}
	return result
}
