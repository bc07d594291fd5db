package models

import (
	"fmt"
	"math"
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

// Activations lists the names that Architecture.Activation can have.
func Activations() []string {
	names := make([]string, len(activations))
	for i, a := range activations {
		names[i] = a.name
	}
	return names
}

func activation(name string) (func(*graph.Builder, *graph.Node) *graph.Node, error) {
	for _, a := range activations {
		if a.name == name {
			return a.apply, nil
		}
	}
	return nil, fmt.Errorf("unknown activation %q: there is %s", name, strings.Join(Activations(), ", "))
}

// MLP is the fully connected network of the paper: hidden layers with an
// activation, inverted dropout after each activation (where a.Drop says so),
// a linear output. Inputs and outputs are never dropped. Weights and biases start
// from U(−1/√fan_in, 1/√fan_in).
func MLP(b *graph.Builder, x *graph.Node, a Architecture) Forward {
	act, err := activation(a.Activation)
	if err != nil {
		b.Fail(err)
		act = activations[0].apply
	}
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			h = act(b, Dense(b, fmt.Sprintf("hidden%d", i+1), h, width))
			if a.Drop.includes(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
		}
		return Dense(b, "output", h, a.Outputs)
	}
}

// Dense is a linear layer h·W + bias with its own parameters name.weight
// [inputs, units] and name.bias [1, units].
func Dense(b *graph.Builder, name string, h *graph.Node, units int) *graph.Node {
	inputs := h.Shape()[1]
	bound := 1 / math.Sqrt(float64(inputs))
	return b.Linear(h, b.Param(name+".weight", inputs, units, bound), b.Param(name+".bias", 1, units, bound))
}
