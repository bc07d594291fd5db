package calibrate

import (
	"fmt"
	"slices"

	"sml/evaluation"
	"sml/models"
	"sml/models/distribution"
)

// Rows has the calibration rows. The model must not have been trained on them.
type Rows struct {
	Predictions *evaluation.Predictions // not calibrated
	Y           []float64               // standardised targets (evaluation.Truth.Standardised), in the order of Predictions.Values
	Weights     []float64               // weight of each row; nil if all rows count the same
	Groups      []string                // value of Options.GroupColumn in each row; nil if Options.GroupColumn is ""
	Floors      []float64               // smallest standard deviation to calibrate, by target; nil for any

	// FoldMembers has the members of the ensemble, by index, that were not trained on each fold, and Folds the fold of
	// each row: a part of a cross-validation, or the rows of a bootstrap that the same members did not draw. Each row
	// is predicted by the members of its fold alone. Both are nil if no kind needs them.
	FoldMembers [][]int
	Folds       []int
}

// FoldsMatter reports whether a kind combines rows with the folds that they were held out in: whether
// Rows.FoldMembers and Rows.Folds are to be set if members hold out different rows.
func FoldsMatter(kind string) bool {
	k, err := Lookup(kind)
	return err == nil && k.FoldShape != nil
}

// checkFolds returns an error unless each row is in a fold, and predicted by the fold's members or their copies.
func (r Rows) checkFolds() error {
	p := r.Predictions
	if len(r.Folds) != len(p.Values)/p.Targets {
		return fmt.Errorf("there are %d folds of rows; want one for each of %d rows", len(r.Folds), len(p.Values)/p.Targets)
	}
	if err := checkFoldMembers(r.FoldMembers); err != nil {
		return err
	}
	for i, v := range p.Values {
		row := i / p.Targets
		fold := r.Folds[row]
		if fold < 0 || fold >= len(r.FoldMembers) {
			return fmt.Errorf("row %d is in fold %d; want 0 to %d", row, fold, len(r.FoldMembers)-1)
		}
		if members := len(r.FoldMembers[fold]); len(v.Members) == 0 || len(v.Members)%members != 0 {
			return fmt.Errorf("the prediction of row %d keeps %d members, and its fold has %d; want the predictions of these (models.Model.KeepsMembers)", row, len(v.Members), members)
		}
	}
	return nil
}

// fit returns the kind's fit to one target of the given rows.
func (r Rows) fit(kind Kind, target int, rows []int) (TargetFit, error) {
	family := r.Predictions.Family
	switch {
	case family.Levels != nil && kind.FoldShape != nil && r.Folds != nil:
		return TargetFit{LevelFolds: r.distancesByFold(r.quantileSample(target, rows), rows)}, nil
	case family.Levels != nil:
		return TargetFit{Shifts: kind.FitQuantiles(r.quantileSample(target, rows))}, nil
	case family.Classes > 0:
		return TargetFit{Temperature: kind.FitClasses(r.classSample(target, rows))}, nil
	}
	sample := r.sample(target, rows)
	fit := kind.Fit(sample)
	switch {
	case kind.FoldShape != nil && r.Folds != nil:
		fit.Folds = r.scoresByFold(fit.scores(kind, sample), rows)
	case kind.Score != nil:
		fit.Scores = newOrderStatistics(fit.scores(kind, sample), meanWeights(sample.Weights))
	}
	return fit, nil
}

// scores returns the score of each row of a sample.
func (f TargetFit) scores(kind Kind, s Sample) []float64 {
	scores := make([]float64, len(s.Y))
	for i, y := range s.Y {
		scores[i] = kind.Score((y - s.Mean[i]) / f.calibrateStd(s.Std[i]))
	}
	return scores
}

// sample returns the means, standard deviations and targets of the given rows.
func (r Rows) sample(target int, rows []int) Sample {
	var s Sample
	if r.Floors != nil {
		s.Floor = r.Floors[target]
	}
	for _, row := range rows {
		i := row*r.Predictions.Targets + target
		mean, std := r.moments(r.Predictions.Values[i])
		s.Mean = append(s.Mean, mean)
		s.Std = append(s.Std, std)
		s.Y = append(s.Y, r.Y[i])
	}
	s.Weights = r.weightsOf(rows)
	return s
}

// quantileSample returns the quantiles and targets of the given rows.
func (r Rows) quantileSample(target int, rows []int) QuantileSample {
	s := QuantileSample{Levels: r.Predictions.Family.Levels}
	for _, row := range rows {
		i := row*r.Predictions.Targets + target
		s.Quantiles = append(s.Quantiles, r.quantiles(r.Predictions.Values[i], s.Levels))
		s.Y = append(s.Y, r.Y[i])
	}
	s.Weights = r.weightsOf(rows)
	return s
}

// classSample returns the class probabilities and targets of the given rows.
func (r Rows) classSample(target int, rows []int) ClassSample {
	var s ClassSample
	for _, row := range rows {
		i := row*r.Predictions.Targets + target
		s.Classes = append(s.Classes, r.Predictions.Values[i].Distribution.(distribution.Classes))
		s.Y = append(s.Y, r.Y[i])
	}
	s.Weights = r.weightsOf(rows)
	return s
}

// weightsOf returns the weights of the given rows, or nil if all rows count the same.
func (r Rows) weightsOf(rows []int) []float64 {
	if r.Weights == nil {
		return nil
	}
	weights := make([]float64, len(rows))
	for i, row := range rows {
		weights[i] = r.Weights[row]
	}
	return weights
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
	selected := Rows{Predictions: &predictions, Floors: r.Floors, FoldMembers: r.FoldMembers}
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
		if r.Folds != nil {
			selected.Folds = append(selected.Folds, r.Folds[row])
		}
	}
	return selected
}

// moments returns the mean and the standard deviation of a row's prediction. If the calibration combines folds, it returns
// the moments of the members of the row's fold.
func (r Rows) moments(p models.Prediction) (mean, std float64) {
	if r.Folds == nil {
		return p.Mean(), p.Std()
	}
	return matchMoments(momentsOf(p.Members))
}

// quantiles returns the quantiles of a row's prediction at levels. If the calibration combines folds, it returns the mean
// quantiles of the members of the row's fold.
func (r Rows) quantiles(p models.Prediction, levels []float64) []float64 {
	if r.Folds == nil {
		return quantilesAt(p, levels)
	}
	return meanQuantiles(memberQuantiles(p.Members, levels))
}

// distancesByFold returns the order statistics of the distances outside of each level's interval: [levels][folds]. rows has
// the index of each row of the sample.
func (r Rows) distancesByFold(s QuantileSample, rows []int) [][]OrderStatistics {
	var byLevel [][]OrderStatistics
	for i := range s.Levels {
		_, opposite := pairOf(s.Levels, i)
		byLevel = append(byLevel, r.scoresByFold(s.distancesOutside(i, opposite), rows))
	}
	return byLevel
}

// scoresByFold returns the order statistics of the scores of each fold. rows has the index of the row of each score.
func (r Rows) scoresByFold(scores []float64, rows []int) []OrderStatistics {
	byFold := make([][]float64, len(r.FoldMembers))
	weightsByFold := make([][]float64, len(r.FoldMembers))
	weights := meanWeights(r.weightsOf(rows)) // in the mean weight of all folds: their ranks are added
	for i, row := range rows {
		fold := r.Folds[row]
		byFold[fold] = append(byFold[fold], scores[i])
		if weights != nil {
			weightsByFold[fold] = append(weightsByFold[fold], weights[i])
		}
	}
	var statistics []OrderStatistics
	for fold, values := range byFold {
		statistics = append(statistics, newOrderStatistics(values, weightsByFold[fold]))
	}
	return statistics
}
