package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// StopGradient returns its operand and lets no gradient flow back to it.
type StopGradient struct{ baseOp }

// NewStopGradient returns the operation that lets no gradient flow to its operand.
func NewStopGradient() StopGradient { return StopGradient{baseOp{name: "stop-gradient", arity: 1}} }

// InferShape returns the shape of the operand.
func (StopGradient) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := shapes[0].(tensor.Shape)
	if !ok {
		return nil, fmt.Errorf("stop-gradient of %T: want a tensor.Shape", shapes[0])
	}
	return shape.Clone(), nil
}

// Do returns a copy of the operand.
func (StopGradient) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	return gorgonia.CloneValue(inputs[0])
}

// DiffWRT reports that no gradient flows to the operand.
func (StopGradient) DiffWRT(inputs int) []bool { return make([]bool, inputs) }

// SymDiff returns no gradient, which is a nil node.
func (StopGradient) SymDiff(operands gorgonia.Nodes, _, _ *gorgonia.Node) (gorgonia.Nodes, error) {
	return make(gorgonia.Nodes, len(operands)), nil
}
