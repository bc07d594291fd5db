package models

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
	"sml/graph"
)

// Task gives an objective everything that it can use in a step of the training: the batch, the
// network on any inputs in any pass, further columns of the table, the progress of the training, and
// the hyperparameters. Values that an objective does not request are not computed.
//
// If the network has copies (Architecture.Copies), the batch has each row once for each copy, in succession. A mean over
// its rows is then the mean of the losses of the copies, which learn as independent networks would.
type Task struct {
	X *graph.Node // inputs of the batch [rows, inputs], standardised
	Y *graph.Node // targets of the batch [rows, targets]: standardised numbers, or numbers of classes

	// Hyperparameters of the method. Float, IsOn and Text read numbers, switches and words; Scalar and
	// Term read numbers for which the user may choose a schedule.
	Hyperparameters

	b       *graph.Builder
	spec    Spec
	method  Method
	network Network
	rows    int // rows of the batch, times copies

	forward     Forward                                      // network on X
	fullPass    FullPass                                     // latest pass of the full network on X; the zero FullPass before the first
	wrapNetwork func(x *graph.Node, network Forward) Forward // replaces the network on x: see Spec.LossWithNetwork
	penalties   *passPenalties                               // penalties of the passes so far; nil in tests of an objective alone
	frozen      []*Frozen                                    // frozen models that the objective called so far
	scales      []scaleInput                                 // inputs that depend on scalers, so far

	afterTraining bool     // whether the task is for TrainedNetwork, and not for an objective
	negativeTerms []string // terms of the loss whose weight, a hyperparameter, is below 0
}

// Names of the inputs of a training graph. InputX and InputY always exist, the others only if the
// objective uses them.
const (
	InputX        = "x"             // [rows, inputs], standardised
	InputY        = "y"             // [rows, targets], standardised
	InputWeight   = "weight"        // [rows, 1], or [rows, targets] if some are unknown; with mean 1 over the training rows
	inputStep     = "step"          // [1, 1], index of the step
	inputProgress = "progress"      // [1, 1], steps done as a fraction of all steps
	inputRows     = "training rows" // [1, 1], number of training rows
	columnPrefix  = "column "       // followed by the name of a column: [rows, 1], as in the table
	scalarPrefix  = "scheduled "    // followed by the name of a hyperparameter: [1, 1]
	inputXRange   = "x range"       // [1, inputs], standardised
	inputYMean    = "y mean"        // [1, targets], in the unit of each target
	inputYStd     = "y std"         // [1, targets], in the unit of each target
)

// NewTask returns a task for a test of an objective without a network: network stands for it, and y
// are the targets [rows, targets] of the batch. X is nil.
func NewTask(b *graph.Builder, network Forward, y *graph.Node, h Hyperparameters) *Task {
	return &Task{Y: y, Hyperparameters: h, b: b, rows: y.Shape()[0], forward: network}
}

// Forward returns the outputs [rows, outputs] of the network on the batch. All passes have the same
// weights; sub-networks differ in their dropout masks.
func (t *Task) Forward(pass graph.Pass) *graph.Node {
	if pass != graph.Full {
		return t.forward(pass)
	}
	t.fullPass = NewFullPass(t.b, t.forward)
	return t.fullPass.Output
}

// Layer returns the output [rows, units] of a hidden layer of the full network on the batch, by the name that the network
// gives it (graph.Builder.Layer), or of the last named layer for "". The builder fails if there is none, or if the network
// has copies.
func (t *Task) Layer(name string) *graph.Node {
	if copies := t.spec.Architecture.CopyCount(); copies > 1 {
		t.b.Fail(fmt.Errorf("Layer: the network has %d copies, which share hidden layers: want 1 copy, or another network", copies))
		return t.b.Const(0)
	}
	if t.fullPass.Output == nil {
		t.Forward(graph.Full)
	}
	layer, err := t.fullPass.FindLayer(name)
	if err != nil {
		t.b.Fail(err)
		return t.b.Const(0)
	}
	return layer.Node
}

// ForwardChanging returns Forward with change(h) in place of the output h [rows, units] of a hidden layer, such as a
// mixture of rows: the pass continues from there. name is the layer's, or "" for the last layer, and change(h) has the
// shape of h. The builder fails if the network has no such layer or does not continue from it, or if it has copies.
func (t *Task) ForwardChanging(name string, change func(h *graph.Node) *graph.Node, pass graph.Pass) *graph.Node {
	t.Layer(name) // fails if there is no such layer
	layer, err := t.fullPass.FindLayer(name)
	if err != nil {
		return t.b.Const(0)
	}
	inspection := graph.Inspect(t.b)
	inspection.ChangeLayer = func(l graph.Layer) *graph.Node {
		if l.Name != layer.Name {
			return nil
		}
		return change(l.Node)
	}
	defer func() { inspection.ChangeLayer = nil }()
	return t.forward(pass)
}

// MeanOfRows returns the mean over all elements of x [rows, k], a scalar, for terms of the loss that need no target: rows
// that lack one count, too. Rows count by their weights if the table has any. The builder fails if rows have weights and
// some lack a target.
func (t *Task) MeanOfRows(x *graph.Node) *graph.Node {
	switch {
	case !t.spec.PartlyKnown:
		return t.Mean(x)
	case t.spec.Weighted:
		t.b.Fail(fmt.Errorf("MeanOfRows: rows have weights, and some lack a target: method %s needs rows without weights, or rows that have all targets", t.method.Name))
		return t.b.Const(0)
	}
	return t.b.Mean(x)
}

// SubNetworks returns the outputs [rows, outputs] of n sub-networks on the batch, from
// Forward(graph.Drop(0)) to Forward(graph.Drop(n−1)).
func (t *Task) SubNetworks(n int) graph.Nodes {
	outputs := make(graph.Nodes, n)
	for i := range outputs {
		outputs[i] = t.Forward(graph.Drop(i))
	}
	return outputs
}

// ForwardAt returns the outputs [n, outputs] of the network on other inputs x [n, inputs], such as
// adversarial inputs or mixtures of rows, with the same weights. In one pass, inputs with the same
// number of rows have the same dropout masks. The builder fails if x has another shape.
func (t *Task) ForwardAt(x *graph.Node, pass graph.Pass) *graph.Node {
	hasCopies := t.spec.Architecture.CopyCount() > 1 // Forward then does not depend on t.X, by which an objective may differentiate
	if x == t.X && !hasCopies {
		return t.Forward(pass)
	}
	return t.networkAt(x, "ForwardAt")(pass)
}

// ForwardWith returns ForwardAt with other weights. weights maps parameters, as
// graph.Builder.ParametersOf lists them, to the nodes that replace them, for instance weights after
// a step along the gradient (Finn et al. 2017, Foret et al. 2021), or moving averages of weights in
// buffers (Tarvainen and Valpola 2017). Parameters that are not in the map keep their values.
func (t *Task) ForwardWith(weights map[*graph.Node]*graph.Node, x *graph.Node, pass graph.Pass) *graph.Node {
	build := func() Forward { return t.networkAt(x, "ForwardWith") }
	return buildInScope(t.b, graph.Scope{Replacements: weights}, build)(pass)
}

// networkAt returns the network on inputs x [n, inputs]. If x has another shape, the builder fails
// with an error that names the calling method.
func (t *Task) networkAt(x *graph.Node, caller string) Forward {
	a := t.spec.Architecture
	if x == nil || x.Dims() != 2 || x.Shape()[1] != a.Inputs {
		t.b.Fail(fmt.Errorf("%s: want inputs [rows %d]", caller, a.Inputs))
		return func(graph.Pass) *graph.Node { return t.b.Const(0) }
	}
	rows := x.Shape()[0]
	copies := a.CopyCount()
	if rows%copies != 0 {
		t.b.Fail(fmt.Errorf("%s: there are %d rows of inputs: want a row for each of %d copies of the network, as Task.X has", caller, rows, copies))
		return func(graph.Pass) *graph.Node { return t.b.Const(0) }
	}
	networkX := x
	if copies > 1 {
		networkX = t.b.Reshape(x, rows/copies, copies*a.Inputs)
	}
	forward := t.network.forwardAt(t.b, networkX, a, &t.method, t.penalties)
	return t.wrapNetwork(x, t.outputRows(rows, forward))
}

// ShiftRows returns x [rows, k] with its rows moved up by the given number of rows of the table, the first ones to the
// end. It pairs each row with another one, for objectives that mix or compare rows: batches have their rows in
// random order. A row of a copy (Architecture.Copies) is paired with another row of the same copy, whereas the
// next row of x is often the same row again, for the next copy. In a batch of one row, the row is paired with
// itself. The builder fails if x has another number of rows than the batch.
func (t *Task) ShiftRows(x *graph.Node, by int) *graph.Node {
	if x == nil || x.Dims() != 2 || x.Shape()[0] != t.rows {
		t.b.Fail(fmt.Errorf("ShiftRows: want a value for each of the %d rows of the batch", t.rows))
		return t.b.Const(0)
	}
	copies := t.spec.Architecture.CopyCount()
	batch := t.rows / copies
	by = (by%batch + batch) % batch
	if by == 0 {
		return x
	}
	first := by * copies // index in x of the first row of the result
	return t.b.ConcatRows(t.b.SliceRows(x, first, t.rows), t.b.SliceRows(x, 0, first))
}

// Column returns a further column of the table, neither input nor target, such as a flag or the
// number of a group: [rows, 1], as it is in the table. A training on a table without the column ends
// with an error before the first step.
func (t *Task) Column(name string) *graph.Node { return t.rowInput(columnPrefix+name, 1) }

// Weight returns the weights of the rows [rows, 1]. Their mean over the training rows is 1. They are
// ones if the table has no weights. If rows lack some of the targets, or all (Spec.PartlyKnown), it returns the weights
// of all targets [rows, targets], which are 0 for unknown targets. Y is 0 for these, the mean of the known ones.
func (t *Task) Weight() *graph.Node {
	if !t.spec.hasWeights() {
		return t.b.Constant(t.rows, 1, slices.Repeat([]float64{1}, t.rows))
	}
	return t.rowInput(InputWeight, t.spec.weightColumns())
}

// Mean returns the mean over all elements of x [rows, k], weighted by the rows' weights if the table
// has any: a scalar, the usual last operation of a loss. The builder fails if the rows have weights
// and x has another number of rows. If rows lack some of the targets, x has to be [rows, targets], and the
// mean is over the known targets.
func (t *Task) Mean(x *graph.Node) *graph.Node {
	if !t.spec.hasWeights() {
		return t.b.Mean(x)
	}
	if err := t.checkWeighted(x); err != nil {
		t.b.Fail(err)
		return t.b.Const(0)
	}
	return t.b.Mean(t.b.Mul(x, t.Weight()))
}

// checkWeighted returns an error unless x has a value for each weight.
func (t *Task) checkWeighted(x *graph.Node) error {
	targets := t.spec.weightColumns()
	isMatrix := x != nil && x.Dims() == 2 && x.Shape()[0] == t.rows
	switch {
	case !isMatrix:
		return fmt.Errorf("Mean: %s: want a value for each of the %d rows", t.spec.weightsReason(), t.rows)
	case t.spec.PartlyKnown && x.Shape()[1] != targets:
		return fmt.Errorf("Mean: %s: the objective of method %s has a loss for each row, want one for each of its %d targets: train a model for each target, or use rows that have all targets",
			t.spec.weightsReason(), t.method.Name, targets)
	}
	return nil
}

// MSE returns the Mean of (x − y)² for nodes of the same shape, a scalar.
func (t *Task) MSE(x, y *graph.Node) *graph.Node {
	if !t.spec.hasWeights() {
		return t.b.MSE(x, y)
	}
	return t.Mean(t.b.Square(t.b.Sub(x, y)))
}

// InputRange returns the largest minus the smallest value of each input in the training rows,
// standardised, [1, inputs]. It is 0 for a constant input.
func (t *Task) InputRange() *graph.Node {
	return t.input(inputXRange, 1, t.spec.Architecture.Inputs)
}

// TargetScale returns the mean and the standard deviation by which each target was standardised,
// [1, targets] each, in the target's unit.
func (t *Task) TargetScale() (mean, std *graph.Node) {
	targets := t.Y.Shape()[1]
	mean = t.scaleInput(targets, scaleInput{
		name:      inputYMean,
		ofTargets: true,
		value:     func(training, _ data.Scaler) float64 { return training.Mean },
	})
	std = t.scaleInput(targets, scaleInput{
		name:      inputYStd,
		ofTargets: true,
		value:     func(training, _ data.Scaler) float64 { return training.Std },
	})
	return mean, std
}

// Unstandardised returns standardised targets x [rows, targets] in their own unit, x·std + mean, for
// objectives of counts and other targets with a limited support. float32 rounds the values.
func (t *Task) Unstandardised(x *graph.Node) *graph.Node {
	mean, std := t.TargetScale()
	return t.b.Add(t.b.Mul(x, std), mean)
}

// Step returns the number of steps done before this one, a scalar: 0 in the first step.
func (t *Task) Step() *graph.Node { return t.scalarInput(inputStep) }

// Progress returns the steps done before this one as a fraction of all steps, a scalar from 0 to
// less than 1.
func (t *Task) Progress() *graph.Node { return t.scalarInput(inputProgress) }

// TrainingRows returns the number of training rows, a scalar.
func (t *Task) TrainingRows() *graph.Node { return t.scalarInput(inputRows) }

// Scalar returns a hyperparameter as a scalar: a constant, or in each step the value of its
// schedule. It panics like Hyperparameters.Float; building the graph reports the panic as an error.
func (t *Task) Scalar(name string) *graph.Node {
	if _, isScheduled := t.schedule(name); isScheduled {
		return t.scalarInput(scalarPrefix + name)
	}
	return t.b.Const(t.Float(name))
}

// Term returns a named term of the loss for graph.Builder.WeightedSum. Its weight is the hyperparameter named weight, a
// number or a schedule. A minus before the name subtracts the term, as "-bonus" does for an entropy to be large. Term panics
// like Scalar.
func (t *Task) Term(name, weight string, value *graph.Node) graph.Term {
	weight, isSubtracted := strings.CutPrefix(weight, "-")
	sign := 1.0
	if isSubtracted {
		sign = -1
	}
	s, isScheduled := t.schedule(weight)
	smallest := min(s.From, s.To) // value of the hyperparameter during the training: a schedule goes from From to To
	if !isScheduled {
		smallest = t.Float(weight)
	}
	if smallest < 0 {
		t.negativeTerms = append(t.negativeTerms, fmt.Sprintf("%s by %s=%v", name, weight, t.get(weight)))
	}
	if isScheduled {
		return graph.Term{Name: name, Weight: sign, Factor: t.Scalar(weight), Value: value}
	}
	return graph.Term{Name: name, Weight: sign * t.Float(weight), Value: value}
}

// IsOn reports whether a switch is on. It panics if the hyperparameter is not a switch; building the
// graph reports the panic as an error.
func (t *Task) IsOn(name string) bool {
	for _, h := range t.method.Hyperparameters {
		if h.Name == name && !h.IsSwitch() {
			panic(fmt.Sprintf("hyperparameter %q is not a switch: its Default is %v; a switch has the Default true or false", name, h.Default))
		}
	}
	return t.Hyperparameters.IsOn(name)
}

// schedule returns the schedule of a hyperparameter, and false if it has none. It panics if the
// hyperparameter is a word.
func (t *Task) schedule(name string) (s Schedule, isScheduled bool) {
	text, isText := t.get(name).(string)
	if !isText {
		return s, false
	}
	s, err := parseNumberSchedule(text)
	if err != nil {
		panic(fmt.Sprintf("hyperparameter %q is the word %q, not a number: read it by Text", name, text))
	}
	return s, true
}

// rowInput returns an input of the graph with values for each row, [rows, columns].
func (t *Task) rowInput(name string, columns int) *graph.Node {
	copies := t.spec.Architecture.CopyCount()
	return rowForEachCopy(t.b, t.input(name, t.rows/copies, columns), copies)
}

// input returns the input of the graph with the given name, and declares it in the first call. The
// trainer fills it in each step.
func (t *Task) input(name string, rows, columns int) *graph.Node {
	inspection := graph.Inspect(t.b)
	declared := inspection.Input(name)
	if declared != nil {
		return declared
	}
	inspection.FillerInputs = append(inspection.FillerInputs, name)
	return t.b.Input(name, rows, columns)
}

// scaleInput returns the input of the graph that s describes, with the given number of columns, and declares it in the
// first call.
func (t *Task) scaleInput(columns int, s scaleInput) *graph.Node {
	if !slices.ContainsFunc(t.scales, func(other scaleInput) bool { return other.name == s.name }) {
		t.scales = append(t.scales, s)
	}
	return t.input(s.name, 1, columns)
}

// scalarInput returns the input of the graph with the given name as a scalar.
func (t *Task) scalarInput(name string) *graph.Node { return t.b.Sum(t.input(name, 1, 1)) }
