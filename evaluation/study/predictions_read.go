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

// ReadPredictions returns the predictions of numbers that a cell has written as CSV, without quantiles.
func ReadPredictions(dir string, p *Plan, c PlannedCell) ([]Prediction, error) {
	path := p.predictionPath(dir, c.Name, csvSuffix)
	text, err := safefile.Read(path, maxPredictionBytes)
	if err != nil {
		return nil, err
	}
	table, err := readCSV(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rows := make([]Prediction, len(table.rows))
	for i, values := range table.rows { // in the order of predictionHeader
		rows[i] = Prediction{
			Row:           int64(values[0]),
			Target:        int64(values[1]),
			Y:             values[2],
			Mean:          values[3],
			Std:           values[stdColumn],
			DropoutStd:    values[5],
			DropoutOffset: values[6],
		}
	}
	return rows, nil
}

// stdColumn is the index of the column std in predictionHeader. A method without standard deviations leaves it and all
// following columns of the header empty.
const stdColumn = 4

// ReadPredictionColumn returns the predictions that a cell has written for its test rows, for all targets together, in
// standardised units. It returns nil if the cell has written none or is not done, or if the targets are
// classes.
//
// hasDistributions is false if the predicted distributions cannot be known from the file, since they are neither normal
// nor given by their quantiles.
func ReadPredictionColumn(dir string, p *Plan, c PlannedCell) (column *measure.Column, hasDistributions bool, err error) {
	if c.PredictionFormat == "" || c.Spec.Architecture.Classes > 0 || !isDone(dir, p, c) {
		return nil, false, nil
	}
	column, err = readMeasureColumn(p.predictionPath(dir, c.Name, c.PredictionFormat), c.PredictionFormat)
	if err != nil {
		return nil, false, err
	}
	column.Protocol = c.Training.Protocol
	hasQuantiles := column.Levels != nil
	hasDistributions, err = c.writesDistributions(hasQuantiles)
	if err != nil {
		return nil, false, err
	}
	return column, hasDistributions, column.Check()
}

// readMeasureColumn reads the columns that measures need from a prediction file in the given format.
func readMeasureColumn(path, format string) (*measure.Column, error) {
	content, err := safefile.Read(path, maxPredictionBytes)
	if err != nil {
		return nil, err
	}
	read := readCSV
	if format == parquetSuffix {
		read = readParquet
	}
	table, err := read(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	column, err := table.measureColumn()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return column, nil
}

// writesDistributions reports whether the columns of the cell's prediction file determine the predicted distributions.
// They do if the method predicts quantiles, normal distributions or a mean alone, unless a calibration has given the
// distributions another shape. hasQuantiles says whether the file has columns of quantiles.
func (c Cell) writesDistributions(hasQuantiles bool) (bool, error) {
	family, _, err := c.Spec.PredictedFamily(c.Training.Members, nil)
	if err != nil {
		return false, err
	}
	isWritten := family.Levels != nil || family.Name == distribution.Normal.Name || !family.HasStd
	isCalibrated := c.Training.Calibrate > 0
	if !isWritten || !isCalibrated || hasQuantiles {
		return isWritten, nil
	}
	kind, err := calibrate.Lookup(c.Calibration.Kind)
	if err != nil {
		return false, err
	}
	return !kind.HasShape(), nil
}

// measureColumn returns the columns of a prediction file that measures need. It returns an error if the file has no
// columns y, mean and std.
func (t numberTable) measureColumn() (*measure.Column, error) {
	y := slices.Index(t.names, "y")
	mean := slices.Index(t.names, "mean")
	std := slices.Index(t.names, "std")
	if y < 0 || mean < 0 || std < 0 {
		return nil, fmt.Errorf("its columns are %s; want %s, and quantiles if the method predicts them", strings.Join(t.names, ", "), predictionHeader)
	}
	levels, quantileIndices := t.findQuantiles()
	c := &measure.Column{Levels: levels}
	for _, row := range t.rows {
		c.Y = append(c.Y, row[y])
		// All rows lack a value that the method does not predict, and Mean or Std stays nil.
		if !math.IsNaN(row[mean]) {
			c.Mean = append(c.Mean, row[mean])
		}
		if !math.IsNaN(row[std]) {
			c.Std = append(c.Std, row[std])
		}
		if len(levels) == 0 {
			continue
		}
		values := make([]float64, len(levels))
		for i, index := range quantileIndices {
			values[i] = row[index]
		}
		c.Distributions = append(c.Distributions, distribution.Quantiles(levels...).New(values))
	}
	return c, nil
}

// findQuantiles returns the levels of the table's columns of quantiles, such as 0.05 for the column q0.05, and the
// indices of these columns.
func (t numberTable) findQuantiles() (levels []float64, indices []int) {
	for i, name := range t.names {
		text, hasPrefix := strings.CutPrefix(name, "q")
		level, err := strconv.ParseFloat(text, 64)
		if hasPrefix && err == nil {
			levels = append(levels, level)
			indices = append(indices, i)
		}
	}
	return levels, indices
}

// ReadLossTerms returns the counts of the loss's terms that a cell has written.
func ReadLossTerms(dir string, p *Plan, c PlannedCell) (evaluation.LossTerms, error) {
	path := p.predictionPath(dir, c.Name, termsSuffix)
	text, err := safefile.Read(path, maxPredictionBytes)
	if err != nil {
		return evaluation.LossTerms{}, err
	}
	var terms evaluation.LossTerms
	if err := json.Unmarshal(text, &terms); err != nil {
		return evaluation.LossTerms{}, fmt.Errorf("%s: %w", path, err)
	}
	return terms, nil
}
