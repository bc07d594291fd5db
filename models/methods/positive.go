package methods

import (
	"sml/graph"
)

// Positive is how outputs x become numbers above 0: max(softplus(x), floor). Where it
// is at the floor no gradient flows.
func Positive(b *graph.Builder, x *graph.Node, floor float64) *graph.Node {
	return b.ClampMin(b.Softplus(x), floor)
}
