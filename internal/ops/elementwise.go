package ops

import (
	"fmt"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// TableOp wraps an elementwise operation of this project as an operation of Gorgonia.
type TableOp struct {
	baseOp
	entry *Elementwise
	c     float64
	dims  []int // number of axes of each operand
}

// Apply applies an operation of this project to operands of equal shape, some of them perhaps
// scalars. name is its name in the table; c is its constant, ignored if it has none.
func Apply(name string, c float64, x ...*gorgonia.Node) (*gorgonia.Node, error) {
	e := byName[name]
	o := TableOp{baseOp: baseOp{e.Name, len(x)}, entry: e}
	if e.HasConstant {
		o.c = c
		o.name = fmt.Sprintf("%s %v", e.Name, c)
	}
	for _, n := range x {
		o.dims = append(o.dims, n.Dims())
	}
	return gorgonia.ApplyOp(o, x...)
}

// Number returns a constant in n's graph and number type. Its name has its exact value: Gorgonia
// identifies constants by their names, and its own names are rounded.
func Number(n *gorgonia.Node, v float64) *gorgonia.Node { return NumberOf(n.Graph(), n.Dtype(), v) }

// NumberOf returns a constant in a graph, of a number type; see Number.
func NumberOf(g *gorgonia.ExprGraph, dtype tensor.Dtype, v float64) *gorgonia.Node {
	name := gorgonia.WithName(fmt.Sprintf("%v(%x)", v, v))
	if dtype == tensor.Float32 {
		return g.AddNode(gorgonia.NewConstant(float32(v), name))
	}
	return g.AddNode(gorgonia.NewConstant(v, name))
}

// hasMixedOperands reports whether one operand is a scalar and the other is not.
func (o TableOp) hasMixedOperands() bool {
	return len(o.dims) == 2 && (o.dims[0] == 0) != (o.dims[1] == 0)
}

// Type returns the operation's type, which tells scalars from tensors if the operands are mixed.
func (o TableOp) Type() hm.Type {
	if !o.hasMixedOperands() {
		return o.baseOp.Type()
	}
	number := hm.TypeVariable('a')
	types := make([]hm.Type, 3)
	for i, dims := range o.dims {
		types[i] = number
		if dims > 0 {
			types[i] = gorgonia.TensorType{Dims: dims, Of: number}
			types[2] = types[i]
		}
	}
	return hm.NewFnType(types...)
}

// InferShape returns the shape of an operand, of a tensor if there is one.
func (o TableOp) InferShape(shapes ...gorgonia.DimSizer) (tensor.Shape, error) {
	var shape tensor.Shape
	for i, d := range shapes {
		s, ok := d.(tensor.Shape)
		if !ok {
			return nil, fmt.Errorf("want a tensor, not %T", d)
		}
		if i == 0 || o.dims[i] > 0 {
			shape = s
		}
	}
	return shape.Clone(), nil
}

func (o TableOp) DiffWRT(int) []bool {
	flows := make([]bool, len(o.entry.gradients))
	for i, g := range o.entry.gradients {
		flows[i] = g != nil
	}
	return flows
}

func (o TableOp) SymDiff(operands gorgonia.Nodes, y, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	return elementwiseGradients(o.entry.gradients, application{x: operands, c: o.c, y: y, grad: grad}, o.DiffWRT(len(operands)))
}

// Do computes element by element in float64, from operands and a constant
// rounded as the graph's type is.
func (o TableOp) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	c := o.c
	if inputs[0].Dtype() == tensor.Float32 {
		c = float64(float32(c))
	}
	f := func(v []float64) float64 { return o.entry.BinaryFunc(v[0], v[1]) }
	switch {
	case o.entry.UnaryFunc != nil:
		f = func(v []float64) float64 { return o.entry.UnaryFunc(v[0]) }
	case o.entry.HasConstant:
		f = func(v []float64) float64 { return o.entry.BinaryFunc(v[0], c) }
	}
	elements := make([]func(i int) float64, len(inputs))
	var shape tensor.Shape
	for k, v := range inputs {
		at, err := reader(v)
		if err != nil {
			return nil, err
		}
		elements[k] = at
		if o.dims[k] > 0 {
			shape = v.Shape()
		}
	}
	at := make([]float64, len(inputs))
	value := func(i int) float64 {
		for k, element := range elements {
			at[k] = element(i)
		}
		return f(at)
	}
	single := inputs[0].Dtype() == tensor.Float32
	switch {
	case shape == nil && single:
		return gorgonia.NewF32(float32(value(0))), nil
	case shape == nil:
		return gorgonia.NewF64(value(0)), nil
	}
	result := tensor.New(tensor.Of(inputs[0].Dtype()), tensor.WithShape(shape...))
	switch data := result.Data().(type) {
	case []float32:
		for i := range data {
			data[i] = float32(value(i))
		}
	case []float64:
		for i := range data {
			data[i] = value(i)
		}
	}
	return result, nil
}

// reader returns a function that returns the element i of a value. A scalar has the same element
// everywhere.
func reader(v gorgonia.Value) (func(i int) float64, error) {
	switch s := v.(type) {
	case *gorgonia.F32:
		return func(int) float64 { return float64(*s) }, nil
	case *gorgonia.F64:
		return func(int) float64 { return float64(*s) }, nil
	case tensor.Tensor:
		if d, ok := tensor.Materialize(s).(*tensor.Dense); ok {
			switch data := d.Data().(type) {
			case []float32:
				return func(i int) float64 { return float64(data[i]) }, nil
			case []float64:
				return func(i int) float64 { return data[i] }, nil
			}
		}
	}
	return nil, fmt.Errorf("want numbers in dense tensors or scalars, not %T", v)
}
