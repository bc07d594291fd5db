package networks

import (
	"fmt"
	"slices"

	"sml/graph"
)

// applyToLastAxis applies a layer for matrices [rows, channels] to x, whose last axis is the
// channels and which may have more axes before it, such as images [rows, height, width, channels].
// The builder fails, naming layerName, if x has fewer than two axes.
func applyToLastAxis(b *graph.Builder, layerName string, x *graph.Node, layer func(*graph.Node) *graph.Node) *graph.Node {
	if x.Dims() < 2 {
		b.Fail(fmt.Errorf("%s: the input has the shape %v; want [rows units], or more axes", layerName, []int(x.Shape())))
	}
	if b.Err() != nil { // nodes have no shape to rely on
		return x
	}
	shape := slices.Clone(x.Shape())
	last := len(shape) - 1
	channels := shape[last]
	positions := shape.TotalSize() / channels // rows, and all positions in them
	y := layer(b.Reshape(x, positions, channels))
	if b.Err() != nil {
		return x
	}
	shape[last] = y.Shape()[1] // the layer may have another number of channels
	return b.Reshape(y, shape...)
}
