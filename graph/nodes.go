package graph

import (
	"fmt"
	"reflect"

	"sml/internal/ops"
)

// Operands returns the operands of n, in order.
func Operands(n *Node) Nodes {
	it := n.Graph().From(n.ID())
	if it == nil {
		return nil
	}
	var operands Nodes
	for it.Next() {
		operands = append(operands, it.Node().(*Node))
	}
	return operands
}

// dependencies returns n and all nodes from which n is computed, each once, operands first. It
// leaves out the nodes of from, and every node that only they need.
func dependencies(n *Node, from ...*Node) Nodes {
	var list Nodes
	seen := make(map[int64]bool)
	for _, f := range from {
		seen[f.ID()] = true
	}
	var visit func(n *Node)
	visit = func(n *Node) {
		if seen[n.ID()] {
			return
		}
		seen[n.ID()] = true
		for _, o := range Operands(n) {
			visit(o)
		}
		list = append(list, n)
	}
	visit(n)
	return list
}

// Same reports whether two nodes, of one graph or two, are computed in the same way: by
// the same operations, constants, inputs and parameters. Functions of Elementwise count as
// the same if their values agree at a dozen numbers.
func Same(x, y *Node) bool {
	xs, ys := dependencies(x), dependencies(y)
	if len(xs) != len(ys) {
		return false
	}
	indexX, indexY := indexByID(xs), indexByID(ys)
	for k, n := range xs {
		m := ys[k]
		operands, others := Operands(n), Operands(m)
		if len(operands) != len(others) || !sameShape(n, m) || !sameOperation(n, m, len(operands)) {
			return false
		}
		for l, o := range operands {
			if indexX[o.ID()] != indexY[others[l].ID()] {
				return false
			}
		}
	}
	return true
}

// indexByID returns the index of each node of list, by its ID.
func indexByID(list Nodes) map[int64]int {
	index := make(map[int64]int, len(list))
	for i, n := range list {
		index[n.ID()] = i
	}
	return index
}

// sameOperation reports whether n and m, which have that many operands, are the same
// operation, constant, input or parameter.
func sameOperation(n, m *Node, operands int) bool {
	if reflect.TypeOf(n.Op()) != reflect.TypeOf(m.Op()) {
		return false
	}
	switch {
	case n.Op() == nil:
		return n.Name() == m.Name()
	case operands == 0 && n.Value() != nil && m.Value() != nil: // constants
		return reflect.DeepEqual(n.Value().Data(), m.Value().Data())
	case n.Op().String() != m.Op().String():
		return false
	}
	f, isFunction := n.Op().(ops.UserFunction)
	return !isFunction || f.Same(m.Op().(ops.UserFunction))
}

// checkConsistent returns an error if outputs depend on nodes that Gorgonia builds without
// an error but computes wrongly: elementwise operations on a vector and a column or row, and
// nodes in use that Gorgonia recycled when it rewrote log(1 + x).
func checkConsistent(outputs Nodes) error {
	seen := make(map[int64]bool)
	var visit func(n *Node) error
	visit = func(n *Node) error {
		if seen[n.ID()] {
			return nil
		}
		seen[n.ID()] = true
		operands := Operands(n)
		if len(operands) > 0 && n.Op().Arity() >= 0 && n.Op().Arity() != len(operands) {
			return recycledError(n)
		}
		for _, o := range operands {
			if o.Graph() != n.Graph() || o.ID() >= n.ID() { // operands are older than their users
				return recycledError(n)
			}
			if err := visit(o); err != nil {
				return err
			}
		}
		return checkShapes(n, operands)
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

// checkShapes returns an error if n is elementwise and its operands have different shapes, which
// Gorgonia takes for equal.
func checkShapes(n *Node, operands Nodes) error {
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

// recycledError returns the error of a node with a recycled operand.
func recycledError(n *Node) error {
	return fmt.Errorf("%v uses a node that Gorgonia has recycled: it rewrites log(1 + x), log(1 − x) and their like, and the argument of such a logarithm cannot be used again; build it twice", n.Op())
}
