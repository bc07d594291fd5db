// Package optimizer holds the optimizers: rules that move the weights of a network against their
// gradient. Start with Optimizer and State, and with the example of Register, by which a program
// adds an optimizer of its own. The package computes no gradients and runs no training: package
// trainers does, and finds an optimizer by its name: adam, sgd, adamw, rmsprop, nadam, lion, sam, sophia or lbfgs.
package optimizer

import (
	"cmp"
	"fmt"

	"sml/graph"
	"sml/internal/registry"
	"sml/models"
)

// Optimizer is a rule that moves weights against their gradient.
type Optimizer struct {
	Name    string // name on the command line and in files
	Title   string // name in messages; default Name
	Summary string // one line for listings
	Source  string // paper and equation

	// Hyperparameters are the optimizer's own. Learning rate, schedule, clipping and decay are
	// settings of every training.
	Hyperparameters []models.Hyperparameter

	LearningRate float64      // default learning rate of a training; 0.001 if 0
	Rates        models.Range // range of learning rates; 1e-9 to 1 if zero

	// Transforms returns the gradient transforms that run, in order, before each step: clipping,
	// decay, or your own. weights is the number of all weights. The field is nil if there are no
	// transforms.
	Transforms func(h models.Hyperparameters, weights int) []GradientTransform

	// New returns the state before the first step for a network, or a part of it, with the given
	// number of weights. New is called once for each group of parameters with the same learning
	// rate and decay, so a step may not depend on weights of other groups. h has a value within
	// its range for every hyperparameter.
	New func(h models.Hyperparameters, weights int) State
}

// State makes the steps of an optimizer for one network, and keeps numbers from step to step. A
// training calls only the methods of State and, if the state has them, the methods of Shaper,
// PoolUser, EpochEnder and Warner: see Rules.
type State interface {
	// Step moves the weights, values, against their gradient, grad, which has the same length
	// and is finite. It changes only values and the slots, and allocates nothing. The
	// result depends only on the arguments and the slots, and has the same bytes on every CPU:
	// float32(a*b) + c rounds the product first, so that no CPU fuses it with the sum, and
	// internal/portable has functions such as exp.
	Step(values, grad []float32, info StepInfo)

	// Slots returns all numbers that the state keeps from step to step, always in the same
	// order. The slices are the state's own, not copies: a training that
	// resumes from a checkpoint copies the checkpoint's numbers into them.
	Slots() []Slot
}

// StepInfo says which step of a training is made, and with which learning rate and decay.
type StepInfo struct {
	Step   int     // number of the step, from 1, counted over all epochs
	Steps  int     // number of steps of all epochs, fewer after an early stop; 0 if unknown
	Epoch  int     // index of the epoch, from 0
	Epochs int     // number of epochs; 0 if unknown
	Rate   float64 // learning rate, after the schedule

	// Decay is the decoupled weight decay: in addition to the gradient's effect, the step
	// multiplies each weight by 1 − Rate·Decay. It is 0 in groups that do not decay.
	Decay float64
}

// Slot is a named part of a state: a fixed number of values. If a value is not finite at the end
// of an epoch, the training ends as diverged.
type Slot struct {
	Name   string // name in checkpoints
	Values []float32
}

// PoolUser is a State that can divide a large step among the workers of a pool. Each worker moves
// some of the weights; the bytes of the result are the same as without a pool.
type PoolUser interface{ UsePool(pool *graph.Pool) }

// EpochEnder is a State, or a GradientTransform, that changes its slots after each epoch.
type EpochEnder interface{ EndEpoch() }

// Warner is a State that can warn at the end of a training that something went wrong. Warning
// returns one line, or "" if nothing went wrong. network is put after a noun and names the network,
// as in " of member 2", or is "" if there is only one. rate is the learning rate of the settings.
type Warner interface {
	Warning(network string, rate float64) string
}

// optimizers holds the registered optimizers.
var optimizers = registry.New("optimizer", func(o Optimizer) string { return o.Name }, "")

func init() {
	for _, o := range []Optimizer{adam, sgd, adamW, rmsprop, nadam, lion, sam, sophia, lbfgs} { // the first is the default
		Register(o)
	}
}

// defaultRates is the default range of learning rates. It is wide: rates outside of it cannot train a
// network. Adam moves a weight by about the learning rate in a step. Steps below 1e-9 do not change
// a float32 weight above 0.02. Weights start at about 0.1, so a step of more than 1 destroys
// everything that the network has learnt, even though losses up to 1e30 are still finite. The range
// suits SGD too: the curvature of losses of standardised targets is about 1 or more, so gradient
// descent diverges at rates above 2.
var defaultRates = models.Range{Min: 1e-9, Max: 1}

// Register adds an optimizer, so that trainings find it by its name. It panics if the optimizer has
// no New, if a default is out of range or if the name is taken: each is a mistake in the program.
func Register(o Optimizer) {
	if o.New == nil {
		panic(fmt.Sprintf("optimizer: %q has no New: want a function that returns its state", o.Name))
	}
	o.Title = cmp.Or(o.Title, o.Name)
	o.Hyperparameters = models.DeclareHyperparameters(fmt.Sprintf("optimizer: %q", o.Name), o.Hyperparameters)
	for _, p := range o.Hyperparameters {
		text, isText := p.Default.(string) // a word, or a schedule, which only loss terms can have
		if isText {
			panic(fmt.Sprintf("optimizer: %q: the default of %s is %q: want a number or a switch", o.Name, p.Name, text))
		}
	}
	if o.LearningRate == 0 {
		o.LearningRate = 0.001
	}
	if o.Rates == (models.Range{}) {
		o.Rates = defaultRates
	}
	if !(o.Rates.Min > 0) || !o.Rates.Contains(o.LearningRate) {
		panic(fmt.Sprintf("optimizer: %q: the default learning rate is %v: want %v, above 0", o.Name, o.LearningRate, o.Rates))
	}
	optimizers.Add(o)
}

// All returns the optimizers in the order of their registration. The first is the default.
func All() []Optimizer { return optimizers.All() }

// Names returns the names of All.
func Names() []string { return optimizers.Names() }

// Lookup returns the optimizer with that name. It returns an error that lists all names if there
// is none.
func Lookup(name string) (Optimizer, error) { return optimizers.Lookup(name) }

// Choose returns a value for every hyperparameter: the chosen one or, where none is chosen, the
// default. It returns an error if a chosen value is out of range or the optimizer does not have the
// hyperparameter.
func (o Optimizer) Choose(chosen models.Hyperparameters) (models.Hyperparameters, error) {
	for _, p := range o.Hyperparameters {
		value, isChosen := chosen[p.Name]
		if !isChosen || p.IsSwitch() {
			continue
		}
		text, isText := value.(string)
		if isText {
			return nil, fmt.Errorf("%s's %s is %q: want a number", o.Title, p.Name, text)
		}
		v := chosen.Float(p.Name)
		if p.Range != (models.Range{}) && !p.Range.Contains(v) {
			return nil, fmt.Errorf("%s's %s is %v: want %v", o.Title, p.Name, v, p.Range)
		}
	}
	return models.ChooseHyperparameters("optimizer "+o.Name, o.Hyperparameters, chosen)
}

// MaxSlots is the maximum number of slot values for each weight. It bounds the size of a
// checkpoint.
const MaxSlots = 16

// Start returns a new state for a network with the given number of weights. Without groups, every
// weight moves with the learning rate and the decay of the step. With groups, which must not
// overlap, only the weights in groups move, each with the rate and the decay of its group. Start
// returns an error if a checkpoint could not hold the state's slots, or if Transforms or New panics.
func (o Optimizer) Start(h models.Hyperparameters, weights int, groups ...Group) (s State, err error) {
	defer graph.Recover(&err, "optimizer "+o.Name)
	s = o.newState(h, weights, groups)
	if err := o.checkSlots(s.Slots(), weights); err != nil {
		return nil, err
	}
	return s, nil
}

// newState returns the state for all groups or, without groups, for all weights. It returns the state that
// New returns, without a groupedState around it, if there are no gradient transforms and one ordinary group:
// a step of Adam is then one pass over the weights.
func (o Optimizer) newState(h models.Hyperparameters, weights int, groups []Group) State {
	if len(groups) == 0 {
		groups = []Group{{To: weights, Rate: 1, Decay: true}}
	}
	if o.Transforms == nil && len(groups) == 1 && groups[0].isOrdinary(weights) {
		return o.newGroupState(h, groups[0])
	}
	s := &groupedState{groups: groups}
	if o.Transforms != nil {
		s.transforms = o.Transforms(h, weights)
	}
	for _, t := range s.transforms {
		setShapes(t, 0, groups...)
	}
	for _, g := range groups {
		s.states = append(s.states, o.newGroupState(h, g))
	}
	return s
}

// newGroupState returns the state for the weights of one group, and tells it the group's parameters if it
// is a Shaper. Panics of New are errors of Start.
func (o Optimizer) newGroupState(h models.Hyperparameters, g Group) State {
	s := o.New(h, g.To-g.From)
	setShapes(s, g.From, g)
	return s
}

// checkSlots returns an error if a checkpoint could not hold the slots of a state for the given
// number of weights.
func (o Optimizer) checkSlots(slots []Slot, weights int) error {
	seen := make(map[string]bool)
	total := 0 // number of values in all slots
	for _, slot := range slots {
		if slot.Name == "" || seen[slot.Name] || len(slot.Values) == 0 {
			return fmt.Errorf("optimizer %s has a slot %q of %d numbers: want a different name for each slot, and at least one number in it", o.Name, slot.Name, len(slot.Values))
		}
		seen[slot.Name] = true
		total += len(slot.Values)
	}
	if total > MaxSlots*weights {
		return fmt.Errorf("the slots of optimizer %s hold %d numbers for %d weights: want at most %d for each weight", o.Name, total, weights, MaxSlots)
	}
	return nil
}
