// Package optimizer holds the rules by which a training moves weights against
// their gradient, one file each. A program adds its own with Register; trainings
// find them all by name.
package optimizer

import (
	"cmp"
	"fmt"

	"sml/graph"
	"sml/internal/registry"
	"sml/models"
)

// Optimizer is a rule by which weights are moved.
type Optimizer struct {
	Name    string // on the command line and in files
	Title   string // in messages; default the name
	Summary string // one line
	Source  string // paper and equation

	// Hyperparameters are what its user may choose, beside learning rate, schedule,
	// clipping and decay, which every optimizer is given.
	Hyperparameters []models.Hyperparameter

	LearningRate float64      // of a training that says none; default 0.001
	Rates        models.Range // of learning rates; default 1e-9 to 1

	// Chain, if there is one, returns what comes before New's rule in each step, from
	// the first link to the last: clipping, decay, or a link of your own.
	Chain func(h models.Hyperparameters, weights int) []Link

	// New returns the state before the first step of so many weights, of which each
	// is moved by its own gradient and slots: where parameters differ in learning rate or
	// decay, each group has a state. h has every hyperparameter, within its range.
	New func(h models.Hyperparameters, weights int) State
}

// State is what an optimizer keeps of one network from step to step. A training
// knows of it what is written here, and no more. One that is also a Shaper,
// a Sharer, an EpochEnder or a Warner is called as such.
type State interface {
	// Step moves values, the weights, against grad, of the same length and finite, and
	// changes nothing but these and its slots. What it does follows from its
	// arguments and the slots alone, the same bytes on every CPU: products that are
	// added to are rounded first, float32(a*b) + c, and functions are those of
	// internal/portable. It allocates nothing.
	Step(values, grad []float32, at At)

	// Slots are all that differs between two states of the same hyperparameters, in
	// an order that stays. The slices are the state's own: to copy a checkpoint's
	// numbers into them is to go on from there.
	Slots() []Slot
}

// At says where a training is.
type At struct {
	Step   int     // from 1, over all epochs
	Steps  int     // of all epochs, though a training may stop early; 0 if unknown
	Epoch  int     // from 0
	Epochs int     // of the training; 0 if unknown
	Rate   float64 // learning rate, as the schedule has it
	Decay  float64 // decoupled weight decay: a weight loses the share Rate·Decay of itself, beside what the gradient does; 0 for none, as in groups that do not decay
}

// Slot is a part of a state: numbers that stay as many. One that is not finite at
// the end of an epoch ends the training as diverged.
type Slot struct {
	Name        string // in checkpoints
	Values      []float32
	NonNegative bool // a checkpoint with a number below 0 in it is refused
}

// Sharer is a State that lets a pool do large steps with it: those of some weights each,
// to the same bytes.
type Sharer interface{ Share(*graph.Pool) }

// EpochEnder is a State, or a Link, that sees to its slots after each epoch.
type EpochEnder interface{ EndEpoch() }

// Warner is a State that may know, when a training has ended, that something went
// wrong. of is what follows the thing that is warned of where there are several
// networks, as " of member 2", or empty; rate is the learning rate of the
// settings. The result is one line, empty if there is nothing to say.
type Warner interface {
	Warning(of string, rate float64) string
}

var optimizers = registry.New("optimizer", func(o Optimizer) string { return o.Name }, "")

func init() {
	for _, o := range []Optimizer{adam, sgd, adamW} { // the first is the default
		Register(o)
	}
}

// rates is the range of learning rates. It is wide: what it leaves out cannot train
// a network. Adam moves a weight by about the learning rate a step. Below 1e-9,
// float32 does not move weights above 0.02; they begin at about 0.1, so that a step
// of more than 1 leaves nothing of what was learnt, and losses of 1e30 are finite
// still. For SGD it is the same: losses of standardised targets curve by about 1 or
// more, where gradient descent diverges above 2.
var rates = models.Range{Min: 1e-9, Max: 1}

// Register adds an optimizer. It panics when it has no New, when a default is out
// of range or its name is taken, which is a mistake in the program.
func Register(o Optimizer) {
	if o.New == nil {
		panic(fmt.Sprintf("optimizer: %q has no New", o.Name))
	}
	o.Title = cmp.Or(o.Title, o.Name)
	o.Hyperparameters = models.Declared(fmt.Sprintf("optimizer: %q", o.Name), o.Hyperparameters)
	for _, p := range o.Hyperparameters {
		if text, is := p.Default.(string); is {
			panic(fmt.Sprintf("optimizer: %q: %s is %q: want a number or a switch", o.Name, p.Name, text))
		}
	}
	if o.LearningRate == 0 {
		o.LearningRate = 0.001
	}
	if o.Rates == (models.Range{}) {
		o.Rates = rates
	}
	if !(o.Rates.Min > 0) || !o.Rates.Has(o.LearningRate) {
		panic(fmt.Sprintf("optimizer: %q: its learning rate is %v: want %v, above 0", o.Name, o.LearningRate, o.Rates))
	}
	optimizers.Add(o)
}

// All lists the optimizers in the order in which they were registered. The first
// is the default.
func All() []Optimizer { return optimizers.All() }

// Names lists their names.
func Names() []string { return optimizers.Names() }

// Lookup finds an optimizer by its name.
func Lookup(name string) (Optimizer, error) { return optimizers.Lookup(name) }

// Choose returns the hyperparameters: the defaults, with those in chosen in their
// place. What the optimizer does not have, or is out of range, is an error.
func (o Optimizer) Choose(chosen models.Hyperparameters) (models.Hyperparameters, error) {
	for _, p := range o.Hyperparameters {
		given, ok := chosen[p.Name]
		if !ok || p.Switch() {
			continue
		}
		if text, is := given.(string); is {
			return nil, fmt.Errorf("%s's %s is %q: want a number", o.Title, p.Name, text)
		}
		if v := chosen.Float(p.Name); p.Range != (models.Range{}) && !p.Range.Has(v) {
			return nil, fmt.Errorf("%s's %s is %v: want %v", o.Title, p.Name, v, p.Range)
		}
	}
	return models.Choose("optimizer "+o.Name, o.Hyperparameters, chosen)
}

// MaxSlots bounds the slots' numbers for each weight, and with them the size of a
// checkpoint.
const MaxSlots = 6

// Start returns a new state of so many weights, all of them moved at the rate and with
// the decay of the step, or, if there are groups, those in groups as their group says and
// no others. Groups do not overlap. It is an error, in the optimizer, if a checkpoint could not hold the
// state's slots, or if Chain or New panics.
func (o Optimizer) Start(h models.Hyperparameters, weights int, groups ...Group) (s State, err error) {
	defer graph.Recover(&err, "optimizer "+o.Name)
	s = o.start(h, weights, groups)
	named, numbers := make(map[string]bool), 0
	for _, slot := range s.Slots() {
		if slot.Name == "" || named[slot.Name] || len(slot.Values) == 0 {
			return nil, fmt.Errorf("optimizer %s has a slot %q of %d numbers: want names, each once, and something in each", o.Name, slot.Name, len(slot.Values))
		}
		named[slot.Name] = true
		numbers += len(slot.Values)
	}
	if numbers > MaxSlots*weights {
		return nil, fmt.Errorf("the slots of optimizer %s hold %d numbers for %d weights: want at most %d for each", o.Name, numbers, weights, MaxSlots)
	}
	return s, nil
}

// start returns New's state itself where nothing comes between: a step of Adam is
// one pass over the weights.
func (o Optimizer) start(h models.Hyperparameters, weights int, groups []Group) State {
	if len(groups) == 0 {
		groups = []Group{{To: weights, Rate: 1, Decay: true}}
	}
	rule := func(g Group) State {
		s := o.New(h, g.To-g.From)
		told(s, g.From, g)
		return s
	}
	if g := groups[0]; o.Chain == nil && len(groups) == 1 && g.From == 0 && g.To == weights && g.Rate == 1 && g.Decay {
		return rule(g)
	}
	s := &grouped{groups: groups}
	if o.Chain != nil {
		s.links = o.Chain(h, weights)
	}
	for _, l := range s.links {
		told(l, 0, groups...)
	}
	for _, g := range groups {
		s.rules = append(s.rules, rule(g))
	}
	return s
}
