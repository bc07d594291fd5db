package calibrate

import (
	"fmt"
	"math"
	"slices"

	"sml/evaluation"
)

// Rows has the calibration rows. The model must not have been trained on them.
type Rows struct {
	Predictions *evaluation.Predictions // not calibrated
	Y           []float64               // standardised targets (evaluation.Truth.Standardised), in the order of Predictions.Values; NaN if unknown
	Units       []evaluation.Unit       // the targets' own units, in which a power of standard deviations is chosen; nil for standardised targets
	Weights     []float64               // weight of each row; nil if all rows count the same
	Groups      []string                // value of Options.GroupColumn in each row; nil if Options.GroupColumn is ""
}

// all returns the indices of all rows.
func (r Rows) all() []int {
	all := make([]int, len(r.Y)/r.Predictions.Targets)
	for row := range all {
		all[row] = row
	}
	return all
}

// knownRows returns those of the given rows in which a target is known.
func (r Rows) knownRows(target int, rows []int) []int {
	isUnknown := func(row int) bool { return math.IsNaN(r.Y[row*r.Predictions.Targets+target]) }
	if !slices.ContainsFunc(rows, isUnknown) {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), isUnknown)
}

// fit returns the kind's fit to one target of the given rows, in which it is known.
func (r Rows) fit(kind Kind, target int, rows []int) TargetFit {
	family := r.Predictions.Family
	sample := r.sample(target, rows)
	switch {
	case family.Levels != nil:
		return TargetFit{QuantileMoves: kind.fitQuantileMoves(sample.withQuantiles(family.Levels))}
	case kind.hasSets():
		return TargetFit{Residuals: newOrderStatistics(sample.trueScores(kind.classScores), meanWeights(sample.Weights))}
	case family.Classes > 0:
		return TargetFit{Temperature: fitTemperature(sample)}
	}
	if !kind.HasShape() {
		return fitScale(sample)
	}
	fit := TargetFit{Placement: kind.fitPlacement(sample)}
	fit.Residuals = newOrderStatistics(sample.residuals(fit.scaleOf), meanWeights(sample.Weights))
	return fit
}

// sample returns the predictions and targets of the given rows.
func (r Rows) sample(target int, rows []int) sample {
	s := sample{Unit: standardUnit()}
	if r.Units != nil {
		s.Unit = r.Units[target]
	}
	for _, row := range rows {
		i := row*r.Predictions.Targets + target
		p := r.Predictions.Values[i]
		s.Predictions = append(s.Predictions, p)
		s.Mean = append(s.Mean, p.Mean())
		s.Std = append(s.Std, p.Std())
		s.Y = append(s.Y, r.Y[i])
	}
	s.Weights = evaluation.SelectRows(r.Weights, rows)
	return s
}

// MeanWeights returns the weight of each row in mean weights, or nil if all rows count the same.
func (r Rows) MeanWeights() []float64 { return meanWeights(r.Weights) }

// weighted returns the rows without those of weight 0, which count like no rows. It returns an error if all weights are
// 0.
func (r Rows) weighted() (Rows, error) {
	if !slices.Contains(r.Weights, 0) {
		return r, nil
	}
	if slices.Max(r.Weights) <= 0 {
		return r, fmt.Errorf("the weights of all %d calibration rows are 0; want at least one weight above 0", len(r.Weights))
	}
	return r.selectRows(func(row int) bool { return r.Weights[row] > 0 }), nil
}

// selectRows returns the rows for whose index keep returns true.
func (r Rows) selectRows(keep func(row int) bool) Rows {
	predictions := *r.Predictions
	predictions.Values = nil
	selected := Rows{Predictions: &predictions, Units: r.Units}
	targets := predictions.Targets
	for row := range len(r.Predictions.Values) / targets {
		if !keep(row) {
			continue
		}
		start, end := row*targets, (row+1)*targets // the targets of a row are side by side
		predictions.Values = append(predictions.Values, r.Predictions.Values[start:end]...)
		selected.Y = append(selected.Y, r.Y[start:end]...)
		if r.Weights != nil {
			selected.Weights = append(selected.Weights, r.Weights[row])
		}
		if r.Groups != nil {
			selected.Groups = append(selected.Groups, r.Groups[row])
		}
	}
	return selected
}
