package experiment

import (
	"fmt"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models"
)

// Nonconformity returns how wrong the model's predictions p of rows of a table are, [targets][rows], without the
// calibration (calibrate.Nonconformity). numbers has the rows' numbers in the table, nil for all rows. It returns an
// error if a row lacks a target.
func (m *Model) Nonconformity(t *data.Table, numbers []int, p *evaluation.Predictions) ([][]float64, error) {
	if t.LacksTargets(numbers) {
		return nil, fmt.Errorf("a test of exchangeability ranks rows by the errors of all targets, and some rows of %s lack a target: leave these rows out", t.Name)
	}
	var noGroups calibrate.Options
	rows, err := m.calibrationRows(t, numbers, p, noGroups)
	if err != nil {
		return nil, err
	}
	return calibrate.Nonconformity(rows, m.Calibration), nil
}

// CalibrationNonconformity returns the result of Nonconformity for the rows that the calibration was fitted to
// (models.LoadCalibrationRows). It returns an error as CheckCalibrationRows does.
func (m *Model) CalibrationNonconformity(rows *models.CalibrationRows) ([][]float64, error) {
	if err := m.CheckCalibrationRows(rows); err != nil {
		return nil, err
	}
	return m.Calibration.NonconformityOfScores(toFloat64s(rows.Scores.Values)), nil
}
