package study

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/models"
)

// Suffixes of prediction files: files that a cell leaves beside its result if the plan asks for them. A suffix follows
// the cell's name and a dot.
const (
	csvSuffix     = "csv"        // predictions of the test rows, as CSV
	parquetSuffix = "parquet"    // the same, as Parquet
	termsSuffix   = "terms.json" // an evaluation.LossTerms
)

// predictionFileSuffixes lists the suffixes that prediction files can have.
var predictionFileSuffixes = []string{csvSuffix, parquetSuffix, termsSuffix}

// Prediction is a cell's prediction of one target of one test row, in standardised units. Std,
// DropoutStd and DropoutOffset are NaN if the method gives no standard deviation.
type Prediction struct {
	Row           int64   `parquet:"row"`            // number in the file, from 1
	Target        int64   `parquet:"target"`         // index among the targets, from 0
	Y             float64 `parquet:"y"`              // true value
	Mean          float64 `parquet:"mean"`           // predicted mean
	Std           float64 `parquet:"std"`            // predicted standard deviation
	DropoutStd    float64 `parquet:"dropout_std"`    // part of Std due to the spread of the sub-networks; 0 if the method does not separate it
	DropoutOffset float64 `parquet:"dropout_offset"` // part of Std due to the distance of the sub-networks from the full network; 0 likewise
}

// predictionHeader names the columns of a Prediction. Columns of quantiles may follow.
const predictionHeader = "row,target,y,mean,std,dropout_std,dropout_offset"

// predictionFiles returns the contents of the cell's prediction files, by suffix. Pictures of single rows are drawn from
// the CSV file and the loss terms, so a cell that keeps pictures has both, if the method has them.
func (c Cell) predictionFiles(ctx context.Context, t *experiment.Trained, p *evaluation.Predictions) (map[string][]byte, error) {
	files := make(map[string][]byte)
	predictsClasses := p.Family.Classes > 0
	if predictsClasses {
		if c.PredictionFormat == "" {
			return files, nil
		}
		content, err := encodeClasses(ctx, c.PredictionFormat, t, p)
		files[c.PredictionFormat] = content
		return files, err
	}
	rows := standardisedRows(t, p)
	if c.PredictionFormat == csvSuffix || c.KeepPictures {
		files[csvSuffix] = encodeCSV(rows, p)
	}
	if c.PredictionFormat == parquetSuffix {
		content, err := encodeParquet(rows, p)
		if err != nil {
			return nil, err
		}
		files[parquetSuffix] = content
	}
	method, _ := models.Lookup(c.Spec.Method) // the method has been trained, so it is known
	if c.KeepPictures && method.UsesSubNetworks && c.Training.Members == 1 {
		terms, err := countLossTerms(ctx, t)
		if err != nil {
			return nil, err
		}
		files[termsSuffix], err = json.Marshal(terms)
		return files, err
	}
	return files, nil
}

// standardisedRows returns the predictions of the test rows: all targets of the first row,
// then all targets of the second, and so on.
func standardisedRows(t *experiment.Trained, p *evaluation.Predictions) []Prediction {
	targets := t.Targets
	testRows := t.Experiment.Rows.Test
	rows := make([]Prediction, len(p.Values))
	for i, y := range t.Experiment.TargetsOf(testRows) { // in the order of p.Values
		row := testRows[i/len(targets)]
		target := i % len(targets)
		scaler := targets[target]
		value := p.Values[i]
		rows[i] = Prediction{
			Row:           int64(t.Experiment.Data().RowNumber(row)),
			Target:        int64(target),
			Y:             (y - scaler.Mean) / scaler.Std,
			Mean:          value.Mean(),
			Std:           value.Std(),
			DropoutStd:    stdComponent(p, i, models.DropoutStd),
			DropoutOffset: stdComponent(p, i, models.DropoutOffset),
		}
	}
	return rows
}

// stdComponent returns the named component of the standard deviation of the prediction with index i. It returns 0 if
// the method does not separate the component, and NaN if the predictions have no standard deviation.
func stdComponent(p *evaluation.Predictions, i int, name string) float64 {
	if !p.HasStd() {
		return math.NaN()
	}
	index := slices.Index(p.Components, name)
	if index < 0 {
		return 0
	}
	return p.Values[i].Components[index]
}

// countLossTerms counts the terms of the loss for the first target of the test rows: the residual of the full network,
// and the distances of the sub-networks' outputs from its output.
func countLossTerms(ctx context.Context, t *experiment.Trained) (evaluation.LossTerms, error) {
	testRows := t.Experiment.Rows.Test
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
