package networks

import (
	"math"

	"sml/graph"
)

// Dense is a linear layer h·W + bias with its own parameters name.weight
// [inputs, units] and name.bias [1, units], which start from
// U(−1/√inputs, 1/√inputs). h is [rows, inputs], or has more axes, of which the last is
// that of the inputs: a layer of each token or place.
func Dense(b *graph.Builder, name string, h *graph.Node, units int) *graph.Node {
	return asMatrix(b, "Dense", h, func(h *graph.Node) *graph.Node {
		inputs := h.Shape()[1]
		return b.Linear(h, weight(b, name, inputs, units), b.Param(name+".bias", 1, units, graph.Uniform(1/math.Sqrt(float64(inputs)))))
	})
}

// weight is the matrix of a layer.
func weight(b *graph.Builder, name string, inputs, units int) *graph.Node {
	return b.Weight(name+".weight", inputs, units, graph.Uniform(1/math.Sqrt(float64(inputs))))
}
