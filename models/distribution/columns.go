package distribution

import (
	"slices"

	"sml/graph"
)

// repeatEach returns each node side by side with itself, n times.
func repeatEach(b *graph.Builder, nodes []*graph.Node, n int) []*graph.Node {
	var repeated []*graph.Node
	for _, node := range nodes {
		repeated = append(repeated, b.Concat(slices.Repeat([]*graph.Node{node}, n)...))
	}
	return repeated
}

// rowOf returns a row in which each value is repeated, so that the row has the given number of
// columns.
func rowOf(b *graph.Builder, values []float64, columns int) *graph.Node {
	var row []float64
	for _, v := range values {
		row = append(row, slices.Repeat([]float64{v}, columns/len(values))...)
	}
	return b.Constant(1, columns, row)
}

// standardQuantiles returns the quantiles of N(0, 1).
func standardQuantiles(levels []float64) []float64 {
	var z []float64
	for _, level := range levels {
		z = append(z, standardQuantile(level))
	}
	return z
}
