package models

import (
	"fmt"
	"path/filepath"

	"sml/internal/safetensors"
)

// CalibrationRows are rows that a calibration was fitted to, without their targets. A calibration for rows whose
// inputs are distributed otherwise needs them.
type CalibrationRows struct {
	Features Matrix // inputs of the network, standardised
	Scores   Matrix // scores of each target, as the calibration defines them
	Weights  Matrix // weight of each row in mean weights, [rows, 1]; without rows if all have the same weight
}

// Names of the matrices of CalibrationRows.
const (
	featuresName = "features"
	scoresName   = "scores"
	weightsName  = "weights"
)

// Bounds of CalibrationRows.
const (
	maxCalibrationValues = 1 << 21 // features and scores: 8 MiB
	maxCalibrationRows   = 4096    // the coverage of intervals then varies by less than 0.5 % around 90 %
)

// MaxCalibrationRows returns the largest number of rows that a model keeps of its calibration rows, if a row has
// the given number of features and scores.
func MaxCalibrationRows(features, scores int) int {
	return max(1, min(maxCalibrationRows, maxCalibrationValues/(features+scores)))
}

// NewCalibrationRows returns calibration rows from the features and the scores of rows, row by row, and from their
// weights, nil if all have the same weight. It returns an error if a number is not finite as a float32, or if there are
// no rows.
func NewCalibrationRows(rows int, features, scores, weights []float64) (*CalibrationRows, error) {
	if rows < 1 {
		return nil, fmt.Errorf("there are %d calibration rows; want at least one", rows)
	}
	featureMatrix, err := newMatrix(matrixShape{featuresName, rows, len(features) / rows}, features)
	if err != nil {
		return nil, err
	}
	scoreMatrix, err := newMatrix(matrixShape{scoresName, rows, len(scores) / rows}, scores)
	if err != nil || weights == nil {
		return &CalibrationRows{Features: featureMatrix, Scores: scoreMatrix}, err
	}
	weightMatrix, err := newMatrix(matrixShape{weightsName, rows, 1}, weights)
	return &CalibrationRows{Features: featureMatrix, Scores: scoreMatrix, Weights: weightMatrix}, err
}

// Rows returns the number of rows.
func (c *CalibrationRows) Rows() int { return c.Features.Rows }

// tensors returns the matrices as tensors.
func (c *CalibrationRows) tensors() []safetensors.Tensor {
	var tensors []safetensors.Tensor
	matrices := []Matrix{c.Features, c.Scores}
	if c.Weights.Rows > 0 {
		matrices = append(matrices, c.Weights)
	}
	for _, m := range matrices {
		tensors = append(tensors, safetensors.Tensor{Name: m.Name, Shape: []int{m.Rows, m.Columns}, Values: m.Values})
	}
	return tensors
}

// maxCalibrationFile is the largest size of the file of calibration rows, in bytes.
const maxCalibrationFile = float32Bytes*(maxCalibrationValues+maxCalibrationRows) + headerLengthBytes + headerNotesBytes

// LoadCalibrationRows returns the calibration rows of the model in a directory, or nil and no error if the model was
// written without them. It returns an error if the file was changed or removed since the model was written.
func LoadCalibrationRows(dir string) (*CalibrationRows, error) {
	content, err := readOptional(dir, calibrationRowsFile, maxCalibrationFile)
	if content == nil || err != nil {
		return nil, err
	}
	rows, err := decodeCalibrationRows(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, calibrationRowsFile), err)
	}
	return rows, nil
}

// decodeCalibrationRows returns the calibration rows in the content of a file that Save wrote.
func decodeCalibrationRows(content []byte) (*CalibrationRows, error) {
	tensors, err := safetensors.Read(content)
	if err != nil {
		return nil, err
	}
	matrices := make(map[string]Matrix)
	for _, t := range tensors {
		matrices[t.Name] = NewMatrix(t.Name, t.Shape[0], t.Shape[1], t.Values)
	}
	return &CalibrationRows{
		Features: matrices[featuresName],
		Scores:   matrices[scoresName],
		Weights:  matrices[weightsName],
	}, nil
}
