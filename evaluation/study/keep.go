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

// Suffixes of the files that a cell may keep: they follow its name and a dot.
const (
	csvSuffix     = "csv"
	parquetSuffix = "parquet"
	termsSuffix   = "terms.json"
)

var predictionFileSuffixes = []string{csvSuffix, parquetSuffix, termsSuffix}

// Prediction is a cell's prediction of one target of one test row, in standardised units. Std,
// DropoutStd and DropoutOffset are NaN if the method gives no standard deviation.
type Prediction struct {
	Row           int64   `parquet:"row"`    // index in the table, from 0
	Target        int64   `parquet:"target"` // index among the targets, from 0
	Y             float64 `parquet:"y"`
	Mean          float64 `parquet:"mean"`
	Std           float64 `parquet:"std"`
	DropoutStd    float64 `parquet:"dropout_std"`
	DropoutOffset float64 `parquet:"dropout_offset"`
}

// predictionHeader names the columns of a Prediction. Columns of quantiles may follow.
const predictionHeader = "row,target,y,mean,std,dropout_std,dropout_offset"

// predictionFiles returns the content of the files to keep, by suffix.
func (c Cell) predictionFiles(ctx context.Context, t *experiment.Trained, p *evaluation.Predictions) (map[string][]byte, error) {
	files := make(map[string][]byte)
	if p.Family.Classes > 0 {
		if c.PredictionFormat == "" {
			return files, nil
		}
		file, err := encodeClasses(ctx, c.PredictionFormat, t, p)
		files[c.PredictionFormat] = file
		return files, err
	}
	rows := standardisedRows(t, p)
	if c.PredictionFormat == "csv" || c.KeepPictures {
		files[csvSuffix] = encodeCSV(rows, p)
	}
	if c.PredictionFormat == "parquet" {
		file, err := encodeParquet(rows, p)
		if err != nil {
			return nil, err
		}
		files[parquetSuffix] = file
	}
	method, _ := models.Lookup(c.Spec.Method)
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
	targets, test := t.Targets, t.Experiment.Rows.Test
	rows := make([]Prediction, len(p.Values))
	for i, y := range t.Experiment.TargetsOf(test) {
		v, target := p.Values[i], targets[i%len(targets)]
		rows[i] = Prediction{
			Row:           int64(test[i/len(targets)]),
			Target:        int64(i % len(targets)),
			Y:             (y - target.Mean) / target.Std,
			Mean:          v.Mean(),
			Std:           v.Std(),
			DropoutStd:    component(p, i, models.DropoutStd),
			DropoutOffset: component(p, i, models.DropoutOffset),
		}
	}
	return rows
}

// component returns a part of the standard deviation of a prediction: 0 if the method does
// not separate it, NaN if there is no standard deviation.
func component(p *evaluation.Predictions, i int, name string) float64 {
	if !p.HasStd() {
		return math.NaN()
	}
	if at := slices.Index(p.Components, name); at >= 0 {
		return p.Values[i].Components[at]
	}
	return 0
}

// countLossTerms counts the terms of the loss for the first target of the test rows.
func countLossTerms(ctx context.Context, t *experiment.Trained) (evaluation.LossTerms, error) {
	var none evaluation.LossTerms
	test, target, s := t.Experiment.Rows.Test, t.Targets[0], t.Experiment.Sampling()
	rows := t.Experiment.Gather(t.Model, test)
	full, err := evaluation.FullNetworkOutputs(t.Model, rows, s.Engine)
	if err != nil {
		return none, err
	}
	lines, err := evaluation.SubNetworkOutputs(ctx, t.Model, rows, s, false)
	if err != nil {
		return none, err
	}
	residuals := make([]float64, len(full)) // of the full network
	truth := t.Experiment.Data().TargetsOf(test)
	for i, f := range full {
		residuals[i] = float64(f) - (truth[i*len(t.Targets)]-target.Mean)/target.Std
		for _, line := range lines {
			line[i] -= f
		}
	}
	return evaluation.CountLossTerms(residuals, lines)
}
