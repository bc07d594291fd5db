package main

import (
	"slices"
	"strconv"

	"sml/evaluation/experiment"
	"sml/models"
)

// units is the width of each hidden layer of a network that depth chooses.
const units = 20

// depth chooses the hidden layers by their number. Studies vary it, tunings tune it, and
// "sml runs" has a column for it.
func init() {
	experiment.RegisterSetting(experiment.Setting{
		Key: "depth", Help: "`NUMBER` of hidden layers of " + strconv.Itoa(units) + " units, in place of hidden",
		Kind: experiment.WholeNumber, Set: setDepth, Get: depth,
		Range: models.Limits.Layers, Part: "network", Replaces: "hidden",
		Train: true, Vary: true, Tune: true,
	})
}

// setDepth sets the hidden layers.
func setDepth(s *experiment.Settings, value string) error {
	n, err := strconv.Atoi(value)
	s.Spec.Architecture.Hidden = slices.Repeat([]int{units}, n)
	return err
}

// depth returns the number of hidden layers.
func depth(s experiment.Settings) string { return strconv.Itoa(len(s.Spec.Architecture.Hidden)) }
