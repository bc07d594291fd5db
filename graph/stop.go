package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// StopGradient returns x itself going forwards and lets no gradient pass
// going backwards.
func (b *Builder) StopGradient(x *Node) *Node {
	b.stopped = append(b.stopped, x)
	if b.hold {
		return b.held(x, fmt.Sprintf("stopped %d", len(b.stopped)-1))
	}
	return b.apply("StopGradient", Nodes{x}, func() (*Node, error) {
		return gorgonia.ApplyOp(ops.NewStopGradient(), x)
	})
}

func (b *Builder) held(x *Node, name string) *Node {
	return b.apply("StopGradient", Nodes{x}, func() (*Node, error) {
		switch x.Dims() {
		case 2:
			return b.input(name, x.Shape()[0], x.Shape()[1])
		case 0, 1: // inputs are matrices: a sum over the axis that is too many
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
