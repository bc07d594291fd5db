package models

import (
	"fmt"

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
func (s Spec) Network(b *graph.Builder, rows int) (f Forward, err error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	defer recoverInto(&err)
	x := b.Input(InputX, rows, s.Architecture.Inputs)
	f = m.Network(b, x, s.Architecture)
	return f, b.Err()
}

// Loss builds the whole objective over inputs InputX and InputY of that many
// rows.
func (s Spec) Loss(b *graph.Builder, rows int) (loss *graph.Node, err error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	f, err := s.Network(b, rows)
	if err != nil {
		return nil, err
	}
	defer recoverInto(&err)
	b.Alone(func() {
		loss = m.Objective(b, f, b.Input(InputY, rows, s.Architecture.Targets), s.Hyperparameters)
	})
	if b.Err() == nil && (loss == nil || !loss.IsScalar()) {
		return nil, fmt.Errorf("the objective of method %s is not a scalar: end it with a Mean", s.Method)
	}
	return loss, b.Err()
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

// recoverInto turns a panic in someone's objective into an error.
func recoverInto(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}
