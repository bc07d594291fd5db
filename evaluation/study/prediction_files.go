package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

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

// predictionFiles returns the contents of the cell's prediction files, by suffix. Pictures of single rows are drawn from
// the CSV file and the loss terms, so a cell that keeps pictures has both. Only a single network with sub-networks has
// loss terms, and there are no pictures of classes.
func (c Cell) predictionFiles(ctx context.Context, t *experiment.Trained, p *evaluation.Predictions) (map[string][]byte, error) {
	predictsClasses := p.Family.Classes > 0
	keepPictures := c.KeepPictures && !predictsClasses
	var formats []string
	if c.PredictionFormat != "" {
		formats = append(formats, c.PredictionFormat)
	}
	if keepPictures {
		formats = appendUnique(formats, csvSuffix)
	}
	files := make(map[string][]byte)
	for _, format := range formats {
		content, err := encodePredictions(format, t, p)
		if err != nil {
			return nil, err
		}
		files[format] = content
	}
	method, _ := models.Lookup(c.Spec.Method) // the method has been trained, so it is known
	if keepPictures && method.UsesSubNetworks() && c.Training.Members == 1 {
		terms, err := countLossTerms(ctx, t)
		if err != nil {
			return nil, err
		}
		files[termsSuffix] = mustJSON(terms)
	}
	return files, nil
}

// encodePredictions returns a file with a line for each known target of each test row, in standardised units: all targets
// of the first row, then all targets of the second, and so on.
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
		row := t.Experiment.Data().RowNumber(t.Experiment.Rows.Test[i/targets])
		cells := []write.Cell{{Number: float64(row)}, {Number: float64(i % targets)}} // see positionColumns
		w.Append(&block, appendCells(cells, i, y))
	}
	if err := w.Write(&block); err != nil {
		return nil, err
	}
	err = w.Close()
	return file.Bytes(), err
}

// positionColumns are the first columns of each prediction table. They identify the predicted value.
var positionColumns = []write.Column{
	{Name: predicted.Row, Kind: write.Whole},
	{Name: predicted.Target, Kind: write.Whole},
}

// cellAppender appends the cells behind positionColumns of the prediction with index i among all targets of all test rows.
// y is the true value, in the unit of the table.
type cellAppender func(cells []write.Cell, i int, y float64) []write.Cell

// numberColumns returns the columns of predictions of numbers, and the function that fills them.
func numberColumns(t *experiment.Trained, p *evaluation.Predictions) ([]write.Column, cellAppender) {
	columns := slices.Clone(positionColumns)
	for _, name := range predicted.Header[len(positionColumns):] {
		columns = append(columns, write.Column{Name: name, Kind: write.Number})
	}
	for _, level := range p.Family.Levels {
		columns = append(columns, write.Column{Name: fmt.Sprintf("q%g", level), Kind: write.Number})
	}
	return columns, func(cells []write.Cell, i int, y float64) []write.Cell {
		scaler := t.Targets[i%len(t.Targets)]
		truth := (y - scaler.Mean) / scaler.Std
		value := p.Values[i]
		std, dropoutStd, dropoutOffset := math.NaN(), math.NaN(), math.NaN()
		if p.HasStd() {
			std = value.Std()
			dropoutStd = stdComponent(p, i, models.DropoutStd)
			dropoutOffset = stdComponent(p, i, models.DropoutOffset)
		}
		numbers := []float64{truth, value.Mean(), std, dropoutStd, dropoutOffset} // in the order of predicted.Header
		for _, level := range p.Family.Levels {
			numbers = append(numbers, value.Quantile(level))
		}
		return appendNumbers(cells, numbers)
	}
}

// appendNumbers appends a cell for each number.
func appendNumbers(cells []write.Cell, numbers []float64) []write.Cell {
	for _, v := range numbers {
		cells = append(cells, write.Cell{Number: v})
	}
	return cells
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

// classColumns returns the columns of predictions of classes, and the function that fills them: the true class, one
// probability for each class, and the most probable class. Classes appear under their labels, or under their numbers if
// they have no labels or if there are several targets.
func classColumns(t *experiment.Trained, p *evaluation.Predictions) ([]write.Column, cellAppender) {
	label := strconv.Itoa
	prefix := "p" // p0, p1, …
	if len(t.Labels) == 1 {
		label = func(class int) string { return t.Labels[0][class] }
		prefix = "p_" // p_red, p_green, …
	}
	columns := append(slices.Clone(positionColumns), write.Column{Name: predicted.Truth, Kind: write.Text})
	for k := range p.Family.Classes {
		columns = append(columns, write.Column{Name: prefix + label(k), Kind: write.Number})
	}
	columns = append(columns, write.Column{Name: "class", Kind: write.Text})
	return columns, func(cells []write.Cell, i int, y float64) []write.Cell {
		probabilities, _ := distribution.ClassesOf(p.Values[i].Distribution)
		mostProbable := slices.Index(probabilities, slices.Max(probabilities)) // the first of equal ones
		cells = append(cells, write.Cell{Text: label(int(y))})
		cells = appendNumbers(cells, probabilities)
		return append(cells, write.Cell{Text: label(mostProbable)})
	}
}

// countLossTerms counts the terms of the loss for the first target of the test rows: the residual of the full network,
// and the distances of the sub-networks' outputs from its output.
func countLossTerms(ctx context.Context, t *experiment.Trained) (evaluation.LossTerms, error) {
	testRows := t.Experiment.Data().KnownTargets(0, t.Experiment.Rows.Test)
	sampling := t.Experiment.Sampling()
	inputs := t.Experiment.Gather(t.Model, testRows)
	fullOutputs, err := evaluation.FullNetworkOutputs(t.Model, inputs, sampling.Engine) // by row
	if err != nil {
		return evaluation.LossTerms{}, err
	}
	distances, err := evaluation.SubNetworkOutputs(ctx, t.Model, inputs, sampling) // [samples][rows]
	if err != nil {
		return evaluation.LossTerms{}, err
	}
	for _, ofSubNetwork := range distances { // so far its outputs
		for row, output := range fullOutputs {
			ofSubNetwork[row] -= output
		}
	}
	scaler := t.Targets[0]
	y := t.Experiment.Data().TargetsOf(testRows) // all targets of the first row, then of the second, …
	residuals := make([]float64, len(fullOutputs))
	for row, output := range fullOutputs {
		truth := (y[row*len(t.Targets)] - scaler.Mean) / scaler.Std
		residuals[row] = float64(output) - truth
	}
	return evaluation.CountLossTerms(residuals, distances)
}

// ReadPredictions returns the predictions that a cell has written as CSV, in standardised units, with the columns of
// predicted.Header.
func ReadPredictions(dir string, p *Plan, c PlannedCell) (*predicted.Table, error) {
	return predicted.Read(context.Background(), p.predictionPath(dir, c.Name, csvSuffix))
}

// ReadPredictionColumn returns the predictions that a cell has written for its test rows, for all targets together, in
// standardised units. It returns nil if the cell has written none or is not done, or if the targets are
// classes.
//
// hasDistributions is false if the file does not determine the predicted distributions, since they are neither normal nor
// given by their quantiles.
func ReadPredictionColumn(dir string, p *Plan, c PlannedCell) (column *measure.Column, hasDistributions bool, err error) {
	predictsClasses := c.Spec.Architecture.Classes > 0
	if c.PredictionFormat == "" || predictsClasses || !isDone(dir, p, c) {
		return nil, false, nil
	}
	t, err := predicted.Read(context.Background(), p.predictionPath(dir, c.Name, c.PredictionFormat))
	if err != nil {
		return nil, false, err
	}
	hasDistributions, err = c.writesDistributions(len(t.Quantiles) > 0)
	if err != nil {
		return nil, false, err
	}
	column = t.AllColumns()
	column.Protocol = c.Training.Protocol
	return column, hasDistributions, column.Check()
}

// writesDistributions reports whether the columns of the cell's prediction file determine the predicted distributions.
// They do if the method predicts quantiles, normal distributions or a mean alone, unless a calibration has given the
// distributions another shape. hasQuantiles says whether the file has columns of quantiles: these hold the calibrated
// distributions, too.
func (c Cell) writesDistributions(hasQuantiles bool) (bool, error) {
	form, err := c.Spec.PredictionForm(c.Training.Members)
	if err != nil {
		return false, err
	}
	family := form.Family
	isDetermined := family.Levels != nil || family.Name == distribution.Normal.Name || !family.HasStd
	mayHaveOtherShape := c.Training.Calibrate > 0 && !hasQuantiles
	if !isDetermined || !mayHaveOtherShape {
		return isDetermined, nil
	}
	calibration, _ := calibrate.Lookup(c.Calibration.Kind) // the plan has found it
	return !calibration.HasShape(), nil
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
