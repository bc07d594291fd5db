package models

import (
	"cmp"
	"fmt"
	"maps"

	"sml/graph"
)

// Spec is everything that decides which function a network computes and
// what it is trained for, but for the weights.
type Spec struct {
	Method          string          `json:"method"`
	Hyperparameters Hyperparameters `json:"hyperparameters"`
	Architecture    Architecture    `json:"architecture"`
	Weighted        bool            `json:"weighted,omitempty"` // rows have weights, which the loss honours

	alone bool // frozen models are not there: see declareAlone
}

// NewSpec completes a choice of method and architecture: hyperparameters
// that are not chosen have their defaults, the number of network outputs follows
// from the method, and so do the network and the layers that drop units, unless
// a.Network and a.Drop are set. The chosen hyperparameters are the method's or the
// network's; a.Hyperparameters may have the network's as well.
func NewSpec(method string, chosen Hyperparameters, a Architecture) (Spec, error) {
	m, err := Lookup(method)
	if err != nil {
		return Spec{}, err
	}
	n, err := LookupNetwork(cmp.Or(a.Network, m.Network))
	if err != nil {
		return Spec{}, err
	}
	h, err := m.chooseWith(n, chosen, &a)
	if err != nil {
		return Spec{}, err
	}
	if a, err = a.complete(m, h, n); err != nil {
		return Spec{}, err
	}
	return Spec{Method: m.Name, Hyperparameters: h, Architecture: a}, nil
}

// Network returns the network that is chosen, or the method's own.
func (s Spec) Network() (Network, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return Network{}, err
	}
	return LookupNetwork(cmp.Or(s.Architecture.Network, m.Network))
}

// Forward puts the network of the spec on an input InputX of that many rows.
// What it returns may be called until the graph is opened; what is wrong with what
// the network returns is the builder's error.
func (s Spec) Forward(b *graph.Builder, rows int) (Forward, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	n, err := s.Network()
	if err != nil {
		return nil, err
	}
	f, _, err := n.forward(b, rows, s.Architecture, &m, nil)
	return f, err
}

// Loss builds the whole objective over inputs InputX and InputY of that many rows.
func (s Spec) Loss(b *graph.Builder, rows int) (*graph.Node, error) {
	loss, _, err := s.loss(b, rows, true)
	return loss, err
}

// NegativeTerms lists the terms of the objective that a hyperparameter weighs by less
// than 0, with what that is.
func (s Spec) NegativeTerms() ([]string, error) {
	_, task, err := s.loss(graph.New(graph.Float32, new(graph.Params)), 2, true)
	if err != nil {
		return nil, err
	}
	return task.negative, nil
}

// loss is Loss, with the task. Outside of a training, layers that look at the whole
// batch use their buffers.
func (s Spec) loss(b *graph.Builder, rows int, training bool) (*graph.Node, *Task, error) {
	g := graph.Inspect(b)
	g.Filler = "a training"
	g.FillerInputs = []string{InputX, InputY}
	g.Training = training
	loss, task, err := s.lossOver(b, rows, nil)
	if err != nil {
		return nil, nil, err
	}
	if !g.DependsOn(loss, InputX) {
		b.Fail(fmt.Errorf("the objective of method %s does not depend on what the network says", s.Method))
	}
	if !g.DependsOn(loss, InputY) && len(task.frozen) == 0 { // a teacher may say all that there is to learn
		b.Fail(fmt.Errorf("the objective of method %s does not depend on the targets", s.Method))
	}
	if s.Weighted && !g.DependsOn(loss, InputWeight) {
		b.Fail(fmt.Errorf("rows have weights, and the objective of method %s does not look at them: it ends with Task.Mean or Task.MSE, or takes Task.Weight", s.Method))
	}
	return loss, task, b.Err()
}

// LossOver is Loss with another network in the network's place: wrap gets each input x of the
// network and the network on x, and returns the network for the objective, to note passes or
// to replace them. It may make inputs of its own, which its caller fills.
func (s Spec) LossOver(b *graph.Builder, rows int, wrap func(x *graph.Node, f Forward) Forward) (*graph.Node, error) {
	graph.Inspect(b).Training = true
	loss, _, err := s.lossOver(b, rows, wrap)
	return loss, err
}

// lossOver is LossOver, with the task; wrap nil changes nothing.
func (s Spec) lossOver(b *graph.Builder, rows int, wrap func(*graph.Node, Forward) Forward) (loss *graph.Node, t *Task, err error) {
	if t, err = s.newTask(b, rows, wrap); err != nil {
		return nil, nil, err
	}
	loss, err = t.tryObjective()
	b.Fail(err) // has no effect if the builder had failed before: the panic then follows from that failure
	checkLoss(b, s.Method, loss)
	return loss, t, b.Err()
}

// newTask returns the task of a step over a number of rows. wrap is LossOver's; nil changes nothing.
func (s Spec) newTask(b *graph.Builder, rows int, wrap func(*graph.Node, Forward) Forward) (*Task, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	n, err := s.Network()
	if err != nil {
		return nil, err
	}
	said := &penalties{whole: wrap == nil}
	if wrap == nil {
		wrap = func(_ *graph.Node, f Forward) Forward { return f }
	}
	f, x, err := n.forward(b, rows, s.Architecture, &m, said)
	if err != nil {
		return nil, err
	}
	t := &Task{
		X: x, Hyperparameters: maps.Clone(s.Hyperparameters),
		b: b, spec: s, method: m, network: n, rows: rows, wrap: wrap, said: said,
	}
	t.Y = b.Input(InputY, rows, s.Architecture.Targets)
	t.forward = wrap(x, f)
	return t, b.Err()
}

// tryObjective calls the method's objective and turns a panic into an error.
func (t *Task) tryObjective() (loss *graph.Node, err error) {
	defer graph.Recover(&err, "the objective of method "+t.method.Name)
	return t.method.Objective(t.b, t), nil
}

// checkLoss makes the builder fail unless the objective returned a scalar that a training
// can minimise.
func checkLoss(b *graph.Builder, method string, loss *graph.Node) {
	switch {
	case b.Err() != nil:
	case loss == nil:
		b.Fail(fmt.Errorf("the objective of method %s returned nil, want a scalar", method))
	case !loss.IsScalar():
		b.Fail(fmt.Errorf("the objective of method %s returned %v, which is not a scalar: end it with a Mean", method, []int(loss.Shape())))
	default:
		if err := graph.Inspect(b).CheckTrainable(loss); err != nil {
			b.Fail(fmt.Errorf("the objective of method %s: %w", method, err))
		}
	}
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

// declareAlone is declare of a model that is read. It needs no model that its objective
// looked at, which may have become another since, or be this one; the error is then one
// of missingModel.
func (s Spec) declareAlone() (*graph.Params, error) {
	s.alone = true
	return s.declare()
}
