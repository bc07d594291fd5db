package study

import (
	"fmt"
	"slices"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/models/distribution"
)

// recalibrated names the measure of the paper's recalibration. Only test rows have it: the
// recalibration is fitted on the training rows.
const recalibrated = "ece_isotonic"

// addRecalibrated adds the score after the paper's recalibration to the test scores: the mean
// over the targets. It adds nothing if the cell does not use the measure or the predictions
// have no standard deviation.
func (r *Result) addRecalibrated(t *experiment.Trained, train, test *evaluation.Predictions) error {
	measures, err := measure.Select(t.Experiment.Prediction.Measures)
	at := slices.IndexFunc(measures, func(m measure.Measure) bool { return m.Name == recalibrated })
	if err != nil || at < 0 || !train.HasStd() || !test.HasStd() {
		return err
	}
	sum := 0.0
	for target := range t.Targets {
		fitted, err := targetColumn(t, t.Experiment.Rows.Train, train, target)
		if err != nil {
			return fmt.Errorf("training rows: %w", err)
		}
		judged, err := targetColumn(t, t.Experiment.Rows.Test, test, target)
		if err != nil {
			return fmt.Errorf("test rows: %w", err)
		}
		recalibration, err := fitted.FitRecalibration()
		if err != nil {
			return err
		}
		judged.Recalibration = &recalibration
		sum += measures[at].Compute(judged)
	}
	score := measure.Value{Measure: recalibrated, Score: sum / float64(len(t.Targets))}
	r.Test.Scores = append(slices.Clip(r.Test.Scores), score)
	return nil
}

// targetColumn returns the predictions of rows for one target, in standardised units.
func targetColumn(t *experiment.Trained, rows []int, p *evaluation.Predictions, target int) (*measure.Column, error) {
	mean, std := p.Column(target)
	c := &measure.Column{
		Mean:     mean,
		Std:      std,
		Protocol: t.Experiment.Training.Protocol,
		Weights:  t.Experiment.Data().WeightsOf(rows),
	}
	y := t.Experiment.TargetsOf(rows)
	for i := target; i < len(y); i += len(t.Targets) {
		c.Y = append(c.Y, (y[i]-t.Targets[target].Mean)/t.Targets[target].Std)
		if d := p.Values[i].Distribution; !distribution.IsNormal(d) {
			c.Distributions = append(c.Distributions, d)
		}
	}
	return c, c.Check()
}
