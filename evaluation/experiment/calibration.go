package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/trainers"
)

// Source returns the source of the table. It keeps the texts of the column by which the
// calibration groups rows.
func (s Settings) Source() Source {
	column := s.Calibration.GroupColumn
	if column != "" {
		s.Table.Keep = append(slices.Clone(s.Table.Keep), column)
	}
	return s.Table
}

// calibrationError adds to an error which rows the model is calibrated on.
func (s Settings) calibrationError(err error) error {
	switch {
	case s.Training.Calibrate == 0 && s.Training.Bootstrap:
		return fmt.Errorf("the rows that members of the bootstrap do not draw, to calibrate on: %w", err)
	case s.Training.Calibrate == 0:
		return fmt.Errorf("the rows that the cross-validation holds out, to calibrate on: %w", err)
	}
	return fmt.Errorf("a fraction of %v of the training rows to calibrate on: %w", s.Training.Calibrate, err)
}

// calibrationRows returns the numbers of the rows that calibrate the model: the calibration rows, all training rows
// in a cross-validation or a bootstrap, or none.
func (s Settings) calibrationRows(rows Rows) []int {
	if s.Training.CalibratesOnValidation() {
		return rows.Train
	}
	return rows.Calibration
}

// heldOutRows returns the numbers of those rows of calibrationRows that members will hold out: in a bootstrap, the rows that
// a member does not draw, and by time, the latest rows. It returns an error if a bootstrap cannot be drawn.
func (s Settings) heldOutRows(t *data.Table, rows Rows) ([]int, error) {
	numbers := s.calibrationRows(rows)
	if !s.Training.CalibratesOnValidation() {
		return numbers, nil
	}
	separation := separationFor(t, s.Training.Split, s.Spec.Architecture.Classes > 0)
	if s.Training.Bootstrap {
		outOfBag, err := s.Training.OutOfBagRows(separation, convertRows[int32](rows.Train))
		if err != nil {
			return nil, err
		}
		numbers = nil
		for _, part := range calibrationParts(outOfBag) {
			numbers = append(numbers, part.rows...)
		}
	}
	if separation.ByLatest {
		numbers = slices.Clone(numbers)
		slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(separation.Values[b], separation.Values[a]) })
		numbers = numbers[:trainers.LatestRows(len(numbers))]
	}
	return numbers, nil
}

// checkCalibration returns an error if the settings ask for a calibration, and the method's predictions have no standard
// deviation, or there are too few rows to calibrate on (an error that wraps calibrate.ErrTooFew).
func (s Settings) checkCalibration(t *data.Table, rows Rows) error {
	if s.Calibration.Kind == "" {
		return nil
	}
	numbers, err := s.heldOutRows(t, rows)
	if err != nil {
		return err
	}
	groups, err := keptTexts(t, s.Calibration.GroupColumn, numbers)
	if err != nil {
		return err
	}
	form, err := s.Spec.PredictionForm(max(1, s.Training.Members))
	if err != nil {
		return err
	}
	if s.Training.Calibrate > 0 && form.Family.Classes == 0 && !form.Family.HasStd {
		return s.calibrationError(calibrate.ErrNoStd)
	}
	if err := calibrate.CheckRows(s.Calibration.Covering(form.Family.Levels), len(numbers), groups); err != nil {
		return s.calibrationError(err)
	}
	return nil
}

// calibrationRows returns rows of a table with their predictions, standardised targets and
// weights, and with their texts in the column o.GroupColumn.
func (m *Model) calibrationRows(t *data.Table, numbers []int, p *evaluation.Predictions, o calibrate.Options) (calibrate.Rows, error) {
	truth := m.Truth(t, numbers)
	targets, err := truth.Standardised()
	if err != nil {
		return calibrate.Rows{}, err
	}
	groups, err := keptTexts(t, o.GroupColumn, numbers)
	rows := calibrate.Rows{Predictions: p, Y: targets, Weights: truth.Weights, Groups: groups}
	for target := range p.Targets {
		rows.Units = append(rows.Units, truth.Unit(target))
	}
	return rows, err
}

// Truth returns the true targets and the weights of rows of a table as it was read. numbers has
// the rows' numbers in the table, nil for all rows.
func (m *Model) Truth(t *data.Table, numbers []int) evaluation.Truth {
	return evaluation.Truth{
		Y:          t.TargetsOf(numbers),
		Columns:    m.Targets,
		Transforms: m.Transforms,
		Bounds:     m.Bounds,
		Weights:    t.WeightsOf(numbers),
		Extras:     t.ExtrasOf(numbers),
	}
}

// Evaluate scores the model's predictions p of rows of a table by the named measures. Without names, and for the single
// name "all", it scores by the measures of measure.Select and of SummaryMeasures. numbers has the rows' numbers in the
// table, nil for all rows.
//
// If the model is calibrated, the scores and the returned predictions are calibrated, and
// Evaluation.Uncalibrated has the scores without the calibration; otherwise Evaluate returns p.
func (m *Model) Evaluate(t *data.Table, numbers []int, p *evaluation.Predictions, protocol data.Protocol, measures []string) (evaluation.Evaluation, *evaluation.Predictions, error) {
	truth := m.Truth(t, numbers)
	measures = m.withSummaryMeasures(measures)
	uncalibrated, err := evaluation.Evaluate(p, truth, protocol, measures)
	if err != nil {
		return uncalibrated, nil, err
	}
	uncalibrated.IgnoredColumns, err = m.Settings.objectiveColumns()
	if err != nil { // its objective cannot be built here, such as without the trained model that it reads
		uncalibrated.IgnoredColumns = m.Settings.Table.Extra
	}
	uncalibrated.LabelClasses(m.Labels)
	calibrate, err := m.Calibrator(t, numbers)
	if err != nil || calibrate == nil {
		return uncalibrated, p, err
	}
	p = calibrate(p)
	calibrated, err := evaluation.Evaluate(p, truth, protocol, measures)
	calibrated.LabelClasses(m.Labels)
	calibrated.IgnoredColumns = uncalibrated.IgnoredColumns
	calibrated.Uncalibrated = &uncalibrated
	return calibrated, p, err
}

// Calibrator returns a function that calibrates predictions of rows of a table, or nil if the
// model is not calibrated. numbers has the rows' numbers in the table, nil for all rows. It
// returns an error if the table lacks the texts of the calibration's column.
func (m *Model) Calibrator(t *data.Table, numbers []int) (func(*evaluation.Predictions) *evaluation.Predictions, error) {
	calibration := m.Calibration
	if calibration == nil {
		return nil, nil
	}
	groups, err := keptTexts(t, calibration.GroupColumn, numbers)
	apply := func(p *evaluation.Predictions) *evaluation.Predictions { return calibration.Apply(p, groups) }
	return apply, err
}

// keptTexts returns the texts of rows in a column whose texts the table keeps, or nil if column
// is "". numbers has the rows' numbers in the table, nil for all rows. It returns an error if
// the table does not keep the texts.
func keptTexts(t *data.Table, column string, numbers []int) ([]string, error) {
	if column == "" {
		return nil, nil
	}
	all := t.KeptTexts.Column(column)
	if all == nil {
		return nil, fmt.Errorf("%s: intervals are calibrated by the values of column %s, but its texts were not kept; read the table with Settings.Source", t.Name, column)
	}
	if numbers == nil {
		return all, nil
	}
	texts := make([]string, len(numbers))
	for i, number := range numbers {
		texts[i] = all[number]
	}
	return texts, nil
}

// crossFolds is the number of folds of CrossCalibrate, which is usual for cross-validation.
const crossFolds = 10

// CrossCalibrate scores the predictions p of rows before and after a calibration, by
// cross-validation: each fold is calibrated by the residuals of the other folds.
// numbers has the rows' numbers in the table, nil for all rows. If too few rows are left to
// fit a calibration, after is nil.
func (m *Model) CrossCalibrate(t *data.Table, numbers []int, p *evaluation.Predictions, o calibrate.Options, protocol data.Protocol) (before, after *evaluation.Evaluation, err error) {
	truth := m.Truth(t, numbers)
	measures := m.withSummaryMeasures(nil)
	uncalibrated, err := evaluation.Evaluate(p, truth, protocol, measures)
	if err != nil {
		return nil, nil, err
	}
	rows, err := m.calibrationRows(t, numbers, p, o)
	if err != nil {
		return nil, nil, err
	}
	crossCalibrated, err := calibrate.CrossCalibrate(rows, o, crossFolds)
	hasTooFewRows := err != nil // without a fold: a fit to all rows tells any other mistake
	if hasTooFewRows {
		return &uncalibrated, nil, nil
	}
	calibrated, err := evaluation.Evaluate(crossCalibrated, truth, protocol, measures)
	return &uncalibrated, &calibrated, err
}
