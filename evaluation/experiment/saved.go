package experiment

import (
	"encoding/json"
	"fmt"
	"sync"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/internal/strict"
	"sml/models"
	"sml/models/distribution"
)

// Model is a saved or trained model whose parts of model.json are decoded. Fields of the
// embedded models.Model with the same names hold the parts as JSON.
type Model struct {
	*models.Model

	Settings    Settings                 // table, network and training; Settings.Prediction is not saved
	Preparation *preparation.Preparation // preparation of the inputs and targets; nil if columns are used unchanged
	Transforms  []distribution.Transform // transform of each target, nil if it has none; nil if no target has one
	Bounds      []*distribution.Bounds   // bounds of each target's predictions, nil if it has none; nil if no target has any
	Calibration *calibrate.Calibration   // nil if predictions are not calibrated
	Scores      *evaluation.Evaluation   // scores on the test rows; nil if there are none

	// Sampling is how Predict samples, by default with the seed of the model's own evaluation.
	// Change it before the first call of Predict.
	Sampling evaluation.Sampling

	lock      sync.Mutex
	predictor *evaluation.Predictor // used by Predict; nil before its first call
}

// Open reads the model in a directory, as "sml train --out" saves it. It returns an error if
// there is no model, if a part of model.json does not fit the model, or if it has a setting that
// does not exist, lacks one or has one twice, and an error that wraps models.ErrChanged if a file was
// changed since the model was written. Call Close after the last Predict.
func Open(dir string) (*Model, error) {
	m, err := models.Load(dir)
	if err != nil {
		return nil, err
	}
	return decodeIn(dir, m)
}

// decodeIn returns the result of Decode. Its error names the directory of the model.
func decodeIn(dir string, m *models.Model) (*Model, error) {
	decoded, err := Decode(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return decoded, nil
}

// Decode returns a model that predicts rows of the user's table, from a model in memory, such as
// Trained.Model; Open does the same for a saved model. It returns an error as Open does.
func Decode(m *models.Model) (*Model, error) {
	d := &Model{Model: m, Settings: Settings{Spec: m.Spec}}
	if err := decodePart("data", m.Data, &d.Settings.Table); err != nil {
		return nil, err
	}
	if err := decodePart("training", m.Training, &d.Settings.Training); err != nil {
		return nil, err
	}
	d.Sampling.Seed = d.Settings.Training.FoldSeed() // as the model's own evaluation
	var err error
	d.Preparation, err = decodePreparation(m.Preparation)
	if err != nil {
		return nil, err
	}
	if d.Preparation != nil {
		d.Transforms = decodeTransforms(d.Preparation.Targets)
		d.Bounds = decodeBounds(d.Preparation.Supports)
	}
	d.Calibration, err = decodeCalibration(m)
	if err != nil {
		return nil, err
	}
	if err := decodePart("scores", m.Scores, &d.Scores); err != nil {
		return nil, err
	}
	return d, nil
}

// decodeTransforms returns the transform of each target, nil for a target that is not transformed.
func decodeTransforms(targets []preparation.Transform) []distribution.Transform {
	var transforms []distribution.Transform
	for _, t := range targets {
		if t.Name == "" {
			transforms = append(transforms, nil)
		} else {
			transforms = append(transforms, t)
		}
	}
	return transforms
}

// decodeBounds returns the bounds of each target, nil for a target without bounds.
func decodeBounds(supports []preparation.Support) []*distribution.Bounds {
	var bounds []*distribution.Bounds
	for _, s := range supports {
		if !s.IsBounded() {
			bounds = append(bounds, nil)
			continue
		}
		low, high := s.Limits()
		bounds = append(bounds, &distribution.Bounds{Low: low, High: high})
	}
	return bounds
}

// Units returns the unit of each target, which converts its standardised predictions.
func (m *Model) Units() []evaluation.Unit {
	truth := evaluation.Truth{Columns: m.Targets, Transforms: m.Transforms, Bounds: m.Bounds}
	var units []evaluation.Unit
	for target := range m.Targets {
		units = append(units, truth.Unit(target))
	}
	return units
}

// decodePart decodes a part of model.json into the value to which target points, and refuses unknown
// and duplicate fields. If the model lacks the part, the value stays as it is.
func decodePart(name string, text json.RawMessage, target any) error {
	if len(text) == 0 {
		return nil
	}
	if err := strict.Unmarshal(text, target); err != nil {
		return fmt.Errorf("model.json: %s: %w", name, err)
	}
	return nil
}

// decodePreparation decodes the preparation of a model. It returns nil if the model has none.
func decodePreparation(text json.RawMessage) (*preparation.Preparation, error) {
	if text == nil {
		return nil, nil
	}
	p := new(preparation.Preparation)
	if err := decodePart("preparation", text, p); err != nil {
		return nil, err
	}
	return p, nil
}

// decodeCalibration decodes the calibration of a model. It returns nil if the model has none,
// and an error if it does not fit the model.
func decodeCalibration(m *models.Model) (*calibrate.Calibration, error) {
	if m.Calibration == nil {
		return nil, nil
	}
	c := new(calibrate.Calibration)
	if err := decodePart("calibration", m.Calibration, c); err != nil {
		return nil, err
	}
	form, err := m.PredictionForm()
	if err == nil {
		err = c.Check(form.Family)
	}
	if err != nil {
		return nil, fmt.Errorf("model.json: calibration: %w", err)
	}
	return c, nil
}

// SetCalibration replaces the calibration that Save writes, and the rows that it was fitted to; nil removes it.
func (m *Model) SetCalibration(c *calibrate.Calibration, rows *models.CalibrationRows) {
	m.Calibration = c
	m.CalibrationRows = rows
	m.Model.Calibration = nil
	if c != nil {
		m.Model.Calibration = encodeJSON(c)
	}
}

// SetScores replaces the scores that Save writes.
func (m *Model) SetScores(e *evaluation.Evaluation) {
	m.Scores = e
	m.Model.Scores = encodeJSON(e)
}

// TargetFields returns the fields of the targets if the targets are classes with labels, or the two classes 0 and 1, which
// other programs write as false and true. Otherwise it returns nil.
func (m *Model) TargetFields() []data.Field {
	var fields []data.Field
	if m.Labels == nil && m.Spec.Architecture.Classes == 2 {
		for range m.Targets {
			fields = append(fields, data.Field{Kind: data.Category, Categories: []string{"0", "1"}})
		}
		return fields
	}
	for _, labels := range m.Labels {
		fields = append(fields, data.Field{Kind: data.Category, Categories: labels})
	}
	return fields
}

// tableColumns returns the names of the table's input columns.
func (m *Model) tableColumns() []string {
	if m.Preparation == nil {
		return m.Inputs.Names()
	}
	return m.Preparation.TableColumns()
}
