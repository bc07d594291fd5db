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

// Params holds the values of all parameters of a network in a single block, one parameter after
// another in the order of their declaration by Builder.Param, Weight and Buffer. The zero value is
// empty and ready to use.
//
// Several graphs may share one Params. Before Allocate, only one goroutine at a time may build
// graphs over it; afterwards several goroutines may.
type Params struct {
	list  []Param
	size  int // number of values of all parameters
	dtype tensor.Dtype

	// The values, in the number type dtype; nil before Allocate.
	float32s []float32
	float64s []float64
}

// List returns the parameters in the order of their declaration. The caller must not change the
// list.
func (p *Params) List() []Param { return p.list }

// Len returns the number of values of all parameters.
func (p *Params) Len() int { return p.size }

// Float32s returns the values of all parameters, not a copy. It returns nil before Allocate and for
// Float64.
func (p *Params) Float32s() []float32 { return p.float32s }

// Float64s returns the values of all parameters, not a copy. It returns nil before Allocate and for
// Float32.
func (p *Params) Float64s() []float64 { return p.float64s }

// Clone returns a copy with values of its own.
func (p *Params) Clone() *Params {
	q := *p
	q.list = slices.Clone(p.list)
	q.float32s = slices.Clone(p.float32s)
	q.float64s = slices.Clone(p.float64s)
	return &q
}

// Initialise sets every parameter to its initial values, which follow from the seed and the
// parameter's Init. One seed gives the same values in both number types, up to rounding. It panics
// before Allocate.
func (p *Params) Initialise(seed uint64) {
	if p.size > 0 && !p.allocated() {
		panic("graph: Params.Initialise needs Params.Allocate or NewRunner first: the parameters have no memory yet")
	}
	for i, param := range p.list {
		next := param.Init.generator(seed, uint64(i))
		for j := range param.Len() {
			v := next()
			if p.float64s != nil {
				p.float64s[param.offset+j] = v
			} else {
				p.float32s[param.offset+j] = float32(v)
			}
		}
	}
}

// declare adds a parameter, or combines it with the parameter of that name that is declared
// already. A Rate of 0 and a Group of "" agree with any other. It returns an error if the two
// declarations contradict each other, or if the parameter is new after Allocate.
func (p *Params) declare(param Param) error {
	for i := range p.list {
		if p.list[i].Name == param.Name {
			return p.declareAgain(&p.list[i], param)
		}
	}
	if p.allocated() {
		return fmt.Errorf("parameter %q is new, but the parameters of this network are complete", param.Name)
	}
	param.Rate = cmp.Or(param.Rate, 1)
	param.offset = p.size
	p.size += param.Len()
	p.list = append(p.list, param)
	return nil
}

// declareAgain combines a further declaration of a parameter with the existing one. It changes
// nothing after Allocate, since goroutines that build graphs then share the parameters.
func (p *Params) declareAgain(existing *Param, param Param) error {
	if existing.Rows != param.Rows || existing.Columns != param.Columns {
		return fmt.Errorf("parameter %q is [%d %d] already, and is asked for as [%d %d]",
			param.Name, existing.Rows, existing.Columns, param.Rows, param.Columns)
	}
	if !p.allocated() {
		existing.Decay = existing.Decay || param.Decay
	}
	if param.Buffer { // a frozen scope adds no rate and no group
		return nil
	}
	if existing.Buffer { // all earlier scopes were frozen
		if !p.allocated() {
			existing.Buffer = false
			existing.Rate = cmp.Or(param.Rate, 1)
			existing.Group = param.Group
		}
		return nil
	}
	if param.Group != "" && param.Group != existing.Group {
		return fmt.Errorf("parameter %q is in the group %q already, and is asked for in %q", param.Name, cmp.Or(existing.Group, MainGroup), param.Group)
	}
	if param.Rate != 0 && param.Rate != existing.Rate {
		return fmt.Errorf("parameter %q has %v times the training's learning rate already, and is asked for with %v times", param.Name, existing.Rate, param.Rate)
	}
	return nil
}

// Allocate fixes the parameters and their number type, Float32 or Float64, and sets all values to 0.
// NewRunner calls it. Further calls with the same type do nothing; with another type they return an
// error.
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

// copyFloat64s returns a copy of the values of parameter i in float64.
func (p *Params) copyFloat64s(i int) []float64 {
	if p.float64s != nil {
		return slices.Clone(ParamValues(p, p.float64s, i))
	}
	values := make([]float64, p.list[i].Len())
	for j, v := range ParamValues(p, p.float32s, i) {
		values[j] = float64(v)
	}
	return values
}

// tensorData returns the values of parameter i, not a copy: a []float32 or []float64.
func (p *Params) tensorData(i int) any {
	if p.float64s != nil {
		return ParamValues(p, p.float64s, i)
	}
	return ParamValues(p, p.float32s, i)
}

// ParamValues returns the part of values that belongs to parameter i of p.List, row by row, not a copy.
// There is one value for each value of p, in the same order: weights, gradients or moments.
func ParamValues[T any](p *Params, values []T, i int) []T {
	start := p.list[i].offset
	return values[start : start+p.list[i].Len()]
}

// Param is one parameter: a named matrix of weights.
type Param struct {
	Name          string
	Rows, Columns int
	Init          Init    // initial values
	Rate          float64 // learning rate in units of the training's, 1 unless a Scope sets another
	Group         string  // group of its Scope, "" for MainGroup

	// Buffer reports whether the values are saved and no optimizer moves them: Builder.Buffer
	// declares them, or only frozen scopes do.
	Buffer bool

	// Decay reports whether weight decay applies: at least one declaration is Builder.Weight.
	Decay bool

	offset int // index of its first value in the block of all parameters
}

// Len returns the number of values in the parameter.
func (p Param) Len() int { return p.Rows * p.Columns }

// Init is a distribution of initial values. The zero Init is the constant 0.
type Init struct {
	kind  initKind
	scale float64 // bound of a uniform distribution, standard deviation of a normal one, or the constant
}

// initKind is a kind of distribution.
type initKind uint8

const (
	constantInit initKind = iota
	uniformInit
	normalInit
)

// Uniform returns the uniform distribution U(−bound, bound).
func Uniform(bound float64) Init { return Init{kind: uniformInit, scale: bound} }

// Normal returns the normal distribution N(0, std²).
func Normal(std float64) Init { return Init{kind: normalInit, scale: std} }

// Fill returns an Init that sets all values to v.
func Fill(v float64) Init { return Init{kind: constantInit, scale: v} }

// String returns the Init as Go code, such as "Uniform(0.5)".
func (i Init) String() string {
	switch i.kind {
	case uniformInit:
		return fmt.Sprintf("Uniform(%v)", i.scale)
	case normalInit:
		return fmt.Sprintf("Normal(%v)", i.scale)
	}
	return fmt.Sprintf("Fill(%v)", i.scale)
}

// check returns an error unless the bound, standard deviation or constant is a finite float32.
func (i Init) check() error {
	if !(math.Abs(i.scale) <= math.MaxFloat32) {
		return fmt.Errorf("%v: want a finite float32", i)
	}
	return nil
}

// generator returns a function that returns the initial values of a parameter, one after another.
// They follow from the seed and the parameter's index.
func (i Init) generator(seed, index uint64) func() float64 {
	r := rand.New(rand.NewPCG(seed, index))
	switch i.kind {
	case uniformInit:
		return func() float64 { return i.scale * (float64(2*float64(r.Float64())) - 1) }
	case normalInit:
		return func() float64 { return float64(i.scale * portable.NormFloat64(r)) }
	}
	return func() float64 { return i.scale }
}
