package graph

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/ops"
)

// Node is a value in a computation graph: Gorgonia's own node.
type Node = gorgonia.Node

// Nodes is a list of nodes.
type Nodes = gorgonia.Nodes

// The two number types that a graph can compute in. Training uses Float32,
// gradient checks use Float64.
var (
	Float32 = tensor.Float32
	Float64 = tensor.Float64
)

// Builder puts a computation graph together. Its methods take and return
// plain Gorgonia nodes. The first error sticks: later calls do nothing, and Err
// tells which operation failed, on which shapes, and which line called it.
//
// Tensors are matrices [rows, columns] or scalars; those of images [rows, height,
// width, channels] and sequences [rows, length, channels] have more axes, the channels
// last. A matrix becomes one with Reshape.
type Builder struct {
	dtype  tensor.Dtype
	graph  *gorgonia.ExprGraph
	params *Params
	nodes  map[string]*Node // parameters of this graph by name
	inputs []*buffer
	masks  []*mask
	err    error

	scope     scope
	training  bool
	updates   []update
	penalties []Penalty

	terms   []Term
	stopped Nodes
	hold    bool

	trace *trace // nil unless asked for: Inspection.TraceLines

	filler string   // who fills the inputs, if that is decided: Inspection.SetFiller
	filled []string // the inputs that it fills
}

// New returns a builder of an empty graph that computes in dtype (Float32 or
// Float64) and takes its parameters from params. Builders that share one
// Params share their weights, also across graphs of different batch sizes.
func New(dtype tensor.Dtype, params *Params) *Builder {
	return &Builder{
		dtype:  dtype,
		graph:  gorgonia.NewGraph(),
		params: params,
		nodes:  make(map[string]*Node),
	}
}

// Err returns the first error met while building, or nil.
func (b *Builder) Err() error { return b.err }

// Graph returns the Gorgonia graph under construction, for nodes made with
// plain gorgonia functions.
func (b *Builder) Graph() *gorgonia.ExprGraph { return b.graph }

// Dtype returns the number type that the graph computes in.
func (b *Builder) Dtype() tensor.Dtype { return b.dtype }

// Fail makes err the builder's error unless there is one already, or err is nil.
func (b *Builder) Fail(err error) {
	if b.err != nil || err == nil {
		return
	}
	if b.err = err; !errors.As(err, new(located)) {
		b.err = fmt.Errorf("%w%s", err, Origin())
	}
}

// fail records what went wrong with an operation and its operands: that one of them is
// of another graph, if so, and else what the format says.
func (b *Builder) fail(op string, operands Nodes, format string, args ...any) {
	if b.err != nil {
		return
	}
	what := fmt.Sprintf(format, args...)
	shapes := make([]string, len(operands))
	for i, n := range operands {
		shapes[i] = shapeOf(n)
		if b.elsewhere(n) {
			name := "an operand"
			if n.Op() == nil {
				name = nameOf(n)
			}
			what = name + " is " + ofAnotherGraph
		}
	}
	b.err = fmt.Errorf("%s(%s): %s%s", op, strings.Join(shapes, ", "), what, Origin())
}

// elsewhere tells whether a node is of another graph. Constants of Gorgonia's own are
// of none.
func (b *Builder) elsewhere(n *Node) bool {
	return n != nil && n.Graph() != nil && n.Graph() != b.graph
}

const ofAnotherGraph = "a node of another graph: it was kept from an earlier call, or made by another builder than the one that is given"

func shapeOf(n *Node) string {
	switch {
	case n == nil:
		return "nil"
	case n.IsScalar():
		return "scalar"
	}
	return fmt.Sprint([]int(n.Shape()))
}

// apply runs one step of graph construction. It returns a stand-in when the
// builder has failed, so that callers need no checks of their own.
func (b *Builder) apply(op string, operands Nodes, make func() (*Node, error)) (n *Node) {
	standIn := func() *Node {
		for _, o := range operands {
			if o != nil {
				return o
			}
		}
		return b.placeholder()
	}
	if b.err != nil {
		return standIn()
	}
	for _, o := range operands {
		if o == nil {
			b.fail(op, operands, "an operand is nil")
			return standIn()
		}
		if b.elsewhere(o) {
			b.fail(op, operands, "")
			return b.placeholder()
		}
	}
	defer func() {
		if r := recover(); r != nil {
			b.fail(op, operands, "%v", r) // the line that called is of more use than the one that panicked
			n = standIn()
		}
	}()
	b.note(true)
	n, err := make()
	if err != nil {
		b.fail(op, operands, "%v", err)
		return standIn()
	}
	b.note(false)
	return n
}

// placeholder is what a failed builder hands out where there is no operand to
// return: a node of a graph that is never run.
func (b *Builder) placeholder() *Node {
	return gorgonia.NewScalar(gorgonia.NewGraph(), b.dtype, gorgonia.WithName("failed"))
}

// Const returns the scalar v. Here and in Scale, AddConst and ClampMin a number
// that is not one, or that the graph's type knows as 0 or as infinite and is
// neither, is an error.
func (b *Builder) Const(v float64) *Node {
	return b.apply("Const", nil, func() (*Node, error) { return b.constant(v), b.holds(v) })
}

// holds returns an error if the graph's number type has nothing like v.
func (b *Builder) holds(v float64) error {
	single := float64(float32(v))
	switch {
	case math.IsNaN(v):
		return errors.New("the constant is not a number")
	case b.dtype == Float32 && (v != 0 && single == 0 || math.IsInf(single, 0) && !math.IsInf(v, 0)):
		return fmt.Errorf("the constant %v is %v in float32", v, single)
	}
	return nil
}

// constant is a node of this number.
func (b *Builder) constant(v float64) *Node { return ops.NumberOf(b.graph, b.dtype, v) }
