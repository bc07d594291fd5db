package experiment

import (
	"context"
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/internal/strict"
	"sml/models"
	"sml/trainers"
)

// Source is the table's, with the texts of the column that a calibration goes by.
func (s Settings) Source() Source {
	if by := s.Calibration.By; by != "" {
		s.Table.Keep = append(slices.Clone(s.Table.Keep), by)
	}
	return s.Table
}

// CalibrationRows lists the rows that are calibrated on, ascending: none where
// Training.Calibrate is 0.
func (e *Experiment) CalibrationRows() []int { return e.fold.calibration }

// calibrationRows takes the rows to calibrate on from those to train on, nil for all.
func calibrationRows(t *data.Table, k foldKey, train []int) (rest, held []int, err error) {
	numbers := make([]int32, t.Rows())
	for i := range numbers {
		numbers[i] = int32(i)
	}
	if train != nil {
		numbers = numbers[:0]
		for _, r := range train {
			numbers = append(numbers, int32(r))
		}
	}
	by, latest := apartBy(t, k.split)
	apart, others, err := trainers.Apart(numbers, by, latest, k.calibrate, k.calibrateSeed)
	if err != nil {
		return nil, nil, err
	}
	rest, held = make([]int, len(others)), make([]int, len(apart))
	for i, r := range others {
		rest[i] = int(r)
	}
	for i, r := range apart {
		held[i] = int(r)
	}
	if err := counted(t, k, rest, "trained on"); err != nil {
		return nil, nil, err
	}
	return rest, held, counted(t, k, held, "calibrated on")
}

// apartBy says by what rows that are no longer trained on are chosen among those of a
// split: as whole groups, or as the latest; nil: at random.
func apartBy(t *data.Table, split string) (by []float64, latest bool) {
	kind, err := data.LookupSplit(split)
	if err != nil || kind.Column != "group" && kind.Column != "time" {
		return nil, false
	}
	return t.B, kind.Column == "time"
}

// calibrate fits the calibration of a trained model on the rows that are kept for it.
func (e *Experiment) calibrate(ctx context.Context, m *models.Model, workers int) error {
	s := e.Sampling()
	s.Workers = workers
	p, err := evaluation.Predict(ctx, m, e.Gather(m, e.fold.calibration), s)
	if err != nil {
		return fmt.Errorf("rows to calibrate on: %w", err)
	}
	c, err := FitCalibration(m, e.table.Table, e.fold.calibration, p, e.Calibration)
	if err != nil {
		return e.Settings.calibrationError(err)
	}
	m.Calibration = text(c)
	return nil
}

// calibrationError adds to an error that it is about the rows to calibrate on.
func (s Settings) calibrationError(err error) error {
	return fmt.Errorf("a share of %v of the training rows to calibrate on: %w", s.Training.Calibrate, err)
}

// checkCalibration returns an error wrapping calibrate.ErrTooFew if the table has too few
// rows to calibrate on, given by their numbers.
func (s Settings) checkCalibration(t *data.Table, numbers []int) error {
	if s.Training.Calibrate == 0 {
		return nil
	}
	by, err := valuesOf(t, s.Calibration.By, numbers)
	if err != nil {
		return err
	}
	if err := calibrate.CheckRows(s.Calibration, len(numbers), by); err != nil {
		return s.calibrationError(err)
	}
	return nil
}

// FitCalibration fits a calibration on rows of a table, by their numbers (nil: all), as
// they were read and as a model predicts them. The model must not have been trained on
// them (Overlap).
func FitCalibration(m *models.Model, t *data.Table, numbers []int, p *evaluation.Predictions, o calibrate.Options) (*calibrate.Calibration, error) {
	truth, err := TruthOf(m, t, numbers)
	if err != nil {
		return nil, err
	}
	y, err := truth.Standardised()
	if err != nil {
		return nil, err
	}
	by, err := valuesOf(t, o.By, numbers)
	if err != nil {
		return nil, err
	}
	return calibrate.Fit(calibrate.Rows{Predictions: p, Y: y, Weights: truth.Weights, By: by}, o)
}

// CalibrationOf returns how a model's predictions are calibrated; nil: they are not.
func CalibrationOf(m *models.Model) (*calibrate.Calibration, error) {
	if m.Calibration == nil {
		return nil, nil
	}
	c := new(calibrate.Calibration)
	err := strict.Unmarshal(m.Calibration, c)
	if err == nil {
		var levels []float64
		if levels, err = m.Levels(); err == nil {
			err = c.Check(len(m.Targets), levels)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("model.json: calibration: %w", err)
	}
	return c, nil
}

// TruthOf is what a model's predictions of rows of a table are judged against, by
// their numbers (nil: all), as the table was read.
func TruthOf(m *models.Model, t *data.Table, numbers []int) (evaluation.Truth, error) {
	transforms, err := TransformsOf(m)
	return evaluation.Truth{Y: t.TargetsOf(numbers), Columns: m.Targets, Transforms: transforms, Weights: t.WeightsOf(numbers)}, err
}

// Judge judges a model's predictions of rows of a table, calibrated where the model is,
// and returns these.
func Judge(m *models.Model, t *data.Table, numbers []int, p *evaluation.Predictions, truth evaluation.Truth, protocol data.Protocol, measures []string) (evaluation.Evaluation, *evaluation.Predictions, error) {
	found, err := evaluation.Evaluate(p, truth, protocol, measures)
	if err != nil {
		return found, nil, err
	}
	calibrate, err := Calibrator(m, t, numbers)
	if err != nil || calibrate == nil {
		return found, p, err
	}
	p = calibrate(p)
	calibrated, err := evaluation.Evaluate(p, truth, protocol, measures)
	calibrated.Uncalibrated = &found
	return calibrated, p, err
}

// Calibrator returns what calibrates a model's predictions of rows of a table, by their
// numbers (nil: all); nil of a model that is not calibrated.
func Calibrator(m *models.Model, t *data.Table, numbers []int) (func(*evaluation.Predictions) *evaluation.Predictions, error) {
	c, err := CalibrationOf(m)
	if err != nil || c == nil {
		return nil, err
	}
	by, err := valuesOf(t, c.By, numbers)
	return func(p *evaluation.Predictions) *evaluation.Predictions { return c.Apply(p, by) }, err
}

// valuesOf are the values of a column in rows of a table, by their numbers (nil: all);
// nil where no column is named.
func valuesOf(t *data.Table, column string, numbers []int) ([]string, error) {
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

// crossFolds is into how many parts rows are cut to say what a calibration on them does.
const crossFolds = 10

// CrossCalibrate judges what calibrating on rows does to such rows: each tenth of them is
// calibrated by the others. What is returned is before and after, nil where a tenth
// less is too few.
func CrossCalibrate(m *models.Model, t *data.Table, numbers []int, p *evaluation.Predictions, o calibrate.Options, protocol data.Protocol) (before, after *evaluation.Evaluation, err error) {
	truth, err := TruthOf(m, t, numbers)
	if err != nil {
		return nil, nil, err
	}
	raw, err := evaluation.Evaluate(p, truth, protocol, nil)
	if err != nil {
		return nil, nil, err
	}
	y, err := truth.Standardised()
	if err != nil {
		return nil, nil, err
	}
	by, err := valuesOf(t, o.By, numbers)
	if err != nil {
		return nil, nil, err
	}
	all, err := calibrate.Across(calibrate.Rows{Predictions: p, Y: y, Weights: truth.Weights, By: by}, o, crossFolds)
	if err != nil {
		return &raw, nil, nil
	}
	found, err := evaluation.Evaluate(all, truth, protocol, nil)
	return &raw, &found, err
}
