package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
)

// axis is a setting that a study may vary: one of its values goes into each cell.
type axis struct {
	key    string
	values []string // as labels have them
	set    func(i int, to *experiment.Settings)
}

func axisOf[T any](key string, list []T, set func(*experiment.Settings, T)) axis {
	a := axis{key: key, set: func(i int, to *experiment.Settings) { set(to, list[i]) }}
	for _, v := range list {
		a.values = append(a.values, fmt.Sprint(v))
	}
	return a
}

// axes are those settings that a resolved configuration has values of.
func (c Config) axes() []axis {
	type to = *experiment.Settings
	hidden := axisOf("hidden", c.Hidden, func(s to, v string) { s.Spec.Architecture.Hidden, _ = models.ParseWidths(v) })
	for i, v := range hidden.values {
		hidden.values[i] = cmp.Or(v, noLayers)
	}
	all := []axis{
		axisOf("network", c.Network, func(s to, v string) { s.Spec.Architecture.Network = v }),
		axisOf("width", c.Width, func(s to, v int) { s.Spec.Architecture.Hidden = []int{v, v} }),
		hidden,
		axisOf("activation", c.Activation, func(s to, v string) { s.Spec.Architecture.Activation = v }),
		axisOf("dropout", c.Dropout, func(s to, v float64) { s.Spec.Architecture.Dropout = v }),
		axisOf("drop-layers", c.DropLayers, func(s to, v string) { s.Spec.Architecture.Drop = models.Layers(v) }),
		axisOf("epochs", c.Epochs, func(s to, v int) { s.Training.Epochs = v }),
		axisOf("batch", c.Batch, func(s to, v int) { s.Training.Batch = v }),
		axisOf("lr", c.Rate, func(s to, v float64) { s.Training.LearningRate = v }),
		axisOf("schedule", c.Schedule, func(s to, v string) { s.Training.Schedule = trainers.Schedule(v) }),
		axisOf("clip", c.Clip, func(s to, v float64) { s.Training.Clip = v }),
		axisOf("weight-decay", c.Decay, func(s to, v float64) { s.Training.Decay = v }),
		axisOf("val", c.Validation, func(s to, v float64) { s.Training.Validation = v }),
		axisOf("patience", c.Patience, func(s to, v int) { s.Training.Patience = v }),
		axisOf("members", c.Members, func(s to, v int) { s.Training.Members = v }),
		axisOf("calibrate", c.Calibrate, func(s to, v float64) { s.Training.Calibrate = v }),
		axisOf("calibrate-kind", c.CalibrateKind, func(s to, v string) { s.Calibration.Kind = v }),
		axisOf("samples", c.Samples, func(s to, v int) { s.Prediction.Samples = v }),
		axisOf("optimizer", c.Optimizer, func(s to, v string) {
			s.Training.Optimizer, s.Training.OptimizerHyperparameters, _ = parseOptimizer(v)
		}),
	}
	return slices.DeleteFunc(all, func(a axis) bool { return len(a.values) == 0 })
}

// parseOptimizer reads a name with hyperparameters, such as "sgd momentum=0.5".
func parseOptimizer(text string) (string, models.Hyperparameters, error) {
	name, settings, _ := strings.Cut(text, " ")
	chosen, err := models.ParseHyperparameters(strings.Fields(settings))
	return name, chosen, err
}

// variant is a choice of a value for each setting.
type variant struct {
	label string // what of it varies: the end of a method's label
	set   func(*experiment.Settings)
}

// variants are all choices, the last settings varying first.
func (c Config) variants() []variant {
	list := []variant{{"", func(*experiment.Settings) {}}}
	for _, a := range c.axes() {
		var longer []variant
		for _, v := range list {
			for i := range a.values {
				longer = append(longer, variant{v.label + a.tells(i), func(s *experiment.Settings) { v.set(s); a.set(i, s) }})
			}
		}
		list = longer
	}
	return list
}

// tells is what a label says of a value: nothing of the only one, and of optimizers
// nothing of the default one.
func (a axis) tells(i int) string {
	switch v := a.values[i]; {
	case len(a.values) == 1, a.key == "optimizer" && v == defaultOptimizer:
		return ""
	case a.key == "optimizer":
		return By + v
	default:
		return " " + a.key + "=" + v
	}
}

// size is the number of variants, without listing them.
func (c Config) size() float64 {
	n := 1.0
	for _, a := range c.axes() {
		n *= float64(len(a.values))
	}
	return n
}

// checkAxes tries each value of each setting, the others at their first.
func (c Config) checkAxes() error {
	method, chosen, _, err := parseMethod(c.Methods[0])
	if err != nil {
		return err
	}
	axes := c.axes()
	for i, a := range axes {
		for v := range a.values {
			s := draft(max(1, method.Targets), 1) // of whatever table
			for j, other := range axes {
				if j != i {
					other.set(0, &s)
				}
			}
			a.set(v, &s)
			s, err := complete(s, method, chosen)
			if err != nil {
				return err
			}
			if _, err := s.Resolve(); err != nil {
				return err
			}
		}
	}
	return nil
}

// draft is what settings begin with.
func draft(targets, inputs int) experiment.Settings {
	var s experiment.Settings
	s.Spec.Architecture = models.Architecture{Inputs: inputs, Targets: targets, Hidden: []int{50, 50}, Dropout: 0.1}
	return s
}

// complete makes the settings those of a method.
func complete(s experiment.Settings, method models.Method, chosen models.Hyperparameters) (experiment.Settings, error) {
	a := s.Spec.Architecture
	network, err := models.Spec{Method: method.Name, Architecture: a}.Network()
	if err != nil {
		return s, err
	}
	if len(network.Activations) == 0 && a.Activation != "" {
		return s, fmt.Errorf("activation %s: network %s has one of its own", a.Activation, network.Name)
	}
	s.Spec, err = models.NewSpec(method.Name, chosen, a)
	return s, err
}
