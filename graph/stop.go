package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// StopGradient returns x itself going forwards and lets no gradient pass
// going backwards.
func (b *Builder) StopGradient(x *Node) *Node {
	b.stopped = append(b.stopped, x)
	if b.hold {
		return b.held(x, fmt.Sprintf("stopped %d", len(b.stopped)-1))
	}
	return b.apply("StopGradient", Nodes{x}, func() (*Node, error) {
		return gorgonia.ApplyOp(stopGradient{identity{"stop-gradient", 1}}, x)
	})
}

// Stopped returns the operands of every StopGradient so far, in order.
func (b *Builder) Stopped() Nodes { return b.stopped }

// HoldStops makes later calls of StopGradient return inputs named
// "stopped 0", "stopped 1", … instead of their operands. Filled with the
// operands' values, they stay what they are while parameters move, which is
// what a finite difference of an objective with stops needs.
func (b *Builder) HoldStops() { b.hold = true }

func (b *Builder) held(x *Node, name string) *Node {
	if x == nil || x.IsScalar() {
		return b.Sum(b.Input(name, 1, 1))
	}
	return b.Input(name, x.Shape()[0], x.Shape()[1])
}

// stopGradient is the identity, declared not differentiable.
type stopGradient struct{ identity }

func (stopGradient) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := in[0].(tensor.Shape)
	if !ok {
		return nil, fmt.Errorf("stop-gradient of %T: want a tensor.Shape", in[0])
	}
	return shape.Clone(), nil
}

func (stopGradient) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return gorgonia.CloneValue(in[0])
}

func (stopGradient) DiffWRT(inputs int) []bool { return make([]bool, inputs) }

func (stopGradient) SymDiff(in Nodes, _, _ *Node) (Nodes, error) {
	return make(Nodes, len(in)), nil
}
