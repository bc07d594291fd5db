package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"sml/data"
	"sml/data/split"
	"sml/models"
)

// Default is the value of a setting that a training does not choose.
type Default struct {
	Key   string // key of the setting
	Value string // value as Setting.Set reads it
}

// Complete returns settings with the recipe's defaults in place of the settings that the user has not chosen
// (Settings.Choose), and these defaults. The method and its hyperparameters are those of the spec, which Complete makes
// complete. It returns an error if there is no such method or network, if a hyperparameter is not valid for them, or if
// the settings have an activation function for a network that has its own.
//
// Each recipe chooses epochs and batch, and some choose hidden layers. Trainings by the sound protocol on tables without
// a registered recipe also get larger layers, bins, averaged weights, and early stopping by a score of the predicted
// distributions of validation rows; ensembles get eight members and a cross-validation, which calibrates their
// intervals. A table of fewer than 50 rows has no validation rows, nor has a split that leaves one group to train on,
// nor a method that collects weights along the training (Method.AfterStep).
func (r Recipe) Complete(s Settings) (Settings, []Default, error) {
	defaults, err := r.defaults(s)
	if err != nil {
		return s, nil, err
	}
	for _, d := range defaults {
		setting, _ := LookupSetting(d.Key) // a setting of this package
		if err := setting.Set(&s, d.Value); err != nil {
			return s, nil, fmt.Errorf("default of %s: %w", d.Key, err)
		}
	}
	network, err := s.Spec.Network()
	if err != nil {
		return s, nil, err
	}
	a := s.Spec.Architecture
	if len(network.Activations) == 0 && a.Activation != "" {
		return s, nil, fmt.Errorf("activation %s: network %s has a fixed activation; remove the setting", a.Activation, network.Name)
	}
	s.Spec, err = models.NewSpec(s.Spec.Method, s.Spec.Hyperparameters, a)
	return s, defaults, err
}

// defaults returns the recipe's defaults of the settings that are not chosen.
func (r Recipe) defaults(s Settings) ([]Default, error) {
	var defaults []Default
	if r.isForTable && s.Training.Protocol != data.Paper {
		s.Training.Batch = cmp.Or(s.Training.Batch, r.Batch) // the patience depends on it
		var err error
		defaults, err = tableDefaults(s)
		if err != nil {
			return nil, err
		}
	}
	defaults = append(defaults, Default{"epochs", strconv.Itoa(r.Epochs)}, Default{"batch", strconv.Itoa(r.Batch)})
	if r.Hidden != "" {
		defaults = append(defaults, Default{"hidden", r.Hidden})
	}
	return slices.DeleteFunc(defaults, func(d Default) bool { return s.isChosen(d.Key) }), nil
}

// Defaults of a table without a registered recipe: see docs/explanation/accuracy.md.
const (
	tableHidden  = "128,128,128"
	tableBins    = "32"
	tableAverage = "ema(0.99)"

	tableMembers    = 8 // of an ensemble: each holds out a quarter of the rows in the cross-validation
	minCrossMembers = 4 // of a cross-validation

	tableValidation = "0.1" // fraction of the training rows without a cross-validation

	// A tenth of fewer rows would choose an epoch by chance, and intervals of 95 % need 39 rows to
	// calibrate on.
	minRowsForValidation = 50
)

// tablePatience returns the epochs without a better one after which a training on a table stops: about 300 steps, at least
// 8 epochs and at most 40. An epoch of a member of the default ensemble, which holds out a quarter of the rows, has
// three quarters of the rows divided by the batch. See docs/explanation/accuracy.md.
func tablePatience(rows, batch int) int {
	steps := max(1, (3*rows+4*batch-1)/(4*batch))
	return min(40, max(8, (300+steps-1)/steps))
}

// MaxBinnedInputs is the largest number of input columns of a table whose inputs are encoded in bins by default: bins
// multiply the weights of the first layer by four, and of wider tables, these are most of the memory of a training.
const MaxBinnedInputs = 500

// tableNetworks are the networks that tableHidden and tableBins are for.
var tableNetworks = []string{"mlp", "tabm", "realmlp"}

// tableDefaults returns the defaults of a table without a registered recipe, apart from epochs and batch. It does not ask
// which of these settings the user has chosen, except for the number of members.
func tableDefaults(s Settings) ([]Default, error) {
	method, err := models.Lookup(s.Spec.Method)
	if err != nil {
		return nil, err
	}
	network, err := s.Spec.Network()
	if err != nil {
		return nil, err
	}
	defaults := networkDefaults(network.Name, s.Table.Inputs)
	members := max(s.Training.Members, 1)
	isEnsemble := method.Members > 1
	if isEnsemble {
		members = cmp.Or(s.Training.Members, tableMembers)
		defaults = append(defaults, Default{"members", strconv.Itoa(members)})
	}
	usesEachStep := method.AfterStep != nil // it needs the weights of the steps, not their average, up to the last step
	if !usesEachStep {
		defaults = append(defaults, Default{"average", tableAverage})
	}
	if usesEachStep || s.Table.WeightedRows() < minRowsForValidation || s.trainsOnOneGroup() {
		return defaults, nil
	}
	stopping, err := stoppingDefaults(s, method, members)
	return append(defaults, stopping...), err
}

// networkDefaults returns the defaults of a network's hidden layers and bins for a table with a number of input columns.
func networkDefaults(network string, inputs int) []Default {
	if !slices.Contains(tableNetworks, network) {
		return nil
	}
	defaults := []Default{{"hidden", tableHidden}}
	if inputs <= MaxBinnedInputs {
		defaults = append(defaults, Default{"bins", tableBins})
	}
	return defaults
}

// trainsOnOneGroup reports whether the split leaves one group to train on, so that no other group can validate.
func (s Settings) trainsOnOneGroup() bool {
	kind, err := split.Lookup(s.Training.Split)
	return err == nil && kind.Column == "group" && s.Table.SplitValues == 2
}

// stoppingDefaults returns the defaults of validation and early stopping for an ensemble of this
// many members. There is no cross-validation if the training starts from a model, since that has
// seen the rows which would calibrate the intervals.
func stoppingDefaults(s Settings, method models.Method, members int) ([]Default, error) {
	var defaults []Default
	rotates := s.Training.RotatesValidation()
	isFree := !s.isChosen("validation") && !s.isChosen("calibrate") && !s.isChosen("cross-validation") && !rotates
	if isFree && members >= minCrossMembers && s.InitFrom == "" {
		rotates = true
		defaults = append(defaults, Default{"cross-validation", "true"})
	}
	if !rotates {
		defaults = append(defaults, Default{"validation", tableValidation})
	}
	hasNoValidation := s.isChosen("validation") && s.Training.Validation == 0
	if hasNoValidation && !rotates {
		return defaults, nil
	}
	defaults = append(defaults, Default{"patience", strconv.Itoa(tablePatience(s.Table.WeightedRows(), s.Training.Batch))})
	measure, err := s.defaultValidationMeasure(method)
	if measure != "" {
		defaults = append(defaults, Default{"validation-measure", measure})
	}
	return defaults, err
}

// defaultValidationMeasure returns the measure that chooses the best epoch of a table without a registered recipe, or
// "" for the loss. It returns an error if the objective cannot be built.
func (s Settings) defaultValidationMeasure(method models.Method) (string, error) {
	switch {
	case method.ValidationMeasure == models.ByLoss:
		return "", nil
	case method.ValidationMeasure != "":
		return method.ValidationMeasure, nil
	case method.AfterTraining != nil: // it predicts only after the training
		return "", nil
	}
	columns, err := s.objectiveColumns()
	switch {
	case err != nil:
		return "", err
	case len(columns) > 0: // the meaning of the targets depends on these columns, which measures do not see
		return "", nil
	case method.PredictsClasses():
		return validationNLL, nil
	}
	return validationCRPS, nil
}
