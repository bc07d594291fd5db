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

// Float32 and Float64 are the number types in which a graph can compute. Training uses
// Float32, gradient checks use Float64.
var (
	Float32 = tensor.Float32
	Float64 = tensor.Float64
)

// Builder builds a computation graph. Each of its methods that is named after an operation
// adds that operation to the graph and returns the node of its result.
//
// Nodes are matrices [rows, columns] or scalars. Images [rows, height, width, channels] and
// sequences [rows, length, channels] have more axes; Reshape makes them from matrices.
//
// A method does not return an error. The builder keeps the first error, with the operation, the
// shapes of its operands and the line that called it. After this error all methods do nothing and
// return some node, so that no caller has to check. Err returns the error, and so does
// NewRunner.
type Builder struct {
	dtype       tensor.Dtype // number type, Float32 or Float64
	graph       *gorgonia.ExprGraph
	params      *Params          // parameters of this graph and of others
	nodes       map[string]*Node // parameters of this graph by name
	inputs      []*inputNode     // inputs, constant matrices and zero gradients
	randomNodes []*randomNode    // dropout masks and noise
	err         error            // first error, nil if there is none

	scope      scope       // all scopes that enclose the present operation
	updates    []update    // values of buffers after a training step, in the order of the calls of Update
	groupTerms []groupTerm // terms of WeightedSum that move one group alone

	inspection Inspection // what programs read about the graph
	trace      *trace     // nil unless Inspection.TraceLines was called
}

// New returns a builder of an empty graph that computes in dtype, Float32 or Float64, and takes
// its parameters from params. Builders that share one Params share their weights, also if their
// graphs have different numbers of rows. nil stands for parameters of the builder's own.
func New(dtype tensor.Dtype, params *Params) *Builder {
	if params == nil {
		params = new(Params)
	}
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

// Graph returns the Gorgonia graph under construction, for gorgonia functions that make a node
// without operands.
func (b *Builder) Graph() *gorgonia.ExprGraph { return b.graph }

// Dtype returns the number type in which the graph computes.
func (b *Builder) Dtype() tensor.Dtype { return b.dtype }

// Fail makes err the builder's error and adds the line of the caller. It does nothing if err is nil
// or the builder has an error already.
func (b *Builder) Fail(err error) {
	if b.err != nil || err == nil {
		return
	}
	b.err = err
	hasLine := errors.As(err, new(lineError))
	if !hasLine {
		b.err = fmt.Errorf("%w%s", err, callerLine())
	}
}

// failOperation is Fail for an operation: the error has its name, the shapes of its operands and a
// problem, which format and args describe. An operand of another graph is the problem instead, since
// its shape, which format may complain about, means nothing here.
func (b *Builder) failOperation(op string, operands Nodes, format string, args ...any) {
	if b.err != nil {
		return
	}
	problem := fmt.Errorf(format, args...)
	shapes := make([]string, len(operands))
	for i, n := range operands {
		shapes[i] = describeShape(n)
		if b.isForeign(n) {
			problem = foreignOperandError(n)
		}
	}
	b.Fail(fmt.Errorf("%s(%s): %w", op, strings.Join(shapes, ", "), problem))
}

// isForeign reports whether n belongs to another graph. Constants that Gorgonia makes belong to no
// graph.
func (b *Builder) isForeign(n *Node) bool {
	return n != nil && n.Graph() != nil && n.Graph() != b.graph
}

// foreignOperandError returns the error for an operand of another graph. Inputs and parameters, which
// have no operation, have a name that the user gave them.
func foreignOperandError(n *Node) error {
	name := "an operand"
	if n.Op() == nil {
		name = describeNode(n)
	}
	return errors.New(name + " is " + foreignNodeText)
}

// foreignNodeText describes a node of another graph in errors.
const foreignNodeText = "a node of another graph: it was kept from an earlier call, or made by another builder than the one that is given"

// describeShape returns the shape of n for messages.
func describeShape(n *Node) string {
	switch {
	case n == nil:
		return "nil"
	case n.IsScalar():
		return "scalar"
	}
	return fmt.Sprint([]int(n.Shape()))
}

// describeNode returns the name of n, or its operation and shape, for messages.
func describeNode(n *Node) string {
	if n.Op() == nil {
		return fmt.Sprintf("%q", n.Name())
	}
	return fmt.Sprintf("%v%s", n.Op(), describeShape(n))
}

// apply returns the node that build makes for the operation op. If build fails or panics, or an
// operand is nil or belongs to another graph, it makes that the builder's error. After an error it
// does not call build and returns a stand-in, so that callers need no checks of their own.
func (b *Builder) apply(op string, operands Nodes, build func() (*Node, error)) *Node {
	if b.err != nil {
		return b.standIn(operands)
	}
	for _, x := range operands {
		if x == nil {
			b.failOperation(op, operands, "an operand is nil")
			return b.standIn(operands)
		}
		if b.isForeign(x) {
			b.failOperation(op, operands, "") // looks for foreign operands itself
			return b.placeholder()            // a node of another graph must not spread
		}
	}
	b.traceEarlierNodes()
	n, err := callBuild(build)
	if err != nil {
		b.failOperation(op, operands, "%w", err)
		return b.standIn(operands)
	}
	b.traceNewNodes()
	return n
}

// callBuild calls build and returns a panic as an error: functions of Gorgonia may panic.
func callBuild(build func() (*Node, error)) (n *Node, err error) {
	defer Recover(&err, "panic")
	return build()
}

// standIn returns the node that a failed builder returns for an operation: the first operand that
// is not nil, so that the shape is often the expected one, or else a placeholder.
func (b *Builder) standIn(operands Nodes) *Node {
	for _, x := range operands {
		if x != nil {
			return x
		}
	}
	return b.placeholder()
}

// placeholder returns a scalar of a graph that is never run, for a failed builder that has no
// operand to return.
func (b *Builder) placeholder() *Node {
	return gorgonia.NewScalar(gorgonia.NewGraph(), b.dtype, gorgonia.WithName("failed"))
}

// reshapeNode returns x in another shape of equal size. Without dims, the shape is a scalar.
func reshapeNode(x *Node, dims ...int) (*Node, error) {
	if slices.Equal(x.Shape(), dims) {
		return x, nil
	}
	return gorgonia.ApplyOp(ops.NewReshape(x.Shape(), tensor.Shape(dims)), x)
}

// Const returns the scalar v. The builder fails if v is NaN, or if the graph's number type rounds
// a v that is neither 0 nor infinite to 0 or to infinity. The same holds for the constants of
// Scale, Shift, ClampMin and ClampMax.
func (b *Builder) Const(v float64) *Node {
	return b.apply("Const", nil, func() (*Node, error) { return b.constant(v), b.checkConstant(v) })
}

// checkConstant returns an error if v is NaN, or if float32 turns v into 0 or an infinity and the
// graph computes in float32.
func (b *Builder) checkConstant(v float64) error {
	if math.IsNaN(v) {
		return errors.New("the constant is not a number")
	}
	rounded := float64(float32(v))
	underflows := v != 0 && rounded == 0
	overflows := math.IsInf(rounded, 0) && !math.IsInf(v, 0) // an infinite v is meant to be infinite
	if b.dtype == Float32 && (underflows || overflows) {
		return fmt.Errorf("the constant %v is %v in float32", v, rounded)
	}
	return nil
}

// constant returns the scalar v without a check.
func (b *Builder) constant(v float64) *Node { return ops.NumberOf(b.graph, b.dtype, v) }

// Constant returns a [rows, columns] matrix with a copy of values, row by row. It is not a
// parameter: no training changes it and no model saves it. Equal constants are one node. The
// builder fails unless there are rows·columns values, all finite in the graph's number type.
func (b *Builder) Constant(rows, columns int, values []float64) *Node {
	return b.apply("Constant", nil, func() (*Node, error) {
		if rows < 1 || columns < 1 || len(values) != rows*columns {
			return nil, fmt.Errorf("%d values are not [%d %d]", len(values), rows, columns)
		}
		for i, v := range values {
			if !b.isFiniteConstant(v) {
				return nil, fmt.Errorf("value %d is %v: want a finite number of %v", i, v, b.dtype)
			}
		}
		// A constant is an input that allocate fills with its values. Its name has a hash of the values, so
		// equal names almost always mean equal values; the comparison makes sure.
		name := constantName(rows, columns, values)
		for _, other := range b.inputs {
			if other.name == name && slices.Equal(other.constant, values) {
				return other.node, nil
			}
		}
		in, err := b.addInput(name, rows, columns)
		if err != nil {
			return nil, err
		}
		in.constant = slices.Clone(values)
		return in.node, nil
	})
}

// isFiniteConstant reports whether v is finite in the graph's number type and not rounded to 0.
func (b *Builder) isFiniteConstant(v float64) bool {
	largest := math.MaxFloat64
	if b.dtype == Float32 {
		largest = math.MaxFloat32
	}
	return b.checkConstant(v) == nil && math.Abs(v) <= largest
}

// constantName returns the name of a Constant. It has a hash of the values, so that SameComputation
// distinguishes constants by their names.
func constantName(rows, columns int, values []float64) string {
	h := fnv.New64a()
	var bits [8]byte
	for _, v := range values {
		binary.LittleEndian.PutUint64(bits[:], math.Float64bits(v))
		h.Write(bits[:])
	}
	return fmt.Sprintf("constant %016x [%d %d]", h.Sum64(), rows, columns)
}

// Input returns a [rows, columns] matrix that the caller of Runner.Run fills: Runner.Input returns
// its numbers. The builder fails if the graph has an input or a parameter of this name already, or
// if the program that runs the graph does not fill it (Inspection.Filler).
func (b *Builder) Input(name string, rows, columns int) *Node {
	return b.apply("Input", nil, func() (*Node, error) {
		i := b.inspection
		if i.Filler != "" && !slices.Contains(i.FillerInputs, name) {
			return nil, fmt.Errorf("%s fills %s, and nothing fills %q: use Const or Constant for fixed numbers, Param for numbers to learn, and Dropout, Normal or Uniform for random numbers",
				i.Filler, strings.Join(i.FillerInputs, " and "), name)
		}
		in, err := b.addInput(name, rows, columns)
		if err != nil {
			return nil, err
		}
		return in.node, nil
	})
}

// addInput adds an input to the graph. It returns an error if the name is in use.
func (b *Builder) addInput(name string, rows, columns int) (*inputNode, error) {
	for _, other := range b.inputs {
		if other.name == name {
			return nil, fmt.Errorf("there is an input %q already", name)
		}
	}
	if b.nodes[name] != nil {
		return nil, fmt.Errorf("there is a parameter %q already", name)
	}
	in, err := b.newInputNode(name, rows, columns)
	if err != nil {
		return nil, err
	}
	b.inputs = append(b.inputs, in)
	return in, nil
}

// inputNode is a node whose numbers no operation computes: an input, a Constant, the zero gradient
// of a parameter, or random numbers.
type inputNode struct {
	name       string
	node       *Node
	size       int       // number of its numbers
	alwaysZero bool      // whether it is the zero gradient of a parameter that receives none
	constant   []float64 // values of a Constant, else nil
	requested  bool      // whether Runner.Input has returned the numbers, to be filled

	// The numbers, row by row, in the number type of the graph; nil before allocate.
	float32s []float32
	float64s []float64
}

// newInputNode returns a [rows, columns] node without values. It does not add the node to
// b.inputs.
func (b *Builder) newInputNode(name string, rows, columns int) (*inputNode, error) {
	if name == "" {
		return nil, errors.New("an input needs a name")
	}
	if rows < 1 || columns < 1 {
		return nil, fmt.Errorf("%q cannot be [%d %d]", name, rows, columns)
	}
	n := gorgonia.NewMatrix(b.graph, b.dtype, gorgonia.WithShape(rows, columns), gorgonia.WithName(name))
	return &inputNode{name: name, node: n, size: rows * columns}, nil
}

// allocate returns the node's numbers, a []float32 or []float64. It allocates them at the first
// call; all runners of a graph share this memory.
func (in *inputNode) allocate() any {
	if in.node.Dtype() == Float64 {
		if in.float64s == nil {
			in.float64s = make([]float64, in.size)
			copy(in.float64s, in.constant)
		}
		return in.float64s
	}
	if in.float32s == nil {
		in.float32s = make([]float32, in.size)
		for i, v := range in.constant {
			in.float32s[i] = float32(v)
		}
	}
	return in.float32s
}

// needsValues reports whether the caller of Runner.Run has to fill the node.
func (in *inputNode) needsValues() bool { return !in.alwaysZero && in.constant == nil }
