package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/internal/ops"
)

// Inspection describes the graph of a Builder, for programs that run, check, draw or export graphs
// which others have built. Inspect returns it. A program may set Training, OneDraw, Filler, FillerInputs
// and HoldStops before the graph is built, and ChangeLayer before a pass; all other fields are to be read only.
type Inspection struct {
	// Training reports whether the graph computes a training step.
	Training bool

	// OneDraw makes all rows share the dropout masks and the noise that the graph draws, so that a
	// sub-network is one function of its inputs. Otherwise each row has numbers of its own.
	OneDraw bool

	// Filler names the program part that fills the inputs, such as "a training". Unless it is "",
	// Builder.Input fails for names that are not in FillerInputs; otherwise Runner.Run fails.
	Filler       string
	FillerInputs []string // names of the inputs that Filler fills

	// HoldStops makes StopGradient return inputs named "stopped 0", "stopped 1", … instead of
	// its operands. The program fills them with the operands' values, which then stay the same while
	// parameters move, as finite differences of an objective with a StopGradient need.
	HoldStops bool

	// ChangeLayer returns the node from which a pass continues in place of a layer, or nil for the layer itself.
	// A program sets it for the time of a pass; nil changes no layer.
	ChangeLayer func(l Layer) *Node

	AllTerms     []Term        // terms of WeightedSum, including terms of weight 0
	Penalties    []Penalty     // penalties that networks declared
	StoppedNodes Nodes         // operands of every StopGradient
	WatchedNodes []WatchedNode // nodes that Watch logs
	Layers       []Layer       // outputs of hidden layers that networks named
	LinearLayers []LinearLayer // results of Linear in forward passes of networks
	Iterations   []Iteration   // computations that Iterate repeats

	b    *Builder // builder whose graph this describes
	pass *pass    // forward pass that RunPass is building, nil outside of networks
}

// Inspect returns the inspection of b's graph, which stays up to date while the graph grows.
func Inspect(b *Builder) *Inspection { return &b.inspection }

// Role is what a node of a graph stands for.
type Role uint8

const (
	Operation Role = iota // result of an operation
	Constant              // number, or zero gradient of a parameter
	Parameter             // parameter or buffer
	Input                 // input, constant matrix or noise
	Mask                  // dropout mask
	Stop                  // result of StopGradient
)

// Role returns what n stands for, and its name if it is a parameter, an input or a mask
// ("sub-network 0, layer 1"), else "".
func (i *Inspection) Role(n *Node) (role Role, name string) {
	if role, name, ok := i.leafRole(n); ok {
		return role, name
	}
	switch ops.OperationOf(n).Kind {
	case ops.KindInput:
		return Input, n.Name() // made by a gorgonia function
	case ops.KindStopGradient:
		return Stop, ""
	case ops.KindScalar:
		return Constant, ""
	}
	return Operation, ""
}

// leafRole returns the role and the name of a node without operands: a parameter, an input, a constant matrix or
// random numbers. ok is false for other nodes.
func (i *Inspection) leafRole(n *Node) (role Role, name string, ok bool) {
	b := i.b
	for _, p := range b.params.list {
		if b.nodes[p.Name] == n {
			return Parameter, p.Name, true
		}
	}
	for _, in := range b.inputs {
		if in.node != n {
			continue
		}
		if in.alwaysZero {
			return Constant, in.name, true
		}
		return Input, in.name, true
	}
	for _, random := range b.randomNodes {
		if random.node != n {
			continue
		}
		if random.kind == dropout {
			return Mask, strings.TrimPrefix(random.name, "mask of "), true
		}
		return Input, random.name, true
	}
	return Operation, "", false
}

// Inputs returns the names of the inputs to be filled, in the order of their declaration. Constants,
// masks and noise are not among them.
func (i *Inspection) Inputs() []string {
	var names []string
	for _, in := range i.b.inputs {
		if in.needsValues() {
			names = append(names, in.name)
		}
	}
	return names
}

// Input returns the input with the given name, or nil if the graph has none.
func (i *Inspection) Input(name string) *Node {
	for _, in := range i.b.inputs {
		if in.name == name {
			return in.node
		}
	}
	return nil
}

// Parameter returns the parameter or buffer with the given name, or nil if the graph does not use it.
func (i *Inspection) Parameter(name string) *Node { return i.b.nodes[name] }

// ConstantValues returns the values of a Constant or of the zero gradient of a parameter, row by
// row, and nil for every other node.
func (i *Inspection) ConstantValues(n *Node) []float64 {
	for _, in := range i.b.inputs {
		if in.node != n {
			continue
		}
		switch {
		case in.constant != nil:
			return in.constant
		case in.alwaysZero:
			return make([]float64, in.size)
		}
	}
	return nil
}

// Draw describes a matrix of random numbers that Runner.SampleMasks draws: a dropout mask or noise.
type Draw struct {
	Node    *Node
	Pass    Pass    // sub-network of the numbers; Full for noise of no sub-network
	Kind    string  // "dropout", "normal" or "uniform"
	Network string  // prefix of the network's scope, "" for the first network
	Layer   int     // layer of Dropout, or stream of noise
	Keep    float64 // probability that a dropout mask keeps a unit, 0 for noise
	Rows    int     // number of rows that the numbers belong to; 0 for noise that belongs to none: see Noise.Shared
}

// Draws describes all masks and noise of the graph, in the order of their declaration.
func (i *Inspection) Draws() []Draw {
	var draws []Draw
	for _, n := range i.b.randomNodes {
		d := Draw{
			Node:    n.node,
			Pass:    Pass(n.stream / streamsPerPass),
			Kind:    n.kind,
			Network: n.scope,
			Layer:   int(n.stream % streamsPerPass),
		}
		if !n.shared {
			d.Rows = n.rows
		}
		if n.kind == dropout {
			d.Keep = float64(n.threshold) / keepLevels
		}
		draws = append(draws, d)
	}
	return draws
}

// DrawsUsedBy describes the masks and noise from which n is computed. It takes the nodes of excluded
// as given, and the values that Update gave to buffers: draws that only they need do not count.
func (i *Inspection) DrawsUsedBy(n *Node, excluded ...*Node) []Draw {
	for _, u := range i.b.updates {
		excluded = append(excluded, u.value)
	}
	used := dependencies(n, excluded...)
	return slices.DeleteFunc(i.Draws(), func(d Draw) bool { return !slices.Contains(used, d.Node) })
}

// Terms returns the terms of WeightedSum whose weight is not 0, in order.
func (i *Inspection) Terms() []Term {
	return slices.DeleteFunc(slices.Clone(i.AllTerms), func(t Term) bool { return t.Weight == 0 })
}

// UnusedPenalties returns the names of the penalties on which the loss does not depend, each once.
func (i *Inspection) UnusedPenalties(loss *Node) []string {
	lossNodes := make(map[int64]bool) // by ID
	for _, n := range dependencies(loss) {
		lossNodes[n.ID()] = true
	}
	used := make(map[string]bool) // a name is used if one of its penalties is
	for _, p := range i.Penalties {
		used[p.Name] = used[p.Name] || lossNodes[p.Value.ID()]
	}
	var unused []string
	for _, p := range i.Penalties {
		if !used[p.Name] && !slices.Contains(unused, p.Name) {
			unused = append(unused, p.Name)
		}
	}
	return unused
}

// Updates returns the values that buffers get after a training step, and for each value the index
// of its buffer in Params.List. For a buffer that is updated twice it is the last value.
func (i *Inspection) Updates() (values Nodes, buffers []int) {
	latest := make(map[string]*Node) // by the name of the buffer
	for _, u := range i.b.updates {
		latest[u.name] = u.value
	}
	for k, p := range i.b.params.list {
		if value := latest[p.Name]; value != nil {
			values = append(values, value)
			buffers = append(buffers, k)
		}
	}
	return values, buffers
}

// DependsOn reports whether n depends on the input with the given name. If HoldStops is set, it
// cannot follow the graph through a StopGradient, and always reports true.
func (i *Inspection) DependsOn(n *Node, input string) bool {
	if i.HoldStops {
		return true
	}
	in := i.Input(input)
	return in != nil && slices.Contains(dependencies(n), in)
}

// Uses reports whether n is computed from x.
func (i *Inspection) Uses(n, x *Node) bool { return slices.Contains(dependencies(n), x) }

// CheckTrainable returns an error if a training cannot minimise the loss: if an operation has no
// correct gradient, if gorgonia.Grad was called, if the loss depends on a node that nothing fills,
// or if it depends on random numbers that do not follow from a seed.
func (i *Inspection) CheckTrainable(loss *Node) error {
	b := i.b
	if loss.Graph() != b.graph {
		return errors.New("it is " + foreignNodeText)
	}
	for _, n := range dependencies(loss) {
		if err := i.checkTrainableNode(n); err != nil {
			return err
		}
	}
	objectives, err := b.objectives(loss)
	if err != nil {
		return err
	}
	for _, o := range objectives {
		if _, err := b.newDerivative(o.value, b.parameters()); err != nil {
			return err
		}
	}
	return nil
}

// checkTrainableNode is CheckTrainable for one node on which the loss depends, but does not check
// its gradient.
func (i *Inspection) checkTrainableNode(n *Node) error {
	_, _, ownLeaf := i.leafRole(n)
	switch {
	case n.Op() == nil && !ownLeaf:
		return fmt.Errorf("nothing fills or trains the node %q: use Param for numbers to learn, Const or Constant for fixed numbers, and Dropout, Normal or Uniform for random numbers", n.Name())
	case n.Deriv() != nil:
		return fmt.Errorf("gorgonia.Grad has differentiated %s, and it writes to nodes that all graphs of the process share: take gradients with Grad of the builder", describeNode(n))
	case ops.OperationOf(n).Kind == ops.KindRandom:
		return fmt.Errorf("%v draws numbers that do not follow from a seed: use Dropout, Normal or Uniform of the builder", n.Op())
	}
	return nil
}
