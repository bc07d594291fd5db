package graph

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sml/internal/portable"
)

// Init says what the values of a parameter are before the first step. The zero Init
// is zeros.
type Init struct {
	kind initKind
	size float64
}

type initKind uint8

const (
	filled initKind = iota
	uniform
	normal
)

// Uniform starts a parameter from U(−bound, bound).
func Uniform(bound float64) Init { return Init{uniform, bound} }

// Normal starts a parameter from N(0, std²).
func Normal(std float64) Init { return Init{normal, std} }

// Filled starts a parameter from v, the same everywhere: Filled(0) is zeros, Filled(1)
// ones.
func Filled(v float64) Init { return Init{filled, v} }

func (i Init) String() string {
	switch i.kind {
	case uniform:
		return fmt.Sprintf("Uniform(%v)", i.size)
	case normal:
		return fmt.Sprintf("Normal(%v)", i.size)
	}
	return fmt.Sprintf("Filled(%v)", i.size)
}

// check returns an error if there are no such numbers.
func (i Init) check() error {
	if !(math.Abs(i.size) <= math.MaxFloat32) {
		return fmt.Errorf("%v: want a finite float32", i)
	}
	return nil
}

// draws returns what gives the initial values of parameter number i, one after
// another.
func (i Init) draws(seed, number uint64) func() float64 {
	r := rand.New(rand.NewPCG(seed, number))
	switch i.kind {
	case uniform:
		return func() float64 { return i.size * (float64(2*float64(r.Float64())) - 1) }
	case normal:
		return func() float64 { return float64(i.size * portable.NormFloat64(r)) }
	}
	return func() float64 { return i.size }
}
