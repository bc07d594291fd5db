package networks

import (
	"math"

	"sml/graph"
)

// Dense is a linear layer h·W + bias with its own parameters name.weight
// [inputs, units] and name.bias [1, units], which start from
// U(−1/√inputs, 1/√inputs).
func Dense(b *graph.Builder, name string, h *graph.Node, units int) *graph.Node {
	inputs := h.Shape()[1]
	bound := 1 / math.Sqrt(float64(inputs))
	return b.Linear(h, b.Param(name+".weight", inputs, units, graph.Uniform(bound)), b.Param(name+".bias", 1, units, graph.Uniform(bound)))
}
