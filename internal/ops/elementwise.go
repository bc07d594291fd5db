package ops

import (
	"fmt"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// tableOp is an elementwise operation of the table as an operation of Gorgonia.
type tableOp struct {
	baseOp
	entry       *Elementwise
	constant    float64 // constant of the operation, 0 if it has none
	operandAxes []int   // number of axes of each operand, 0 for a scalar
}

// Apply applies the elementwise operation with the given name in the table to operands of one
// shape, some of which may be scalars. It ignores the constant if the operation has none.
func Apply(name string, constant float64, operands ...*gorgonia.Node) (*gorgonia.Node, error) {
	entry := byName[name]
	o := tableOp{baseOp: baseOp{name: entry.Name, arity: len(operands)}, entry: entry}
	if entry.HasConstant {
		o.constant = constant
		o.name = fmt.Sprintf("%s %v", entry.Name, constant)
	}
	for _, x := range operands {
		o.operandAxes = append(o.operandAxes, x.Dims())
	}
	return gorgonia.ApplyOp(o, operands...)
}

// Number returns the constant v as a node of n's graph and number type.
func Number(n *gorgonia.Node, v float64) *gorgonia.Node { return NumberOf(n.Graph(), n.Dtype(), v) }

// NumberOf returns the constant v as a node of a graph. Its name has the exact value, since
// Gorgonia takes constants of equal names for one, and its own names are rounded.
func NumberOf(g *gorgonia.ExprGraph, dtype tensor.Dtype, v float64) *gorgonia.Node {
	name := gorgonia.WithName(fmt.Sprintf("%v(%x)", v, v))
	if dtype == tensor.Float32 {
		return g.AddNode(gorgonia.NewConstant(float32(v), name))
	}
	return g.AddNode(gorgonia.NewConstant(v, name))
}

// hasMixedOperands reports whether one operand is a scalar and the other is not.
func (o tableOp) hasMixedOperands() bool {
	return len(o.operandAxes) == 2 && (o.operandAxes[0] == 0) != (o.operandAxes[1] == 0)
}

// Type returns the type of the operation. A scalar and a tensor have different types, and the
// result has the tensor's.
func (o tableOp) Type() hm.Type {
	if !o.hasMixedOperands() {
		return o.baseOp.Type()
	}
	number := hm.TypeVariable('a')
	x := valueType(number, o.operandAxes[0])
	y := valueType(number, o.operandAxes[1])
	result := x
	if o.operandAxes[0] == 0 {
		result = y
	}
	return hm.NewFnType(x, y, result)
}

// InferShape returns the shape of the operands, or of the tensor if the other operand is a
// scalar.
func (o tableOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	var result tensor.Shape
	for i, d := range shapes {
		shape, ok := d.(tensor.Shape)
		if !ok {
			return nil, fmt.Errorf("want a tensor, not %T", d)
		}
		if i == 0 || o.operandAxes[i] > 0 { // a tensor's shape wins over the shape of a scalar before it
			result = shape
		}
	}
	return result.Clone(), nil
}

// DiffWRT reports for each operand whether the table has a gradient with respect to it.
func (o tableOp) DiffWRT(int) []bool {
	flows := make([]bool, len(o.entry.gradients))
	for i, build := range o.entry.gradients {
		flows[i] = build != nil
	}
	return flows
}

// SymDiff returns the table's gradients.
func (o tableOp) SymDiff(operands gorgonia.Nodes, result, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	a := application{operands: operands, constant: o.constant, result: result, grad: grad}
	return elementwiseGradients(o.entry.gradients, a, o.DiffWRT(len(operands)))
}

// Do computes the operation element by element in float64, by its definition in the table. The
// operands, the constant and the result are rounded to the number type of the graph. The compiled
// engine uses kernels instead.
func (o tableOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	operands := make([]elementReader, len(inputs))
	var shape tensor.Shape // nil if all operands are scalars
	for k, v := range inputs {
		reader, err := newElementReader(v)
		if err != nil {
			return nil, err
		}
		operands[k] = reader
		if o.operandAxes[k] > 0 {
			shape = v.Shape()
		}
	}
	dtype := inputs[0].Dtype()
	element := o.elementFunction(operands, dtype)
	if shape == nil {
		if dtype == tensor.Float32 {
			return gorgonia.NewF32(float32(element(0))), nil
		}
		return gorgonia.NewF64(element(0)), nil
	}
	result := tensor.New(tensor.Of(dtype), tensor.WithShape(shape...))
	switch data := result.Data().(type) {
	case []float32:
		for i := range data {
			data[i] = float32(element(i))
		}
	case []float64:
		for i := range data {
			data[i] = element(i)
		}
	}
	return result, nil
}

// elementFunction returns a function that computes element i of the operation's result in float64.
// operands read the elements of the operands, in a graph with the number type dtype.
func (o tableOp) elementFunction(operands []elementReader, dtype tensor.Dtype) func(i int) float64 {
	readX := operands[0]
	if o.entry.UnaryFunc != nil {
		return func(i int) float64 { return o.entry.UnaryFunc(readX(i)) }
	}
	if o.entry.HasConstant {
		constant := o.constant
		if dtype == tensor.Float32 {
			constant = float64(float32(constant)) // as the kernels of a float32 graph get it
		}
		return func(i int) float64 { return o.entry.BinaryFunc(readX(i), constant) }
	}
	readY := operands[1]
	return func(i int) float64 { return o.entry.BinaryFunc(readX(i), readY(i)) }
}

// elementReader returns element i of a value. A scalar has the same element everywhere.
type elementReader func(i int) float64

// newElementReader returns the reader of a value. It returns an error unless the value is a scalar
// or a dense tensor of numbers.
func newElementReader(v gorgonia.Value) (elementReader, error) {
	switch v := v.(type) {
	case *gorgonia.F32:
		return func(int) float64 { return float64(*v) }, nil
	case *gorgonia.F64:
		return func(int) float64 { return float64(*v) }, nil
	case tensor.Tensor:
		dense, isDense := tensor.Materialize(v).(*tensor.Dense)
		if !isDense {
			break // out of the switch, to the error
		}
		switch data := dense.Data().(type) {
		case []float32:
			return func(i int) float64 { return float64(data[i]) }, nil
		case []float64:
			return func(i int) float64 { return data[i] }, nil
		}
	}
	return nil, fmt.Errorf("want numbers in dense tensors or scalars, not %T", v)
}
