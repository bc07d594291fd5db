package graph

import (
	"errors"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// Rows returns rows of a table [levels, width], those whose numbers, from 0, an index
// [n, 1] has: [n, width]. The gradient of a row of the table is the sum of those of its
// uses; none flows to the index. Where that is not an integer from 0 to levels − 1, the
// run is an error that says so and names the row of the index.
func (b *Builder) Rows(table, index *Node) *Node {
	return b.apply("Rows", Nodes{table, index}, func() (*Node, error) {
		if !table.IsMatrix() || index.Dims() != 2 || index.Shape()[1] != 1 {
			return nil, errors.New("want a table [levels width] and an index [n 1]")
		}
		return gorgonia.ApplyOp(ops.NewRows(), table, index)
	})
}
