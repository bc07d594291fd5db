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

// Settings are everything that the result of an experiment follows from: the same
// settings give the same bytes, whoever runs them. Their JSON is that of
// checkpoints and of a study's cells; a model keeps them in parts (Of).
type Settings struct {
	Table      Source            `json:"table"`
	Spec       models.Spec       `json:"spec"`
	Training   trainers.Settings `json:"training"` // with seed, protocol, split and fold, which hold for the rows as well
	Prediction Prediction        `json:"prediction"`

	Calibration calibrate.Options `json:"calibration,omitzero"` // how it is done, where Training.Calibrate keeps rows for it
	InitFrom    string            `json:"init_from,omitempty"`  // the model that it starts from, as it was given; StartFrom
}

// Prediction says how the rows that a network is judged on are predicted.
type Prediction struct {
	Samples int    `json:"samples"`      // sub-networks of each row; default evaluation.DefaultSamples
	By      string `json:"by,omitempty"` // BySubNetworks; default what the method predicts by

	Measures []string `json:"measures,omitempty"` // that it is judged by; see measure.Named
}

// BySubNetworks predicts the mean and the spread of the sub-networks, whatever the
// method predicts by.
const BySubNetworks = "sub-networks"

// Resolve fills in defaults, where the table is known and the spec complete
// (models.NewSpec), but for whether rows have weights, which the table says.
func (s Settings) Resolve() (Settings, error) {
	if err := s.resolveSplit(); err != nil {
		return s, err
	}
	if by := s.Prediction.By; by != "" && by != BySubNetworks {
		return s, fmt.Errorf("unknown prediction by %q: there is %s, or nothing for the method's own", by, BySubNetworks)
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
		if s.Calibration, err = s.Calibration.Resolve(); err != nil {
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
		return fmt.Errorf("there is no share of %v to test on without a split", t.TestShare)
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

// Check returns what is wrong with settings that come from a file: they are not
// complete, or nobody can have written them.
func (s Settings) Check() error {
	spec, err := models.NewSpec(s.Spec.Method, s.Spec.Hyperparameters, s.Spec.Architecture)
	if err != nil {
		return err
	}
	spec.Weighted = s.Spec.Weighted
	if !bytes.Equal(text(spec), text(s.Spec)) {
		return errors.New("its network and hyperparameters are not those of its method")
	}
	resolved, err := s.Resolve()
	if err != nil {
		return err
	}
	if !bytes.Equal(text(resolved), text(s)) {
		return errors.New("its settings are not complete")
	}
	return s.Table.check()
}
