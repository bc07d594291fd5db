package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sml/evaluation"
	"sml/models"
	"sml/models/distribution"
)

// Scores returns the scores of the rows that the calibration was fitted to: [rows, targets, ScoresPerTarget], row by
// row. It returns an error that wraps ErrNoScores if the calibration has no scores.
func (c *Calibration) Scores(r Rows) ([]float64, error) {
	if err := c.CheckScores(); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(r.Y, math.IsNaN) {
		return nil, fmt.Errorf("some of the rows lack a target: %w", ErrNoScores)
	}
	p := r.Predictions
	perTarget := c.ScoresPerTarget()
	scores := make([]float64, len(p.Values)*perTarget)
	for target := range p.Targets {
		for i, column := range r.residuals(target, c.Groups[0].Targets[target].TargetFit) {
			for row, score := range column {
				scores[(row*p.Targets+target)*perTarget+i] = score
			}
		}
	}
	return scores, nil
}

// residuals returns the residuals of all rows for one target in the scale of a fit: one column or, if the method predicts
// quantiles, a column for each level.
func (r Rows) residuals(target int, fit TargetFit) [][]float64 {
	s := r.sample(target, r.all())
	if levels := r.Predictions.Family.Levels; levels != nil {
		return s.withQuantiles(levels).residuals(fit.QuantileMoves)
	}
	return [][]float64{s.residuals(fit.ScaleOf)}
}

// ScoresPerTarget returns the number of scores that a row has for each target.
func (c *Calibration) ScoresPerTarget() int { return max(1, len(c.Levels)) }

// ErrNoScores is wrapped by errors about calibrations that do not rank the scores of all rows together.
var ErrNoScores = errors.New("want a calibration that ranks the errors of all rows together")

// CheckScores returns an error that wraps ErrNoScores if the calibration has no scores.
func (c *Calibration) CheckScores() error {
	kind, _ := Lookup(c.Kind) // Check has found it
	switch {
	case c.GroupColumn != "" || c.MeanGroups > 0:
		return fmt.Errorf("groups of rows are calibrated separately: %w", ErrNoScores)
	case !kind.HasShape():
		return fmt.Errorf("calibration %s: %w", c.Kind, ErrNoScores)
	}
	return nil
}

// Weighted is a calibration whose rows have weights. If a weight is the density of the row's inputs among new rows divided
// by their density among calibration rows, the intervals have their coverage on the new rows, provided that the targets
// depend on the inputs as before.
//
// Source: Tibshirani, Barber, Candès & Ramdas (2019), Conformal prediction under covariate shift, corollary 1.
type Weighted struct {
	calibration *Calibration
	kind        Kind
	shapes      [][]residualShape // by target, and by level if the method predicts quantiles
}

// Weight returns the calibration with weights, all above 0, for its rows or for a random sample of them. scores has the
// scores of these rows in the order of Scores. The calibration must have scores (CheckScores).
func (c *Calibration) Weight(scores, weights []float64) *Weighted {
	kind, _ := Lookup(c.Kind) // Check has found it
	targets := len(c.Groups[0].Targets)
	perTarget := c.ScoresPerTarget()
	signed := 1.0
	if c.Levels == nil {
		signed = kind.signed(len(weights))
	}
	w := &Weighted{calibration: c, kind: kind, shapes: make([][]residualShape, targets)}
	for target := range targets {
		for i := range perTarget {
			column := make([]float64, len(weights))
			for row := range column {
				column[row] = scores[(row*targets+target)*perTarget+i]
			}
			shape := kind.shapeOf(newOrderStatistics(column, weights), signed)
			w.shapes[target] = append(w.shapes[target], shape)
		}
	}
	return w
}

// Apply returns calibrated copies of the predictions of rows with the given weights.
func (w *Weighted) Apply(p *evaluation.Predictions, weights []float64) *evaluation.Predictions {
	return calibrateEach(p, func(prediction models.Prediction, row, target int) models.Prediction {
		shapes := w.shapes[target]
		fit := w.calibration.Groups[0].Targets[target].TargetFit
		var shape *distribution.Shape
		if levels := w.calibration.Levels; levels != nil {
			fit.Shifts = make([]float64, len(levels))
			for i, level := range levels {
				fit.Shifts[i] = shapes[i].quantile(level, weights[row])
			}
		} else {
			shape = distribution.NewShape(func(level float64) float64 { return shapes[0].quantile(level, weights[row]) })
		}
		return fit.calibrate(w.kind, prediction, p.Family, shape)
	})
}

// CheckCoverage returns an error if the ends of the interval of the given coverage are not known for a row with the given weight. An
// interval needs kind.Rows(coverage) calibration rows; their weights together must be at least the weight of as many new
// rows.
func (w *Weighted) CheckCoverage(coverage, weight float64) error {
	rows := w.shapes[0][0].above.known() / weight
	minRows := w.kind.Rows(coverage)
	if rows >= float64(float64(minRows)*(1-rankTolerance)) {
		return nil
	}
	return fmt.Errorf("its interval of %v%% is not known: it needs calibration rows of the weight of %d such rows, and there are %.3g: rows like it are rare among the calibration rows", roundPercent(coverage), minRows, rows)
}

// EffectiveRows returns the effective sample size of calibration rows with weights: how many rows of equal weights would
// tell as much about the new rows. It is the smaller of (Σw)²/Σw² (Kish 1965) and of Σw divided by the mean weight of the
// new rows. Both numbers are about the same if weights are a density ratio. The second is smaller if hardly any
// calibration row is near the new rows, and all have about the same small weight.
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
