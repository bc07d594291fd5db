package graph

import (
	"fmt"
	"reflect"

	"sml/internal/ops"
)

// Operands returns the operands of n, in order, nil if n is not the result of an operation.
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

// dependencies returns n and all nodes from which n is computed, each once, operands before their
// users. It leaves out the nodes of excluded, and every node that only they need.
func dependencies(n *Node, excluded ...*Node) Nodes {
	d := dependencyList{seen: make(map[int64]bool)}
	for _, x := range excluded { // the walk stops at nodes that it has seen
		d.seen[x.ID()] = true
	}
	d.add(n)
	return d.nodes
}

// dependencyList collects nodes, operands before their users.
type dependencyList struct {
	nodes Nodes
	seen  map[int64]bool // IDs of nodes that are in the list or excluded
}

// add adds n, after all nodes from which n is computed.
func (d *dependencyList) add(n *Node) {
	if d.seen[n.ID()] {
		return
	}
	d.seen[n.ID()] = true
	for _, operand := range Operands(n) {
		d.add(operand)
	}
	d.nodes = append(d.nodes, n)
}

// SameComputation reports whether two nodes, of one graph or two, are computed in the same way: by the same
// operations, constants, inputs and parameters. Two functions of Builder.Elementwise count as the
// same if their names agree, and their values and derivatives at a dozen numbers.
func SameComputation(x, y *Node) bool {
	xNodes := dependencies(x)
	yNodes := dependencies(y)
	if len(xNodes) != len(yNodes) {
		return false
	}
	xIndex := indexByID(xNodes)
	yIndex := indexByID(yNodes)
	// Both lists are in the same order if the computations are the same, so that operands correspond
	// if their indices agree.
	for k, n := range xNodes {
		m := yNodes[k]
		nOperands := Operands(n)
		mOperands := Operands(m)
		if len(nOperands) != len(mOperands) || !sameShape(n, m) || !sameOperation(n, m, len(nOperands)) {
			return false
		}
		for i, operand := range nOperands {
			if xIndex[operand.ID()] != yIndex[mOperands[i].ID()] {
				return false
			}
		}
	}
	return true
}

// indexByID returns the index of each node, by its ID.
func indexByID(nodes Nodes) map[int64]int {
	index := make(map[int64]int, len(nodes))
	for i, n := range nodes {
		index[n.ID()] = i
	}
	return index
}

// sameOperation reports whether n and m are the same operation, constant, input or parameter. operands
// is the number of operands of each.
func sameOperation(n, m *Node, operands int) bool {
	if reflect.TypeOf(n.Op()) != reflect.TypeOf(m.Op()) {
		return false
	}
	switch {
	case n.Op() == nil:
		return n.Name() == m.Name()
	case operands == 0 && n.Value() != nil && m.Value() != nil: // both are constants
		return reflect.DeepEqual(n.Value().Data(), m.Value().Data())
	case n.Op().String() != m.Op().String():
		return false
	}
	f, isFunction := n.Op().(ops.UserFunction)
	return !isFunction || f.Same(m.Op().(ops.UserFunction))
}

// checkConsistent returns an error if outputs depend on a node that Gorgonia builds without an
// error but computes wrongly: an elementwise operation on a vector and a column or row, or a node
// whose operand Gorgonia recycled when it rewrote log(1 + x).
func checkConsistent(outputs Nodes) error {
	checked := make(map[int64]bool)
	for i, n := range outputs {
		if n == nil {
			return fmt.Errorf("output %d is nil", i)
		}
		if err := checkNode(n, checked); err != nil {
			return err
		}
	}
	return nil
}

// checkNode is checkConsistent for one output. It adds the IDs of the nodes that it visits to
// checked, and skips nodes that are there already.
func checkNode(n *Node, checked map[int64]bool) error {
	if checked[n.ID()] {
		return nil
	}
	checked[n.ID()] = true
	operands := Operands(n)
	if len(operands) > 0 {
		arity := n.Op().Arity() // −1: any number of operands
		if arity >= 0 && arity != len(operands) {
			return recycledError(n)
		}
	}
	for _, x := range operands {
		isOlder := x.Graph() == n.Graph() && x.ID() < n.ID()
		if !isOlder { // operands exist before their users
			return recycledError(n)
		}
		if err := checkNode(x, checked); err != nil {
			return err
		}
	}
	return checkShapes(n, operands)
}

// checkShapes returns an error if n is an elementwise operation on different shapes that Gorgonia
// takes for equal.
func checkShapes(n *Node, operands Nodes) error {
	if len(operands) != 2 || ops.OperationOf(n).Kind != ops.KindElementwise {
		return nil
	}
	x, y := operands[0], operands[1]
	if x.IsScalar() || y.IsScalar() || sameShape(x, y) {
		return nil
	}
	return fmt.Errorf("%v of %s and %s: Gorgonia takes their shapes for equal, and they are not: make them equal with b.Reshape, or sum with b.SumRows or b.SumColumns",
		n.Op(), describeShape(x), describeShape(y))
}

// recycledError returns the error for a node with a recycled operand.
func recycledError(n *Node) error {
	return fmt.Errorf("%v uses a node that Gorgonia has recycled: it rewrites log(1 + x), log(1 − x) and similar logarithms, whose argument cannot be used again; build the argument twice", n.Op())
}
