package networks

import (
	"math"

	"sml/graph"
)

// Dense returns the fully connected linear layer h·weight + bias: [rows, units] for h
// [rows, inputs]. If h has more axes, the last is the inputs and the layer acts on each position.
// The parameters are name.weight [inputs, units] and name.bias [1, units], which start from
// U(−1/√inputs, 1/√inputs), as in torch.nn.Linear.
func Dense(b *graph.Builder, name string, h *graph.Node, units int) *graph.Node {
	return applyToLastAxis(b, "Dense", h, func(h *graph.Node) *graph.Node {
		inputs := h.Shape()[1]
		weight := weightMatrix(b, name, inputs, units)
		bias := b.Param(name+".bias", 1, units, graph.Uniform(initialBound(inputs)))
		return b.Linear(h, weight, bias)
	})
}

// weightMatrix returns the parameter name.weight [inputs, units] of a fully connected layer.
func weightMatrix(b *graph.Builder, name string, inputs, units int) *graph.Node {
	return b.Weight(name+".weight", inputs, units, graph.Uniform(initialBound(inputs)))
}

// initialBound returns the bound of the uniform distribution from which the parameters of a layer
// start, 1/√inputs.
func initialBound(inputs int) float64 { return 1 / math.Sqrt(float64(inputs)) }
