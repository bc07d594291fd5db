package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/ops"
)

// Node is a value in a computation graph: Gorgonia's own node.
type Node = gorgonia.Node

// Nodes is a list of nodes.
type Nodes = gorgonia.Nodes

// Float32 and Float64 are the number types that a graph can compute in. Training uses
// Float32, gradient checks use Float64.
var (
	Float32 = tensor.Float32
	Float64 = tensor.Float64
)

// Builder builds a computation graph. Its methods take and return plain Gorgonia nodes.
// Its first error sticks: later calls do nothing, and Err returns the operation that
// failed, the shapes of its operands and the line that called it.
//
// Tensors are matrices [rows, columns] or scalars. Images [rows, height, width, channels]
// and sequences [rows, length, channels] have more axes, and Reshape makes them from
// matrices.
type Builder struct {
	dtype  tensor.Dtype
	graph  *gorgonia.ExprGraph
	params *Params
	nodes  map[string]*Node // parameters of this graph by name
	inputs []*buffer
	masks  []*mask
	err    error

	scope      scope
	updates    []update
	groupTerms []groupTerm // terms of WeightedSum that move one group alone

	inspection Inspection
	trace      *trace // nil unless Inspection.TraceLines was called
}

// New returns a builder of an empty graph that computes in dtype (Float32 or Float64) and
// takes its parameters from params. Builders that share one Params share their weights,
// also across graphs of different batch sizes.
func New(dtype tensor.Dtype, params *Params) *Builder {
	b := &Builder{
		dtype:  dtype,
		graph:  gorgonia.NewGraph(),
		params: params,
		nodes:  make(map[string]*Node),
	}
	b.inspection.b = b
	return b
}

// Err returns the first error of the builder, or nil.
func (b *Builder) Err() error { return b.err }

// Graph returns the Gorgonia graph under construction, for plain gorgonia functions that
// make a node without operands.
func (b *Builder) Graph() *gorgonia.ExprGraph { return b.graph }

// Dtype returns the number type that the graph computes in.
func (b *Builder) Dtype() tensor.Dtype { return b.dtype }

// Fail makes err the builder's error, with the line of its caller. It does nothing if
// there is an error already or err is nil.
func (b *Builder) Fail(err error) {
	if b.err != nil || err == nil {
		return
	}
	if b.err = err; !errors.As(err, new(located)) {
		b.err = fmt.Errorf("%w%s", err, origin())
	}
}

// fail makes the failure of an operation on operands the builder's error. The format says
// what is wrong, unless an operand belongs to another graph, which then is the reason.
func (b *Builder) fail(op string, operands Nodes, format string, args ...any) {
	if b.err != nil {
		return
	}
	problem := fmt.Errorf(format, args...)
	shapes := make([]string, len(operands))
	for i, n := range operands {
		shapes[i] = shapeOf(n)
		if b.isForeign(n) {
			name := "an operand"
			if n.Op() == nil {
				name = nameOf(n)
			}
			problem = errors.New(name + " is " + ofAnotherGraph)
		}
	}
	b.Fail(fmt.Errorf("%s(%s): %w", op, strings.Join(shapes, ", "), problem))
}

// isForeign reports whether n belongs to another graph. Gorgonia's own constants belong to
// none.
func (b *Builder) isForeign(n *Node) bool {
	return n != nil && n.Graph() != nil && n.Graph() != b.graph
}

// ofAnotherGraph is what errors say of a node from another graph.
const ofAnotherGraph = "a node of another graph: it was kept from an earlier call, or made by another builder than the one that is given"

// shapeOf returns the shape of n for messages.
func shapeOf(n *Node) string {
	switch {
	case n == nil:
		return "nil"
	case n.IsScalar():
		return "scalar"
	}
	return fmt.Sprint([]int(n.Shape()))
}

// nameOf returns the name or the operation of n for messages.
func nameOf(n *Node) string {
	if n.Op() == nil {
		return fmt.Sprintf("%q", n.Name())
	}
	return fmt.Sprintf("%v%s", n.Op(), shapeOf(n))
}

// apply calls build, which makes the node of the operation op, unless the builder has
// failed or an operand is nil or belongs to another graph. If it cannot return build's
// node it returns a stand-in, so that callers need no checks of their own.
func (b *Builder) apply(op string, operands Nodes, build func() (*Node, error)) *Node {
	if b.err != nil {
		return b.standIn(operands)
	}
	for _, o := range operands {
		if o == nil {
			b.fail(op, operands, "an operand is nil")
			return b.standIn(operands)
		}
		if b.isForeign(o) {
			b.fail(op, operands, "")
			return b.placeholder()
		}
	}
	b.note(true)
	n, err := tryBuild(build)
	if err != nil {
		b.fail(op, operands, "%w", err)
		return b.standIn(operands)
	}
	b.note(false)
	return n
}

// tryBuild calls build and turns a panic into an error: functions of Gorgonia may panic.
func tryBuild(build func() (*Node, error)) (n *Node, err error) {
	defer Recover(&err, "panic")
	return build()
}

// standIn returns the node that a failed builder returns for an operation on operands.
func (b *Builder) standIn(operands Nodes) *Node {
	for _, o := range operands {
		if o != nil {
			return o
		}
	}
	return b.placeholder()
}

// placeholder returns a node of a graph that is never run, for callers of a failed builder
// that have no operand to return.
func (b *Builder) placeholder() *Node {
	return gorgonia.NewScalar(gorgonia.NewGraph(), b.dtype, gorgonia.WithName("failed"))
}

// reshaped returns x in another shape of equal size.
func reshaped(x *Node, dims ...int) (*Node, error) {
	if slices.Equal(x.Shape(), dims) {
		return x, nil
	}
	return gorgonia.ApplyOp(ops.NewReshaped(x.Shape(), tensor.Shape(dims)), x)
}

// Const returns the scalar v. It fails if v is NaN, or if v is neither 0 nor infinite and
// the graph's number type rounds it to 0 or to infinity; so do Scale, AddConst, ClampMin
// and ClampMax.
func (b *Builder) Const(v float64) *Node {
	return b.apply("Const", nil, func() (*Node, error) { return b.constant(v), b.checkConstant(v) })
}

// checkConstant returns an error if the graph's number type cannot represent v.
func (b *Builder) checkConstant(v float64) error {
	single := float64(float32(v))
	switch {
	case math.IsNaN(v):
		return errors.New("the constant is not a number")
	case b.dtype == Float32 && (v != 0 && single == 0 || math.IsInf(single, 0) && !math.IsInf(v, 0)):
		return fmt.Errorf("the constant %v is %v in float32", v, single)
	}
	return nil
}

// constant returns the scalar node of v.
func (b *Builder) constant(v float64) *Node { return ops.NumberOf(b.graph, b.dtype, v) }

// Constant returns a [rows, columns] matrix with a copy of values, row by row. No training
// changes it, no model saves it, and equal constants are one node. It fails unless there
// are rows·columns values that are finite in the graph's number type.
func (b *Builder) Constant(rows, columns int, values []float64) *Node {
	return b.apply("Constant", nil, func() (*Node, error) {
		if rows < 1 || columns < 1 || len(values) != rows*columns {
			return nil, fmt.Errorf("%d values are not [%d %d]", len(values), rows, columns)
		}
		h := fnv.New64a()
		var word [8]byte
		for i, v := range values {
			if err := b.checkConstant(v); err != nil || math.IsInf(v, 0) || b.dtype == Float32 && math.Abs(v) > math.MaxFloat32 {
				return nil, fmt.Errorf("value %d is %v: want a finite number of %v", i, v, b.dtype)
			}
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
			h.Write(word[:])
		}
		// The name depends on the values, so that Same distinguishes constants.
		name := fmt.Sprintf("constant %016x [%d %d]", h.Sum64(), rows, columns)
		for _, have := range b.inputs {
			if have.name == name && slices.Equal(have.fixed, values) {
				return have.node, nil
			}
		}
		n, err := b.input(name, rows, columns)
		if err == nil {
			b.inputs[len(b.inputs)-1].fixed = slices.Clone(values)
		}
		return n, err
	})
}

// Input returns a [rows, columns] matrix that is filled from outside before each run, by
// Runner.Input. Its name is unique in the graph.
func (b *Builder) Input(name string, rows, columns int) *Node {
	return b.apply("Input", nil, func() (*Node, error) {
		if i := b.inspection; i.Filler != "" && !slices.Contains(i.Filled, name) {
			return nil, fmt.Errorf("%s fills %s, and nothing fills %q: take numbers that stay from Const or Constant, numbers to learn from Param, random ones from Dropout's masks, Normal and Uniform",
				i.Filler, strings.Join(i.Filled, " and "), name)
		}
		return b.input(name, rows, columns)
	})
}

// input is Input for names that the filler need not know.
func (b *Builder) input(name string, rows, columns int) (*Node, error) {
	for _, have := range b.inputs {
		if have.name == name {
			return nil, fmt.Errorf("there is an input %q already", name)
		}
	}
	if b.nodes[name] != nil {
		return nil, fmt.Errorf("there is a parameter %q already", name)
	}
	in, err := b.newBuffer(name, rows, columns)
	if err != nil {
		return nil, err
	}
	b.inputs = append(b.inputs, in)
	return in.node, nil
}

// buffer is a node whose values come from outside: an input, a constant or a mask.
type buffer struct {
	name   string
	node   *Node
	size   int
	zero   bool      // the values stay 0: the gradient of a parameter that receives none
	fixed  []float64 // values of a Constant, else nil
	asked  bool      // Runner.Input has been called
	single []float32
	double []float64
}

// newBuffer returns a buffer with a [rows, columns] node.
func (b *Builder) newBuffer(name string, rows, columns int) (*buffer, error) {
	if name == "" {
		return nil, errors.New("an input needs a name")
	}
	if rows < 1 || columns < 1 {
		return nil, fmt.Errorf("%q cannot be [%d %d]", name, rows, columns)
	}
	n := gorgonia.NewMatrix(b.graph, b.dtype, gorgonia.WithShape(rows, columns), gorgonia.WithName(name))
	return &buffer{name: name, node: n, size: rows * columns}, nil
}

// allocate returns the buffer's values. It makes them at the first call, and later calls
// return the same memory, whatever else is opened over the graph.
func (f *buffer) allocate() any {
	switch {
	case f.node.Dtype() != Float64:
		if f.single == nil {
			f.single = make([]float32, f.size)
			for i, v := range f.fixed {
				f.single[i] = float32(v)
			}
		}
		return f.single
	case f.double == nil:
		f.double = make([]float64, f.size)
		copy(f.double, f.fixed)
	}
	return f.double
}

// filledOutside reports whether somebody has to fill the buffer.
func (f *buffer) filledOutside() bool { return !f.zero && f.fixed == nil }
