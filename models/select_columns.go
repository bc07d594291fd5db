package models

import "sml/graph"

// selectColumns returns the columns of x with these indices, which ascend.
func selectColumns(b *graph.Builder, x *graph.Node, indices []int) *graph.Node {
	var runs []*graph.Node
	for from := 0; from < len(indices); {
		to := from + 1
		for to < len(indices) && indices[to] == indices[to-1]+1 {
			to++
		}
		runs = appendColumns(runs, b, x, indices[from], indices[to-1]+1)
		from = to
	}
	return b.Concat(runs...)
}

// repeatColumns returns x [rows, n] with each column count times, side by side: [rows, n·count].
func repeatColumns(b *graph.Builder, x *graph.Node, count int) *graph.Node {
	rows, n := x.Shape()[0], x.Shape()[1]
	column := b.Reshape(x, rows*n, 1)
	return b.Reshape(b.Repeat(column, rows*n, count), rows, n*count)
}

// appendColumns appends the columns from, …, to−1 of x to nodes as one node, if there are any.
func appendColumns(nodes []*graph.Node, b *graph.Builder, x *graph.Node, from, to int) []*graph.Node {
	if from >= to {
		return nodes
	}
	return append(nodes, b.Columns(x, from, to))
}
