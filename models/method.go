package models

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sml/graph"
	"sml/internal/registry"
)

// Objective is a training objective: a scalar, the mean over the batch, of what the
// task knows.
type Objective func(b *graph.Builder, t *Task) *graph.Node

// OutputCount returns the number of network outputs for each target, which may follow from
// hyperparameters.
type OutputCount func(Hyperparameters) int

// Outputs returns an OutputCount of n for all hyperparameters.
func Outputs(n int) OutputCount { return func(Hyperparameters) int { return n } }

// Method is a way to train networks and to predict with them.
type Method struct {
	Name    string // on the command line and in files
	Title   string // in tables and figures
	Summary string // one line
	Source  string // paper and equation

	Objective       Objective
	Hyperparameters []Hyperparameter

	// ParamGroups sets defaults for groups of parameters, such as the learning rate of a critic.
	// The settings of a training replace them value by value.
	ParamGroups ParamGroups

	Network string      // name of the default network; default mlp
	Outputs OutputCount // network outputs for each target; default 1, or 1 for each class
	Targets int         // target columns that the method is for; default 0, any number
	Support Support     // the values of a target in its own unit; default Reals
	Drop    Layers      // hidden layers that drop units; default NoLayers

	// Classes is the range of the number of classes that a target may have: a fixed number from
	// itself to itself, AnyClasses for as many as the data have. The zero Range is for targets
	// that are numbers. Architecture.Classes is the number that the data have.
	Classes Range

	// EarlyStopping says that the uncertainty that the method learns is that of rows
	// that it comes to know by heart, so that it is too small for others: a table of
	// one's own is then trained by validation, unless its user says otherwise.
	EarlyStopping bool

	Stochastic bool      // Predict looks at sub-networks
	Draws      bool      // Predict looks at each of them, not at their moments alone
	Predict    Predictor // of one network
	Members    int       // networks trained independently; default 1
	Member     string    // the method that a single member is, if it has a name
	Combine    Combiner  // of the predictions of several networks; needed if Members > 1

	// AfterStep, if set, is called after each step of a network's training and may keep matrices of
	// its weights for AfterTraining: Trajectory.Keep. Networks of an ensemble train at the same time
	// and call it with a Trajectory each. It keeps nothing else between calls, so that a training
	// that is interrupted goes on to the same bytes.
	AfterStep func(t *Trajectory) error

	// AfterTraining, if set, is called for each trained network of the method, with its training
	// rows, and stores matrices that the model keeps: TrainedNetwork.Store. Predict uses them:
	// Moments.Stored. It may also add networks with other weights as sub-networks, which predictions
	// run in the place of dropout's: TrainedNetwork.AddSubNetwork. It is called again if the training
	// is resumed behind its last epoch, and before a training, for a few invented rows. It keeps
	// nothing between calls.
	AfterTraining func(ctx context.Context, n *TrainedNetwork) error

	Exempt []Exemption // checks that do not apply to the method
}

// AnyClasses is the range of Method.Classes for as many classes as the data have.
var AnyClasses = Range{2, 10_000}

// typicalClasses is the number of classes where there are no data to count them in.
const typicalClasses = 3

// ForClasses reports whether the method's targets are classes.
func (m Method) ForClasses() bool { return m.Classes != Range{} }

// classes returns the number of classes for a target with found classes in the data, 0 without
// data. It returns 0 if targets are numbers. It returns an error if the method is for fewer.
func (m Method) classes(found int) (int, error) {
	if !m.ForClasses() {
		return 0, nil
	}
	if found == 0 {
		found = int(min(typicalClasses, m.Classes.Max))
	}
	found = max(found, int(m.Classes.Min))
	return found, m.Classes.Check(fmt.Sprintf("the number of classes of method %s", m.Name), found)
}

// outputs returns the number of network outputs for each target with a number of classes.
// It returns an error if the method's Outputs panics or returns less than 1.
func (m Method) outputs(h Hyperparameters, classes int) (n int, err error) {
	if m.Outputs == nil {
		return max(1, classes), nil
	}
	what := fmt.Sprintf("Outputs of method %q", m.Name)
	defer graph.Recover(&err, what)
	if n = m.Outputs(h); n < 1 {
		return 0, fmt.Errorf("%s are %d outputs: want 1 or more", what, n)
	}
	return n, nil
}

// CheckMembers returns an error if the method cannot have so many members, as
// nothing combines them.
func (m Method) CheckMembers(members int) error {
	if members > 1 && m.Combine == nil {
		return fmt.Errorf("method %s is a single network: it cannot have %d members", m.Name, members)
	}
	return nil
}

var methods = newMethods()

func newMethods() *registry.Registry[Method] {
	return registry.New("method", func(m Method) string { return m.Name }, "import models/methods, or register one")
}

// Register adds a method. It panics when the method is incomplete or its
// name is taken, which is a mistake in the program.
func Register(m Method) {
	if low := min(m.Targets, m.Members); low < 0 {
		panic(fmt.Sprintf("models: method %q has %d targets or members: want 0, for the default, or more", m.Name, low))
	}
	m.Network = cmp.Or(m.Network, defaultNetwork)
	m.Members = max(1, m.Members)
	m.Drop = cmp.Or(m.Drop, NoLayers)
	m.Title = cmp.Or(m.Title, m.Name)
	switch {
	case m.Objective == nil || m.Predict == nil:
		panic(fmt.Sprintf("models: method %q needs an objective and a predictor", m.Name))
	case m.Members > 1 && m.Combine == nil:
		panic(fmt.Sprintf("models: method %q has %d members and no way to combine them", m.Name, m.Members))
	case !slices.Contains([]Layers{AllLayers, LastLayer, NoLayers}, m.Drop):
		panic(fmt.Sprintf("models: method %q drops units in layers %q: there is %s, %s, %s", m.Name, m.Drop, AllLayers, LastLayer, NoLayers))
	case m.Draws && !m.Stochastic:
		panic(fmt.Sprintf("models: method %q looks at draws: it needs Stochastic: true", m.Name))
	case m.AfterStep != nil && m.AfterTraining == nil:
		panic(fmt.Sprintf("models: method %q has a function after each step and none after the training, which would use what it keeps", m.Name))
	case supports[m.Support].has == nil:
		panic(fmt.Sprintf("models: method %q has an unknown support %q", m.Name, m.Support))
	case m.ForClasses() && m.Support != Reals:
		panic(fmt.Sprintf("models: method %q has classes, which are its targets' support: want no other", m.Name))
	case m.ForClasses() && !(m.Classes.Min >= 2 && m.Classes.Max >= m.Classes.Min):
		panic(fmt.Sprintf("models: method %q has %v classes: want 2 or more, or none", m.Name, m.Classes))
	}
	checkExemptions(fmt.Sprintf("method %q", m.Name), m.Exempt)
	m.Hyperparameters = Declared(fmt.Sprintf("models: method %q", m.Name), m.Hyperparameters)
	h, err := m.Choose(nil)
	if err == nil {
		_, err = m.outputs(h, 0)
	}
	if err != nil {
		panic("models: " + err.Error())
	}
	methods.Add(m)
}

// Methods lists all methods in the order in which they were registered: those of
// models/methods, where it is imported, and behind them those of who imports it.
func Methods() []Method { return methods.All() }

// Lookup finds a method by its name.
func Lookup(name string) (Method, error) { return methods.Lookup(name) }

// Choose returns the method's hyperparameters: the defaults, with those in
// chosen in their place.
func (m Method) Choose(chosen Hyperparameters) (Hyperparameters, error) {
	return Choose("method "+m.Name, m.Hyperparameters, chosen)
}
