package graph

import (
	"fmt"
	"slices"

	"sml/graph/internal/ops"
)

// sameShape tells whether two nodes have the same shape. Gorgonia's own
// Shape.Eq takes the column [n 1] and the row [1 n] for the vector [n].
func sameShape(x, y *Node) bool { return slices.Equal(x.Shape(), y.Shape()) }

// consistent looks through all that the outputs depend on for what Gorgonia
// builds without an error and no engine computes as it was meant: elementwise
// operations on a vector and a column or row, and nodes that Gorgonia has
// recycled, in its rewriting of log(1 + x), while they were still in use.
func consistent(outputs Nodes) error {
	seen := make(map[int64]bool)
	var visit func(n *Node) error
	visit = func(n *Node) error {
		if seen[n.ID()] {
			return nil
		}
		seen[n.ID()] = true
		operands := Operands(n)
		for _, o := range operands {
			if o.Graph() != n.Graph() || o.ID() >= n.ID() { // what is used is older than its user
				return fmt.Errorf("%v uses a node that Gorgonia has recycled: it rewrites log(1 + x), log(1 − x) and their like, and the argument of such a logarithm cannot be used again; build it twice", n.Op())
			}
			if err := visit(o); err != nil {
				return err
			}
		}
		if len(operands) != 2 || ops.Of(n).Kind != ops.OnElements {
			return nil
		}
		x, y := operands[0], operands[1]
		if x.IsScalar() || y.IsScalar() || sameShape(x, y) {
			return nil
		}
		return fmt.Errorf("%v of %s and %s: Gorgonia takes their shapes for equal, and they are not: make them so with b.Reshape, or sum with b.SumRows or b.SumColumns",
			n.Op(), shapeOf(x), shapeOf(y))
	}
	for i, n := range outputs {
		if n == nil {
			return fmt.Errorf("output %d is nil", i)
		}
		if err := visit(n); err != nil {
			return err
		}
	}
	return nil
}
