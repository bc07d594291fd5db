package graph

import (
	"slices"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// Iteration is a computation that Builder.Iterate repeats. Its first step, from In to Out, is the body
// of the loop that an exported model has in place of all steps.
type Iteration struct {
	Times int   // number of steps
	Start Nodes // values before the first step
	In    Nodes // values that the first step gets: copies of Start
	Out   Nodes // values that the first step returns
	End   Nodes // values after the last step: copies of what it returns
}

// Iterate returns the values that a number of steps make of start. It calls step once for each step:
// first with values equal to start, then with the values that the last call returned. All calls have
// to build the same computation, and return as many values as they get, in the same shapes.
// Gradients flow through all steps. In an exported model the steps are a loop, so that its size does
// not grow with their number. The builder fails if times < 1 or the shapes change.
func (b *Builder) Iterate(times int, start Nodes, step func(values Nodes) Nodes) Nodes {
	if times < 1 || len(start) == 0 {
		b.failOperation("Iterate", start, "%d steps over %d values: want one or more of both", times, len(start))
		return start
	}
	i := Iteration{Times: times, Start: start}
	i.In = b.copies(start) // distinct nodes, which only the first step uses
	values := i.In
	for range times {
		values = step(slices.Clone(values)) // a clone, since step may change its argument
		if !b.checkStepValues(values, start) {
			return start
		}
		if i.Out == nil { // the first step
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
// ends: nothing else computes or uses them, even if the same node occurs twice among the values or
// is used outside of the iteration.
func (b *Builder) copies(nodes Nodes) Nodes {
	var copies Nodes
	for _, n := range nodes {
		duplicate := b.copyNode(n)
		// Gorgonia has one node for equal operations on a node, so that a second copy of n is the
		// first one again. A copy of the copy is a new node.
		for slices.Contains(copies, duplicate) && b.err == nil {
			duplicate = b.copyNode(duplicate)
		}
		copies = append(copies, duplicate)
	}
	return copies
}

// copyNode returns a node with the values of n: n in its own shape.
func (b *Builder) copyNode(n *Node) *Node {
	return b.apply("Iterate", Nodes{n}, func() (*Node, error) {
		return gorgonia.ApplyOp(ops.NewReshape(n.Shape(), n.Shape()), n)
	})
}

// checkStepValues makes the builder fail unless a step of Iterate returned as many values as it got,
// in the same shapes. It returns false if the builder has failed.
func (b *Builder) checkStepValues(got, want Nodes) bool {
	if b.err != nil {
		return false
	}
	if len(got) != len(want) {
		b.failOperation("Iterate", want, "a step returned %d values; want %d", len(got), len(want))
		return false
	}
	for i, n := range got {
		if n == nil || !n.Shape().Eq(want[i].Shape()) {
			b.failOperation("Iterate", want, "value %d of a step has the shape %s; want %s", i+1, describeShape(n), describeShape(want[i]))
			return false
		}
	}
	return true
}
