package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// StopGradient returns x, of any shape, and lets no gradient flow back to it.
func (b *Builder) StopGradient(x *Node) *Node {
	index := len(b.inspection.StoppedNodes)
	b.inspection.StoppedNodes = append(b.inspection.StoppedNodes, x)
	if b.inspection.HoldStops {
		return b.heldStop(x, fmt.Sprintf("stopped %d", index))
	}
	return b.apply("StopGradient", Nodes{x}, func() (*Node, error) {
		return gorgonia.ApplyOp(ops.NewStopGradient(), x)
	})
}

// heldStop returns an input in the shape of x, which replaces StopGradient(x) if
// Inspection.HoldStops is set.
func (b *Builder) heldStop(x *Node, name string) *Node {
	return b.apply("StopGradient", Nodes{x}, func() (*Node, error) {
		// Inputs are matrices, which have to be reshaped or summed to the shape of x.
		size := max(1, x.Shape().TotalSize()) // TotalSize is 0 for a scalar
		rows := size
		columns := 1
		if x.Dims() >= 2 {
			rows = x.Shape()[0]
			columns = size / rows
		}
		in, err := b.addInput(name, rows, columns)
		if err != nil {
			return nil, err
		}
		switch x.Dims() {
		case 0: // the sum of a [1 1] matrix
			return gorgonia.Sum(in.node, 0, 1)
		case 1: // the sums of rows of one number
			return gorgonia.Sum(in.node, 1)
		}
		return reshapeNode(in.node, x.Shape()...)
	})
}
