package models

import (
	"fmt"

	"sml/graph"
)

// Forward runs the network on the batch. Calls with different passes use
// the same weights and different dropout masks. The result is a
// [rows, outputs] matrix.
type Forward func(graph.Pass) *graph.Node

// Network puts a network on top of the inputs x [rows, a.Inputs].
type Network func(b *graph.Builder, x *graph.Node, a Architecture) Forward

// Architecture is what a user chooses about a network.
type Architecture struct {
	Inputs     int     `json:"inputs"`     // input columns
	Targets    int     `json:"targets"`    // target columns
	Outputs    int     `json:"outputs"`    // network outputs, over all targets
	Hidden     []int   `json:"hidden"`     // width of each hidden layer
	Activation string  `json:"activation"` // one of Activations
	Dropout    float64 `json:"dropout"`    // probability that a unit is dropped
	Drop       Layers  `json:"drop"`       // which hidden layers drop units
}

// Layers says which hidden layers of a network drop units.
type Layers string

const (
	AllLayers Layers = "all"
	LastLayer Layers = "last"
	NoLayers  Layers = "none"
)

// includes tells whether hidden layer i of n drops units.
func (l Layers) includes(i, n int) bool {
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
	if _, err := activation(a.Activation); err != nil {
		return err
	}
	return a.checkSize(members, batch)
}
