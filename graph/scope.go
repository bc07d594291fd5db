package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Scope is what parameters, masks and noise of a part of a graph have in common.
type Scope struct {
	Prefix string  // of the names of its parameters, as "critic."; masks and noise of a scope with a prefix are its own
	Rate   float64 // learning rate of its parameters, in units of the training's; default 1, or that of the scope around
	Frozen bool    // no gradient flows into them, and a parameter that is asked for in no other scope stays what it is
	From   *Params // its parameters are the values of these, by their names without prefix, as constants

	// Instead has nodes that are taken in the place of parameters, each of its parameter's
	// shape: weights after a step, or moving averages of them (ParametersOf).
	Instead map[*Node]*Node
}

// scope is the scopes that the builder is in, together.
type scope struct {
	prefix string
	rate   float64 // 0: of the training
	frozen bool
	from   *Params
	inner  int // length of the prefix of scopes around from

	instead map[*Node]*Node
}

// Within calls build in a scope: Param, Buffer, Penalty, Dropout, Normal and Uniform
// heed it. Scopes within one another add their prefixes and multiply their rates; From
// and Instead are those of the innermost that has one. What build leaves behind, such as
// a function that asks for parameters later, is not in the scope when it is called
// behind it.
func (b *Builder) Within(s Scope, build func()) {
	if !(s.Rate >= 0 && s.Rate <= math.MaxFloat32) {
		b.Fail(fmt.Errorf("Within: a learning rate of %v times the training's: want a number above 0, or 0 for its own; Frozen is for what stays", s.Rate))
	}
	around := b.scope
	defer func() { b.scope = around }()
	if s.From != nil {
		b.scope.from, b.scope.inner = s.From, len(around.prefix)+len(s.Prefix)
	}
	if s.Instead != nil {
		b.scope.instead = s.Instead
	}
	for n, other := range s.Instead {
		switch {
		case b.err != nil:
		case n == nil || other == nil:
			b.Fail(errors.New("Within: a node of Instead is nil"))
		case !slices.Contains(b.parameters(), n):
			b.Fail(fmt.Errorf("Within: %s is to be replaced, and is no parameter", nameOf(n)))
		}
	}
	b.scope.prefix += s.Prefix
	b.scope.frozen = around.frozen || s.Frozen
	if s.Rate != 0 && around.rate != 0 {
		b.scope.rate = float64(s.Rate * around.rate)
	} else if s.Rate != 0 {
		b.scope.rate = s.Rate
	}
	build()
}
