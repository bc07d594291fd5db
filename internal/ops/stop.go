package ops

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// stopGradientOp returns its operand and lets no gradient flow back to it.
type stopGradientOp struct{ baseOp }

// NewStopGradient returns the operation that lets no gradient flow to its operand.
func NewStopGradient() gorgonia.Op { return stopGradientOp{baseOp{name: "stop-gradient", arity: 1}} }

// InferShape returns the shape of the operand.
func (stopGradientOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	shape, ok := shapes[0].(tensor.Shape)
	if !ok {
		return nil, fmt.Errorf("stop-gradient of %T: want a tensor.Shape", shapes[0])
	}
	return shape.Clone(), nil
}

// Do returns a copy of the operand.
func (stopGradientOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	return gorgonia.CloneValue(inputs[0])
}

// DiffWRT reports that no gradient flows to the operand.
func (stopGradientOp) DiffWRT(inputs int) []bool { return make([]bool, inputs) }

// SymDiff returns no gradient, which is a nil node.
func (stopGradientOp) SymDiff(operands gorgonia.Nodes, _, _ *gorgonia.Node) (gorgonia.Nodes, error) {
	return make(gorgonia.Nodes, len(operands)), nil
}
