package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// StopGradient is the identity, declared not differentiable.
type StopGradient struct{ baseOp }

// NewStopGradient is the identity that lets no gradient pass.
func NewStopGradient() StopGradient { return StopGradient{baseOp{"stop-gradient", 1}} }

func (StopGradient) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := in[0].(tensor.Shape)
	if !ok {
		return nil, fmt.Errorf("stop-gradient of %T: want a tensor.Shape", in[0])
	}
	return shape.Clone(), nil
}

func (StopGradient) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	return gorgonia.CloneValue(in[0])
}

func (StopGradient) DiffWRT(inputs int) []bool { return make([]bool, inputs) }

func (StopGradient) SymDiff(in gorgonia.Nodes, _, _ *gorgonia.Node) (gorgonia.Nodes, error) {
	return make(gorgonia.Nodes, len(in)), nil
}
