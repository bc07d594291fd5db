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

func (a Architecture) validate() error {
	switch {
	case a.Inputs < 1:
		return fmt.Errorf("a network needs at least one input, not %d", a.Inputs)
	case a.Targets < 1:
		return fmt.Errorf("a network needs at least one target, not %d", a.Targets)
	case !(a.Dropout >= 0 && a.Dropout < 1):
		return fmt.Errorf("dropout rate %v is not in [0, 1)", a.Dropout)
	case a.Drop != AllLayers && a.Drop != LastLayer && a.Drop != NoLayers:
		return fmt.Errorf("unknown layers %q to drop units in: there is %s, %s, %s", a.Drop, AllLayers, LastLayer, NoLayers)
	}
	for i, width := range a.Hidden {
		if width < 1 {
			return fmt.Errorf("hidden layer %d cannot have %d units", i+1, width)
		}
	}
	if _, err := activation(a.Activation); err != nil {
		return err
	}
	return nil
}
