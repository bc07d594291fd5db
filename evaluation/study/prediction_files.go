package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data/write"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/predicted"
	"sml/internal/safefile"
	"sml/models"
	"sml/models/distribution"
)

// Suffixes of prediction files: files that a cell leaves beside its result if the plan asks for them. A suffix follows
// the cell's name and a dot.
const (
	csvSuffix     = "csv"        // prediction table of the test rows, as CSV
	parquetSuffix = "parquet"    // the same, as Parquet
	termsSuffix   = "terms.json" // an evaluation.LossTerms
)

// predictionFileSuffixes lists the suffixes that prediction files can have.
var predictionFileSuffixes = []string{csvSuffix, parquetSuffix, termsSuffix}

// predictionHeader names the first columns of the prediction table of numbers.
var predictionHeader = strings.Join(predicted.Header, ",")

// predictionFiles returns the contents of the cell's prediction files, by suffix. Pictures of single rows are drawn from
// the CSV file and the loss terms, so a cell that keeps pictures has both, if the method has them.
func (c Cell) predictionFiles(ctx context.Context, t *experiment.Trained, p *evaluation.Predictions) (map[string][]byte, error) {
	files := make(map[string][]byte)
	predictsClasses := p.Family.Classes > 0
	keepPictures := c.KeepPictures && !predictsClasses
	formats := []string{c.PredictionFormat}
	if keepPictures && c.PredictionFormat != csvSuffix {
		formats = append(formats, csvSuffix)
	}
	for _, format := range formats {
		if format == "" {
			continue
		}
		content, err := encodePredictions(format, t, p)
		if err != nil {
			return nil, err
		}
		files[format] = content
	}
	method, _ := models.Lookup(c.Spec.Method) // the method has been trained, so it is known
	if keepPictures && method.UsesSubNetworks && c.Training.Members == 1 {
		terms, err := countLossTerms(ctx, t)
		if err != nil {
			return nil, err
		}
		files[termsSuffix] = mustJSON(terms)
	}
	return files, nil
}

// encodePredictions returns a file with a line for each target of each test row, in standardised units: all targets of the
// first row, then all targets of the second, and so on.
func encodePredictions(format string, t *experiment.Trained, p *evaluation.Predictions) ([]byte, error) {
	columns, appendCells := numberColumns(t, p)
	if p.Family.Classes > 0 {
		columns, appendCells = classColumns(t, p)
	}
	var file bytes.Buffer
	w, err := write.NewWriter(&file, columns, write.Options{Format: format})
	if err != nil {
		return nil, err
	}
	var block write.Block
	targets := len(t.Targets)
	for i, y := range t.Experiment.TargetsOf(t.Experiment.Rows.Test) { // in the order of p.Values
		if math.IsNaN(y) { // unknown
			continue
		}
		row, target := t.Experiment.Rows.Test[i/targets], i%targets
		cells := []write.Cell{{Number: float64(t.Experiment.Data().RowNumber(row))}, {Number: float64(target)}}
		w.Append(&block, appendCells(cells, i, target, y))
	}
	if err := w.Write(&block); err != nil {
		return nil, err
	}
	err = w.Close()
	return file.Bytes(), err
}

// numberColumns returns the columns of predictions of numbers, and a function that appends the cells behind row and target
// for the prediction with index i.
func numberColumns(t *experiment.Trained, p *evaluation.Predictions) ([]write.Column, func(cells []write.Cell, i, target int, y float64) []write.Cell) {
	columns := []write.Column{{Name: predicted.Row, Kind: write.Whole}, {Name: predicted.Target, Kind: write.Whole}}
	for _, name := range predicted.Header[2:] {
		columns = append(columns, write.Column{Name: name, Kind: write.Number})
	}
	for _, level := range p.Family.Levels {
		columns = append(columns, write.Column{Name: fmt.Sprintf("q%g", level), Kind: write.Number})
	}
	return columns, func(cells []write.Cell, i, target int, y float64) []write.Cell {
		scaler, value := t.Targets[target], p.Values[i]
		numbers := []float64{
			(y - scaler.Mean) / scaler.Std, value.Mean(), math.NaN(), math.NaN(), math.NaN(),
		}
		if p.HasStd() {
			numbers = append(numbers[:2], value.Std(), stdComponent(p, i, models.DropoutStd), stdComponent(p, i, models.DropoutOffset))
		}
		for _, level := range p.Family.Levels {
			numbers = append(numbers, value.Quantile(level))
		}
		for _, v := range numbers {
			cells = append(cells, write.Cell{Number: v})
		}
		return cells
	}
}

// stdComponent returns the named component of the standard deviation of the prediction with index i. It returns 0 if
// the method does not separate the component.
func stdComponent(p *evaluation.Predictions, i int, name string) float64 {
	index := slices.Index(p.Components, name)
	if index < 0 {
		return 0
	}
	return p.Values[i].Components[index]
}

// classColumns returns the columns of predictions of classes, as numberColumns does: y, one probability for each class and
// class, the most probable one. Classes appear under their labels, or under their numbers if they have no labels or if
// there are several targets.
func classColumns(t *experiment.Trained, p *evaluation.Predictions) ([]write.Column, func(cells []write.Cell, i, target int, y float64) []write.Cell) {
	label := strconv.Itoa
	prefix := "p" // p0, p1, …
	if len(t.Labels) == 1 {
		label = func(class int) string { return t.Labels[0][class] }
		prefix = "p_" // p_red, p_green, …
	}
	columns := []write.Column{{Name: predicted.Row, Kind: write.Whole}, {Name: predicted.Target, Kind: write.Whole}, {Name: predicted.Truth, Kind: write.Text}}
	for k := range p.Family.Classes {
		columns = append(columns, write.Column{Name: prefix + label(k), Kind: write.Number})
	}
	columns = append(columns, write.Column{Name: "class", Kind: write.Text})
	return columns, func(cells []write.Cell, i, _ int, y float64) []write.Cell {
		probabilities, _ := distribution.ClassesOf(p.Values[i].Distribution)
		mostProbable := slices.Index(probabilities, slices.Max(probabilities)) // the first of equal ones
		cells = append(cells, write.Cell{Text: label(int(y))})
		for _, probability := range probabilities {
			cells = append(cells, write.Cell{Number: probability})
		}
		return append(cells, write.Cell{Text: label(mostProbable)})
	}
}

// countLossTerms counts the terms of the loss for the first target of the test rows: the residual of the full network,
// and the distances of the sub-networks' outputs from its output.
func countLossTerms(ctx context.Context, t *experiment.Trained) (evaluation.LossTerms, error) {
	testRows := t.Experiment.Data().KnownTargets(0, t.Experiment.Rows.Test)
	sampling := t.Experiment.Sampling()
	inputs := t.Experiment.Gather(t.Model, testRows)
	full, err := evaluation.FullNetworkOutputs(t.Model, inputs, sampling.Engine) // by row
	if err != nil {
		return evaluation.LossTerms{}, err
	}
	outputs, err := evaluation.SubNetworkOutputs(ctx, t.Model, inputs, sampling) // [samples][rows]
	if err != nil {
		return evaluation.LossTerms{}, err
	}
	scaler := t.Targets[0]
	y := t.Experiment.Data().TargetsOf(testRows) // all targets of the first row, then of the second, …
	residuals := make([]float64, len(full))
	for row, f := range full {
		standardised := (y[row*len(t.Targets)] - scaler.Mean) / scaler.Std
		residuals[row] = float64(f) - standardised
	}
	distances := outputs // changed in place
	for _, ofSubNetwork := range distances {
		for row, f := range full {
			ofSubNetwork[row] -= f
		}
	}
	return evaluation.CountLossTerms(residuals, distances)
}

// Prediction is a cell's prediction of one target of one test row, in standardised units. Std,
// DropoutStd and DropoutOffset are NaN if the method gives no standard deviation.
type Prediction struct {
	Row, Target                             int64 // number in the file, from 1, and index among the targets, from 0
	Y, Mean, Std, DropoutStd, DropoutOffset float64
}

// ReadPredictions returns the predictions of numbers that a cell has written as CSV, without quantiles.
func ReadPredictions(dir string, p *Plan, c PlannedCell) ([]Prediction, error) {
	t, err := predicted.Read(context.Background(), p.predictionPath(dir, c.Name, csvSuffix))
	if err != nil {
		return nil, err
	}
	number := func(name string, i int) float64 {
		if values := t.Numbers(name); values != nil {
			return values[i]
		}
		return math.NaN()
	}
	rows := make([]Prediction, t.Len)
	for i := range rows {
		rows[i] = Prediction{
			Row:           int64(number(predicted.Row, i)),
			Target:        int64(number(predicted.Target, i)),
			Y:             number(predicted.Truth, i),
			Mean:          number(predicted.Mean, i),
			Std:           number(predicted.Std, i),
			DropoutStd:    number(predicted.DropoutStd, i),
			DropoutOffset: number(predicted.DropoutOffset, i),
		}
	}
	return rows, nil
}

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
	t, err := predicted.Read(context.Background(), p.predictionPath(dir, c.Name, c.PredictionFormat))
	if err != nil {
		return nil, false, err
	}
	column = t.AllColumns()
	column.Protocol = c.Training.Protocol
	hasDistributions, err = c.writesDistributions(len(t.Quantiles) > 0)
	if err != nil {
		return nil, false, err
	}
	return column, hasDistributions, column.Check()
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

// ReadLossTerms returns the counts of the loss's terms that a cell has written.
func ReadLossTerms(dir string, p *Plan, c PlannedCell) (terms evaluation.LossTerms, err error) {
	path := p.predictionPath(dir, c.Name, termsSuffix)
	text, err := safefile.Read(path, maxPredictionBytes)
	if err == nil {
		err = json.Unmarshal(text, &terms)
	}
	return terms, err
}
