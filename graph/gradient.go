package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// Gradients returns the gradient of the scalar loss with respect to every
// parameter, in the order of Params.List. A parameter that the loss does not
// depend on, or only through a StopGradient, has a gradient of zeros.
//
// Gradients may be taken once of a graph, and not with gorgonia.Grad before:
// Gorgonia notes them in the nodes, and would take those notes for part of the
// next gradient.
func (b *Builder) Gradients(loss *Node) Nodes {
	grads := make(Nodes, len(b.params.list))
	b.apply("Gradients", Nodes{loss}, func() (*Node, error) {
		if !loss.IsScalar() {
			return nil, fmt.Errorf("want a scalar loss, such as a Mean")
		}
		if err := b.Undifferentiated(); err != nil {
			return nil, err
		}
		if err := b.rightlyDifferentiated(loss); err != nil {
			return nil, err
		}
		b.differentiated = "Gradients was called" + Origin()
		reached := b.differentiable(loss)
		var wrt Nodes
		var index []int
		for i, p := range b.params.list {
			if n := b.nodes[p.Name]; n != nil && reached[n.ID()] {
				wrt, index = append(wrt, n), append(index, i)
				continue
			}
			zeros, err := b.newBuffer("zero gradient of "+p.Name, p.Rows, p.Columns)
			if err != nil {
				return nil, err
			}
			zeros.zero = true
			b.inputs = append(b.inputs, zeros)
			grads[i] = zeros.node
		}
		if len(wrt) == 0 {
			return nil, fmt.Errorf("no parameter receives a gradient from this loss")
		}
		found, err := gorgonia.Grad(loss, wrt...)
		if err != nil {
			return nil, err
		}
		for j, g := range found {
			grads[index[j]] = g
		}
		return loss, nil
	})
	return grads
}

// Undifferentiated returns an error if gradients have been taken in the graph:
// by Gradients, or by gorgonia.Grad in an objective of plain gorgonia functions.
func (b *Builder) Undifferentiated() error {
	by := b.differentiated
	for _, n := range b.graph.AllNodes() {
		if by == "" && n.Deriv() != nil {
			by = "gorgonia.Grad was called"
		}
	}
	if by == "" {
		return nil
	}
	return fmt.Errorf("gradients are taken once of a graph, by the training of the whole objective, and %s before: an objective cannot contain a gradient", by)
}

// differentiable lists the nodes that loss depends on by a path without a stop.
func (b *Builder) differentiable(loss *Node) map[int64]bool {
	reached := make(map[int64]bool)
	var visit func(n *Node)
	visit = func(n *Node) {
		if reached[n.ID()] {
			return
		}
		reached[n.ID()] = true
		op, ok := n.Op().(gorgonia.SDOp)
		if !ok {
			return
		}
		operands := Operands(n)
		for i, through := range op.DiffWRT(len(operands)) {
			if through && i < len(operands) {
				visit(operands[i])
			}
		}
	}
	visit(loss)
	return reached
}

// Operands returns the nodes that n is computed from, in order.
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
