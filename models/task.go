package models

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
	"sml/graph"
	"sml/internal/portable"
)

// Task is all that an objective knows of a step: the batch, the network on any input
// in any pass, further columns of the table, how far the training is, and what its
// user chose. What an objective does not ask for is not computed.
type Task struct {
	X *graph.Node // inputs of the batch [rows, inputs], standardised
	Y *graph.Node // targets of the batch [rows, targets]: standardised numbers, or the numbers of classes

	// Hyperparameters are the method's. Float, On and Text read numbers, switches and
	// words; a number that its user may schedule is read by Scalar or Term.
	Hyperparameters

	b       *graph.Builder
	spec    Spec
	method  Method
	network Network
	rows    int
	wrap    func(x *graph.Node, f Forward) Forward
	forward Forward // of X
	said    *penalties
	frozen  []*Frozen
	trained bool // the task is one of a TrainedNetwork

	negative []string // terms whose weight, a hyperparameter, is less than 0
}

// Names of the inputs of a training graph. Those behind y are there if the
// objective asks for them.
const (
	InputX       = "x"             // [rows, inputs], standardised
	InputY       = "y"             // [rows, targets], standardised
	InputWeight  = "weight"        // [rows, 1], of mean 1 over the training rows
	inputStep    = "step"          // [1 1], from 0
	inputShare   = "progress"      // [1 1], step / steps
	inputRows    = "training rows" // [1 1]
	columnPrefix = "column "       // [rows, 1], as the table has it
	scalarPrefix = "scheduled "    // [1 1], a hyperparameter
	inputXMean   = "x mean"        // [1, inputs]
	inputXStd    = "x std"
	inputXRange  = "x range" // [1, inputs], standardised
	inputYMean   = "y mean"  // [1, targets]
	inputYStd    = "y std"
)

// Forward runs the network on the batch: [rows, outputs]. Calls with different
// passes use the same weights and different dropout masks.
func (t *Task) Forward(pass graph.Pass) *graph.Node { return t.forward(pass) }

// SubNetworks returns the outputs of n sub-networks on the batch, those of
// Forward(graph.Drop(0)) to Forward(graph.Drop(n − 1)).
func (t *Task) SubNetworks(n int) graph.Nodes {
	outputs := make(graph.Nodes, n)
	for i := range outputs {
		outputs[i] = t.Forward(graph.Drop(i))
	}
	return outputs
}

// ForwardAt runs the network, with the same weights, on other inputs x [n, inputs]:
// adversarial ones, or a mixture. In one pass, inputs of as many rows have the same
// masks.
func (t *Task) ForwardAt(x *graph.Node, pass graph.Pass) *graph.Node {
	if x == t.X {
		return t.Forward(pass)
	}
	return t.on("ForwardAt", x)(pass)
}

// ForwardWith is ForwardAt with other weights: nodes in the place of parameters, those
// that Builder.ParametersOf lists of what the network says. They are the same weights
// but for a step against a gradient (Finn et al. 2017, Foret et al. 2021), or moving
// averages that Builder.Update keeps (Tarvainen and Valpola 2017). What is in no place is
// as in ForwardAt.
func (t *Task) ForwardWith(weights map[*graph.Node]*graph.Node, x *graph.Node, pass graph.Pass) *graph.Node {
	return within(t.b, graph.Scope{Replacements: weights}, func() Forward { return t.on("ForwardWith", x) })(pass)
}

// on puts the network on other inputs, for a method of that name.
func (t *Task) on(of string, x *graph.Node) Forward {
	if a := t.spec.Architecture; x == nil || x.Dims() != 2 || x.Shape()[1] != a.Inputs {
		t.b.Fail(fmt.Errorf("%s: want inputs [rows %d]", of, a.Inputs))
		return func(graph.Pass) *graph.Node { return t.b.Const(0) }
	}
	return t.wrap(x, t.network.on(t.b, x, t.spec.Architecture, &t.method, t.said))
}

// Column returns a further column of the table [rows, 1], as it is there, such as a
// flag or a group: neither an input nor a target. A training without it is an error
// before the first step.
func (t *Task) Column(name string) *graph.Node { return t.input(columnPrefix+name, t.rows, 1) }

// Weight returns the weights of the rows [rows, 1], whose mean over the training rows
// is 1: ones, where the table has none.
func (t *Task) Weight() *graph.Node {
	if !t.spec.Weighted {
		return t.b.Constant(t.rows, 1, slices.Repeat([]float64{1}, t.rows))
	}
	return t.input(InputWeight, t.rows, 1)
}

// Mean returns the mean over the rows of x [rows, k], weighted where rows have
// weights: what a loss ends with. It is a scalar.
func (t *Task) Mean(x *graph.Node) *graph.Node {
	if !t.spec.Weighted {
		return t.b.Mean(x)
	}
	if x == nil || x.Dims() != 2 || x.Shape()[0] != t.rows {
		t.b.Fail(fmt.Errorf("Mean: rows have weights: want a value for each of the %d rows", t.rows))
		return t.b.Const(0)
	}
	return t.b.Mean(t.b.Mul(x, t.Weight()))
}

// MSE returns the Mean of (x − y)², a scalar. Shapes are equal.
func (t *Task) MSE(x, y *graph.Node) *graph.Node {
	if !t.spec.Weighted {
		return t.b.MSE(x, y)
	}
	return t.Mean(t.b.Square(t.b.Sub(x, y)))
}

// InputScale returns the mean and the standard deviation that standardised each input, [1, inputs]
// each: a value of the table is x·std + mean.
func (t *Task) InputScale() (mean, std *graph.Node) {
	a := t.spec.Architecture
	return t.input(inputXMean, 1, a.Inputs), t.input(inputXStd, 1, a.Inputs)
}

// InputRange returns the range of each input in the training rows, the largest minus the smallest
// value, standardised as X is: [1, inputs]. The range of a constant input is 0.
func (t *Task) InputRange() *graph.Node {
	return t.input(inputXRange, 1, t.spec.Architecture.Inputs)
}

// typicalRange is about the range of a standardised input: four standard deviations hold
// 95 % of a normal distribution.
const typicalRange = 4

// TargetScale returns the mean and the standard deviation that standardised each target,
// [1, targets] each.
func (t *Task) TargetScale() (mean, std *graph.Node) {
	targets := t.Y.Shape()[1]
	return t.input(inputYMean, 1, targets), t.input(inputYStd, 1, targets)
}

// Unstandardised returns x·std + mean for x [rows, targets], which is standardised as Y is: the
// value in the target's unit, such as a count. Float32 rounds it.
func (t *Task) Unstandardised(x *graph.Node) *graph.Node {
	mean, std := t.TargetScale()
	return t.b.Add(t.b.Mul(x, std), mean)
}

// Step returns the number of steps done before this one, a scalar: 0 at the first.
func (t *Task) Step() *graph.Node { return t.scalar(inputStep) }

// Progress returns the part of all steps that is done before this one, a scalar from
// 0 to less than 1.
func (t *Task) Progress() *graph.Node { return t.scalar(inputShare) }

// TrainingRows returns the number of rows that an epoch trains on, a scalar.
func (t *Task) TrainingRows() *graph.Node { return t.scalar(inputRows) }

// Scalar returns a hyperparameter as a scalar node: a constant, or what its schedule
// comes to at each step.
func (t *Task) Scalar(name string) *graph.Node {
	if _, scheduled := t.schedule(name); scheduled {
		return t.scalar(scalarPrefix + name)
	}
	return t.b.Const(t.Float(name))
}

// Term returns a part of the loss for WeightedSum, whose weight is the hyperparameter
// of that name, a number or a schedule.
func (t *Task) Term(name, weight string, value *graph.Node) graph.Term {
	s, scheduled := t.schedule(weight)
	if !scheduled {
		s.From = t.Float(weight)
	}
	if min(s.From, s.To) < 0 {
		t.negative = append(t.negative, fmt.Sprintf("%s by %s=%v", name, weight, t.get(weight)))
	}
	if scheduled {
		return graph.Term{Name: name, Weight: 1, Factor: t.Scalar(weight), Value: value}
	}
	return graph.Term{Name: name, Weight: s.From, Value: value}
}

// On tells whether a switch is on. What is declared as a number or a word is a mistake,
// and panics.
func (t *Task) On(name string) bool {
	for _, h := range t.method.Hyperparameters {
		if h.Name == name && !h.Switch() {
			panic(fmt.Sprintf("hyperparameter %q is no switch, and is read as one: its Default is %v, and would be true or false", name, h.Default))
		}
	}
	return t.Hyperparameters.On(name)
}

// schedule returns that of a hyperparameter, if it has one. A word is a mistake in the
// objective, and panics as Float does.
func (t *Task) schedule(name string) (s Schedule, ok bool) {
	text, ok := t.get(name).(string)
	if !ok {
		return s, false
	}
	s, err := parseNumberSchedule(text)
	if err != nil {
		panic(fmt.Sprintf("hyperparameter %q is the word %q, and is read as a number", name, text))
	}
	return s, true
}

// input returns the input of that name, one node however often it is asked for.
func (t *Task) input(name string, rows, columns int) *graph.Node {
	inspection := graph.Inspect(t.b)
	if n := inspection.Input(name); n != nil {
		return n
	}
	inspection.FillerInputs = append(inspection.FillerInputs, name)
	return t.b.Input(name, rows, columns)
}

func (t *Task) scalar(name string) *graph.Node { return t.b.Sum(t.input(name, 1, 1)) }

// Progress is the position of a training before a step.
type Progress struct {
	Step, Steps   int // steps done, and steps of the training; 0 steps if unknown
	Epoch, Epochs int // epochs done, and epochs of the training; 0 epochs if unknown
	Rows          int // rows that an epoch trains on
}

// extraColumn is a further column of the table, neither input nor target, that an objective reads.
type extraColumn struct {
	Name   string
	Values []float32 // value of each row of the batch; the trainer fills them in
}

// filling holds the inputs of a Step other than x and y.
type filling struct {
	Extras []extraColumn // columns in the unit of the table
	Weight []float32     // weight of each row, with mean 1 over the training rows; nil if the objective reads no weights

	// InputRange is the largest minus the smallest value of each input in the training
	// rows, standardised; typicalRange until the trainer sets it. It is nil if the
	// objective does not read it.
	InputRange []float32

	scales
	step, share, rows []float32
	scheduled         []scheduledHyperparameter
}

// scheduledHyperparameter is a hyperparameter with a schedule.
type scheduledHyperparameter struct {
	Schedule
	to []float32 // input of the graph that gets the number, one element
}

// fillingOf returns the inputs of a runner that a trainer has to fill.
func (s Spec) fillingOf(r *graph.Runner) (f filling, err error) {
	for _, name := range r.Inputs() {
		switch column, isColumn := strings.CutPrefix(name, columnPrefix); {
		case isColumn:
			f.Extras = append(f.Extras, extraColumn{column, r.Input(name)})
		case name == InputWeight:
			f.Weight = r.Input(name)
		case name == inputStep:
			f.step = r.Input(name)
		case name == inputShare:
			f.share = r.Input(name)
		case name == inputRows:
			f.rows = r.Input(name)
		case name == inputXRange:
			f.InputRange = r.Input(name)
			for i := range f.InputRange {
				f.InputRange[i] = typicalRange
			}
		default:
			f.scales.note(name, r)
		}
		if h, ok := strings.CutPrefix(name, scalarPrefix); ok {
			parsed, err := ParseSchedule(s.Hyperparameters.Text(h))
			if err != nil {
				return f, err
			}
			f.scheduled = append(f.scheduled, scheduledHyperparameter{parsed, r.Input(name)})
		}
	}
	return f, nil
}

// At writes the position of the training into the inputs that depend on it.
func (f *filling) At(p Progress) {
	share := fraction(p.Step, p.Steps)
	for _, v := range []struct {
		to    []float32
		value float64
	}{{f.step, float64(p.Step)}, {f.share, share}, {f.rows, float64(p.Rows)}} {
		if v.to != nil {
			v.to[0] = float32(v.value)
		}
	}
	for _, s := range f.scheduled {
		s.to[0] = float32(s.At(p))
	}
}

// NewTask returns a task over something in the network's place, for a test of an
// objective by itself: f is the network on the batch, y its targets.
func NewTask(b *graph.Builder, f Forward, y *graph.Node, h Hyperparameters) *Task {
	return &Task{Y: y, Hyperparameters: h, b: b, rows: y.Shape()[0], forward: f}
}

// TypicalTarget returns the scaler of the targets that Typical returns. Counts and other numbers
// with a limited support are standardised, as they are in a training; classes are not.
func (s Spec) TypicalTarget() data.Scaler {
	if m, err := Lookup(s.Method); err == nil && m.Support != Reals {
		return data.Scaler{Mean: 1, Std: 0.25} // no count is another's number when it is standardised
	}
	return data.Scaler{Std: 1}
}

// Typical returns what element i of an input of a training may be, given a number
// drawn from N(0, 1): that number for x, y and what else is standardised, a class for
// the y of a method with classes, a number of its support for that of others, 1 for a
// standard deviation, 0 or 1 for a column and a number of 0.5 to 2 for a weight, and
// what there is in the middle of a training of 1000 rows and steps. It is for checks of
// objectives.
func (s Spec) Typical(input string, i int, drawn float64) float64 {
	_, ofFrozen := cutFrozen(input)
	target := s.TypicalTarget()
	switch name, scheduled := strings.CutPrefix(input, scalarPrefix); {
	case input == InputY:
		if m, err := Lookup(s.Method); err == nil {
			return (s.typicalTarget(m, drawn) - target.Mean) / target.Std
		}
	case input == inputYMean:
		return target.Mean
	case input == inputYStd:
		return target.Std
	case input == inputXMean:
		return 0
	case input == inputXStd, ofFrozen:
		return 1
	case input == inputXRange:
		return typicalRange
	case strings.HasPrefix(input, columnPrefix):
		if drawn > 0 {
			return 1
		}
		return 0
	case input == InputWeight:
		return 0.5 + float64(1.5*portable.NormalCDF(drawn))
	case input == inputStep:
		return 500
	case input == inputShare:
		return 0.5
	case input == inputRows:
		return 1000
	case scheduled:
		if schedule, err := ParseSchedule(s.Hyperparameters.Text(name)); err == nil {
			return schedule.value(0.5)
		}
	}
	return drawn
}
