package graph

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/ops"
)

// Param is one parameter: a matrix of weights with a name.
type Param struct {
	Name          string
	Rows, Columns int
	Init          Init    // of its values before the first step
	Rate          float64 // learning rate, in units of the training's: 1 unless its group has another
	Buffer        bool    // saved, and moved by no optimizer: a Buffer, or frozen wherever it is asked for

	offset int
}

// Len is the number of values in the parameter.
func (p Param) Len() int { return p.Rows * p.Columns }

// Params holds the values of all parameters of a network, one after another
// in a single block, in the order in which they were first asked for. Several
// graphs may share one Params. Until Allocate, one goroutine at a time may build
// graphs over it; afterwards several goroutines may. The zero value is empty and
// ready to use.
type Params struct {
	list   []Param
	size   int
	dtype  tensor.Dtype
	single []float32
	double []float64
}

// List returns the parameters in order.
func (p *Params) List() []Param { return p.list }

// Len is the number of values in all parameters.
func (p *Params) Len() int { return p.size }

// Float32s returns the values of all parameters, not a copy. It is nil before
// the first graph over them has been opened, or when they are float64.
func (p *Params) Float32s() []float32 { return p.single }

// Float64s is Float32s for a float64 graph.
func (p *Params) Float64s() []float64 { return p.double }

// Slice cuts parameter i out of values, which are laid out like the block of
// all parameters: the values themselves, their gradients or Adam moments.
func Slice[T any](p *Params, values []T, i int) []T {
	from := p.list[i].offset
	return values[from : from+p.list[i].Len()]
}

// Initialise gives every parameter its initial values. The same seed gives the same
// ones in either number type, up to rounding.
func (p *Params) Initialise(seed uint64) {
	if p.size > 0 && p.single == nil && p.double == nil {
		panic("graph: parameters have no values before a graph over them is opened")
	}
	for i, param := range p.list {
		draw := param.Init.draws(seed, uint64(i))
		for j := range param.Len() {
			if v := draw(); p.double != nil {
				p.double[param.offset+j] = v
			} else {
				p.single[param.offset+j] = float32(v)
			}
		}
	}
}

// declare adds a parameter, or checks that it is the one declared before.
func (p *Params) declare(want Param) error {
	for i, have := range p.list {
		if have.Name != want.Name {
			continue
		}
		if have.Rows != want.Rows || have.Columns != want.Columns {
			return fmt.Errorf("parameter %q is [%d %d] already, and is asked for as [%d %d]",
				want.Name, have.Rows, have.Columns, want.Rows, want.Columns)
		}
		if want.Buffer {
			return nil
		}
		if have.Buffer { // frozen in another scope
			if !p.allocated() {
				p.list[i].Buffer, p.list[i].Rate = false, cmp.Or(want.Rate, 1)
			}
		} else if want.Rate != 0 && want.Rate != have.Rate {
			return fmt.Errorf("parameter %q has %v times the training's learning rate already, and is asked for with %v times", want.Name, have.Rate, want.Rate)
		}
		return nil
	}
	if p.allocated() {
		return fmt.Errorf("parameter %q is new, but the parameters of this network are complete", want.Name)
	}
	want.Rate = cmp.Or(want.Rate, 1)
	want.offset = p.size
	p.size += want.Len()
	p.list = append(p.list, want)
	return nil
}

// Allocate fixes the parameters' number and type, all values 0. Once that is
// done it changes nothing.
func (p *Params) Allocate(dtype tensor.Dtype) error {
	switch {
	case p.dtype == dtype:
		return nil
	case p.dtype != tensor.Dtype{}:
		return fmt.Errorf("parameters are %v and the graph computes in %v", p.dtype, dtype)
	case dtype == Float32:
		p.single = make([]float32, p.size)
	default:
		p.double = make([]float64, p.size)
	}
	p.dtype = dtype
	return nil
}

// allocated reports whether the number and the type of the parameters are fixed.
func (p *Params) allocated() bool { return p.dtype != tensor.Dtype{} }

// backing returns parameter i as what a tensor can be built on.
func (p *Params) backing(i int) any {
	if p.double != nil {
		return Slice(p, p.double, i)
	}
	return Slice(p, p.single, i)
}

// Param returns the parameter of that name, a [rows, columns] matrix with those
// initial values. Every call with one name returns the same node. Within says what
// several of them have in common.
func (b *Builder) Param(name string, rows, columns int, init Init) *Node {
	n := b.apply("Param", nil, func() (*Node, error) {
		if name == "" {
			return nil, errors.New("a parameter needs a name")
		}
		s := b.scope
		p := Param{Name: s.prefix + name, Rows: rows, Columns: columns, Init: init, Rate: s.rate, Buffer: s.frozen}
		if s.from != nil {
			return b.taken(p)
		}
		n, err := b.param(p)
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

// taken is the value of a parameter of the scope's From, as a constant.
func (b *Builder) taken(p Param) (*Node, error) {
	from, name := b.scope.from, p.Name[b.scope.inner:]
	for i, have := range from.list {
		if have.Name != name {
			continue
		}
		if have.Rows != p.Rows || have.Columns != p.Columns {
			return nil, fmt.Errorf("parameter %q is [%d %d], and is asked for as [%d %d]", name, have.Rows, have.Columns, p.Rows, p.Columns)
		}
		values := make([]float64, have.Len())
		if from.double != nil {
			copy(values, Slice(from, from.double, i))
		} else if from.single != nil {
			for j, v := range Slice(from, from.single, i) {
				values[j] = float64(v)
			}
		} else {
			return nil, fmt.Errorf("parameter %q has no value yet", name)
		}
		return b.Constant(p.Rows, p.Columns, values), b.err
	}
	return nil, fmt.Errorf("there is no parameter %q to take the values of", name)
}

func (b *Builder) param(p Param) (*Node, error) {
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
		if slices.ContainsFunc(b.inputs, func(in *buffer) bool { return in.name == p.Name }) {
			return nil, fmt.Errorf("there is an input %q already", p.Name) // and Gorgonia would take one for the other
		}
		n = gorgonia.NewMatrix(b.graph, b.dtype, gorgonia.WithShape(p.Rows, p.Columns), gorgonia.WithName(p.Name))
		b.nodes[p.Name] = n
	}
	return n, nil
}

// ParametersOf returns the parameters that y has a gradient with respect to, those of
// a network's output for instance, in the order of Params.List: what Grad and
// Scope.Instead take.
func (b *Builder) ParametersOf(y *Node) Nodes {
	var list Nodes
	b.apply("ParametersOf", Nodes{y}, func() (*Node, error) {
		behind := follow(y, ops.DependsOn)
		for _, n := range b.parameters() {
			if n != nil && slices.Contains(behind, n) {
				list = append(list, n)
			}
		}
		return y, nil
	})
	return list
}
