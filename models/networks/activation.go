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
	{"mish", mish},
	{"selu", selu},
}

// mish returns x·tanh(log(1 + eˣ)). Source: Misra 2019, equation 1.
func mish(b *graph.Builder, x *graph.Node) *graph.Node { return b.Mul(x, b.Tanh(b.Softplus(x))) }

// selu returns λx where x > 0, else λα(eˣ − 1). Source: Klambauer et al. 2017, equation 2, with α and λ of its
// equation 14.
func selu(b *graph.Builder, x *graph.Node) *graph.Node {
	const (
		alpha  = 1.6732632423543772
		lambda = 1.0507009873554805
	)
	negative := b.Expm1(b.Min(x, b.Const(0)))
	return b.Add(b.Scale(lambda, b.ReLU(x)), b.Scale(lambda*alpha, negative))
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
