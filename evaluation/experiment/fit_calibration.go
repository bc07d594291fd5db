package experiment

import (
	"context"
	"fmt"
	"slices"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models"
)

// calibrate fits a calibration of the trained model m and stores it in m: to the calibration rows, if the
// settings hold some out, or else to the validation rows of a cross-validation or a bootstrap. It returns these rows, or nil
// without either. validationRows holds the row numbers by member.
func (e *Experiment) calibrate(ctx context.Context, m *models.Model, validationRows [][]int32, workers int) (*heldOutRows, error) {
	if e.Calibration.Kind == "" {
		return nil, nil
	}
	decoded, err := Decode(m)
	if err != nil {
		return nil, err
	}
	sampling := e.Sampling()
	sampling.Workers = workers
	numbers := e.Rows.Calibration
	var rows calibrate.Rows
	if e.Training.Calibrate > 0 {
		rows, err = e.predictCalibrationRows(ctx, decoded, sampling)
	} else {
		rows, numbers, err = e.predictValidationRows(ctx, decoded, validationRows, sampling)
	}
	if err != nil {
		return nil, fmt.Errorf("rows to calibrate on: %w", err)
	}
	calibration, err := calibrate.Fit(rows, e.Calibration)
	if err != nil {
		return nil, e.Settings.calibrationError(err)
	}
	kept, err := keepCalibrationRows(calibration, rows, e.Gather(m, numbers))
	if err != nil {
		return nil, err
	}
	decoded.SetCalibration(calibration, kept)
	return &heldOutRows{rows, calibration}, nil
}

// predictCalibrationRows returns the calibration rows with their predictions by the model.
func (e *Experiment) predictCalibrationRows(ctx context.Context, m *Model, s evaluation.Sampling) (calibrate.Rows, error) {
	p, err := evaluation.Predict(ctx, m.Model, e.Gather(m.Model, e.Rows.Calibration), s)
	if err != nil {
		return calibrate.Rows{}, err
	}
	return m.calibrationRows(e.table.Table, e.Rows.Calibration, p, e.Calibration)
}

// predictValidationRows returns the validation rows that calibrate the model, and their numbers. Each is predicted by
// the members of the ensemble that were not trained on it, and then changed to be as the rows that all members predict
// (matchMembers).
func (e *Experiment) predictValidationRows(ctx context.Context, m *Model, validationRows [][]int32, s evaluation.Sampling) (calibrate.Rows, []int, error) {
	var numbers []int
	var members [][]int // that predict each row
	for _, part := range calibrationParts(validationRows) {
		numbers = append(numbers, part.rows...)
		members = append(members, slices.Repeat([][]int{part.members}, len(part.rows))...)
	}
	predictions, spreads, err := evaluation.PredictByMembers(ctx, m.Model, e.Gather(m.Model, numbers), members, s)
	if err != nil {
		return calibrate.Rows{}, nil, err
	}
	rows, err := m.calibrationRows(e.table.Table, numbers, predictions, e.Calibration)
	if err == nil && predictions.Family.Classes == 0 {
		matchMembers(rows, spreads, len(m.Members))
	}
	return rows, numbers, err
}
