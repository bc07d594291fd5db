package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"sml/data"
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

	Calibration calibrate.Options `json:"calibration,omitzero"` // how to calibrate; zero unless Training.Calibrate, Training.CrossValidation or Training.Bootstrap is set

	// InitFrom is the path of the model that provides the initial weights, as the user wrote
	// it; "" for random weights. See Experiment.StartFrom.
	InitFrom string `json:"init_from,omitempty"`

	// SplitSeed is the seed of the choice of test rows, so that trainings from several seeds share them. nil for the
	// training's seed.
	SplitSeed *uint64 `json:"split_seed,omitempty"`

	chosen []string // keys of the settings that a user has chosen: see Choose
}

// Choose sets a setting to a value that Setting.Parse has returned. Recipe.Complete then leaves it as it is.
func (s *Settings) Choose(setting Setting, value string) error {
	s.chosen = append(slices.Clip(s.chosen), setting.Key)
	return setting.Set(s, value)
}

// Without returns the settings with the default of a setting in place of the chosen value. It returns an error for a
// setting without a default that can be set.
func (s Settings) Without(setting Setting) (Settings, error) {
	if setting.Get == nil {
		return s, fmt.Errorf("the setting %s has no default of its own", setting.Key)
	}
	s.chosen = slices.DeleteFunc(slices.Clone(s.chosen), func(key string) bool { return key == setting.Key })
	err := setting.Set(&s, setting.Get(DefaultSettings()))
	return s, err
}

// isChosen reports whether the user has chosen the setting with a key, or another one that sets the same field, as width
// and hidden do.
func (s Settings) isChosen(key string) bool {
	return slices.ContainsFunc(s.chosen, func(chosen string) bool {
		setting, err := LookupSetting(chosen)
		return chosen == key || err == nil && setting.fieldKey() == key
	})
}

// Prediction describes how the test rows are predicted and evaluated.
type Prediction struct {
	Samples int    `json:"samples"`      // number of sub-networks; default evaluation.DefaultSamples
	Mode    string `json:"by,omitempty"` // SubNetworkMode, or "" for the method's own predictor

	Moments evaluation.MomentSource `json:"moments,omitempty"` // where mean and standard deviation over the sub-networks come from; "" for sampled

	Measures []string `json:"measures,omitempty"` // names of measures; see measure.Select
}

// SubNetworkMode is the Prediction.Mode for predicting with every method the mean and the
// standard deviation of its sub-networks' outputs.
const SubNetworkMode = "sub-networks"

// Resolve returns the settings with their defaults filled in and Spec.Weighted set if the
// table has a column of weights. The spec must be complete, as models.NewSpec returns it.
// Resolve returns an error if a value is not valid.
func (s Settings) Resolve() (Settings, error) {
	s.chosen = nil // equal settings are equal, whoever has chosen them
	if err := s.resolveSplit(); err != nil {
		return s, err
	}
	if err := s.resolveTargets(); err != nil {
		return s, err
	}
	if err := s.resolvePrediction(); err != nil {
		return s, err
	}
	s.Spec.Weighted = s.Table.Weight != ""
	if _, err := data.Lookup(s.Table.Name); err == nil {
		s.Spec.Architecture.EmbeddingWidth = 0 // registered data sets have no categories
	}
	if err := s.resolveCalibration(); err != nil {
		return s, err
	}
	if err := s.checkValidationMeasure(); err != nil {
		return s, err
	}
	if err := models.Limits.Samples.Check("samples", s.Prediction.Samples); err != nil {
		return s, err
	}
	training, err := trainers.Resolve(s.Spec, s.Training)
	s.Training = training
	return s, err
}

// resolvePrediction sets the default number of sub-networks. It returns an error if the mode
// or a measure is not valid, or if predictions cannot have the moments.
func (s *Settings) resolvePrediction() error {
	if mode := s.Prediction.Mode; mode != "" && mode != SubNetworkMode {
		return fmt.Errorf("unknown prediction mode %q; want %s, or \"\" for the method's own", mode, SubNetworkMode)
	}
	if _, err := measure.Select(s.Prediction.Measures); err != nil {
		return err
	}
	s.Prediction.Samples = cmp.Or(s.Prediction.Samples, evaluation.DefaultSamples)
	moments, err := evaluation.ParseMoments(string(s.Prediction.Moments))
	if err != nil {
		return err
	}
	s.Prediction.Moments = moments // the same choice has the same form, whether or not the user named it
	if err := moments.Check(s.Spec); err != nil {
		return fmt.Errorf("%w; choose moments sampled", err)
	}
	return nil
}

// resolveCalibration sets the defaults of the calibration. It returns an error if the options
// are not valid, do not fit the targets, or are set without calibration rows.
func (s *Settings) resolveCalibration() error {
	if s.Training.Calibrate == 0 && !s.Training.RotatesValidation() {
		if s.Calibration != (calibrate.Options{}) {
			return errors.New("it chooses a calibration, but no rows to calibrate on; set calibrate, cross-validation or bootstrap")
		}
		return nil
	}
	classes := s.Spec.Architecture.Classes > 0
	s.Calibration.Kind = cmp.Or(s.Calibration.Kind, calibrate.DefaultKind(classes))
	resolved, err := s.Calibration.Resolve()
	s.Calibration = resolved
	if err != nil {
		return err
	}
	return resolved.CheckTargets(classes)
}

// Values of Settings.Training.ValidationMeasure.
const (
	validationCRPS = models.ByCRPS
	validationNLL  = models.ByNLL
)

// checkValidationMeasure returns an error unless the measure that chooses the best epoch exists and fits the method. Without
// a measure, the loss chooses it, which fits every method.
func (s Settings) checkValidationMeasure() error {
	name := s.Training.ValidationMeasure
	if name == "" {
		return nil
	}
	method, _ := models.Lookup(s.Spec.Method) // resolveTargets has found it
	switch {
	case name != validationCRPS && name != validationNLL:
		return fmt.Errorf("unknown measure %q to choose the best epoch by; want %s, %s, or \"\" for the loss", name, validationCRPS, validationNLL)
	case name == validationCRPS && s.Spec.Architecture.Classes > 0:
		return fmt.Errorf("the measure %s is for numbers, and the method predicts classes; want %s", name, validationNLL)
	case method.AfterTraining != nil:
		return fmt.Errorf("method %s predicts only after its training is complete: its best epoch follows from the loss, and from no measure", method.Name)
	}
	return s.checkMeasureOfColumns(name, method.ValidationMeasure)
}

// checkMeasureOfColumns returns an error if the objective reads a column of the table that the measure does not see, unless the
// method itself chose the measure.
func (s Settings) checkMeasureOfColumns(name, methodsOwn string) error {
	if name == methodsOwn {
		return nil
	}
	columns, err := s.objectiveColumns()
	if err != nil || len(columns) == 0 {
		return err
	}
	return fmt.Errorf("the objective reads the column %q, and the measure %s ignores it, although it may change what a target means, as a mark of censored rows does: choose the best epoch by the loss, or set Method.ValidationMeasure", columns[0], name)
}

// objectiveColumns returns the extra columns of the table that the objective reads. It returns an error if the
// objective cannot be built.
func (s Settings) objectiveColumns() ([]string, error) {
	if len(s.Table.Extra) == 0 {
		return nil, nil
	}
	spec, err := models.NewSpec(s.Spec.Method, s.Spec.Hyperparameters, s.Spec.Architecture)
	if err != nil {
		return nil, err
	}
	return spec.Columns()
}

// resolveSplit sets the default fraction of the test rows. It returns an error if the split or
// the fold is not valid, as far as it can tell without the table.
func (s *Settings) resolveSplit() error {
	t := &s.Training
	if err := checkInner(t.Inner); err != nil {
		return err
	}
	switch {
	case t.Split == "" && t.Fold != 0:
		return fmt.Errorf("fold %d needs a split; there is none", t.Fold)
	case t.Split == "" && t.TestFraction != 0:
		return fmt.Errorf("a test fraction of %v needs a split; there is none", t.TestFraction)
	case s.Table.Test != nil && t.Split != split.TestFile:
		return fmt.Errorf("the file of test rows %s needs the split %s", s.Table.Test.Name, split.TestFile)
	case t.Split == "":
		return nil
	}
	kind, err := split.Lookup(t.Split)
	if err != nil {
		return err
	}
	t.TestFraction = cmp.Or(t.TestFraction, kind.TestFraction)
	return cmp.Or(kind.CheckTestFraction(t.TestFraction), kind.CheckFold(t.Fold))
}
