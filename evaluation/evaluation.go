// Package evaluation samples predictions and judges them: how far the mean
// is from the target, and how honest the standard deviation beside it is.
package evaluation

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/statistics"
	"sml/internal/strict"
	"sml/models"
	"sml/models/distribution"
)

// Evaluation is how a model does on rows whose targets are known: the mean
// over target columns, and each of them where there are several.
type Evaluation struct {
	Rows         int            `json:"rows"`
	Samples      int            `json:"samples"`                    // sub-networks drawn for each row
	Standardised measure.Scores `json:"standardised"`               // in units of the training targets' standard deviation
	Original     measure.Scores `json:"original"`                   // in the target's unit
	DropShare    *strict.Number `json:"sigma_drop_share,omitempty"` // mean of σ_drop/σ_total over rows; nil without sub-networks
	Columns      []Column       `json:"columns,omitempty"`

	Uncalibrated *Evaluation `json:"uncalibrated,omitempty"` // where predictions are calibrated, what they were before
}

// Column is the evaluation of one of several target columns.
type Column struct {
	Name         string         `json:"name"`
	Standardised measure.Scores `json:"standardised"`
	Original     measure.Scores `json:"original"`
}

// Truth holds the true targets, which predictions are judged against.
type Truth struct {
	Y          []float64                // targets [rows, targets], row-major and in their own units
	Columns    data.Scalers             // scalers of the targets; predictions are standardised by them
	Transforms []distribution.Transform // transform of each target before the training; nil if there are none
	Weights    []float64                // weight of each row (measure.Column.Weights); nil if all rows count the same
}

// Standardised returns the targets put through their transforms and in the scale that
// predictions are in. What a transform or the scale does not have is an error.
func (t Truth) Standardised() ([]float64, error) {
	all := make([]float64, len(t.Y))
	for i, y := range t.Y {
		row, target := i/len(t.Columns), i%len(t.Columns)
		c, v := t.Columns[target], y
		if t.Transforms != nil {
			if v = t.Transforms[target].Apply(v); !statistics.Finite(v) {
				return nil, fmt.Errorf("row %d of those judged: the target %s is %v, which the transform of the training's does not have", row+1, c.Name, y)
			}
		}
		all[i] = (v - c.Mean) / c.Std
		if math.IsInf(all[i], 0) && !math.IsInf(v, 0) {
			return nil, fmt.Errorf("row %d of those judged: the target %s is %v, more than 1e308 standard deviations from the mean of the training rows", row+1, c.Name, v)
		}
	}
	return all, nil
}

// Evaluate judges predictions by the measures of those names (measure.Named).
func Evaluate(p *Predictions, t Truth, protocol data.Protocol, names []string) (Evaluation, error) {
	measures, err := measure.Named(names)
	if err != nil {
		return Evaluation{}, err
	}
	if len(t.Columns) != p.Targets || len(t.Y) != len(p.Values) {
		return Evaluation{}, fmt.Errorf("%d target values of %d columns do not match %d predictions of %d", len(t.Y), len(t.Columns), len(p.Values), p.Targets)
	}
	standardised, err := t.Standardised()
	if err != nil {
		return Evaluation{}, err
	}
	e := Evaluation{Rows: len(t.Y) / p.Targets, Samples: p.Samples}
	for target, c := range t.Columns {
		column := p.column(target, standardised, t, protocol)
		if err := column.Check(); err != nil {
			return Evaluation{}, err
		}
		scores, err := scoreAll(column, measures)
		if err != nil {
			return Evaluation{}, err
		}
		original := scores.InUnit(c.Std)
		if t.Transforms != nil {
			inUnit, err := p.InUnit(t, target, protocol)
			if err != nil {
				return Evaluation{}, err
			}
			inUnit.Standardised = column
			if original, err = scoreAll(inUnit, measures); err != nil {
				return Evaluation{}, err
			}
		}
		e.Columns = append(e.Columns, Column{c.Name, scores, original})
	}
	e.Standardised = averageScores(e.Columns, func(c Column) measure.Scores { return c.Standardised })
	e.Original = averageScores(e.Columns, func(c Column) measure.Scores { return c.Original })
	if len(e.Columns) == 1 {
		e.Columns = nil
	}
	if drop := slices.Index(p.Components, models.DropoutStd); drop >= 0 {
		share := strict.Number(p.dropFraction(drop))
		e.DropShare = &share
	}
	return e, nil
}

// average is the mean score over columns, by the measures that all of them have.
func averageScores(columns []Column, of func(Column) measure.Scores) measure.Scores {
	var mean measure.Scores
	for _, v := range of(columns[0]) {
		sum := measure.Value{Measure: v.Measure}
		all := true
		for _, c := range columns {
			all = all && of(c).Has(v.Measure)
			sum.Score += of(c).Of(v.Measure) / float64(len(columns))
		}
		if all {
			mean = append(mean, sum)
		}
	}
	return mean
}

// dropShare returns the mean of σ_drop/σ_total over all predictions with a σ_total above 0.
func (p *Predictions) dropFraction(drop int) float64 {
	sum, n := 0.0, 0.0
	for _, v := range p.Values {
		if std := v.Std(); std > 0 {
			sum += v.Components[drop] / std
			n++
		}
	}
	return sum / max(1, n)
}
