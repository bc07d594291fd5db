package study

import (
	"fmt"
	"slices"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
)

// recalibrated is the measure of the paper's recalibration, which test rows have and
// training rows, that it is fitted on, have not.
const recalibrated = "ece_isotonic"

// recalibrate adds to the test scores what they are after the paper's recalibration on
// the training rows, if that is one of the measures: the mean over targets, nothing where the
// predictions have no std.
func (r *Result) recalibrate(t *experiment.Trained, train, test *evaluation.Predictions) error {
	wanted, err := measure.Named(t.Experiment.Prediction.Measures)
	at := slices.IndexFunc(wanted, func(m measure.Measure) bool { return m.Name == recalibrated })
	if err != nil || at < 0 || !train.HasStd() || !test.HasStd() {
		return err
	}
	m, sum := wanted[at], 0.0
	for target := range t.Targets {
		fitted, err := columnOf(t, t.Experiment.TrainRows(), train, target)
		if err != nil {
			return fmt.Errorf("training rows: %w", err)
		}
		judged, err := columnOf(t, t.Experiment.TestRows(), test, target)
		if err != nil {
			return fmt.Errorf("test rows: %w", err)
		}
		f, err := fitted.FitRecalibration()
		if err != nil {
			return err
		}
		judged.Recalibration = &f
		sum += m.Of(judged)
	}
	r.Test.Scores = append(slices.Clip(r.Test.Scores), measure.Value{Measure: m.Name, Score: sum / float64(len(t.Targets))})
	return nil
}

// columnOf are predictions of rows for one target, in standardised units.
func columnOf(t *experiment.Trained, rows []int, p *evaluation.Predictions, target int) (*measure.Column, error) {
	mean, std := p.Column(target)
	c := &measure.Column{Mean: mean, Std: std, Protocol: t.Experiment.Training.Protocol, Weights: t.Experiment.Data().WeightsOf(rows)}
	y := t.Experiment.Targets(rows)
	for i := target; i < len(y); i += len(t.Targets) {
		c.Y = append(c.Y, (y[i]-t.Targets[target].Mean)/t.Targets[target].Std)
	}
	return c, c.Check()
}
