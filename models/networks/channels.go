package networks

import (
	"fmt"
	"slices"

	"sml/graph"
)

// asMatrix applies a layer to x as a matrix of its channels.
func asMatrix(b *graph.Builder, what string, x *graph.Node, layer func(*graph.Node) *graph.Node) *graph.Node {
	if x.Dims() < 2 {
		b.Fail(fmt.Errorf("%s: want [rows units], or more axes, not %v", what, []int(x.Shape())))
	}
	if b.Err() != nil {
		return x
	}
	shape := slices.Clone(x.Shape())
	last := len(shape) - 1
	y := layer(b.Reshape(x, shape.TotalSize()/shape[last], shape[last]))
	if b.Err() != nil {
		return x
	}
	shape[last] = y.Shape()[1]
	return b.Reshape(y, shape...)
}
