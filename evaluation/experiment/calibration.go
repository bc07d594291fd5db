package experiment

import (
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
)

// Source returns the source of the table. It keeps the texts of the column Calibration.By.
func (s Settings) Source() Source {
	if by := s.Calibration.By; by != "" {
		s.Table.Keep = append(slices.Clone(s.Table.Keep), by)
	}
	return s.Table
}

// calibrationError adds the share of the calibration rows to an error.
func (s Settings) calibrationError(err error) error {
	return fmt.Errorf("a share of %v of the training rows to calibrate on: %w", s.Training.Calibrate, err)
}

// checkCalibration returns an error wrapping calibrate.ErrTooFew if the table has too few
// rows to calibrate on, given by their numbers.
func (s Settings) checkCalibration(t *data.Table, numbers []int) error {
	if s.Training.Calibrate == 0 {
		return nil
	}
	by, err := keptTexts(t, s.Calibration.By, numbers)
	if err != nil {
		return err
	}
	if err := calibrate.CheckRows(s.Calibration, len(numbers), by); err != nil {
		return s.calibrationError(err)
	}
	return nil
}

// FitCalibration fits a calibration to rows of a table as it was read, given by their
// numbers (nil for all), and their predictions. The model must not have been trained on
// these rows (Overlap).
func (m *Model) FitCalibration(t *data.Table, numbers []int, p *evaluation.Predictions, o calibrate.Options) (*calibrate.Calibration, error) {
	rows, err := m.calibrationRows(t, numbers, p, o)
	if err != nil {
		return nil, err
	}
	return calibrate.Fit(rows, o)
}

// calibrationRows returns rows of a table with their predictions, targets and weights, and
// with the values of the column o.By.
func (m *Model) calibrationRows(t *data.Table, numbers []int, p *evaluation.Predictions, o calibrate.Options) (calibrate.Rows, error) {
	truth := m.Truth(t, numbers)
	y, err := truth.Standardised()
	if err != nil {
		return calibrate.Rows{}, err
	}
	by, err := keptTexts(t, o.By, numbers)
	return calibrate.Rows{Predictions: p, Y: y, Weights: truth.Weights, By: by}, err
}

// Truth returns the targets and weights of rows of a table as it was read, given by their
// numbers (nil for all).
func (m *Model) Truth(t *data.Table, numbers []int) evaluation.Truth {
	return evaluation.Truth{
		Y:          t.TargetsOf(numbers),
		Columns:    m.Targets,
		Transforms: m.Transforms,
		Weights:    t.WeightsOf(numbers),
	}
}

// Judge scores the model's predictions of rows of a table and returns the predictions. If
// the model is calibrated, it calibrates them first; the scores before are
// Evaluation.Uncalibrated.
func (m *Model) Evaluate(t *data.Table, numbers []int, p *evaluation.Predictions, protocol data.Protocol, measures []string) (evaluation.Evaluation, *evaluation.Predictions, error) {
	truth := m.Truth(t, numbers)
	found, err := evaluation.Evaluate(p, truth, protocol, measures)
	if err != nil {
		return found, nil, err
	}
	calibrate, err := m.Calibrator(t, numbers)
	if err != nil || calibrate == nil {
		return found, p, err
	}
	p = calibrate(p)
	calibrated, err := evaluation.Evaluate(p, truth, protocol, measures)
	calibrated.Uncalibrated = &found
	return calibrated, p, err
}

// Calibrator returns a function that calibrates predictions of rows of a table, given by
// their numbers (nil for all). It returns nil if the model is not calibrated.
func (m *Model) Calibrator(t *data.Table, numbers []int) (func(*evaluation.Predictions) *evaluation.Predictions, error) {
	c := m.Calibration
	if c == nil {
		return nil, nil
	}
	by, err := keptTexts(t, c.By, numbers)
	return func(p *evaluation.Predictions) *evaluation.Predictions { return c.Apply(p, by) }, err
}

// valuesOf returns the texts of a kept column in rows of a table, given by their numbers (nil
// for all). It returns nil for the column "".
func keptTexts(t *data.Table, column string, numbers []int) ([]string, error) {
	if column == "" {
		return nil, nil
	}
	all := t.Kept.Column(column)
	if all == nil {
		return nil, fmt.Errorf("%s: intervals are calibrated by the values of column %s, and these are not kept with the rows", t.Name, column)
	}
	if numbers == nil {
		return all, nil
	}
	values := make([]string, len(numbers))
	for i, n := range numbers {
		values[i] = all[n]
	}
	return values, nil
}

// crossFolds is the number of folds of CrossCalibrate.
const crossFolds = 10

// CrossCalibrate scores the predictions of rows before and after a calibration by
// cross-validation: each fold is calibrated on the others. It returns a nil after if the
// other folds have too few rows.
func (m *Model) CrossCalibrate(t *data.Table, numbers []int, p *evaluation.Predictions, o calibrate.Options, protocol data.Protocol) (before, after *evaluation.Evaluation, err error) {
	truth := m.Truth(t, numbers)
	raw, err := evaluation.Evaluate(p, truth, protocol, nil)
	if err != nil {
		return nil, nil, err
	}
	rows, err := m.calibrationRows(t, numbers, p, o)
	if err != nil {
		return nil, nil, err
	}
	all, err := calibrate.CrossCalibrate(rows, o, crossFolds)
	if err != nil {
		return &raw, nil, nil
	}
	found, err := evaluation.Evaluate(all, truth, protocol, nil)
	return &raw, &found, err
}
