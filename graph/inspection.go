package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/internal/ops"
)

// Inspection describes a Builder's graph, for programs that run, check, draw or export graphs
// which others have built. A program may set Training, Filler, Filled and HoldStops: they decide
// how the rest of the graph is built. It only reads the other fields.
type Inspection struct {
	// Training reports whether the graph computes a training step.
	Training bool

	// Filler says who fills the inputs, such as "a training", and Filled has the names of these
	// inputs: Builder.Input fails for every other name. If Filler is "", a missing input is
	// found only when the graph runs.
	Filler string
	Filled []string

	// HoldStops makes StopGradient return inputs named "stopped 0", "stopped 1", … instead of
	// its operands. Filled with the operands' values, they stay the same while parameters
	// move, as a finite difference of an objective with stops needs.
	HoldStops bool

	AllTerms   []Term      // terms of WeightedSum, including terms of weight 0
	Penalties  []Penalty   // penalties that networks declared
	Stopped    Nodes       // operands of every StopGradient
	Watched    []Watched   // nodes that Watch logs
	Layers     []Layer     // outputs of hidden layers that networks named
	Iterations []Iteration // computations that Iterate repeats

	b    *Builder
	pass *pass // of the network that RunPass runs; nil outside of networks
}

// Inspect returns the inspection of b's graph. It stays up to date while the graph grows.
func Inspect(b *Builder) *Inspection { return &b.inspection }

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
func (i *Inspection) Role(n *Node) (role Role, name string) {
	b := i.b
	for _, p := range b.params.list {
		if b.nodes[p.Name] == n {
			return Parameter, p.Name
		}
	}
	for _, in := range b.inputs {
		switch {
		case in.node != n:
		case in.alwaysZero:
			return Constant, in.name
		default:
			return Input, in.name
		}
	}
	for _, m := range b.randomNodes {
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
func (i *Inspection) Inputs() []string {
	var names []string
	for _, in := range i.b.inputs {
		if in.needsValues() {
			names = append(names, in.name)
		}
	}
	return names
}

// Input returns the input with that name, or nil if there is none.
func (i *Inspection) Input(name string) *Node {
	for _, in := range i.b.inputs {
		if in.name == name {
			return in.node
		}
	}
	return nil
}

// Parameter returns the parameter or buffer with that name, or nil if the graph does not use it.
func (i *Inspection) Parameter(name string) *Node { return i.b.nodes[name] }

// ConstantValues returns the values of a Constant or of a gradient that is always zero,
// row by row, and nil for every other node.
func (i *Inspection) ConstantValues(n *Node) []float64 {
	for _, in := range i.b.inputs {
		switch {
		case in.node != n:
		case in.constant != nil:
			return in.constant
		case in.alwaysZero:
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
func (i *Inspection) Draws() []Draw {
	var draws []Draw
	for _, m := range i.b.randomNodes {
		d := Draw{
			Node:    m.node,
			Pass:    Pass(m.stream >> 8),
			Kind:    m.kind,
			Network: m.scope,
			Layer:   int(m.stream & 255),
			Shared:  m.shared,
		}
		if m.kind == dropout {
			d.Keep = float64(m.threshold) / keepLevels
		}
		draws = append(draws, d)
	}
	return draws
}

// DrawsUsedBy describes the masks and noise that n is computed from. It does not look
// behind the nodes from, nor behind the values that Update gave to buffers.
func (i *Inspection) DrawsUsedBy(n *Node, from ...*Node) []Draw {
	for _, u := range i.b.updates {
		from = append(from, u.value)
	}
	dependencies := dependencies(n, from...)
	return slices.DeleteFunc(i.Draws(), func(d Draw) bool { return !slices.Contains(dependencies, d.Node) })
}

// Terms returns the terms of WeightedSum whose weight is not 0, in order.
func (i *Inspection) Terms() []Term {
	return slices.DeleteFunc(slices.Clone(i.AllTerms), func(t Term) bool { return t.Weight == 0 })
}

// UnusedPenalties returns the names of penalties that loss does not depend on, each once.
func (i *Inspection) UnusedPenalties(loss *Node) []string {
	needed := make(map[int64]bool)
	for _, n := range dependencies(loss) {
		needed[n.ID()] = true
	}
	used := make(map[string]bool)
	for _, p := range i.Penalties {
		used[p.Name] = used[p.Name] || needed[p.Value.ID()]
	}
	var unused []string
	for _, p := range i.Penalties {
		if !used[p.Name] && !slices.Contains(unused, p.Name) {
			unused = append(unused, p.Name)
		}
	}
	return unused
}

// Updates returns the values that buffers get after a training step, and the index of
// each buffer in Params.List.
func (i *Inspection) Updates() (values Nodes, buffers []int) {
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

// DependsOn reports whether n depends on the input with that name. It cannot see behind
// stops that are held, and then reports true.
func (i *Inspection) DependsOn(n *Node, input string) bool {
	if i.HoldStops {
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
func (i *Inspection) CheckTrainable(loss *Node) error {
	b := i.b
	if loss.Graph() != b.graph {
		return errors.New("it is " + foreignNodeText)
	}
	for _, n := range dependencies(loss) {
		if n.Op() == nil && !b.hasLeaf(n) {
			return fmt.Errorf("nothing fills or trains the node %q: take numbers to learn from Param, numbers that stay from Const or Constant, random ones from Dropout's masks, Normal and Uniform", n.Name())
		}
		if n.Deriv() != nil {
			return fmt.Errorf("gorgonia.Grad has differentiated %s, and it writes to nodes that all graphs of the process share: take gradients with Grad of the builder", describeNode(n))
		}
		if ops.Of(n).Kind == ops.Random {
			return fmt.Errorf("%v draws numbers that follow from no seed: take random ones from Dropout's masks, Normal and Uniform", n.Op())
		}
	}
	list, err := b.objectives(loss)
	if err != nil {
		return err
	}
	for _, o := range list {
		if _, err := b.newDerivative(o.value, b.parameters()); err != nil {
			return err
		}
	}
	return nil
}

// hasLeaf reports whether a node is an input, a mask or a parameter of the builder.
func (b *Builder) hasLeaf(n *Node) bool {
	for _, in := range b.inputs {
		if in.node == n {
			return true
		}
	}
	for _, m := range b.randomNodes {
		if m.node == n {
			return true
		}
	}
	return b.nodes[n.Name()] == n
}
