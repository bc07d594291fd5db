package main

import (
	"slices"
	"strconv"

	"sml/evaluation/experiment"
	"sml/models"
)

// units is the number of units of each hidden layer of a network that the setting "depth" chooses.
const units = 20

// init registers the setting "depth", which chooses the hidden layers by their number. Train, Vary and Tune
// make it a flag of trainings, an axis of studies and a dimension of tunings; "sml runs" has a column for
// it.
func init() {
	experiment.RegisterSetting(experiment.Setting{
		Key:      "depth",
		Help:     "`NUMBER` of hidden layers of " + strconv.Itoa(units) + " units, in place of hidden",
		Kind:     experiment.WholeNumber,
		Range:    models.Limits.Layers,
		Part:     "network",
		Replaces: "hidden",
		Set:      setDepth,
		Get:      depth,
	})
}

// setDepth sets the hidden layers of the settings to the number of layers in a text such as "2". It
// returns an error if the text is not a whole number.
func setDepth(s *experiment.Settings, text string) error {
	layers, err := strconv.Atoi(text)
	if err != nil {
		return err
	}
	s.Spec.Architecture.Hidden = slices.Repeat([]int{units}, layers)
	return nil
}

// depth returns the number of hidden layers of the settings, as setDepth reads it.
func depth(s experiment.Settings) string { return strconv.Itoa(len(s.Spec.Architecture.Hidden)) }
