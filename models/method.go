package models

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sml/graph"
	"sml/internal/registry"
)

// Objective returns the loss of a batch, a scalar: usually the mean over the batch of a function of
// the network's outputs and the targets. It must build the same graph each time it is called.
type Objective func(b *graph.Builder, t *Task) *graph.Node

// OutputCount returns the number of network outputs for each target, which may depend on the
// method's hyperparameters.
type OutputCount func(Hyperparameters) int

// Outputs returns an OutputCount that is n for all hyperparameters.
func Outputs(n int) OutputCount { return func(Hyperparameters) int { return n } }

// SubNetworkUse is what a predictor uses of the sub-networks of a network.
type SubNetworkUse int

const (
	NoSubNetworks     SubNetworkUse = iota // the full network alone
	SubNetworkMoments                      // mean and standard deviation of their outputs: Moments.Mean and Moments.Std
	EachSubNetwork                         // also the outputs of each one: Moments.MeanOverDraws and Moments.ForEachDraw
)

// Method is a way to train networks and to predict with them. Name, Objective and Predict are
// required; the zero value of every other field is its default.
type Method struct {
	Name    string // name on the command line and in files
	Title   string // name in tables and figures; default Name
	Summary string // description in one line
	Source  string // paper and equation

	Objective       Objective
	Hyperparameters []Hyperparameter

	// ParamGroups sets defaults for groups of parameters, such as the learning rate of a critic. The
	// settings of a training replace them value by value.
	ParamGroups ParamGroups

	Network    string      // name of the default network; default mlp
	Outputs    OutputCount // network outputs for each target; default 1, or 1 for each class
	Targets    int         // required number of target columns; default 0, any number
	Support    Support     // allowed values of a target in its own unit; default Reals
	DropLayers Layers      // hidden layers that drop units; default NoLayers

	// UsesUnlabelled is set if the method trains on rows that lack all targets, too: Task.Weight is 0 for these, and
	// Task.Y is 0. Other methods leave such rows of a file out. Classes have to be known.
	UsesUnlabelled bool

	// Classes is the range of the number of classes that a target may have, or AnyClasses. The zero
	// Range is for targets that are numbers. Architecture.Classes is the number in the data.
	Classes Range

	SubNetworks  SubNetworkUse // what Predict uses of sub-networks; default NoSubNetworks
	Predict      Predictor     // prediction of one network
	Members      int           // number of networks that are trained independently; default 1
	MemberMethod string        // name of the method that a single member has; "" if it has none
	Combine      Combiner      // combined prediction of several networks, or of the copies of one (Architecture.Copies); default CombineByFamily

	// ValidationMeasure is what chooses the best epoch of a training by the program's defaults: ByLoss, ByCRPS or ByNLL.
	// The default is ByLoss for an objective that reads an extra column (Task.Column), which no measure knows, and for
	// a method with AfterTraining, ByNLL for classes, and otherwise ByCRPS.
	ValidationMeasure string

	// AfterStep is called after each step of a network's training. It may keep matrices, such as sums
	// of weights, for AfterTraining (Trajectory.Keep). Networks of an ensemble train at the same time
	// and have a Trajectory each. AfterStep must not keep anything else between calls, so that an
	// interrupted training resumes to the same bytes. It may be nil.
	AfterStep func(t *Trajectory) error

	// AfterTraining is called for each trained network with its training rows. It stores matrices with
	// the model (TrainedNetwork.Store), which Predict reads (Moments.Stored), or sub-networks with
	// other weights (TrainedNetwork.AddSubNetwork), which predictions use in place of dropout
	// sub-networks. It must not keep anything between calls: it is called again if a finished
	// training is resumed, and before each training for a few invented rows. It may be nil.
	AfterTraining func(ctx context.Context, n *TrainedNetwork) error

	Exemptions []Exemption // checks that do not apply to the method
}

// Values of Method.ValidationMeasure. Measures are of the predicted distributions of the validation rows.
const (
	ByLoss = "loss"
	ByCRPS = "crps" // mean continuous ranked probability score
	ByNLL  = "nll"  // mean negative logarithm of the predicted density, or of the probability of the true class
)

// AnyClasses is the value of Method.Classes for as many classes as the data have.
var AnyClasses = Range{2, 10_000}

// typicalClasses is the number of classes if there are no data.
const typicalClasses = 3

// PredictsClasses reports whether the method's targets are classes.
func (m Method) PredictsClasses() bool { return m.Classes != Range{} }

// classCount returns the number of classes of a target, given the number in the data, or 0 if there
// are no data. It returns 0 if targets are numbers, and an error if the method does not allow so many
// classes.
func (m Method) classCount(inData int) (int, error) {
	if !m.PredictsClasses() {
		return 0, nil
	}
	count := inData
	if count == 0 {
		count = int(min(typicalClasses, m.Classes.Max))
	}
	count = max(count, int(m.Classes.Min)) // data may lack some of the classes
	return count, m.Classes.Check(fmt.Sprintf("the number of classes of method %s", m.Name), count)
}

// outputCount returns the number of network outputs for each target with the given number of classes.
// It returns an error if the method's Outputs panics or returns less than 1.
func (m Method) outputCount(h Hyperparameters, classes int) (n int, err error) {
	if m.Outputs == nil {
		return max(1, classes), nil
	}
	name := fmt.Sprintf("Outputs of method %q", m.Name)
	defer graph.Recover(&err, name)
	n = m.Outputs(h)
	if n < 1 {
		return 0, fmt.Errorf("%s returned %d: want 1 or more", name, n)
	}
	return n, nil
}

// checkCopies returns an error if the method cannot train the network n with this number of copies.
func (m Method) checkCopies(n Network, copies int) error {
	if copies > 1 && m.AfterTraining != nil {
		return fmt.Errorf("method %s computes with one network after its training (Method.AfterTraining), and network %s has %d copies: want 1 copy, or another network", m.Name, n.Name, copies)
	}
	return nil
}

// methods holds the registered methods.
var methods = newMethods()

func newMethods() *registry.Registry[Method] {
	return registry.New("method", func(m Method) string { return m.Name }, "import models/methods, or register one")
}

// Register adds a method. It panics if the method is incomplete or contradicts itself, or if another
// method has its name: these are mistakes in the program.
func Register(m Method) {
	if smallest := min(m.Targets, m.Members); smallest < 0 {
		panic(fmt.Sprintf("models: method %q has %d targets or members: want 0, for the default, or more", m.Name, smallest))
	}
	m.Network = cmp.Or(m.Network, defaultNetwork)
	m.Members = max(1, m.Members)
	m.DropLayers = cmp.Or(m.DropLayers, NoLayers)
	m.Title = cmp.Or(m.Title, m.Name)
	if m.Combine == nil {
		m.Combine = CombineByFamily
	}
	m.checkFunctions()
	m.checkTargets()
	for _, g := range m.ParamGroups {
		if !isGroupName(g.Name) {
			panic(fmt.Sprintf("models: method %q has a group of parameters named %q: want a name without ; or : and without blanks around it", m.Name, g.Name))
		}
	}
	checkExemptions(fmt.Sprintf("method %q", m.Name), m.Exemptions)
	m.Hyperparameters = DeclareHyperparameters(fmt.Sprintf("models: method %q", m.Name), m.Hyperparameters)
	h, err := m.Choose(nil)
	if err == nil {
		_, err = m.outputCount(h, 0)
	}
	if err != nil {
		panic("models: " + err.Error())
	}
	methods.Add(m)
}

// UsesSubNetworks reports whether Predict uses sub-networks.
func (m Method) UsesSubNetworks() bool { return m.SubNetworks != NoSubNetworks }

// checkFunctions panics if a required function is missing, or if functions and the fields that
// describe them do not fit together.
func (m Method) checkFunctions() {
	switch {
	case m.Objective == nil || m.Predict == nil:
		panic(fmt.Sprintf("models: method %q needs an objective and a predictor", m.Name))
	case !slices.Contains([]Layers{AllLayers, LastLayer, NoLayers}, m.DropLayers):
		panic(fmt.Sprintf("models: method %q drops units in layers %q; want one of %s, %s, %s", m.Name, m.DropLayers, AllLayers, LastLayer, NoLayers))
	case m.AfterStep != nil && m.AfterTraining == nil:
		panic(fmt.Sprintf("models: method %q has AfterStep: it needs AfterTraining, too, to use the kept matrices", m.Name))
	}
}

// checkTargets panics if the method's support, classes or measure of validation rows are not valid.
func (m Method) checkTargets() {
	switch {
	case supports[m.Support].contains == nil:
		panic(fmt.Sprintf("models: method %q has an unknown support %q", m.Name, m.Support))
	case m.PredictsClasses() && m.UsesUnlabelled:
		panic(fmt.Sprintf("models: method %q has Classes and UsesUnlabelled: want one of the two, since rows are divided by their classes", m.Name))
	case m.PredictsClasses() && m.Support != Reals:
		panic(fmt.Sprintf("models: method %q has Classes and the support %q: want one of the two", m.Name, m.Support))
	case !slices.Contains([]string{"", ByLoss, ByCRPS, ByNLL}, m.ValidationMeasure):
		panic(fmt.Sprintf("models: method %q has an unknown validation measure %q: want ByLoss, ByCRPS or ByNLL", m.Name, m.ValidationMeasure))
	case m.ValidationMeasure == ByCRPS && m.PredictsClasses():
		panic(fmt.Sprintf("models: method %q has Classes and the validation measure %q, which is for numbers", m.Name, m.ValidationMeasure))
	case m.AfterTraining != nil && m.ValidationMeasure != "" && m.ValidationMeasure != ByLoss:
		panic(fmt.Sprintf("models: method %q predicts after its training (AfterTraining): it cannot choose an epoch by %q", m.Name, m.ValidationMeasure))
	case m.PredictsClasses() && !(m.Classes.Min >= 2 && m.Classes.Max >= m.Classes.Min):
		panic(fmt.Sprintf("models: method %q has %v classes: want 2 or more, or none", m.Name, m.Classes))
	}
}

// Methods returns all registered methods in the order of their registration: first the methods of
// models/methods, if the program imports it.
func Methods() []Method { return methods.All() }

// Lookup returns the method with the given name, or an error that lists the names.
func Lookup(name string) (Method, error) { return methods.Lookup(name) }

// Choose returns the method's hyperparameters: the chosen values, and defaults for the others. It
// returns an error if the method does not have a chosen hyperparameter, or does not allow its value.
func (m Method) Choose(chosen Hyperparameters) (Hyperparameters, error) {
	return ChooseHyperparameters("method "+m.Name, m.Hyperparameters, chosen)
}
