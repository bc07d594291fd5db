package experiment

import (
	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models"
)

// Nonconformity returns how wrong the model's predictions p of rows of a table are, [targets][rows], without the
// calibration (calibrate.Nonconformity). numbers has the rows' numbers in the table, nil for all rows.
func (m *Model) Nonconformity(t *data.Table, numbers []int, p *evaluation.Predictions) ([][]float64, error) {
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
