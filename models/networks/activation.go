package networks

import (
	"fmt"
	"strings"

	"sml/graph"
)

// activations lists the activation functions. The first is the default.
var activations = []struct {
	name  string
	apply func(*graph.Builder, *graph.Node) *graph.Node
}{
	{"relu", (*graph.Builder).ReLU},
	{"tanh", (*graph.Builder).Tanh},
	{"sigmoid", (*graph.Builder).Sigmoid},
	{"softplus", (*graph.Builder).Softplus},
	{"identity", func(_ *graph.Builder, x *graph.Node) *graph.Node { return x }},
}

// Activations returns the names of all activation functions. The first is the default.
func Activations() []string {
	names := make([]string, len(activations))
	for i, a := range activations {
		names[i] = a.name
	}
	return names
}

// Activation returns the activation function with the given name, which acts on each element. If there is
// none, the builder fails, and the returned function changes nothing.
func Activation(b *graph.Builder, name string) func(*graph.Node) *graph.Node {
	for _, a := range activations {
		if a.name == name {
			return func(x *graph.Node) *graph.Node { return a.apply(b, x) }
		}
	}
	b.Fail(fmt.Errorf("unknown activation %q; want one of %s", name, strings.Join(Activations(), ", ")))
	return func(x *graph.Node) *graph.Node { return x }
}
