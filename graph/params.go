package graph

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gorgonia.org/tensor"

	"sml/internal/portable"
)

// Params holds the values of all parameters of a network, one after another
// in a single block, in the order in which they were first asked for. Several
// graphs may share one Params. Until Allocate, one goroutine at a time may build
// graphs over it; afterwards several goroutines may. The zero value is empty and
// ready to use.
type Params struct {
	list     []Param
	size     int
	dtype    tensor.Dtype
	float32s []float32
	float64s []float64
}

// List returns the parameters in order.
func (p *Params) List() []Param { return p.list }

// Len returns the number of values in all parameters.
func (p *Params) Len() int { return p.size }

// Float32s returns the values of all parameters, not a copy. It returns nil before
// Allocate and for Float64.
func (p *Params) Float32s() []float32 { return p.float32s }

// Float64s is Float32s for Float64.
func (p *Params) Float64s() []float64 { return p.float64s }

// Clone returns a copy with values of its own.
func (p *Params) Clone() *Params {
	q := *p
	q.list = slices.Clone(p.list)
	q.float32s, q.float64s = slices.Clone(p.float32s), slices.Clone(p.float64s)
	return &q
}

// Initialise gives every parameter its initial values. One seed gives the same values in
// both number types, up to rounding. It panics before Allocate.
func (p *Params) Initialise(seed uint64) {
	if p.size > 0 && p.float32s == nil && p.float64s == nil {
		panic("graph: parameters have no values before a graph over them is opened")
	}
	for i, param := range p.list {
		draw := param.Init.generator(seed, uint64(i))
		for j := range param.Len() {
			if v := draw(); p.float64s != nil {
				p.float64s[param.offset+j] = v
			} else {
				p.float32s[param.offset+j] = float32(v)
			}
		}
	}
}

// declare adds a parameter. If there is one with that name, it returns an error unless
// shape, learning rate and group are the same.
func (p *Params) declare(want Param) error {
	for i, have := range p.list {
		if have.Name != want.Name {
			continue
		}
		if have.Rows != want.Rows || have.Columns != want.Columns {
			return fmt.Errorf("parameter %q is [%d %d] already, and is asked for as [%d %d]",
				want.Name, have.Rows, have.Columns, want.Rows, want.Columns)
		}
		if !p.allocated() { // goroutines that build graphs share allocated parameters
			p.list[i].Decay = have.Decay || want.Decay
		}
		if want.Buffer {
			return nil
		}
		if have.Buffer { // frozen in another scope
			if !p.allocated() {
				p.list[i].Buffer, p.list[i].Rate, p.list[i].Group = false, cmp.Or(want.Rate, 1), want.Group
			}
		} else if want.Group != "" && want.Group != have.Group {
			return fmt.Errorf("parameter %q is in the group %q already, and is asked for in %q", want.Name, cmp.Or(have.Group, MainGroup), want.Group)
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

// Allocate fixes the number of parameters and their number type, with all values 0.
// Further calls with the same type do nothing; with another type they return an error.
func (p *Params) Allocate(dtype tensor.Dtype) error {
	switch {
	case p.dtype == dtype:
		return nil
	case p.dtype != tensor.Dtype{}:
		return fmt.Errorf("parameters are %v and the graph computes in %v", p.dtype, dtype)
	case dtype == Float32:
		p.float32s = make([]float32, p.size)
	default:
		p.float64s = make([]float64, p.size)
	}
	p.dtype = dtype
	return nil
}

// allocated reports whether the number and the type of the parameters are fixed.
func (p *Params) allocated() bool { return p.dtype != tensor.Dtype{} }

// tensorData returns the values of parameter i as the tensorData of a tensor.
func (p *Params) tensorData(i int) any {
	if p.float64s != nil {
		return Slice(p, p.float64s, i)
	}
	return Slice(p, p.float32s, i)
}

// Slice returns the part of values that belongs to parameter i. The values are laid out as
// in the block of all parameters: they may be weights, gradients or moments.
func Slice[T any](p *Params, values []T, i int) []T {
	from := p.list[i].offset
	return values[from : from+p.list[i].Len()]
}

// Param is one parameter: a named matrix of weights.
type Param struct {
	Name          string
	Rows, Columns int
	Init          Init    // start of its values
	Rate          float64 // learning rate in units of the training's, 1 unless a Scope sets another
	Group         string  // group of its Scope, "" for MainGroup
	Buffer        bool    // saved but moved by no optimizer: a Buffer, or a parameter that is frozen everywhere
	Decay         bool    // weight decay applies: Weight declares the parameter, in at least one place

	offset int
}

// Len returns the number of values in the parameter.
func (p Param) Len() int { return p.Rows * p.Columns }

// Init says how the values of a parameter start. The zero Init starts them from 0.
type Init struct {
	kind  initKind
	scale float64
}

type initKind uint8

const (
	filled initKind = iota
	uniform
	normal
)

// Uniform returns an Init that draws from U(−bound, bound).
func Uniform(bound float64) Init { return Init{uniform, bound} }

// Normal returns an Init that draws from N(0, std²).
func Normal(std float64) Init { return Init{normal, std} }

// Filled returns an Init that starts all values from v.
func Filled(v float64) Init { return Init{filled, v} }

// String returns the Init as it is written in Go.
func (i Init) String() string {
	switch i.kind {
	case uniform:
		return fmt.Sprintf("Uniform(%v)", i.scale)
	case normal:
		return fmt.Sprintf("Normal(%v)", i.scale)
	}
	return fmt.Sprintf("Filled(%v)", i.scale)
}

// check returns an error unless the bound, std or value is a finite float32.
func (i Init) check() error {
	if !(math.Abs(i.scale) <= math.MaxFloat32) {
		return fmt.Errorf("%v: want a finite float32", i)
	}
	return nil
}

// generator returns a function that generator the initial values of parameter number, one after
// another.
func (i Init) generator(seed, number uint64) func() float64 {
	r := rand.New(rand.NewPCG(seed, number))
	switch i.kind {
	case uniform:
		return func() float64 { return i.scale * (float64(2*float64(r.Float64())) - 1) }
	case normal:
		return func() float64 { return float64(i.scale * portable.NormFloat64(r)) }
	}
	return func() float64 { return i.scale }
}
