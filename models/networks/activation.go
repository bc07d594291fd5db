package networks

import (
	"fmt"
	"strings"

	"sml/graph"
)

// activations in the order in which they are offered.
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

// Activations lists the names that Activation knows.
func Activations() []string {
	names := make([]string, len(activations))
	for i, a := range activations {
		names[i] = a.name
	}
	return names
}

// Activation returns the elementwise function of that name. An unknown name is an
// error of the builder.
func Activation(b *graph.Builder, name string) func(*graph.Node) *graph.Node {
	for _, a := range activations {
		if a.name == name {
			return func(x *graph.Node) *graph.Node { return a.apply(b, x) }
		}
	}
	b.Fail(fmt.Errorf("unknown activation %q: there is %s", name, strings.Join(Activations(), ", ")))
	return func(x *graph.Node) *graph.Node { return x }
}
