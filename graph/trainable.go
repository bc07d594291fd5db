package graph

import (
	"errors"
	"fmt"
	"reflect"

	"sml/graph/internal/ops"
)

// CheckTrainable returns an error if a training cannot minimise loss: if Gorgonia
// differentiates an operation wrongly, if gorgonia.Grad was called, or if a value is
// neither an input or parameter of the builder nor the same in every run.
func (i Inspection) CheckTrainable(loss *Node) error {
	b := i.b
	if loss.Graph() != b.graph {
		return errors.New("it is " + ofAnotherGraph)
	}
	for _, n := range dependencies(loss) {
		if n.Op() == nil && !b.owns(n) {
			return fmt.Errorf("nothing fills or trains the node %q: take numbers to learn from Param, numbers that stay from Const or Constant, random ones from Dropout's masks, Normal and Uniform", n.Name())
		}
		if n.Deriv() != nil {
			return fmt.Errorf("gorgonia.Grad has differentiated %s, and it writes to nodes that all graphs of the process share: take gradients with Grad of the builder", nameOf(n))
		}
		if ops.Of(n).Kind == ops.Random {
			return fmt.Errorf("%v draws numbers that follow from no seed: take random ones from Dropout's masks, Normal and Uniform", n.Op())
		}
	}
	_, err := b.between(loss, b.parameters())
	return err
}

// owns tells whether a node is an input, a mask or a parameter of the builder.
func (b *Builder) owns(n *Node) bool {
	for _, in := range b.inputs {
		if in.node == n {
			return true
		}
	}
	for _, m := range b.masks {
		if m.node == n {
			return true
		}
	}
	return b.nodes[n.Name()] == n
}

// dependencies lists n and the nodes that it is computed from, each once,
// operands first. Of the nodes from, and what they are computed from, none is listed
// that n does not need otherwise.
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

// Same tells whether two nodes, of one graph or two, are computed in the same
// way: by the same operations, constants, inputs and parameters. Functions of
// Elementwise are the same if their values are, at a dozen numbers.
func Same(x, y *Node) bool {
	xs, ys := dependencies(x), dependencies(y)
	if len(xs) != len(ys) {
		return false
	}
	place := func(list Nodes) map[int64]int {
		at := make(map[int64]int, len(list))
		for i, n := range list {
			at[n.ID()] = i
		}
		return at
	}
	atX, atY := place(xs), place(ys)
	for i, n := range xs {
		m := ys[i]
		operands, others := Operands(n), Operands(m)
		if reflect.TypeOf(n.Op()) != reflect.TypeOf(m.Op()) || !sameShape(n, m) || len(operands) != len(others) {
			return false
		}
		for k, o := range operands {
			if atX[o.ID()] != atY[others[k].ID()] {
				return false
			}
		}
		switch {
		case n.Op() == nil:
			if n.Name() != m.Name() {
				return false
			}
		case len(operands) == 0 && n.Value() != nil && m.Value() != nil: // a constant
			if !reflect.DeepEqual(n.Value().Data(), m.Value().Data()) {
				return false
			}
		case n.Op().String() != m.Op().String():
			return false
		default:
			f, is := n.Op().(ops.ByFunction)
			if is && !f.Same(m.Op().(ops.ByFunction)) {
				return false
			}
		}
	}
	return true
}
