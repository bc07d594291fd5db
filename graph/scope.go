package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"
)

// Scope describes a part of a graph: its parameters, masks and noise.
type Scope struct {
	// Prefix is put before the names of parameters, as in "critic.". Each prefix has masks
	// and noise of its own.
	Prefix string

	// Rate is the learning rate of the parameters, in units of the training's. The default
	// is the rate of the scope around, or 1.
	Rate float64

	// Group declares the group of the parameters, such as "critic": a training may have an
	// optimizer of its own for each group, and a Term may move one group alone. The default
	// is the group of the scope around, or MainGroup.
	Group string

	// Frozen lets no gradient flow into the parameters. A parameter that only frozen scopes
	// ask for keeps its values.
	Frozen bool

	// From, unless it is nil, has the values of the scope's parameters, by their names
	// without prefix. The scope takes them as constants.
	From *Params

	// Replacements maps parameters to nodes of the same shape that take their places, such as
	// weights after a step or moving averages (ParametersOf).
	Replacements map[*Node]*Node
}

// scope is the combination of all scopes that the builder is in.
type scope struct {
	prefix string
	rate   float64 // learning rate in units of the training's, 0 for its own
	group  string
	frozen bool
	from   *Params
	inner  int // length of the prefix outside the scope that set from

	instead map[*Node]*Node
}

// Within calls build in a scope, which applies to Param, Buffer, Penalty, Dropout, Normal
// and Uniform. Nested scopes join their prefixes and multiply their rates; Group, From and
// Instead are those of the innermost scope that sets them. A function that build returns
// or stores is outside the scope when it is called later.
func (b *Builder) Within(s Scope, build func()) {
	b.checkScope(s)
	around := b.scope
	defer func() { b.scope = around }()
	if s.From != nil {
		b.scope.from, b.scope.inner = s.From, len(around.prefix)+len(s.Prefix)
	}
	if s.Replacements != nil {
		b.scope.instead = s.Replacements
	}
	b.scope.prefix += s.Prefix
	if s.Group != "" {
		b.scope.group = s.Group
	}
	b.scope.frozen = around.frozen || s.Frozen
	if s.Rate != 0 && around.rate != 0 {
		b.scope.rate = float64(s.Rate * around.rate)
	} else if s.Rate != 0 {
		b.scope.rate = s.Rate
	}
	build()
}

// checkScope makes the builder fail if a scope's rate or replacements are impossible.
func (b *Builder) checkScope(s Scope) {
	if !(s.Rate >= 0 && s.Rate <= math.MaxFloat32) {
		b.Fail(fmt.Errorf("Within: there is no learning rate of %v times the training's: want a number above 0, or 0 for the training's own; to keep parameters as they are, set Frozen", s.Rate))
	}
	if err := checkGroup(s.Group); err != nil {
		b.Fail(fmt.Errorf("Within: %w", err))
	}
	for n, other := range s.Replacements {
		switch {
		case n == nil || other == nil:
			b.Fail(errors.New("Within: a node of Instead is nil"))
		case !slices.Contains(b.parameters(), n):
			b.Fail(fmt.Errorf("Within: Instead replaces %s, which is no parameter", describeNode(n)))
		}
	}
}

// Param returns the [rows, columns] parameter with that name, which starts from init. It
// returns the same node for the same name. Within sets its prefix, learning rate, group and
// more. Weight decay does not apply to the parameter, as is right for a bias, a gain, a rate
// or a variational parameter; Weight declares a parameter that decays.
func (b *Builder) Param(name string, rows, columns int, init Init) *Node {
	return b.declare("Param", Param{Name: name, Rows: rows, Columns: columns, Init: init})
}

// Weight is Param for the weight matrix of a layer or the kernel of a convolution: a
// parameter that weight decay shrinks towards 0.
func (b *Builder) Weight(name string, rows, columns int, init Init) *Node {
	return b.declare("Weight", Param{Name: name, Rows: rows, Columns: columns, Init: init, Decay: true})
}

// declare returns the node of a parameter in the present scope. Errors name the
// operation.
func (b *Builder) declare(operation string, p Param) *Node {
	n := b.apply(operation, nil, func() (*Node, error) {
		if p.Name == "" {
			return nil, errors.New("a parameter needs a name")
		}
		s := b.scope
		p.Name, p.Rate, p.Group, p.Buffer = s.prefix+p.Name, s.rate, s.group, s.frozen
		if s.from != nil {
			return b.frozenValue(p)
		}
		n, err := b.paramNode(p)
		if other := s.instead[n]; err == nil && other != nil {
			if !sameShape(other, n) {
				return nil, fmt.Errorf("parameter %q is %v, and what stands in its place %v", p.Name, []int(n.Shape()), []int(other.Shape()))
			}
			return other, nil
		}
		return n, err
	})
	if b.scope.frozen && b.scope.from == nil && b.err == nil {
		return b.StopGradient(n)
	}
	return n
}

// paramNode returns the node of a parameter, and declares it if it is new.
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
	n, ok := b.nodes[p.Name]
	if !ok {
		if slices.ContainsFunc(b.inputs, func(in *inputNode) bool { return in.name == p.Name }) {
			return nil, fmt.Errorf("there is an input %q already", p.Name) // Gorgonia would make one node of both
		}
		n = gorgonia.NewMatrix(b.graph, b.dtype, gorgonia.WithShape(p.Rows, p.Columns), gorgonia.WithName(p.Name))
		b.nodes[p.Name] = n
	}
	return n, nil
}

// frozenValue returns the present value of a parameter of Scope.From, as a constant.
func (b *Builder) frozenValue(p Param) (*Node, error) {
	from, name := b.scope.from, p.Name[b.scope.inner:]
	for i, have := range from.list {
		if have.Name != name {
			continue
		}
		if have.Rows != p.Rows || have.Columns != p.Columns {
			return nil, fmt.Errorf("parameter %q is [%d %d], and is asked for as [%d %d]", name, have.Rows, have.Columns, p.Rows, p.Columns)
		}
		values := make([]float64, have.Len())
		if from.float64s != nil {
			copy(values, Slice(from, from.float64s, i))
		} else if from.float32s != nil {
			for j, v := range Slice(from, from.float32s, i) {
				values[j] = float64(v)
			}
		} else {
			return nil, fmt.Errorf("parameter %q has no value yet", name)
		}
		return b.Constant(p.Rows, p.Columns, values), b.err
	}
	return nil, fmt.Errorf("there is no parameter %q to take the values of", name)
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

// Buffer returns [rows, columns] numbers that are saved with the model and that no
// optimizer moves, such as running means: only Update changes them. No gradient flows into
// them.
func (b *Builder) Buffer(name string, rows, columns int, init Init) *Node {
	for i := len(b.updates) - 1; i >= 0; i-- {
		if u := b.updates[i]; u.name == b.scope.prefix+name && b.scope.from == nil {
			return u.value
		}
	}
	frozen := b.scope.frozen
	b.scope.frozen = true
	defer func() { b.scope.frozen = frozen }()
	return b.Param(name, rows, columns, init)
}

// Update sets the value that the buffer with that name gets after a training step. In
// graphs that are no training step it does nothing. A later Buffer of that name returns
// value, so two passes in a step update it twice.
func (b *Builder) Update(name string, value *Node) {
	if !b.Training() || b.err != nil {
		return
	}
	for _, p := range b.params.list {
		if p.Name != b.scope.prefix+name {
			continue
		}
		if !p.Buffer {
			b.fail("Update", Nodes{value}, "%q is a parameter: only what Buffer returns is updated", name)
		} else if value == nil || !value.IsMatrix() || value.Shape()[0] != p.Rows || value.Shape()[1] != p.Columns {
			b.fail("Update", Nodes{value}, "buffer %q is [%d %d]", name, p.Rows, p.Columns)
		} else {
			b.updates = append(b.updates, update{p.Name, b.StopGradient(value)})
		}
		return
	}
	b.Fail(fmt.Errorf("Update: there is no buffer %q", name))
}

// update is the value that a buffer gets after a step.
type update struct {
	name  string
	value *Node // value without gradient
}

// Training reports whether the graph computes a training step. Layers that normalise by
// the batch use their buffers in all other graphs, such as a prediction's, or the
// validation loss of a network with buffers.
func (b *Builder) Training() bool { return b.inspection.Training && b.scope.from == nil }
