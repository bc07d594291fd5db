package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"
)

// Scope describes a part of a graph: its parameters, masks and noise. The zero Scope changes
// nothing.
type Scope struct {
	// Prefix is put before the names of parameters, as in "critic.". Each prefix has masks
	// and noise of its own.
	Prefix string

	// Rate is the learning rate of the parameters, in units of the training's. If it is 0, they
	// have the rate of the enclosing scope, or 1.
	Rate float64

	// Group is the group of the parameters, such as "critic": a training may have an optimizer of
	// its own for each group, and a Term may move one group alone. If it is "", they are in the
	// group of the enclosing scope, or in MainGroup.
	Group string

	// Frozen lets no gradient flow into the parameters. A parameter that is declared in frozen
	// scopes only keeps its values.
	Frozen bool

	// From, unless it is nil, has the values of the scope's parameters, by their names
	// without prefix. In the scope these parameters are constants.
	From *Params

	// Replacements maps parameters to nodes of the same shape that take their places, such as
	// weights after a step or moving averages: see ParametersOf.
	Replacements map[*Node]*Node
}

// scope combines all scopes that enclose the builder's present operation.
type scope struct {
	prefix       string          // prefix of the names of parameters, and of masks and noise
	rate         float64         // learning rate in units of the training's, 0 if no scope sets one
	group        string          // group of the parameters, "" for MainGroup
	frozen       bool            // whether no gradient flows into the parameters
	from         *Params         // values of the parameters, nil if they are not constants
	fromPrefix   int             // length of the prefix to cut off from names before they are looked up in from
	replacements map[*Node]*Node // nodes that take the places of parameters
}

// Within calls build in a scope, which applies to the Param, Weight, Buffer, Penalty, Dropout,
// Normal and Uniform that build calls. Nested scopes join their prefixes and multiply their rates,
// and parameters are frozen if one of the scopes is; Group, From and Replacements of an inner scope
// replace those of the outer one. A function that build returns or stores is outside the scope
// when it is called later.
func (b *Builder) Within(s Scope, build func()) {
	b.checkScope(s)
	outer := b.scope
	defer func() { b.scope = outer }() // also if build panics
	b.scope = outer.nest(s)
	build()
}

// nest returns the scope s within the scope outer: prefixes are joined, rates multiplied, and other
// settings of s replace those of outer unless they are zero.
func (outer scope) nest(s Scope) scope {
	inner := outer
	inner.prefix += s.Prefix
	inner.frozen = outer.frozen || s.Frozen
	if s.Rate != 0 {
		inner.rate = s.Rate
		if outer.rate != 0 {
			inner.rate = float64(s.Rate * outer.rate)
		}
	}
	if s.Group != "" {
		inner.group = s.Group
	}
	if s.From != nil {
		inner.from = s.From
		inner.fromPrefix = len(inner.prefix)
	}
	if s.Replacements != nil {
		inner.replacements = s.Replacements
	}
	return inner
}

// checkScope makes the builder fail if a scope's rate, group or replacements are impossible.
func (b *Builder) checkScope(s Scope) {
	isRate := s.Rate >= 0 && s.Rate <= math.MaxFloat32 // false for NaN
	if !isRate {
		b.Fail(fmt.Errorf("Within: there is no learning rate of %v times the training's: want a number above 0, or 0 for the training's own; to keep parameters as they are, set Frozen", s.Rate))
	}
	if err := checkGroup(s.Group); err != nil {
		b.Fail(fmt.Errorf("Within: %w", err))
	}
	for parameter, replacement := range s.Replacements {
		switch {
		case parameter == nil || replacement == nil:
			b.Fail(errors.New("Within: a node of Replacements is nil"))
		case !slices.Contains(b.parameters(), parameter):
			b.Fail(fmt.Errorf("Within: Replacements replaces %s, which is no parameter", describeNode(parameter)))
		}
	}
}

// Param returns the parameter with the given name, [rows, columns], which starts from init. It
// declares the parameter at the first call, and returns the same node at each further call of a
// graph. The enclosing scopes (Within) set its prefix, learning rate, group and more. Weight decay
// does not apply to the parameter, as is right for a bias, a gain, a rate or a variational
// parameter; Weight declares a parameter that decays.
//
// The builder fails if the name is "" or an input's, or if the parameter was declared with another
// shape, learning rate or group.
func (b *Builder) Param(name string, rows, columns int, init Init) *Node {
	return b.declare("Param", Param{Name: name, Rows: rows, Columns: columns, Init: init})
}

// Weight is Param for the weight matrix of a layer or the kernel of a convolution: a
// parameter that weight decay shrinks towards 0.
func (b *Builder) Weight(name string, rows, columns int, init Init) *Node {
	return b.declare("Weight", Param{Name: name, Rows: rows, Columns: columns, Init: init, Decay: true})
}

// declare returns the node that stands for a parameter in the present scope: its own node, a
// constant or a replacement. Errors begin with the name of the operation.
func (b *Builder) declare(operation string, p Param) *Node {
	n := b.apply(operation, nil, func() (*Node, error) {
		if p.Name == "" {
			return nil, errors.New("a parameter needs a name")
		}
		s := b.scope
		p.Name = s.prefix + p.Name
		p.Rate = s.rate
		p.Group = s.group
		p.Buffer = s.frozen
		if s.from != nil {
			return b.constantParameter(p)
		}
		n, err := b.paramNode(p)
		if err != nil {
			return nil, err
		}
		return s.replace(n)
	})
	isConstant := b.scope.from != nil // no gradient flows into it anyway
	if b.scope.frozen && !isConstant && b.err == nil {
		return b.StopGradient(n)
	}
	return n
}

// replace returns the replacement of a parameter, or the parameter if it has none. It returns an
// error if the replacement has another shape.
func (s scope) replace(parameter *Node) (*Node, error) {
	replacement := s.replacements[parameter]
	if replacement == nil {
		return parameter, nil
	}
	if !sameShape(replacement, parameter) {
		return nil, fmt.Errorf("parameter %q is %v, and its replacement %v", parameter.Name(), []int(parameter.Shape()), []int(replacement.Shape()))
	}
	return replacement, nil
}

// paramNode returns the node of a parameter in this graph, which it makes at the first call. It
// declares the parameter in Params at every call, since a further declaration may contradict earlier
// ones or add to them.
func (b *Builder) paramNode(p Param) (*Node, error) {
	if p.Rows < 1 || p.Columns < 1 {
		return nil, fmt.Errorf("parameter %q cannot be [%d %d]", p.Name, p.Rows, p.Columns)
	}
	if err := p.Init.check(); err != nil {
		return nil, fmt.Errorf("parameter %q cannot start from %w", p.Name, err)
	}
	if err := b.params.declare(p); err != nil {
		return nil, err
	}
	if n := b.nodes[p.Name]; n != nil {
		return n, nil
	}
	if slices.ContainsFunc(b.inputs, func(in *inputNode) bool { return in.name == p.Name }) {
		return nil, fmt.Errorf("there is an input %q already", p.Name) // Gorgonia would make one node of both
	}
	n := gorgonia.NewMatrix(b.graph, b.dtype, gorgonia.WithShape(p.Rows, p.Columns), gorgonia.WithName(p.Name))
	b.nodes[p.Name] = n
	return n, nil
}

// constantParameter returns the present value of a parameter of Scope.From, as a constant. It
// returns an error if there is no such parameter or it has another shape than p.
func (b *Builder) constantParameter(p Param) (*Node, error) {
	from := b.scope.from
	name := p.Name[b.scope.fromPrefix:]
	i := slices.IndexFunc(from.list, func(other Param) bool { return other.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no parameter %q to take the values of", name)
	}
	other := from.list[i]
	if other.Rows != p.Rows || other.Columns != p.Columns {
		return nil, fmt.Errorf("parameter %q is [%d %d], and is asked for as [%d %d]", name, other.Rows, other.Columns, p.Rows, p.Columns)
	}
	if !from.allocated() {
		return nil, fmt.Errorf("parameter %q has no value yet", name)
	}
	return b.Constant(p.Rows, p.Columns, from.copyFloat64s(i)), b.err
}

// parameters returns the nodes of Params.List. A node is nil if only other graphs have the
// parameter.
func (b *Builder) parameters() Nodes {
	nodes := make(Nodes, len(b.params.list))
	for i, p := range b.params.list {
		nodes[i] = b.nodes[p.Name]
	}
	return nodes
}

// Buffer returns a [rows, columns] matrix that the model saves and no optimizer moves, such as
// running means. Only Update changes it, and no gradient flows into it. Its name is in one space
// with the names of parameters.
func (b *Builder) Buffer(name string, rows, columns int, init Init) *Node {
	for _, u := range slices.Backward(b.updates) { // the latest update first
		if u.name == b.scope.prefix+name && b.scope.from == nil {
			return u.value
		}
	}
	// A buffer is a parameter that only frozen scopes declare.
	outerFrozen := b.scope.frozen
	b.scope.frozen = true
	defer func() { b.scope.frozen = outerFrozen }()
	return b.Param(name, rows, columns, init)
}

// Update sets the value that the buffer with the given name gets after a training step. It does
// nothing in a graph that computes no training step. A later Buffer of that name returns value, so
// that two forward passes in one step update the buffer twice. The builder fails if there is no
// such buffer or the shapes differ.
func (b *Builder) Update(name string, value *Node) {
	if !b.Training() || b.err != nil {
		return
	}
	i := slices.IndexFunc(b.params.list, func(p Param) bool { return p.Name == b.scope.prefix+name })
	if i < 0 {
		b.Fail(fmt.Errorf("Update: there is no buffer %q", name))
		return
	}
	p := b.params.list[i]
	switch {
	case !p.Buffer:
		b.failOperation("Update", Nodes{value}, "%q is a parameter: only a buffer, from Buffer, is updated", name)
	case value == nil || !value.IsMatrix() || value.Shape()[0] != p.Rows || value.Shape()[1] != p.Columns:
		b.failOperation("Update", Nodes{value}, "buffer %q is [%d %d]", name, p.Rows, p.Columns)
	default:
		b.updates = append(b.updates, update{name: p.Name, value: b.StopGradient(value)})
	}
}

// update is the value that a buffer gets after a step.
type update struct {
	name  string // name of the buffer with its prefix
	value *Node  // result of StopGradient
}

// Training reports whether the graph computes a training step. Layers that normalise by the
// batch do so only then; in all other graphs, such as a prediction's, they use their buffers.
func (b *Builder) Training() bool { return b.inspection.Training && b.scope.from == nil }
