package models

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sml/graph"
	"sml/internal/registry"
)

// Forward returns the outputs [rows, outputs] of a network on the batch. All passes have the same
// weights; sub-networks differ in their dropout masks.
type Forward func(graph.Pass) *graph.Node

// Network is a kind of network, which a user chooses by name for any method.
type Network struct {
	Name    string `json:"name"`    // name on the command line and in files
	Title   string `json:"title"`   // name in tables and figures; default Name
	Summary string `json:"summary"` // description in one line
	Source  string `json:"source"`  // paper and section

	// Activations lists the allowed values of Architecture.Activation, the default first. It is empty
	// if the network ignores the activation.
	Activations []string `json:"activations"`

	// Hyperparameters are numbers, switches and words that a user may choose, like a method's. They
	// cannot have schedules.
	Hyperparameters []Hyperparameter `json:"-"`

	// Exemptions lists checks that do not apply to the network, whatever method trains it.
	Exemptions []Exemption `json:"exempt,omitempty"`

	// Copies is the default of Architecture.Copies, 0 for a network that has no copies.
	Copies int `json:"copies,omitempty"`

	// DrawsWeights says that sub-networks draw weights and drop no units: the network does not read Architecture.Dropout, and
	// layers in Architecture.Drop have no weight decay.
	DrawsWeights bool `json:"draws_weights,omitempty"`

	// Build returns the network on the inputs x [rows, a.Inputs], with a.Outputs outputs. Columns of
	// many categories have been embedded: x has their embeddings.
	//
	// A network with copies returns the outputs of its copies side by side, [rows, a.Copies·a.Outputs]. Its
	// inputs are x [rows, a.Inputs] if all copies have the same inputs, and x [rows, a.Copies·a.Inputs] if each
	// has its own, side by side.
	Build func(b *graph.Builder, x *graph.Node, a Architecture) Forward `json:"-"`
}

// defaultNetwork is the name of the fully connected network in models/networks.
const defaultNetwork = "mlp"

// networks holds the registered networks.
var networks = newNetworks()

func newNetworks() *registry.Registry[Network] {
	return registry.New("network", func(n Network) string { return n.Name }, "import models/networks, or register one")
}

// RegisterNetwork adds a network. It panics if the network has no Build, or if another network has
// its name: these are mistakes in the program.
func RegisterNetwork(n Network) {
	if n.Build == nil {
		panic(fmt.Sprintf("models: network %q has no Build", n.Name))
	}
	checkExemptions(fmt.Sprintf("network %q", n.Name), n.Exemptions)
	n.Title = cmp.Or(n.Title, n.Name)
	n.Hyperparameters = DeclareHyperparameters(fmt.Sprintf("models: network %q", n.Name), n.Hyperparameters)
	networks.Add(n)
}

// Networks returns all registered networks in the order of their registration.
func Networks() []Network { return networks.All() }

// LookupNetwork returns the network with the given name, or an error that lists the names.
func LookupNetwork(name string) (Network, error) { return networks.Lookup(name) }

// Choose returns the network's hyperparameters: the chosen values, and defaults for the others. It
// returns nil if the network has none, and an error if a value is not allowed or is a schedule.
func (n Network) Choose(chosen Hyperparameters) (Hyperparameters, error) {
	h, err := ChooseHyperparameters("network "+n.Name, n.Hyperparameters, chosen)
	if err != nil || len(h) == 0 {
		return nil, err
	}
	for _, p := range n.Hyperparameters {
		text, isText := h[p.Name].(string)
		if isText && !p.IsWord() {
			return nil, fmt.Errorf("%s=%s: a hyperparameter of a network cannot have a schedule: want a number", p.Name, text)
		}
	}
	return h, nil
}

// checkActivation returns an error unless the network has the activation, or ignores activations.
func (n Network) checkActivation(activation string) error {
	if len(n.Activations) > 0 && !slices.Contains(n.Activations, activation) {
		return fmt.Errorf("unknown activation %q; want one of %s", activation, strings.Join(n.Activations, ", "))
	}
	return nil
}

// Architecture describes the size and the shape of a network. The user chooses some of the fields;
// the table and the method determine the others (see NewSpec).
type Architecture struct {
	Network    string  `json:"network,omitempty"` // name of the network; "" for the method's default
	Inputs     int     `json:"inputs"`            // number of input columns
	Targets    int     `json:"targets"`           // number of target columns
	Classes    int     `json:"classes,omitempty"` // number of classes of each target; 0 if targets are numbers
	Outputs    int     `json:"outputs"`           // number of network outputs, over all targets
	Hidden     []int   `json:"hidden"`            // number of units of each hidden layer
	Activation string  `json:"activation"`        // activation of hidden units, one of Network.Activations; default its first
	Dropout    float64 `json:"dropout"`           // probability that a unit is dropped; 0 drops none, so that sub-networks have no spread
	Drop       Layers  `json:"drop"`              // hidden layers that drop units

	// Hyperparameters of the network. Float, IsOn and Text read them.
	Hyperparameters `json:"hyperparameters,omitempty"`

	// EmbeddingWidth is the number of numbers in which the network embeds a category, 0 if it embeds
	// none. Embeddings are the embedded columns in ascending order: see Embeds.
	EmbeddingWidth int         `json:"embedding_width,omitempty"`
	Embeddings     []Embedding `json:"embeddings,omitempty"`

	// Bins is the number of bins in which the network encodes each numeric input besides its value, 0 if it
	// encodes none. Periodic is the number of frequencies in the periodic embedding of each numeric input, 0 if
	// there is none. Indicators are the indices of inputs that have neither, in ascending order.
	Bins       int   `json:"bins,omitempty"`
	Periodic   int   `json:"periodic,omitempty"`
	Indicators []int `json:"indicators,omitempty"`

	// Copies is the number of networks in the network, which share most of their weights and predict as the
	// members of an ensemble. 0 stands for Network.Copies, or for 1 if the network has no copies.
	Copies int `json:"copies,omitempty"`
}

// Layers selects the hidden layers of a network that drop units.
type Layers string

const (
	AllLayers Layers = "all"
	LastLayer Layers = "last"
	NoLayers  Layers = "none"
)

// Drops reports whether hidden layer i of n, counted from 0, drops units. A network calls it for each
// of its layers.
func (l Layers) Drops(i, n int) bool {
	return l == AllLayers || l == LastLayer && i == n-1
}

// Check returns an error if the architecture is not valid, or if it is too large for an ensemble of
// members that are trained in batches of batch rows. The error names the range or the bound (see
// Limits).
func (a Architecture) Check(members, batch int) error {
	for _, c := range []struct {
		name    string
		value   int
		allowed Range
	}{
		{"the number of inputs", a.Inputs, Limits.Inputs},
		{"the number of targets", a.Targets, Limits.Targets},
		{"the number of network outputs", a.Outputs, Limits.Outputs},
		{"the number of hidden layers", len(a.Hidden), Limits.Layers},
		{"the number of members", members, Limits.Members},
		{"the number of copies", a.CopyCount(), Limits.Copies},
		{"the number of members times copies", members * a.CopyCount(), Limits.Members},
		{"batch", batch, Limits.Batch},
	} {
		if err := c.allowed.Check(c.name, c.value); err != nil {
			return err
		}
	}
	for i, width := range a.Hidden {
		if err := Limits.Units.Check(fmt.Sprintf("the number of units in hidden layer %d", i+1), width); err != nil {
			return err
		}
	}
	if err := cmp.Or(a.checkEmbeddings(), a.checkEncoding(), a.checkDropout()); err != nil {
		return err
	}
	return a.checkSize(members, batch)
}

// checkDropout returns an error if the dropout rate or the layers that drop units are not valid.
func (a Architecture) checkDropout() error {
	if a.Dropout != 0 && !dropoutRange.Contains(a.Dropout) {
		return fmt.Errorf("dropout rate %v is out of range: want %.2g to %.6g, or 0 for none", a.Dropout, dropoutRange.Min, dropoutRange.Max)
	}
	switch a.Drop {
	case AllLayers, LastLayer:
		if a.Dropout > 0 && len(a.Hidden) > maxDropped {
			return fmt.Errorf("the number of hidden layers is %d: want at most %d in a network that drops units", len(a.Hidden), maxDropped)
		}
		return nil
	case NoLayers:
		return nil
	}
	return fmt.Errorf("unknown layers %q to drop units in; want one of %s, %s, %s", a.Drop, AllLayers, LastLayer, NoLayers)
}

// OutputsPerTarget returns the number of network outputs for each target.
func (a Architecture) OutputsPerTarget() int { return max(1, a.Outputs/max(1, a.Targets)) }

// withDerivedFields returns the architecture with the fields that follow from the method m, its
// hyperparameters h and the network n: the activation and the layers that drop units, unless they are
// chosen, and the numbers of classes and outputs. It returns an error if the architecture is not valid.
func (a Architecture) withDerivedFields(m Method, h Hyperparameters, n Network) (Architecture, error) {
	if a.Network == m.Network {
		a.Network = "" // the same choice has the same form, whether or not the user named the network
	}
	if a.Activation == "" && len(n.Activations) > 0 {
		a.Activation = n.Activations[0]
	}
	if err := n.checkActivation(a.Activation); err != nil {
		return a, err
	}
	if m.Targets > 0 && a.Targets != m.Targets {
		return a, fmt.Errorf("method %s needs %d target columns; there are %d", m.Name, m.Targets, a.Targets)
	}
	classes, err := m.classCount(a.Classes)
	if err != nil {
		return a, err
	}
	a.Classes = classes
	outputs, err := m.outputCount(h, a.Classes)
	if err != nil {
		return a, err
	}
	a.Outputs = outputs * a.Targets
	a.Copies, err = n.chooseCopies(a.Copies)
	if err != nil {
		return a, err
	}
	if err := m.checkCopies(n, a.Copies); err != nil {
		return a, err
	}
	a.Drop = cmp.Or(a.Drop, m.DropLayers)
	a.Dropout += 0 // turns −0 into 0, so that equal architectures are equal in files
	return a, a.Check(1, 1)
}
