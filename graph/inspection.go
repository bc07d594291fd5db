package graph

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"sml/internal/ops"
)

// Inspection looks into a Builder's graph, for programs that run, check, draw or export
// graphs which others have built. Some methods set how the rest of the graph is built:
// SetTraining, SetFiller, AddFilled, HoldStops and TraceLines.
type Inspection struct{ b *Builder }

// Inspect returns the inspection of b's graph.
func Inspect(b *Builder) Inspection { return Inspection{b} }

// SetTraining sets whether the graph computes a training step. It does not by default.
func (i Inspection) SetTraining(training bool) { i.b.training = training }

// SetFiller names who fills the inputs, such as "a training", and the inputs that it
// fills. From then on Input fails for every other name. Without a filler, an input that
// nobody fills is found only when the graph runs.
func (i Inspection) SetFiller(filler string, inputs ...string) {
	i.b.filler, i.b.filled = filler, inputs
}

// AddFilled adds an input to those that the filler fills.
func (i Inspection) AddFilled(input string) { i.b.filled = append(i.b.filled, input) }

// Role is what a node of a graph stands for.
type Role uint8

const (
	Operation Role = iota // the result of an operation
	Constant              // a number, or the zero gradient of a parameter
	Parameter             // a parameter or a buffer
	Input                 // an input, a constant matrix or noise
	Mask                  // a dropout mask
	Stop                  // a StopGradient
)

// Role returns what n stands for, and its name if it is a parameter, an input or a mask
// ("sub-network 0, layer 1").
func (i Inspection) Role(n *Node) (role Role, name string) {
	b := i.b
	for _, p := range b.params.list {
		if b.nodes[p.Name] == n {
			return Parameter, p.Name
		}
	}
	for _, in := range b.inputs {
		switch {
		case in.node != n:
		case in.zero:
			return Constant, in.name
		default:
			return Input, in.name
		}
	}
	for _, m := range b.masks {
		switch {
		case m.node != n:
		case m.kind == dropout:
			return Mask, strings.TrimPrefix(m.name, "mask of ")
		default:
			return Input, m.name
		}
	}
	switch ops.Of(n).Kind {
	case ops.None:
		return Input, n.Name() // made by a plain gorgonia function
	case ops.Stopped:
		return Stop, ""
	case ops.Scalar:
		return Constant, ""
	}
	return Operation, ""
}

// Inputs returns the names of the inputs, in the order of their declaration. Masks and
// noise are not among them.
func (i Inspection) Inputs() []string {
	var names []string
	for _, in := range i.b.inputs {
		if in.filledOutside() {
			names = append(names, in.name)
		}
	}
	return names
}

// Input returns the input with that name, or nil if there is none.
func (i Inspection) Input(name string) *Node {
	for _, in := range i.b.inputs {
		if in.name == name {
			return in.node
		}
	}
	return nil
}

// ConstantValues returns the values of a Constant or of a gradient that is always zero,
// row by row, and nil for every other node.
func (i Inspection) ConstantValues(n *Node) []float64 {
	for _, in := range i.b.inputs {
		switch {
		case in.node != n:
		case in.fixed != nil:
			return in.fixed
		case in.zero:
			return make([]float64, in.size)
		}
	}
	return nil
}

// Draw describes a node that SampleMasks fills with random numbers.
type Draw struct {
	Node    *Node
	Pass    Pass    // sub-network that the numbers belong to; Full for noise of no sub-network
	Kind    string  // "dropout", "normal" or "uniform"
	Network string  // prefix of the network's scope, "" for the first network
	Layer   int     // layer of Dropout, or stream of noise
	Keep    float64 // probability that a dropout mask keeps a unit, 0 for noise
	Shared  bool    // noise that is the same for all rows
}

// Draws describes all masks and noise of the graph, in the order in which they were
// asked for.
func (i Inspection) Draws() []Draw {
	var draws []Draw
	for _, m := range i.b.masks {
		d := Draw{
			Node:    m.node,
			Pass:    Pass(m.stream >> 8),
			Kind:    m.kind,
			Network: m.scope,
			Layer:   int(m.stream & 255),
			Shared:  m.shared,
		}
		if m.kind == dropout {
			d.Keep = float64(m.threshold) / levels
		}
		draws = append(draws, d)
	}
	return draws
}

// DrawnNodes returns the nodes of Draws.
func (i Inspection) DrawnNodes() Nodes {
	var nodes Nodes
	for _, m := range i.b.masks {
		nodes = append(nodes, m.node)
	}
	return nodes
}

// DrawsUsedBy describes the masks and noise that n is computed from. It does not look
// behind the nodes from, nor behind the values that Update gave to buffers.
func (i Inspection) DrawsUsedBy(n *Node, from ...*Node) []Draw {
	for _, u := range i.b.updates {
		from = append(from, u.value)
	}
	dependencies := dependencies(n, from...)
	return slices.DeleteFunc(i.Draws(), func(d Draw) bool { return !slices.Contains(dependencies, d.Node) })
}

// Terms returns the terms of WeightedSum whose weight is not 0, in order.
func (i Inspection) Terms() []Term {
	return slices.DeleteFunc(slices.Clone(i.b.terms), func(t Term) bool { return t.Weight == 0 })
}

// LoggedTerms returns all terms of WeightedSum, in order, including those of weight 0.
func (i Inspection) LoggedTerms() []Term { return i.b.terms }

// Penalties returns the penalties that networks declared, in order.
func (i Inspection) Penalties() []Penalty { return i.b.penalties }

// UnusedPenalties returns the names of penalties that loss does not depend on, each once.
func (i Inspection) UnusedPenalties(loss *Node) []string {
	needed := make(map[int64]bool)
	for _, n := range dependencies(loss) {
		needed[n.ID()] = true
	}
	used := make(map[string]bool)
	for _, p := range i.b.penalties {
		used[p.Name] = used[p.Name] || needed[p.Value.ID()]
	}
	var unused []string
	for _, p := range i.b.penalties {
		if !used[p.Name] && !slices.Contains(unused, p.Name) {
			unused = append(unused, p.Name)
		}
	}
	return unused
}

// Updates returns the values that buffers get after a training step, and the index of
// each buffer in Params.List.
func (i Inspection) Updates() (values Nodes, buffers []int) {
	for k, p := range i.b.params.list {
		var last *Node
		for _, u := range i.b.updates {
			if u.name == p.Name {
				last = u.value
			}
		}
		if last != nil {
			values = append(values, last)
			buffers = append(buffers, k)
		}
	}
	return values, buffers
}

// StoppedNodes returns the operands of every StopGradient so far, in order.
func (i Inspection) StoppedNodes() Nodes { return i.b.stopped }

// HoldStops makes later calls of StopGradient return inputs named "stopped 0",
// "stopped 1", … instead of their operands. Filled with the operands' values, they stay
// the same while parameters move, as a finite difference of an objective with stops needs.
func (i Inspection) HoldStops() { i.b.hold = true }

// DependsOn reports whether n depends on the input with that name. It cannot see behind
// stops that are held, and then reports true.
func (i Inspection) DependsOn(n *Node, input string) bool {
	if i.b.hold {
		return true
	}
	for _, d := range dependencies(n) {
		for _, in := range i.b.inputs {
			if in.node == d && in.name == input {
				return true
			}
		}
	}
	return false
}

// CheckTrainable returns an error if a training cannot minimise loss: if Gorgonia
// differentiates an operation wrongly, if gorgonia.Grad was called, or if a value is
// neither an input or parameter of the builder nor the same in every run.
func (i Inspection) CheckTrainable(loss *Node) error {
	b := i.b
	if loss.Graph() != b.graph {
		return errors.New("it is " + ofAnotherGraph)
	}
	for _, n := range dependencies(loss) {
		if n.Op() == nil && !b.owns(n) {
			return fmt.Errorf("nothing fills or trains the node %q: take numbers to learn from Param, numbers that stay from Const or Constant, random ones from Dropout's masks, Normal and Uniform", n.Name())
		}
		if n.Deriv() != nil {
			return fmt.Errorf("gorgonia.Grad has differentiated %s, and it writes to nodes that all graphs of the process share: take gradients with Grad of the builder", nameOf(n))
		}
		if ops.Of(n).Kind == ops.Random {
			return fmt.Errorf("%v draws numbers that follow from no seed: take random ones from Dropout's masks, Normal and Uniform", n.Op())
		}
	}
	_, err := b.findPaths(loss, b.parameters())
	return err
}

// owns reports whether a node is an input, a mask or a parameter of the builder.
func (b *Builder) owns(n *Node) bool {
	for _, in := range b.inputs {
		if in.node == n {
			return true
		}
	}
	for _, m := range b.masks {
		if m.node == n {
			return true
		}
	}
	return b.nodes[n.Name()] == n
}

// Operands returns the operands of n, in order.
func Operands(n *Node) Nodes {
	it := n.Graph().From(n.ID())
	if it == nil {
		return nil
	}
	var operands Nodes
	for it.Next() {
		operands = append(operands, it.Node().(*Node))
	}
	return operands
}

// dependencies returns n and all nodes that it is computed from, each once, operands
// first. It leaves out the nodes from and everything that only they need.
func dependencies(n *Node, from ...*Node) Nodes {
	var list Nodes
	seen := make(map[int64]bool)
	for _, f := range from {
		seen[f.ID()] = true
	}
	var visit func(n *Node)
	visit = func(n *Node) {
		if seen[n.ID()] {
			return
		}
		seen[n.ID()] = true
		for _, o := range Operands(n) {
			visit(o)
		}
		list = append(list, n)
	}
	visit(n)
	return list
}

// Same reports whether two nodes, of one graph or two, are computed in the same way: by
// the same operations, constants, inputs and parameters. Functions of Elementwise count as
// the same if their values agree at a dozen numbers.
func Same(x, y *Node) bool {
	xs, ys := dependencies(x), dependencies(y)
	if len(xs) != len(ys) {
		return false
	}
	indexX, indexY := indexByID(xs), indexByID(ys)
	for k, n := range xs {
		m := ys[k]
		operands, others := Operands(n), Operands(m)
		if len(operands) != len(others) || !sameShape(n, m) || !sameOperation(n, m, len(operands)) {
			return false
		}
		for l, o := range operands {
			if indexX[o.ID()] != indexY[others[l].ID()] {
				return false
			}
		}
	}
	return true
}

// indexByID returns the index of each node of list, by its ID.
func indexByID(list Nodes) map[int64]int {
	index := make(map[int64]int, len(list))
	for i, n := range list {
		index[n.ID()] = i
	}
	return index
}

// sameOperation reports whether n and m, which have that many operands, are the same
// operation, constant, input or parameter.
func sameOperation(n, m *Node, operands int) bool {
	if reflect.TypeOf(n.Op()) != reflect.TypeOf(m.Op()) {
		return false
	}
	switch {
	case n.Op() == nil:
		return n.Name() == m.Name()
	case operands == 0 && n.Value() != nil && m.Value() != nil: // constants
		return reflect.DeepEqual(n.Value().Data(), m.Value().Data())
	case n.Op().String() != m.Op().String():
		return false
	}
	f, isFunction := n.Op().(ops.ByFunction)
	return !isFunction || f.Same(m.Op().(ops.ByFunction))
}

// checkConsistent returns an error if outputs depend on nodes that Gorgonia builds without
// an error and computes otherwise than meant: elementwise operations on a vector and a
// column or row, and nodes that its rewriting of log(1 + x) recycled while they were in
// use.
func checkConsistent(outputs Nodes) error {
	seen := make(map[int64]bool)
	var visit func(n *Node) error
	visit = func(n *Node) error {
		if seen[n.ID()] {
			return nil
		}
		seen[n.ID()] = true
		operands := Operands(n)
		if len(operands) > 0 && n.Op().Arity() >= 0 && n.Op().Arity() != len(operands) {
			return recycledError(n)
		}
		for _, o := range operands {
			if o.Graph() != n.Graph() || o.ID() >= n.ID() { // operands are older than their users
				return recycledError(n)
			}
			if err := visit(o); err != nil {
				return err
			}
		}
		return checkShapes(n, operands)
	}
	for i, n := range outputs {
		if n == nil {
			return fmt.Errorf("output %d is nil", i)
		}
		if err := visit(n); err != nil {
			return err
		}
	}
	return nil
}

// checkShapes returns an error if n is elementwise and Gorgonia wrongly takes the shapes of its
// operands for equal.
func checkShapes(n *Node, operands Nodes) error {
	if len(operands) != 2 || ops.Of(n).Kind != ops.OnElements {
		return nil
	}
	x, y := operands[0], operands[1]
	if x.IsScalar() || y.IsScalar() || sameShape(x, y) {
		return nil
	}
	return fmt.Errorf("%v of %s and %s: Gorgonia takes their shapes for equal, and they are not: make them so with b.Reshape, or sum with b.SumRows or b.SumColumns",
		n.Op(), shapeOf(x), shapeOf(y))
}

// recycledError returns the error of a node with a recycled operand.
func recycledError(n *Node) error {
	return fmt.Errorf("%v uses a node that Gorgonia has recycled: it rewrites log(1 + x), log(1 − x) and their like, and the argument of such a logarithm cannot be used again; build it twice", n.Op())
}
