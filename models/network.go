package models

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sml/graph"
	"sml/internal/registry"
)

// Forward runs the network on the batch. Calls with different passes use
// the same weights and different dropout masks. The result is a
// [rows, outputs] matrix.
type Forward func(graph.Pass) *graph.Node

// Network is a kind of network. Those of models/networks, and those that a program
// registers, are chosen by name, for any method.
type Network struct {
	Name    string `json:"name"`    // on the command line and in files
	Title   string `json:"title"`   // in tables and figures
	Summary string `json:"summary"` // one line
	Source  string `json:"source"`  // paper and section

	// Activations is what Architecture.Activation may be, the default first; none: the
	// network does not look at it.
	Activations []string `json:"activations"`

	// Hyperparameters are numbers, switches and words that a user may choose, as a method's;
	// none has a schedule.
	Hyperparameters []Hyperparameter `json:"-"`

	// Embeds says that Build looks at Architecture.Texts.
	Embeds bool `json:"embeds,omitempty"`

	// Exempt lists checks that do not apply to the network, whatever method trains it.
	Exempt []Exemption `json:"exempt,omitempty"`

	// Build puts the network on top of the inputs x [rows, a.Inputs].
	Build func(b *graph.Builder, x *graph.Node, a Architecture) Forward `json:"-"`
}

// defaultNetwork is the fully connected one of models/networks.
const defaultNetwork = "mlp"

var networks = newNetworks()

func newNetworks() *registry.Registry[Network] {
	return registry.New("network", func(n Network) string { return n.Name }, "import models/networks, or register one")
}

// RegisterNetwork adds a network. It panics when it has no Build or its name is
// taken, which is a mistake in the program.
func RegisterNetwork(n Network) {
	if n.Build == nil {
		panic(fmt.Sprintf("models: network %q has no Build", n.Name))
	}
	checkExemptions(fmt.Sprintf("network %q", n.Name), n.Exempt)
	n.Title = cmp.Or(n.Title, n.Name)
	n.Hyperparameters = Declared(fmt.Sprintf("models: network %q", n.Name), n.Hyperparameters)
	networks.Add(n)
}

// Networks lists all networks in the order in which they were registered.
func Networks() []Network { return networks.All() }

// LookupNetwork finds a network by its name.
func LookupNetwork(name string) (Network, error) { return networks.Lookup(name) }

// Choose returns the network's hyperparameters: the defaults, with those in chosen in
// their place; nil if the network has none. A schedule is an error.
func (n Network) Choose(chosen Hyperparameters) (Hyperparameters, error) {
	h, err := Choose("network "+n.Name, n.Hyperparameters, chosen)
	if err != nil || len(h) == 0 {
		return nil, err
	}
	for _, p := range n.Hyperparameters {
		if v, isText := h[p.Name].(string); isText && !p.Word() {
			return nil, fmt.Errorf("%s=%s: a hyperparameter of a network has no schedule: want a number", p.Name, v)
		}
	}
	return h, nil
}

// Architecture is what a user chooses about a network.
type Architecture struct {
	Network    string  `json:"network,omitempty"` // name of the network, "" for the method's own
	Inputs     int     `json:"inputs"`            // input columns
	Targets    int     `json:"targets"`           // target columns
	Classes    int     `json:"classes,omitempty"` // classes of each target; 0 if targets are numbers
	Outputs    int     `json:"outputs"`           // network outputs, over all targets
	Hidden     []int   `json:"hidden"`            // width of each hidden layer
	Activation string  `json:"activation"`        // of hidden units, one of Network.Activations; default its first
	Dropout    float64 `json:"dropout"`           // probability that a unit is dropped
	Drop       Layers  `json:"drop"`              // which hidden layers drop units

	// Hyperparameters are the network's own: Float, On and Text read them.
	Hyperparameters `json:"hyperparameters,omitempty"`

	Texts []Text `json:"texts,omitempty"` // where inputs stand for texts, if the network embeds them; ascending
}

// Layers says which hidden layers of a network drop units.
type Layers string

const (
	AllLayers Layers = "all"
	LastLayer Layers = "last"
	NoLayers  Layers = "none"
)

// Drops tells whether hidden layer i = 0, …, n−1 drops units. A network asks it
// about each of its layers, however many there are.
func (l Layers) Drops(i, n int) bool {
	return l == AllLayers || l == LastLayer && i == n-1
}

// Check returns what is wrong with an architecture, or with so many members of
// it that are trained in batches of so many rows. It names the range or bound
// (Limits) that is left.
func (a Architecture) Check(members, batch int) error {
	for _, c := range []struct {
		what  string
		value int
		in    Range
	}{
		{"the number of inputs", a.Inputs, Limits.Inputs},
		{"the number of targets", a.Targets, Limits.Targets},
		{"the number of network outputs", a.Outputs, Limits.Outputs},
		{"the number of hidden layers", len(a.Hidden), Limits.Layers},
		{"the number of members", members, Limits.Members},
		{"batch", batch, Limits.Batch},
	} {
		if err := c.in.Check(c.what, c.value); err != nil {
			return err
		}
	}
	for i, width := range a.Hidden {
		if err := Limits.Units.Check(fmt.Sprintf("the number of units in hidden layer %d", i+1), width); err != nil {
			return err
		}
	}
	if err := a.checkTexts(); err != nil {
		return err
	}
	if a.Dropout != 0 && !dropoutRange.Has(a.Dropout) {
		return fmt.Errorf("dropout rate %v is out of range: want %.2g to %.6g, or 0 for none", a.Dropout, dropoutRange.Min, dropoutRange.Max)
	}
	switch a.Drop {
	case AllLayers, LastLayer:
		if a.Dropout > 0 && len(a.Hidden) > maxDropped {
			return fmt.Errorf("the number of hidden layers is %d: want at most %d of a network that drops units", len(a.Hidden), maxDropped)
		}
	case NoLayers:
	default:
		return fmt.Errorf("unknown layers %q to drop units in: there is %s, %s, %s", a.Drop, AllLayers, LastLayer, NoLayers)
	}
	return a.checkSize(members, batch)
}

// OutputsPerTarget returns the number of network outputs for each target.
func (a Architecture) OutputsPerTarget() int { return max(1, a.Outputs/max(1, a.Targets)) }

// complete fills in what follows from a method, its hyperparameters h and the network n of
// the choice.
func (a Architecture) complete(m Method, h Hyperparameters, n Network) (_ Architecture, err error) {
	if a.Network == m.Network {
		a.Network = "" // one choice has one form, whoever says it
	}
	if a.Activation == "" && len(n.Activations) > 0 {
		a.Activation = n.Activations[0]
	}
	if len(n.Activations) > 0 && !slices.Contains(n.Activations, a.Activation) {
		return a, fmt.Errorf("unknown activation %q; want one of %s", a.Activation, strings.Join(n.Activations, ", "))
	}
	if m.Targets > 0 && a.Targets != m.Targets {
		return a, fmt.Errorf("method %s is for %d target column(s), and there are %d", m.Name, m.Targets, a.Targets)
	}
	if a.Classes, err = m.classes(a.Classes); err != nil {
		return a, err
	}
	outputs, err := m.outputs(h, a.Classes)
	if err != nil {
		return a, err
	}
	a.Outputs = outputs * a.Targets
	a.Drop = cmp.Or(a.Drop, m.Drop)
	if a.Dropout == 0 {
		a.Dropout = 0 // no −0
	}
	return a, a.Check(1, 1)
}
