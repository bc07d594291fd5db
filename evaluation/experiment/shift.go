package experiment

import (
	"errors"
	"fmt"
	"math"

	"sml/data"
	"sml/evaluation/calibrate"
	"sml/evaluation/shift"
	"sml/models"
)

// ShiftedCalibration is a model's calibration for new rows under covariate shift: their inputs have another distribution
// than the inputs of the calibration rows, but targets depend on the inputs as before. The weight of a calibration row is
// the density of its inputs among the new rows divided by their density among the calibration rows.
type ShiftedCalibration struct {
	TargetRows      int     // number of new rows that the weights were estimated from
	CalibrationRows int     // number of calibration rows with weights
	EffectiveRows   float64 // effective sample size: see calibrate.EffectiveRows
	DiffersFound    bool    // whether the estimate found a difference between new rows and calibration rows

	*calibrate.Weighted              // applies the calibration with the weights of rows
	scalers             data.Scalers // of the network's inputs
	ratio               shift.DensityRatio
}

// ShiftCalibration returns the calibration of the model for new rows. rows are the rows that the calibration was fitted
// to, which models.LoadCalibrationRows reads. inputs has the network's inputs of a sample of the new rows, prepared but
// not standardised, row by row. It returns an error if the model has no calibration that can weight rows, if rows do not
// fit the model, or if the sample has fewer than 8 rows.
func (m *Model) ShiftCalibration(rows *models.CalibrationRows, inputs []float64) (*ShiftedCalibration, error) {
	if err := m.CheckCalibrationRows(rows); err != nil {
		return nil, err
	}
	columns := len(m.Inputs)
	features := toFloat64s(rows.Features.Values)
	targetFeatures := appendStandardised(nil, inputs, m.Inputs)
	ratio, err := shift.FitDensityRatio(features, targetFeatures, columns)
	if err != nil {
		return nil, err
	}
	weights := ratio.Each(features, columns)
	for row, weight := range rows.Weights.Values {
		weights[row] = max(weights[row]*float64(weight), math.SmallestNonzeroFloat64)
	}
	return &ShiftedCalibration{
		TargetRows:      len(inputs) / columns,
		CalibrationRows: rows.Rows(),
		EffectiveRows:   calibrate.EffectiveRows(weights, ratio.Each(targetFeatures, columns)),
		DiffersFound:    ratio.Found(),
		scalers:         m.Inputs,
		ratio:           ratio,
		Weighted:        m.Calibration.Weight(toFloat64s(rows.Scores.Values), weights),
	}, nil
}

// CheckCalibrationRows returns an error unless the model has a calibration that can weight rows, and rows have the sizes of
// its calibration rows. rows are nil if the model has kept none, which is an error.
func (m *Model) CheckCalibrationRows(rows *models.CalibrationRows) error {
	if m.Calibration == nil {
		return errors.New("the model is not calibrated; calibrate it first")
	}
	if err := m.Calibration.CheckScores(); err != nil {
		return err
	}
	if rows == nil {
		return errors.New("the model has no calibration rows; calibrate it again")
	}
	wantScores := len(m.Targets) * m.Calibration.ScoresPerTarget()
	if rows.Features.Columns != len(m.Inputs) || rows.Scores.Columns != wantScores || rows.Rows() > m.Calibration.Rows {
		return fmt.Errorf("there are %d calibration rows of %d features and %d scores; want at most %d rows of %d features and %d scores",
			rows.Rows(), rows.Features.Columns, rows.Scores.Columns, m.Calibration.Rows, len(m.Inputs), wantScores)
	}
	return nil
}

// toFloat64s returns the values as float64.
func toFloat64s(values []float32) []float64 {
	converted := make([]float64, len(values))
	for i, v := range values {
		converted[i] = float64(v)
	}
	return converted
}

// Weights returns the weight of each row. inputs has the network's inputs of the rows, prepared but not standardised.
func (s *ShiftedCalibration) Weights(inputs []float64) []float64 {
	return s.ratio.Each(appendStandardised(nil, inputs, s.scalers), len(s.scalers))
}
