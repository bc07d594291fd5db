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

// Row holds the values of a row by the names of its columns. A value is a string, a number, a
// bool, or nil if it is missing. Dates are strings, written as in the training table. Columns
// that the model does not read are ignored.
type Row map[string]any

// TargetPrediction is the prediction of one target of a row, in the target's unit.
type TargetPrediction struct {
	Target        string         `json:"target"`
	Mean          *float64       `json:"mean,omitempty"`          // nil if the target is a class
	Std           *float64       `json:"std,omitempty"`           // standard deviation; nil if the method predicts none
	Components    []StdComponent `json:"components,omitempty"`    // parts of the standard deviation
	Interval      *Interval      `json:"interval,omitempty"`      // nil if the method predicts none
	Quantiles     []Quantile     `json:"quantiles,omitempty"`     // at ascending levels, or as Outputs.Quantiles asks
	Class         string         `json:"class,omitempty"`         // most probable class; "" if the target is a number
	Probabilities []float64      `json:"probabilities,omitempty"` // of the classes 0, 1, …
}

// StdComponent is a part of a standard deviation, such as the epistemic one.
type StdComponent struct {
	Name string  `json:"name"`
	Std  float64 `json:"std"`
}

// Interval is a prediction interval.
type Interval struct {
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// Quantile is a quantile of a predicted distribution.
type Quantile struct {
	Level float64 `json:"level"`
	Value float64 `json:"value"`
}

// Predict predicts rows of raw values: it prepares the columns, runs the networks, applies the
// calibration and undoes the transforms. The result has one prediction for each row and
// target. Row i has the same dropout masks in every call, and the same prediction as row i of
// a file that "sml predict" reads.
//
// Predict returns an error if a row lacks a column or has a value that the model cannot read,
// or if a prediction is not finite; errors count rows from 1. The networks are opened by the
// first call and kept until Close. Several goroutines may call Predict at the same time.
func (m *Model) Predict(ctx context.Context, rows []Row, o Outputs) ([][]TargetPrediction, error) {
	form, err := m.NewConverter(o)
	if err != nil {
		return nil, err
	}
	if err := form.CheckCalibration(); err != nil {
		return nil, err
	}
	x, err := m.networkInputs(rows)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	groups, err := m.calibrationGroups(rows)
	if err != nil {
		return nil, err
	}
	p, err := m.openPredictor()
	if err != nil {
		return nil, err
	}
	found, err := p.Predict(ctx, data.Subset{X: x, XScale: m.Inputs}, 0)
	if err != nil {
		return nil, err
	}
	if m.Calibration != nil {
		found = m.Calibration.Apply(found, groups)
	}
	return form.targetPredictions(found, len(rows))
}

// openPredictor returns the predictor that calls of Predict share.
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

// Close releases the networks that Predict has opened. No call of Predict may be running.
func (m *Model) Close() {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.predictor != nil {
		m.predictor.Close()
		m.predictor = nil
	}
}

// prepare returns the network's inputs of rows, not standardised.
func (m *Model) networkInputs(rows []Row) ([]float64, error) {
	names, fields := m.Inputs.Names(), []data.Field(nil)
	if m.Preparation != nil {
		names, fields = m.Preparation.Inputs()
	}
	layout := m.Settings.Table.Layout
	parse := read.RowParser(names, fields, layout != nil && layout.DecimalComma)
	encode := func(dst, row []float64) ([]float64, error) { return append(dst, row...), nil }
	if m.Preparation != nil {
		e, err := m.Preparation.Encoder(names, fields)
		if err != nil {
			return nil, err
		}
		encode = e.Append
	}
	var x, values []float64
	for i, row := range rows {
		cells, err := row.cells(names)
		if err == nil {
			values, err = parse(values[:0], cells)
		}
		if err == nil {
			x, err = encode(x, values)
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return x, nil
}

// groups returns the value of the calibration's column in each row, or nil if the calibration
// does not depend on a column.
func (m *Model) calibrationGroups(rows []Row) ([]string, error) {
	if m.Calibration == nil || m.Calibration.By == "" {
		return nil, nil
	}
	var groups []string
	for i, row := range rows {
		cells, err := row.cells([]string{m.Calibration.By})
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		groups = append(groups, cells[0])
	}
	return groups, nil
}

// cells returns the values of columns as texts, "" for a missing value.
func (r Row) cells(names []string) ([]string, error) {
	cells := make([]string, len(names))
	for i, name := range names {
		value, ok := r[name]
		if !ok {
			return nil, fmt.Errorf("the column %q is not given; give nil (null in JSON) if its value is missing", name)
		}
		text, err := cellText(value)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", name, err)
		}
		cells[i] = text
	}
	return cells, nil
}

// cellText returns a value as a file would have it.
func cellText(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return strings.TrimSpace(v), nil
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case float64:
		if math.IsNaN(v) {
			return "", nil
		}
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", fmt.Errorf("a value of type %T; want a string, a number, a bool or nil", value)
}

// targetPredictions returns the predictions of all rows.
func (f *Converter) targetPredictions(p *evaluation.Predictions, rows int) ([][]TargetPrediction, error) {
	all := make([][]TargetPrediction, rows)
	for row := range all {
		for target, column := range f.model.Targets {
			var v Values
			if !f.Convert(&v, p, row, target) {
				return nil, fmt.Errorf("row %d: the prediction of %q is not finite in the target's unit", row+1, column.Name)
			}
			prediction := f.targetPrediction(column.Name, v)
			if f.Family.Classes > 0 {
				prediction.Class = f.Class(&v, target)
			}
			all[row] = append(all[row], prediction)
		}
	}
	return all, nil
}

// targetPrediction returns values without those that the method does not predict.
func (f *Converter) targetPrediction(target string, v Values) TargetPrediction {
	t := TargetPrediction{Target: target, Probabilities: v.Probabilities}
	if f.Family.Classes == 0 {
		t.Mean = &v.Mean
	}
	if f.Family.HasStd {
		t.Std, t.Interval = &v.Std, &Interval{Lower: v.Lower, Upper: v.Upper}
	}
	for i, name := range f.Components {
		t.Components = append(t.Components, StdComponent{Name: name, Std: v.Components[i]})
	}
	for i, level := range f.Levels {
		t.Quantiles = append(t.Quantiles, Quantile{Level: level, Value: v.Quantiles[i]})
	}
	return t
}
