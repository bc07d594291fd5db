package models

import (
	"fmt"
	"maps"
	"slices"

	"sml/graph"
)

// Names of the inputs of a training graph.
const (
	InputX = "x" // [rows, inputs], standardised
	InputY = "y" // [rows, targets], standardised
)

// Spec is everything that decides which function a network computes and
// what it is trained for, but for the weights.
type Spec struct {
	Method          string          `json:"method"`
	Hyperparameters Hyperparameters `json:"hyperparameters"`
	Architecture    Architecture    `json:"architecture"`
}

// NewSpec completes a choice of method and architecture: hyperparameters
// that are not chosen have their defaults, the number of network outputs follows
// from the method, and layers drop units as the method has it unless
// a.Drop is set.
func NewSpec(method string, chosen map[string]float64, a Architecture) (Spec, error) {
	m, err := Lookup(method)
	if err != nil {
		return Spec{}, err
	}
	h, err := m.Choose(chosen)
	if err != nil {
		return Spec{}, err
	}
	a.Outputs = m.Outputs * a.Targets
	if a.Drop == "" {
		a.Drop = m.Drop
	}
	if a.Dropout == 0 {
		a.Dropout = 0 // no −0
	}
	if err := a.Check(1, 1); err != nil {
		return Spec{}, err
	}
	return Spec{Method: m.Name, Hyperparameters: h, Architecture: a}, nil
}

// Network puts the network of the spec on an input InputX of that many rows.
// The Forward may be called until the graph is opened; what is wrong with what
// it returns is the builder's error.
func (s Spec) Network(b *graph.Builder, rows int) (f Forward, err error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	b.WithLock(func() {
		defer recoverInto(&err, b, "the network of method "+m.Name)
		x := b.Input(InputX, rows, s.Architecture.Inputs)
		a := s.Architecture
		a.Hidden = slices.Clone(a.Hidden) // the spec stays what it is, whatever a network does with it
		f = (&passes{b, m, s.Architecture, rows, m.Network(b, x, a)}).run
	})
	if err == nil {
		err = b.Err()
	}
	return f, err
}

// Loss builds the whole objective over inputs InputX and InputY of that many
// rows. No other graph is built meanwhile, but by the objective itself.
func (s Spec) Loss(b *graph.Builder, rows int) (*graph.Node, error) {
	b.FilledBy("a training", InputX, InputY)
	loss, err := s.LossOver(b, rows, func(f Forward) Forward { return f })
	if err != nil {
		return nil, err
	}
	if !b.Uses(loss, InputX) {
		b.Fail(fmt.Errorf("the objective of method %s does not depend on what the network says", s.Method))
	}
	if !b.Uses(loss, InputY) {
		b.Fail(fmt.Errorf("the objective of method %s does not depend on the targets", s.Method))
	}
	return loss, b.Err()
}

// LossOver is Loss with something in the network's place: wrap gets the network
// and returns what the objective is to see, to note passes or to replace them.
// It may make inputs of its own, which its caller fills.
func (s Spec) LossOver(b *graph.Builder, rows int, wrap func(Forward) Forward) (loss *graph.Node, err error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	f, err := s.Network(b, rows)
	if err != nil {
		return nil, err
	}
	b.WithLock(func() {
		defer recoverInto(&err, b, "the objective of method "+m.Name)
		loss = m.Objective(b, wrap(f), b.Input(InputY, rows, s.Architecture.Targets), maps.Clone(s.Hyperparameters))
		switch {
		case b.Err() != nil:
		case loss == nil:
			b.Fail(fmt.Errorf("the objective of method %s returned nil, want a scalar", s.Method))
		case !loss.IsScalar():
			b.Fail(fmt.Errorf("the objective of method %s returned %v, which is not a scalar: end it with a Mean", s.Method, []int(loss.Shape())))
		default:
			if err := b.Trainable(loss); err != nil {
				b.Fail(fmt.Errorf("the objective of method %s: %w", s.Method, err))
			}
		}
	})
	if err == nil {
		err = b.Err()
	}
	return loss, err
}

// NewParams returns the spec's parameters, drawn from seed.
func (s Spec) NewParams(seed uint64) (*graph.Params, error) {
	params, err := s.declare()
	if err != nil {
		return nil, err
	}
	if err := params.Allocate(graph.Float32); err != nil {
		return nil, err
	}
	params.Initialise(seed)
	return params, nil
}

// declare builds the objective once, on two rows, to learn which parameters
// network and objective have.
func (s Spec) declare() (*graph.Params, error) {
	params := new(graph.Params)
	if _, err := s.Loss(graph.New(graph.Float32, params), 2); err != nil {
		return nil, err
	}
	return params, checkWeights(params, 1)
}

// recoverInto turns a panic in someone's objective or network into an error,
// unless the builder has one: what comes after its first error is a consequence.
func recoverInto(err *error, b *graph.Builder, what string) {
	if r := recover(); r != nil {
		if *err = b.Err(); *err == nil {
			*err = graph.Panicked(what, r)
		}
	}
}
