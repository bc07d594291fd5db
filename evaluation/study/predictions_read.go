package study

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
	"sml/internal/safefile"
	"sml/models/distribution"
)

// ReadPredictions returns the predictions of numbers that a cell kept as CSV, without quantiles.
func ReadPredictions(dir string, p *Plan, c PlannedCell) ([]Prediction, error) {
	path := p.predictionPath(dir, c.Name, csvSuffix)
	text, err := safefile.Read(path, maxPredictionBytes)
	if err != nil {
		return nil, err
	}
	table, err := readCSV(text)
	if err == nil {
		err = table.checkPredictions()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rows := make([]Prediction, len(table.rows))
	for i, v := range table.rows {
		rows[i] = Prediction{
			Row:           int64(v[0]),
			Target:        int64(v[1]),
			Y:             v[2],
			Mean:          v[3],
			Std:           v[4],
			DropoutStd:    v[5],
			DropoutOffset: v[6],
		}
	}
	return rows, nil
}

// checkPredictions returns an error unless the table begins with the columns of a Prediction,
// every row has the first four values, and has all or none of the three that a method without a
// standard deviation leaves out.
func (t numberTable) checkPredictions() error {
	want := strings.Split(predictionHeader, ",")
	if len(t.names) < len(want) || !slices.Equal(t.names[:len(want)], want) {
		return fmt.Errorf("line 1: want %s", predictionHeader)
	}
	for i, row := range t.rows {
		noStd := math.IsNaN(row[4])
		for column, v := range row[:len(want)] {
			mayMiss := column >= 4 && noStd
			if math.IsNaN(v) != mayMiss {
				return fmt.Errorf("line %d: column %s is %v", i+2, t.names[column], v)
			}
		}
	}
	return nil
}

// ReadPredictionColumn returns the kept predictions of a cell's test rows, for all targets together, in
// standardised units. It returns nil if the cell keeps none or is not done, or if the targets are
// classes.
//
// known is false if the distribution of the predictions is not kept: it is neither a
// normal distribution nor known by quantiles.
func ReadPredictionColumn(dir string, p *Plan, c PlannedCell) (column *measure.Column, known bool, err error) {
	if c.PredictionFormat == "" || c.Spec.Architecture.Classes > 0 || !isDone(dir, p, c) {
		return nil, false, nil
	}
	path := p.predictionPath(dir, c.Name, c.PredictionFormat)
	text, err := safefile.Read(path, maxPredictionBytes)
	if err != nil {
		return nil, false, err
	}
	read := readCSV
	if c.PredictionFormat == "parquet" {
		read = readParquet
	}
	table, err := read(text)
	if err == nil {
		column, err = table.measureColumn()
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	column.Protocol = c.Training.Protocol
	family, _, err := c.Spec.PredictedFamily(c.Training.Members, nil)
	if err != nil {
		return nil, false, err
	}
	known = family.Levels != nil || family.Name == distribution.Normal.Name || !family.HasStd
	if known && c.Training.Calibrate > 0 && column.Levels == nil {
		kind, err := calibrate.Lookup(c.Calibration.Kind)
		if err != nil {
			return nil, false, err
		}
		known = kind.Shape == nil
	}
	return column, known, column.Check()
}

// measureColumn returns the columns of a table that measures need.
func (t numberTable) measureColumn() (*measure.Column, error) {
	y, mean, std := slices.Index(t.names, "y"), slices.Index(t.names, "mean"), slices.Index(t.names, "std")
	if y < 0 || mean < 0 || std < 0 {
		return nil, fmt.Errorf("its columns are %s; want %s and what else a method gives", strings.Join(t.names, ", "), predictionHeader)
	}
	c := new(measure.Column)
	var quantiles []int // columns
	for i, name := range t.names {
		text, ok := strings.CutPrefix(name, "q")
		if level, err := strconv.ParseFloat(text, 64); ok && err == nil {
			quantiles = append(quantiles, i)
			c.Levels = append(c.Levels, level)
		}
	}
	for _, row := range t.rows {
		c.Y = append(c.Y, row[y])
		if !math.IsNaN(row[mean]) {
			c.Mean = append(c.Mean, row[mean])
		}
		if !math.IsNaN(row[std]) {
			c.Std = append(c.Std, row[std])
		}
		if len(quantiles) == 0 {
			continue
		}
		values := make([]float64, len(quantiles))
		for i, column := range quantiles {
			values[i] = row[column]
		}
		c.Distributions = append(c.Distributions, distribution.Quantiles(c.Levels...).New(values))
	}
	return c, nil
}

// ReadLossTerms returns the counts of the loss's terms that a cell kept.
func ReadLossTerms(dir string, p *Plan, c PlannedCell) (evaluation.LossTerms, error) {
	var t evaluation.LossTerms
	path := p.predictionPath(dir, c.Name, termsSuffix)
	text, err := safefile.Read(path, maxPredictionBytes)
	if err != nil {
		return t, err
	}
	if err = json.Unmarshal(text, &t); err == nil {
		err = t.Check()
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}
