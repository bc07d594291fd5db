package calibrate

import (
	"errors"
	"fmt"
	"math"

	"sml/evaluation"
	"sml/models"
)

// Scores returns the scores of rows that the calibration was fitted to, [rows, targets, ScoresPerTarget], row by
// row. It returns an error that wraps ErrNoScores if the calibration has none.
func (c *Calibration) Scores(r Rows) ([]float64, error) {
	kind, err := c.scoringKind()
	if err != nil {
		return nil, err
	}
	p := r.Predictions
	perTarget := c.ScoresPerTarget()
	rows := len(p.Values) / p.Targets
	all := make([]int, rows)
	for row := range all {
		all[row] = row
	}
	scores := make([]float64, rows*p.Targets*perTarget)
	for target := range p.Targets {
		for i, column := range c.scoreColumns(kind, r, target, all) {
			for row, score := range column {
				scores[(row*p.Targets+target)*perTarget+i] = score
			}
		}
	}
	return scores, nil
}

// scoreColumns returns the scores of all rows by one target: a column of residuals or, if the method predicts
// quantiles, a column of distances for each level.
func (c *Calibration) scoreColumns(kind Kind, r Rows, target int, rows []int) [][]float64 {
	if c.Levels == nil {
		fit := c.Groups[0].Targets[target].TargetFit
		return [][]float64{fit.scores(kind, r.sample(target, rows))}
	}
	sample := r.quantileSample(target, rows)
	columns := make([][]float64, len(c.Levels))
	for level := range c.Levels {
		_, opposite := pairOf(c.Levels, level)
		columns[level] = sample.distancesOutside(level, opposite)
	}
	return columns
}

// ScoresPerTarget returns the number of scores that a row has for each target.
func (c *Calibration) ScoresPerTarget() int { return max(1, len(c.Levels)) }

// ErrNoScores is wrapped by errors about calibrations that rank no scores of all rows together.
var ErrNoScores = errors.New("want a calibration that ranks the errors of all rows together")

// CheckScores returns an error that wraps ErrNoScores if the rows of the calibration have no scores.
func (c *Calibration) CheckScores() error {
	_, err := c.scoringKind()
	return err
}

// scoringKind returns the kind of a calibration whose rows have scores. It returns an error that wraps ErrNoScores
// if they have none, or if groups of rows are calibrated separately.
func (c *Calibration) scoringKind() (Kind, error) {
	kind, err := Lookup(c.Kind)
	switch {
	case err != nil:
		return kind, err
	case c.GroupColumn != "" || c.MeanGroups > 0:
		return kind, fmt.Errorf("groups of rows are calibrated separately: %w", ErrNoScores)
	case c.FoldMembers != nil:
		return kind, fmt.Errorf("calibration %s combines each row with the members that held it out: %w", c.Kind, ErrNoScores)
	case kind.Score == nil, c.Levels != nil && kind.Name != conformal.Name && kind.Name != cvPlus.Name:
		return kind, fmt.Errorf("calibration %s: %w", c.Kind, ErrNoScores)
	}
	return kind, nil
}

// Weighted is a calibration whose rows count by weights. If the weights are the density of the inputs of new rows
// divided by the density of the inputs of the calibration rows, intervals have their coverage on the new rows,
// as long as a target depends on the inputs as before.
//
// Source: Tibshirani, Barber, Candès & Ramdas (2019), Conformal prediction under covariate shift, corollary 1.
type Weighted struct {
	calibration *Calibration
	kind        Kind
	scores      [][]weightedScores // by target, and by level if the method predicts quantiles
}

// Weight returns the calibration with weights of its rows. scores has the rows' scores in the order of Scores, of
// all rows or a random sample; each of weights is above 0. It returns an error as Scores does.
func (c *Calibration) Weight(scores, weights []float64) (*Weighted, error) {
	kind, err := c.scoringKind()
	if err != nil {
		return nil, err
	}
	targets := len(c.Groups[0].Targets)
	perTarget := c.ScoresPerTarget()
	w := &Weighted{calibration: c, kind: kind, scores: make([][]weightedScores, targets)}
	for target := range targets {
		for i := range perTarget {
			column := make([]float64, len(weights))
			for row := range column {
				column[row] = scores[(row*targets+target)*perTarget+i]
			}
			w.scores[target] = append(w.scores[target], newWeightedScores(column, weights))
		}
	}
	return w, nil
}

// Apply returns calibrated copies of the predictions. weights has the weight of each row.
func (w *Weighted) Apply(p *evaluation.Predictions, weights []float64) *evaluation.Predictions {
	calibrated := *p
	calibrated.Values = make([]models.Prediction, len(p.Values))
	for i, prediction := range p.Values {
		row := i / p.Targets
		target := i % p.Targets
		scores := w.scores[target]
		if w.calibration.Levels != nil {
			fit := TargetFit{Shifts: w.shifts(scores, weights[row])}
			calibrated.Values[i] = fit.shiftQuantiles(prediction, p.Family)
			continue
		}
		fit := w.calibration.Groups[0].Targets[target].TargetFit
		shape := w.kind.Shape(scores[0].withOwn(weights[row]))
		calibrated.Values[i] = fit.calibrate(prediction, p.Family, shape)
	}
	return &calibrated
}

// shifts returns the numbers to add to the quantiles of a row of the given weight.
func (w *Weighted) shifts(scores []weightedScores, weight float64) []float64 {
	levels := w.calibration.Levels
	shifts := make([]float64, len(levels))
	for i, level := range levels {
		if isMedian(level) {
			continue
		}
		coverage, _ := pairOf(levels, i)
		shifts[i] = math.Copysign(1, level-0.5) * scores[i].withOwn(weight).AtOrAbove(coverage)
	}
	return shifts
}

// CheckCoverage returns an error if an interval of the given coverage is infinite for a row of the given weight:
// if the calibration rows together weigh less than as many such rows as the interval needs.
func (w *Weighted) CheckCoverage(coverage, weight float64) error {
	rows := w.scores[0][0].known() / weight
	minRows := w.kind.Rows(coverage)
	if rows >= float64(float64(minRows)*(1-rankTolerance)) {
		return nil
	}
	return fmt.Errorf("its interval of %v%% is infinite: it needs calibration rows of the weight of %d such rows, and there are %.3g: rows like it are rare among the calibration rows", roundPercent(coverage), minRows, rows)
}

// EffectiveRows returns the number of rows of equal weights that would tell as much about new rows as calibration rows
// of these weights: (Σw)²/Σw² (Kish 1965) or, if that is less, Σw divided by the mean weight of the new rows. The two
// are about the same if weights are a density ratio. The second is the smaller one if there are hardly any calibration
// rows where the new rows are: all of them may then have the same small weight.
func EffectiveRows(weights, newWeights []float64) float64 {
	sum, squares := sumAndSquares(weights)
	newSum, _ := sumAndSquares(newWeights)
	return min(float64(sum*sum)/squares, sum/(newSum/float64(len(newWeights))))
}

// sumAndSquares returns the sum of the values, and the sum of their squares.
func sumAndSquares(values []float64) (sum, squares float64) {
	for _, v := range values {
		sum += v
		squares += float64(v * v)
	}
	return sum, squares
}
