package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sml/data"
	"sml/data/read"
	"sml/evaluation"
)

// Row holds the values of a row by column name. A value is a string, a number, a bool, or nil
// if it is missing. Dates are strings, written as in the training table. Columns that the
// model does not read are ignored.
type Row map[string]any

// TargetPrediction is the prediction of one target of a row, in the target's unit.
type TargetPrediction struct {
	Target        string         `json:"target"`
	Mean          *float64       `json:"mean,omitempty"`          // nil if the target is a class
	Median        *float64       `json:"median,omitempty"`        // nil if the method predicts none
	Std           *float64       `json:"std,omitempty"`           // standard deviation; nil if the method predicts none
	Components    []StdComponent `json:"components,omitempty"`    // parts of the standard deviation; nil if the method has none
	Interval      *Interval      `json:"interval,omitempty"`      // nil if the method predicts none
	Quantiles     []Quantile     `json:"quantiles,omitempty"`     // in the order of Outputs.Quantiles, else at ascending levels
	Class         string         `json:"class,omitempty"`         // label of the most probable class; "" if the target is a number
	Probabilities []float64      `json:"probabilities,omitempty"` // probability of each class; nil if the target is a number
	Set           []string       `json:"set,omitempty"`           // labels of the classes in the prediction set; nil without sets
	Correlations  []float64      `json:"correlations,omitempty"`  // correlation with each target of the row, see models.PredictionNodes; nil if the targets are independent
}

// StdComponent is a part of a standard deviation, such as the epistemic one.
type StdComponent struct {
	Name string  `json:"name"`
	Std  float64 `json:"std"`
}

// Interval is a prediction interval, in the target's unit.
type Interval struct {
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// Quantile is a quantile of a predicted distribution.
type Quantile struct {
	Level float64 `json:"level"` // probability of smaller values
	Value float64 `json:"value"` // in the target's unit
}

// Predict predicts rows of raw values, as a file would have them: it prepares the columns,
// runs the networks, calibrates if the model has a calibration, and returns one prediction
// for each row and target, in the target's unit. A row has the same prediction alone, beside
// other rows and in a file that "sml predict" reads.
//
// Predict returns an error if a row lacks a column or has a value that the model cannot read,
// or if a prediction is not finite; errors count rows from 1. The first call opens the
// networks, which stay open until Close. Several goroutines may call Predict at the same time.
func (m *Model) Predict(ctx context.Context, rows []Row, o Outputs) ([][]TargetPrediction, error) {
	converter, err := m.NewConverter(o)
	if err != nil {
		return nil, err
	}
	if err := converter.CheckCalibration(); err != nil {
		return nil, err
	}
	inputs, err := m.networkInputs(rows)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	groups, err := m.calibrationGroups(rows)
	if err != nil {
		return nil, err
	}
	predictor, err := m.openPredictor()
	if err != nil {
		return nil, err
	}
	predictions, err := predictor.Predict(ctx, data.Subset{X: inputs, XScale: m.Inputs})
	if err != nil {
		return nil, err
	}
	if m.Calibration != nil {
		predictions = m.Calibration.Apply(predictions, groups)
	}
	return converter.targetPredictions(predictions, len(rows))
}

// openPredictor returns the predictor that all calls of Predict share, and opens it in the
// first call.
func (m *Model) openPredictor() (*evaluation.Predictor, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.predictor != nil {
		return m.predictor, nil
	}
	p, err := evaluation.NewPredictor(m.Model, m.Sampling)
	if err != nil {
		return nil, err
	}
	m.predictor = p
	return p, nil
}

// Close releases the networks that Predict has opened. No call of Predict may be running. A
// later Predict opens them again.
func (m *Model) Close() {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.predictor != nil {
		m.predictor.Close()
		m.predictor = nil
	}
}

// networkInputs returns the network's inputs for the rows, [rows, inputs] in row-major order,
// prepared but not standardised.
func (m *Model) networkInputs(rows []Row) ([]float64, error) {
	encoder, err := m.newRowEncoder()
	if err != nil {
		return nil, err
	}
	var inputs []float64
	for i, row := range rows {
		inputs, err = encoder.appendInputs(inputs, row)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return inputs, nil
}

// rowEncoder converts rows of raw values to a network's inputs.
type rowEncoder struct {
	names          []string // names of the columns that the model reads
	decimalSign    string   // of numbers in the training table's file, which parse expects
	parse          func(dst []float64, cells []string) ([]float64, error)
	appendFeatures func(dst, values []float64) ([]float64, error)
	values         []float64 // numbers and category codes of the last row; reused
}

// newRowEncoder returns the encoder for the model's columns and preparation.
func (m *Model) newRowEncoder() (*rowEncoder, error) {
	names := m.Inputs.Names()
	var fields []data.Field // kinds of the columns; nil if all are numbers
	if m.Preparation != nil {
		names, fields = m.Preparation.Inputs()
	}
	appendFeatures, err := m.featureAppender(names, fields)
	if err != nil {
		return nil, err
	}
	layout := m.Settings.Table.Layout
	decimalSign := "."
	if layout != nil && layout.DecimalComma {
		decimalSign = ","
	}
	return &rowEncoder{
		names:          names,
		decimalSign:    decimalSign,
		parse:          read.RowParser(names, fields, layout),
		appendFeatures: appendFeatures,
	}, nil
}

// appendInputs appends the network's inputs for a row to dst. It returns an error if the row lacks a column, or has a
// value that the column cannot have.
func (e *rowEncoder) appendInputs(dst []float64, row Row) ([]float64, error) {
	cells, err := row.cells(e.names, e.decimalSign)
	if err != nil {
		return dst, err
	}
	e.values, err = e.parse(e.values[:0], cells)
	if err != nil {
		return dst, err
	}
	return e.appendFeatures(dst, e.values)
}

// featureAppender returns a function that appends the features of a row of column values to
// dst. Without a preparation the features are the values.
func (m *Model) featureAppender(names []string, fields []data.Field) (func(dst, values []float64) ([]float64, error), error) {
	if m.Preparation == nil {
		return func(dst, values []float64) ([]float64, error) { return append(dst, values...), nil }, nil
	}
	encoder, err := m.Preparation.Encoder(names, fields)
	if err != nil {
		return nil, err
	}
	return encoder.Append, nil
}

// calibrationGroups returns the text of each row in the column by which the calibration groups
// rows, or nil if it has no such column.
func (m *Model) calibrationGroups(rows []Row) ([]string, error) {
	if m.Calibration == nil || m.Calibration.GroupColumn == "" {
		return nil, nil
	}
	var groups []string
	for i, row := range rows {
		cells, err := row.cells([]string{m.Calibration.GroupColumn}, ".")
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		groups = append(groups, cells[0])
	}
	return groups, nil
}

// cells returns the values of the named columns as texts, "" for a missing value. Numbers have the given decimal sign. It
// returns an error if the row lacks a column.
func (r Row) cells(names []string, decimalSign string) ([]string, error) {
	cells := make([]string, len(names))
	for i, name := range names {
		value, isPresent := r[name]
		if !isPresent {
			return nil, fmt.Errorf("the column %q is missing; give nil (null in JSON) if its value is missing", name)
		}
		text, err := cellText(value, decimalSign)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", name, err)
		}
		cells[i] = text
	}
	return cells, nil
}

// cellText returns the text that stands for a value in a file, "" for nil and NaN. It returns an error for a type that
// Row does not list. A text stays as it is; a number has the given decimal sign.
func cellText(value any, decimalSign string) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return strings.TrimSpace(v), nil
	case json.Number:
		return strings.Replace(v.String(), ".", decimalSign, 1), nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case float64:
		if math.IsNaN(v) {
			return "", nil
		}
		return strings.Replace(strconv.FormatFloat(v, 'g', -1, 64), ".", decimalSign, 1), nil
	}
	return "", fmt.Errorf("a value of type %T; want a string, a number, a bool or nil", value)
}

// targetPredictions returns the predictions of all rows and targets. It returns an error if a
// value is not finite in the target's unit.
func (c *Converter) targetPredictions(p *evaluation.Predictions, rows int) ([][]TargetPrediction, error) {
	all := make([][]TargetPrediction, rows)
	for row := range all {
		for target, column := range c.model.Targets {
			var values Values
			if !c.Convert(&values, p, row, target) {
				return nil, fmt.Errorf("row %d: the prediction of %q is not finite in the target's unit", row+1, column.Name)
			}
			prediction := c.targetPrediction(column.Name, values)
			if c.Family.Classes > 0 {
				prediction.Class = c.Class(&values, target)
				prediction.Set = c.SetLabels(&values, target)
			}
			all[row] = append(all[row], prediction)
		}
	}
	return all, nil
}

// targetPrediction returns the prediction of a target without the fields that the method does not predict.
func (c *Converter) targetPrediction(target string, v Values) TargetPrediction {
	p := TargetPrediction{Target: target, Probabilities: v.Probabilities, Correlations: v.Correlations}
	if c.Family.Classes == 0 {
		p.Mean = &v.Mean
	}
	if c.Family.HasStd {
		p.Median = &v.Median
		p.Std = &v.Std
		p.Interval = &Interval{Lower: v.Lower, Upper: v.Upper}
	}
	for i, name := range c.Components {
		p.Components = append(p.Components, StdComponent{Name: name, Std: v.Components[i]})
	}
	for i, level := range c.Levels {
		p.Quantiles = append(p.Quantiles, Quantile{Level: level, Value: v.Quantiles[i]})
	}
	return p
}
