package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// StopGradient returns x, and lets no gradient pass back to it.
func (b *Builder) StopGradient(x *Node) *Node {
	b.inspection.Stopped = append(b.inspection.Stopped, x)
	if b.inspection.HoldStops {
		return b.heldStop(x, fmt.Sprintf("stopped %d", len(b.inspection.Stopped)-1))
	}
	return b.apply("StopGradient", Nodes{x}, func() (*Node, error) {
		return gorgonia.ApplyOp(ops.NewStopGradient(), x)
	})
}

// heldStop returns an input of x's shape, which replaces StopGradient(x) if
// Inspection.HoldStops is set.
func (b *Builder) heldStop(x *Node, name string) *Node {
	return b.apply("StopGradient", Nodes{x}, func() (*Node, error) {
		switch x.Dims() {
		case 2:
			return b.input(name, x.Shape()[0], x.Shape()[1])
		case 0, 1: // inputs are matrices: sum over the axes that x does not have
			in, err := b.input(name, x.Shape().TotalSize(), 1)
			if err != nil {
				return nil, err
			}
			return gorgonia.Sum(in, []int{0, 1}[x.Dims():]...)
		}
		in, err := b.input(name, x.Shape()[0], x.Shape().TotalSize()/x.Shape()[0])
		if err != nil {
			return nil, err
		}
		return reshaped(in, x.Shape()...)
	})
}
