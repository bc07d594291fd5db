package models

import (
	"cmp"
	"fmt"
	"maps"

	"sml/graph"
)

// Spec describes a network and its training objective completely, except for the weights.
type Spec struct {
	Method          string          `json:"method"`
	Hyperparameters Hyperparameters `json:"hyperparameters"` // hyperparameters of the method
	Architecture    Architecture    `json:"architecture"`
	Weighted        bool            `json:"weighted,omitempty"` // whether rows have weights, which the loss has to use

	// PartlyKnown is set if some rows lack some of the targets, or all of them (Method.UsesUnlabelled): each target of a
	// row then has a weight, 0 if it is unknown, and the loss has to use these weights.
	PartlyKnown bool `json:"partly_known,omitempty"`

	withoutFrozen bool // makes Task.Frozen fail: see declareWithoutFrozen
}

// NewSpec returns the spec of a method and an architecture. chosen are hyperparameters of the method
// or of the network; a.Hyperparameters may hold hyperparameters of the network, too. Hyperparameters
// that are not chosen have their defaults. a.Network, a.Activation and a.Drop default to the method's
// and the network's; a.Outputs follows from the method. It returns an error if a name is unknown or a
// value is not allowed.
func NewSpec(method string, chosen Hyperparameters, a Architecture) (Spec, error) {
	m, err := Lookup(method)
	if err != nil {
		return Spec{}, err
	}
	n, err := LookupNetwork(cmp.Or(a.Network, m.Network))
	if err != nil {
		return Spec{}, err
	}
	ofMethod, ofNetwork, err := m.divideHyperparameters(n, chosen, a.Hyperparameters)
	if err != nil {
		return Spec{}, err
	}
	a.Hyperparameters = ofNetwork
	a, err = a.withDerivedFields(m, ofMethod, n)
	if err != nil {
		return Spec{}, err
	}
	return Spec{Method: m.Name, Hyperparameters: ofMethod, Architecture: a}, nil
}

// methodAndNetwork returns the method, and the chosen network or the method's default network.
func (s Spec) methodAndNetwork() (Method, Network, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return m, Network{}, err
	}
	n, err := LookupNetwork(cmp.Or(s.Architecture.Network, m.Network))
	return m, n, err
}

// Network returns the chosen network, or the method's default network.
func (s Spec) Network() (Network, error) {
	_, n, err := s.methodAndNetwork()
	return n, err
}

// Forward returns the network of the spec on an input named InputX with the given number of rows. Its outputs
// are [rows, s.Architecture.OutputColumns()]. The result may be called until a runner is made of the graph.
// Errors in a call, such as outputs of a wrong shape, make the builder fail.
func (s Spec) Forward(b *graph.Builder, rows int) (Forward, error) {
	m, n, err := s.methodAndNetwork()
	if err != nil {
		return nil, err
	}
	forward, _, err := n.forwardOnInput(b, rows, s.Architecture, &m, nil)
	return forward, err
}

// DeclareNetwork adds the parameters of the network to params: of the full network and, if the method uses them, of its
// sub-networks. It builds them on the given number of rows, and returns an error if the network has a mistake.
func (s Spec) DeclareNetwork(params *graph.Params, rows int) error {
	m, err := Lookup(s.Method)
	if err != nil {
		return err
	}
	b := graph.New(graph.Float32, params)
	forward, err := s.Forward(b, rows)
	if err != nil {
		return err
	}
	forward(graph.Full)
	if m.UsesSubNetworks() {
		forward(graph.Drop(0))
	}
	return b.Err()
}

// Loss returns the objective of a training step over inputs named InputX and InputY with the given
// number of rows, a scalar.
func (s Spec) Loss(b *graph.Builder, rows int) (*graph.Node, error) {
	loss, _, err := s.lossAndTask(b, rows, true)
	return loss, err
}

// NegativeTerms returns a text such as "spread by beta=-1" for each term of the objective whose
// weight, a hyperparameter, is below 0. It builds the objective, which notes these terms in its task.
func (s Spec) NegativeTerms() ([]string, error) {
	_, task, err := s.lossAndTask(graph.New(graph.Float32, new(graph.Params)), 2, true)
	if err != nil {
		return nil, err
	}
	return task.negativeTerms, nil
}

// lossAndTask returns the objective and its task. If training is false, layers that use statistics of
// the batch, such as BatchNorm, use their buffers instead. It returns an error if the objective does
// not depend on the network, the targets or the row weights.
func (s Spec) lossAndTask(b *graph.Builder, rows int, training bool) (*graph.Node, *Task, error) {
	inspection := graph.Inspect(b)
	inspection.Filler = "a training" // in errors about inputs that nothing fills
	inspection.FillerInputs = []string{InputX, InputY}
	inspection.Training = training
	loss, task, err := s.lossWithNetwork(b, rows, nil)
	if err != nil {
		return nil, nil, err
	}
	if !inspection.DependsOn(loss, InputX) {
		b.Fail(fmt.Errorf("the objective of method %s does not depend on the network's outputs", s.Method))
	}
	usesFrozen := len(task.frozen) > 0 // the outputs of a frozen model may take the place of the targets
	if !inspection.DependsOn(loss, InputY) && !usesFrozen {
		b.Fail(fmt.Errorf("the objective of method %s does not depend on the targets", s.Method))
	}
	if s.hasWeights() && !inspection.DependsOn(loss, InputWeight) {
		b.Fail(fmt.Errorf("%s, and the objective of method %s ignores them: end it with Task.Mean or Task.MSE, or use Task.Weight", s.weightsReason(), s.Method))
	}
	return loss, task, b.Err()
}

// hasWeights reports whether the rows, or their targets, have weights that the loss has to use.
func (s Spec) hasWeights() bool { return s.Weighted || s.PartlyKnown }

// weightColumns returns the number of weights of a row: one for each target if some are unknown.
func (s Spec) weightColumns() int {
	if s.PartlyKnown {
		return s.Architecture.Targets
	}
	return 1
}

// weightsReason says for errors why there are weights.
func (s Spec) weightsReason() string {
	if s.PartlyKnown {
		return "some rows lack a target, whose weight is 0"
	}
	return "rows have weights"
}

// LossWithNetwork returns Loss over a network that wrap returns, to record or to replace passes.
// wrap is called with each input x of the network and the network on x, and returns the network for
// the objective. It may add inputs to the graph, which its caller fills.
func (s Spec) LossWithNetwork(b *graph.Builder, rows int, wrap func(x *graph.Node, network Forward) Forward) (*graph.Node, error) {
	graph.Inspect(b).Training = true
	loss, _, err := s.lossWithNetwork(b, rows, wrap)
	return loss, err
}

// lossWithNetwork returns the objective and its task, with the network that wrap returns: see
// LossWithNetwork. A nil wrap keeps the network.
func (s Spec) lossWithNetwork(b *graph.Builder, rows int, wrap func(x *graph.Node, network Forward) Forward) (*graph.Node, *Task, error) {
	task, err := s.newTask(b, rows, wrap)
	if err != nil {
		return nil, nil, err
	}
	loss, err := task.tryObjective()
	// If the builder has failed before, Fail has no effect: the panic then follows from that failure.
	b.Fail(err)
	checkLoss(b, s.Method, loss)
	return loss, task, b.Err()
}

// newTask returns the task of a step over the given number of rows, with the network that wrap
// returns: see LossWithNetwork. A nil wrap keeps the network.
func (s Spec) newTask(b *graph.Builder, rows int, wrap func(x *graph.Node, network Forward) Forward) (*Task, error) {
	m, n, err := s.methodAndNetwork()
	if err != nil {
		return nil, err
	}
	penalties := &passPenalties{hasAllPasses: wrap == nil}
	if wrap == nil {
		wrap = func(_ *graph.Node, network Forward) Forward { return network }
	}
	forward, x, err := n.forwardOnInput(b, rows, s.Architecture, &m, penalties)
	if err != nil {
		return nil, err
	}
	copies := s.Architecture.CopyCount()
	t := &Task{
		X:               rowForEachCopy(b, x, copies),
		Y:               rowForEachCopy(b, b.Input(InputY, rows, s.Architecture.Targets), copies),
		Hyperparameters: maps.Clone(s.Hyperparameters),
		b:               b,
		spec:            s,
		method:          m,
		network:         n,
		rows:            copies * rows,
		wrapNetwork:     wrap,
		penalties:       penalties,
	}
	t.forward = wrap(t.X, t.outputRows(t.rows, forward))
	return t, b.Err()
}

// tryObjective calls the method's objective and turns a panic into an error.
func (t *Task) tryObjective() (loss *graph.Node, err error) {
	defer graph.Recover(&err, "the objective of method "+t.method.Name)
	return t.method.Objective(t.b, t), nil
}

// checkLoss makes the builder fail unless loss, which the objective of the method returned, is a
// scalar that a training can minimise.
func checkLoss(b *graph.Builder, method string, loss *graph.Node) {
	switch {
	case b.Err() != nil: // the builder has failed already
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

// NewParams returns the parameters of the spec with initial values that follow from the seed.
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

// declare returns the parameters of the network and the objective, without memory for their values.
// To find them it builds the objective once, on two rows.
func (s Spec) declare() (*graph.Params, error) {
	params := new(graph.Params)
	const rows = 2 // any number: parameters do not depend on it
	_, err := s.Loss(graph.New(graph.Float32, params), rows)
	if err != nil {
		return nil, err
	}
	return params, checkWeights(params, 1)
}

// declareWithoutFrozen returns the parameters like declare, but reads no frozen model: to load a model
// does not require the models that its objective used. If the objective uses one, the error is a
// missingModel.
func (s Spec) declareWithoutFrozen() (*graph.Params, error) {
	s.withoutFrozen = true
	return s.declare()
}
