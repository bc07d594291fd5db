package graph

import (
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// Elementwise returns f(x) element by element, for a function that the builder has
// no method for; derivative is that of f, which the gradient takes. name is what
// profiles and errors call it. Both are given the numbers in float64, and their
// results are rounded to the graph's type. They depend on nothing but their
// argument; results that are the same on every CPU need functions that are.
//
// There is no second derivative: a gradient of the gradient is an error.
func (b *Builder) Elementwise(name string, x *Node, f, derivative func(x float64) float64) *Node {
	return b.apply("Elementwise", Nodes{x}, func() (*Node, error) {
		switch {
		case name == "":
			return nil, errors.New("the function has no name")
		case f == nil || derivative == nil:
			return nil, fmt.Errorf("%q: want a function and its derivative, not nil", name)
		}
		panicked := func(r any) error { return Panicked(fmt.Sprintf("Elementwise %q", name), r) }
		return gorgonia.ApplyOp(ops.NewByFunction(name, f, derivative, panicked), x)
	})
}
