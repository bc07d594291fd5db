package graph

import (
	"slices"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// Iteration is a computation that Builder.Iterate repeats.
type Iteration struct {
	Times int
	Start Nodes // values before the first step
	In    Nodes // values that the first step gets
	Out   Nodes // values that the first step returns
	End   Nodes // values after the last step
}

// Iterate returns the values that a number of steps make of start. It calls step once for each step:
// first with values equal to start, then with the values that the last call returned. All calls have
// to build the same computation, and return as many values as they get, in the same shapes.
// Gradients flow through all steps. In an exported model the steps are a loop, so that its size does
// not grow with their number. The builder fails if times < 1 or the shapes change.
func (b *Builder) Iterate(times int, start Nodes, step func(values Nodes) Nodes) Nodes {
	if times < 1 || len(start) == 0 {
		b.fail("Iterate", start, "%d steps over %d values: want one or more of both", times, len(start))
		return start
	}
	i := Iteration{Times: times, Start: start}
	i.In = b.copies(start)
	values := i.In
	for range times {
		values = step(slices.Clone(values))
		if !b.sameShapes(values, start) {
			return start
		}
		if i.Out == nil {
			i.Out = values
		}
	}
	i.End = b.copies(values)
	if b.err == nil {
		b.inspection.Iterations = append(b.inspection.Iterations, i)
	}
	return i.End
}

// copies returns distinct nodes with the values of nodes. They mark where an iteration begins and
// ends.
func (b *Builder) copies(nodes Nodes) Nodes {
	var copies Nodes
	for _, n := range nodes {
		duplicate := b.copyNode(n)
		for slices.Contains(copies, duplicate) && b.err == nil {
			duplicate = b.copyNode(duplicate) // Gorgonia has one node for equal operations on a node
		}
		copies = append(copies, duplicate)
	}
	return copies
}

// copyNode returns a node with the values of n.
func (b *Builder) copyNode(n *Node) *Node {
	return b.apply("Iterate", Nodes{n}, func() (*Node, error) {
		return gorgonia.ApplyOp(ops.NewReshape(n.Shape(), n.Shape()), n)
	})
}

// sameShapes reports whether a step returned as many values as it got, in the same shapes. The
// builder fails if not.
func (b *Builder) sameShapes(got, want Nodes) bool {
	if b.err != nil {
		return false
	}
	if len(got) != len(want) {
		b.fail("Iterate", want, "a step returned %d values; want %d", len(got), len(want))
		return false
	}
	for i, n := range got {
		if n == nil || !n.Shape().Eq(want[i].Shape()) {
			b.fail("Iterate", want, "value %d of a step has the shape %s; want %s", i+1, describeShape(n), describeShape(want[i]))
			return false
		}
	}
	return true
}
