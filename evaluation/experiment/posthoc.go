package experiment

import (
	"fmt"
	"strings"

	"sml/evaluation/calibrate"
	"sml/models"
	"sml/trainers"
)

// PostHoc describes how a method is applied to a trained model.
type PostHoc struct {
	Method          string                 // name of the method
	Hyperparameters models.Hyperparameters // chosen hyperparameters of the method

	// Epochs is the number of further epochs. The default 0 is none for a method that only computes with the trained
	// weights (models.Method.AfterTraining), and a quarter of the model's epochs for others.
	Epochs int

	LearningRate float64 // learning rate of the epochs, which is constant; default the model's
}

// Settings returns the settings of a training of the method that starts from the model m in the directory dir: on the
// same rows, with the same network and the same split. Experiment.StartFrom takes m. Settings returns an error if the
// method does not fit the model's network, members or targets, or if it chooses a learning rate and no epochs of a method
// that keeps the weights.
func (p PostHoc) Settings(m *Model, dir string) (Settings, error) {
	method, err := models.Lookup(p.Method)
	if err != nil {
		return Settings{}, err
	}
	network, err := m.Spec.Network()
	if err != nil {
		return Settings{}, err
	}
	a := m.Architecture
	if network.Name != method.Network {
		a.Network = network.Name // the model's method may have left it out, as its default
	}
	if a.Drop == models.NoLayers {
		a.Drop = "" // the method's
	}
	s := DefaultSettings()
	s.Spec, err = models.NewSpec(method.Name, p.Hyperparameters, a)
	if err != nil {
		return Settings{}, err
	}
	if err := p.checkOutputs(m, method, s.Spec); err != nil {
		return Settings{}, err
	}
	s.Table = m.Settings.Table
	s.InitFrom = dir
	s.Training = p.training(m, method)
	if s.Training.KeepWeights && p.LearningRate != 0 {
		return Settings{}, fmt.Errorf("the learning rate %v does nothing: method %s keeps the weights; choose a number of epochs, too", p.LearningRate, method.Name)
	}
	s.Calibration = calibrationOptions(m, s.Training)
	s.Prediction.Samples = 0 // the default
	return s, nil
}

// checkOutputs returns an error if the model's network does not have the outputs that the method needs.
func (p PostHoc) checkOutputs(m *Model, method models.Method, spec models.Spec) error {
	got, want := m.Architecture, spec.Architecture
	if got.Classes > 0 != method.PredictsClasses() {
		return fmt.Errorf("method %s is for %s, and the model's method %s predicts %s", method.Name, targetKind(method.PredictsClasses()), m.Method, targetKind(got.Classes > 0))
	}
	if got.Outputs != want.Outputs {
		got.Network = want.Network
		return fmt.Errorf("%s needs networks with %d outputs for each target, and %s trains networks with %d; %s", method.Name, want.OutputsPerTarget(), m.Method, got.OutputsPerTarget(), suggestMethods(got))
	}
	return nil
}

// suggestMethods returns the end of an error message: the names of the methods that compute something after the training,
// and can do so for networks of this architecture.
func suggestMethods(a models.Architecture) string {
	var names []string
	for _, method := range models.Methods() {
		if method.AfterTraining == nil {
			continue
		}
		spec, err := models.NewSpec(method.Name, nil, a)
		if err == nil && spec.Architecture.Outputs == a.Outputs {
			names = append(names, method.Name)
		}
	}
	if names == nil {
		return "no method computes an uncertainty after the training of such networks"
	}
	return "want " + strings.Join(names, ", ")
}

// targetKind describes targets for messages.
func targetKind(areClasses bool) string {
	if areClasses {
		return "classes"
	}
	return "numbers"
}

// training returns the training settings of the method: the model's settings, as far as they suit further epochs.
func (p PostHoc) training(m *Model, method models.Method) trainers.Settings {
	const epochsDivisor = 4 // by default, train for a quarter of the model's epochs
	t := m.Settings.Training
	t.Members = len(m.Members)
	t.ParamGroups = nil // they belong to the model's method
	t.Schedule = models.Schedule{}
	t.KeepWeights = method.AfterTraining != nil && method.AfterStep == nil && p.Epochs == 0
	t.Epochs = p.Epochs
	if p.LearningRate != 0 {
		t.LearningRate = p.LearningRate
	}
	if !t.KeepWeights && p.Epochs == 0 {
		t.Epochs = max(1, m.Settings.Training.Epochs/epochsDivisor)
	}
	if method.AfterTraining != nil {
		t.ValidationMeasure = ""
	}
	if t.KeepWeights || method.AfterStep != nil { // there are no epochs, or the method uses the weights of all epochs
		t.Patience = 0
		t.Average = trainers.Average{}
	}
	if t.RotatesValidation() && !t.KeepWeights { // members would train on the rows that they held out, which calibrate
		t.CrossValidation = false
		t.Bootstrap = false
		t.Validation = 0
		t.Patience = 0
		t.ValidationMeasure = ""
	}
	return t
}

// calibrationOptions returns how the model is calibrated, if the training keeps rows to calibrate on.
func calibrationOptions(m *Model, t trainers.Settings) calibrate.Options {
	if m.Calibration == nil || t.Calibrate == 0 && !t.RotatesValidation() {
		return calibrate.Options{}
	}
	c := m.Calibration
	return calibrate.Options{
		Kind:        c.Kind,
		Coverage:    c.Coverage,
		GroupColumn: c.GroupColumn,
		MeanGroups:  c.MeanGroups,
	}
}
