package study

import (
	"fmt"
	"slices"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/models/distribution"
)

// recalibrated is the name of the measure of the predictions after the paper's recalibration. Only test rows have it:
// the recalibration is fitted on the training rows.
const recalibrated = "ece_isotonic"

// addRecalibrated adds the score by the measure recalibrated to the test scores: the mean
// over the targets. It adds nothing if the cell does not use the measure or the predictions
// have no standard deviation.
func (r *Result) addRecalibrated(t *experiment.Trained, train, test *evaluation.Predictions) error {
	measures, err := measure.Select(t.Experiment.Prediction.Measures)
	if err != nil {
		return err
	}
	index := slices.IndexFunc(measures, func(m measure.Measure) bool { return m.Name == recalibrated })
	if index < 0 || !train.HasStd() || !test.HasStd() {
		return nil
	}
	sum := 0.0
	for target := range t.Targets {
		score, err := recalibratedScore(measures[index], t, train, test, target)
		if err != nil {
			return err
		}
		sum += score
	}
	score := measure.Value{Measure: recalibrated, Score: sum / float64(len(t.Targets))}
	r.Test.Scores = append(slices.Clip(r.Test.Scores), score) // Clip makes append copy the scores
	return nil
}

// recalibratedScore returns the score of the test predictions of one target after a recalibration that is fitted to the
// training predictions.
func recalibratedScore(m measure.Measure, t *experiment.Trained, train, test *evaluation.Predictions, target int) (float64, error) {
	trainColumn, err := targetColumn(t, t.Experiment.Rows.Train, train, target)
	if err != nil {
		return 0, fmt.Errorf("training rows: %w", err)
	}
	testColumn, err := targetColumn(t, t.Experiment.Rows.Test, test, target)
	if err != nil {
		return 0, fmt.Errorf("test rows: %w", err)
	}
	recalibration, err := trainColumn.FitRecalibration()
	if err != nil {
		return 0, err
	}
	testColumn.Recalibration = &recalibration
	return m.Compute(testColumn), nil
}

// targetColumn returns the predictions p of rows for the target with the given index, in standardised units.
func targetColumn(t *experiment.Trained, rows []int, p *evaluation.Predictions, target int) (*measure.Column, error) {
	mean, std := p.Column(target)
	c := &measure.Column{
		Mean:     mean,
		Std:      std,
		Protocol: t.Experiment.Training.Protocol,
		Weights:  t.Experiment.Data().WeightsOf(rows),
	}
	scaler := t.Targets[target]
	y := t.Experiment.TargetsOf(rows) // all targets of the first row, then of the second, …
	for i := target; i < len(y); i += len(t.Targets) {
		c.Y = append(c.Y, (y[i]-scaler.Mean)/scaler.Std)
		d := p.Values[i].Distribution
		if !distribution.IsNormal(d) { // measures know a normal distribution by its mean and standard deviation
			c.Distributions = append(c.Distributions, d)
		}
	}
	return c, c.Check()
}
