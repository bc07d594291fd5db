package methods

import (
	"sml/graph"
)

// SoftplusAtLeast returns max(softplus(x), floor), in the shape of x: numbers above 0 for outputs of a
// network, which may be any number. Values at the floor get no gradient.
func SoftplusAtLeast(b *graph.Builder, x *graph.Node, floor float64) *graph.Node {
	return b.ClampMin(b.Softplus(x), floor)
}
