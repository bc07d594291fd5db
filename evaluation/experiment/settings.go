package experiment

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"sml/data/split"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
	"sml/models"
	"sml/trainers"
)

// Settings determine the result of an experiment: the same settings give the same bytes on
// every machine. Checkpoints and the cells of a study store them as JSON.
type Settings struct {
	Table      Source            `json:"table"`
	Spec       models.Spec       `json:"spec"`
	Training   trainers.Settings `json:"training"` // its seed, protocol, split and fold also choose the rows
	Prediction Prediction        `json:"prediction"`

	Calibration calibrate.Options `json:"calibration,omitzero"` // method of the calibration; only if Training.Calibrate is not 0
	InitFrom    string            `json:"init_from,omitempty"`  // path of the model that provides the initial weights, as the user wrote it; see Experiment.StartFrom
}

// Prediction describes how the test rows are predicted and judged.
type Prediction struct {
	Samples int    `json:"samples"`      // sub-networks drawn for each row; default evaluation.DefaultSamples
	Mode    string `json:"by,omitempty"` // BySubNetworks, or "" for the method's own way

	Measures []string `json:"measures,omitempty"` // names of measures; see measure.Named
}

// BySubNetworks is the value of Prediction.By that predicts the mean and standard deviation of
// the sub-networks with every method.
const SubNetworkMode = "sub-networks"

// Resolve returns the settings with their defaults, and sets Spec.Weighted if the table has a
// column of weights. The spec must be complete, as models.NewSpec returns it. Resolve returns an
// error if a value is not valid.
func (s Settings) Resolve() (Settings, error) {
	if err := s.resolveSplit(); err != nil {
		return s, err
	}
	if by := s.Prediction.Mode; by != "" && by != SubNetworkMode {
		return s, fmt.Errorf("unknown prediction by %q: there is %s, or nothing for the method's own", by, SubNetworkMode)
	}
	if t := s.Table.Transform; t != "" && s.Spec.Architecture.Classes > 0 {
		return s, fmt.Errorf("transform %s: the targets of method %s are classes, which have no transform", t, s.Spec.Method)
	}
	s.Spec.Weighted = s.Table.Weight != ""
	if _, err := measure.Named(s.Prediction.Measures); err != nil {
		return s, err
	}
	s.Prediction.Samples = cmp.Or(s.Prediction.Samples, evaluation.DefaultSamples)
	if s.Training.Calibrate == 0 && s.Calibration != (calibrate.Options{}) {
		return s, errors.New("it says how to calibrate, and no share of the training rows to calibrate on")
	}
	if s.Training.Calibrate != 0 {
		var err error
		classes := s.Spec.Architecture.Classes > 0
		s.Calibration.Kind = cmp.Or(s.Calibration.Kind, calibrate.DefaultKind(classes))
		if s.Calibration, err = s.Calibration.Resolve(); err != nil {
			return s, err
		}
		if err := calibrate.CheckKind(s.Calibration.Kind, classes); err != nil {
			return s, err
		}
	}
	err := models.Limits.Samples.Check("samples", s.Prediction.Samples)
	if err == nil {
		s.Training, err = trainers.Resolve(s.Spec, s.Training)
	}
	return s, err
}

// resolveSplit checks what rows are split by, as far as that can be without a table.
func (s *Settings) resolveSplit() error {
	t := &s.Training
	if err := checkInner(t.Inner); err != nil {
		return err
	}
	switch {
	case t.Split == "" && t.Fold != 0:
		return fmt.Errorf("there is no fold %d without a split", t.Fold)
	case t.Split == "" && t.TestShare != 0:
		return fmt.Errorf("a test fraction of %v needs a split", t.TestShare)
	case s.Table.Test != nil && t.Split != split.TestFile:
		return fmt.Errorf("there are rows of a file for testing, %s, which the split %s alone knows", s.Table.Test.Name, split.TestFile)
	case t.Split == "":
		return nil
	}
	kind, err := split.Lookup(t.Split)
	if err != nil {
		return err
	}
	t.TestShare = cmp.Or(t.TestShare, kind.Share)
	return cmp.Or(kind.CheckShare(t.TestShare), kind.CheckFold(t.Fold))
}

// Check returns an error if settings from a file are not complete or not valid.
func (s Settings) Check() error {
	spec, err := models.NewSpec(s.Spec.Method, s.Spec.Hyperparameters, s.Spec.Architecture)
	if err != nil {
		return err
	}
	spec.Weighted = s.Spec.Weighted
	if !bytes.Equal(encodeJSON(spec), encodeJSON(s.Spec)) {
		return errors.New("its network and hyperparameters are not those of its method")
	}
	resolved, err := s.Resolve()
	if err != nil {
		return err
	}
	if !bytes.Equal(encodeJSON(resolved), encodeJSON(s)) {
		return errors.New("its settings are not complete")
	}
	return s.Table.check()
}
