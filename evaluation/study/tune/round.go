package tune

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/internal/statistics"
	"sml/internal/strict"
)

// runner runs the rounds of a tuning, one after another.
type runner struct {
	Tuning // with its defaults filled in

	dir          string       // the tuning's directory
	version      string       // version of the program
	read         study.Reader // reads the table
	options      Options
	strategy     Strategy           // chooses the trials of each round
	measure      measure.Measure    // compares trials
	history      History            // the trials so far, and everything else that the strategy may use
	outcomes     map[string]outcome // results of the trainings so far, by label
	epochsDone   int                // epochs of all trials in earlier rounds, counted for one fold
	trainingRows int                // number of training rows; each training leaves out one fold of them
}

// outcome is the result of training one label on all folds. A label names a method and its
// settings; trials with equal values have the same label, which is trained once.
type outcome struct {
	epochs  int
	scores  []strict.Number // by fold; NaN for a failed training
	failure string          // why a training failed; "" if none did
}

// runRound trains the labels of a round that no earlier round has trained, and adds the outcome
// of its label to every trial of the round.
func (r *runner) runRound(ctx context.Context, round int, runs []Run) error {
	labels, err := r.addTrials(runs)
	if err != nil {
		return err
	}
	var newLabels []string
	for i, label := range labels {
		_, hasOutcome := r.outcomes[label]
		if hasOutcome || slices.Contains(newLabels, label) {
			continue // an earlier trial has the same values
		}
		if err := r.config(label).Check(); err != nil { // the values contradict each other
			r.outcomes[label] = outcome{epochs: runs[i].Epochs, failure: err.Error()}
			continue
		}
		newLabels = append(newLabels, label)
	}
	if len(newLabels) > 0 {
		if err := r.runStudy(ctx, round, runs, newLabels); err != nil {
			return err
		}
	}
	for i, run := range runs {
		r.judgeTrial(&r.history.Done[run.Trial-1], r.outcomes[labels[i]])
		r.epochsDone += run.Epochs
	}
	return nil
}

// addTrials adds the new trials of a round to the history and returns the label of each run.
func (r *runner) addTrials(runs []Run) ([]string, error) {
	labels := make([]string, len(runs))
	for i, run := range runs {
		if run.Trial == len(r.history.Done)+1 {
			values := r.applicableValues(run.Values)
			r.history.Done = append(r.history.Done, Trial{
				Number:   run.Trial,
				Values:   values,
				Method:   r.method(values),
				Settings: r.settings(values),
				Label:    r.label(values),
			})
		}
		if run.Trial < 1 || run.Trial > len(r.history.Done) {
			return nil, fmt.Errorf("strategy %s runs trial %d, and there are %d", r.strategy.Name, run.Trial, len(r.history.Done))
		}
		labels[i] = r.history.Done[run.Trial-1].Label
		if r.strategy.ChoosesEpochs {
			labels[i] = withEpochs(labels[i], run.Epochs)
		}
	}
	return labels, nil
}

// withEpochs adds the epochs to a label, before the optimizer.
func withEpochs(label string, epochs int) string {
	method, optimizer, hasOptimizer := strings.Cut(label, study.By)
	method += fmt.Sprintf(" epochs=%d", epochs)
	if hasOptimizer {
		return method + study.By + optimizer
	}
	return method
}

// runStudy trains labels on all folds, as a study, and stores their outcomes.
func (r *runner) runStudy(ctx context.Context, round int, runs []Run, labels []string) error {
	p, err := study.NewPlan(ctx, r.config(labels...), r.version, r.read, false)
	if err != nil {
		return err
	}
	dir := filepath.Join(r.dir, "rounds", fmt.Sprintf("%02d", round))
	if err := p.Write(dir); err != nil {
		return err
	}
	o := study.Options{Jobs: r.options.Jobs, Machine: r.options.Machine, Progress: r.progressReporter(round, runs)}
	if _, err := study.Run(ctx, dir, p, r.version, r.read, o); err != nil {
		return err
	}
	for _, c := range p.Cells {
		if err := r.addScore(dir, p, c); err != nil {
			return err
		}
	}
	return nil
}

// addScore adds the score of one fold to the outcome of its label.
func (r *runner) addScore(dir string, p *study.Plan, c study.Planned) error {
	o := r.outcomes[c.Label]
	o.epochs = c.Training.Epochs
	result, state, err := study.Load(dir, p, c)
	switch {
	case err != nil:
		return err
	case state == study.Failed:
		o.failure = result.Failed
		o.scores = append(o.scores, strict.Number(math.NaN()))
	case state != study.Done:
		return fmt.Errorf("%s: cell %s is %s", dir, c.Name, state)
	case !result.Test.Scores.Has(r.measure.Name):
		return fmt.Errorf("predictions of %s have no %s: it needs %v; choose another measure to judge by", c.Label, r.measure.Title, r.measure.Needs)
	default:
		o.scores = append(o.scores, strict.Number(result.Test.Scores.Of(r.measure.Name)))
	}
	r.outcomes[c.Label] = o
	return nil
}

// progressReporter returns a function that turns the progress of a round's study into the progress
// of the tuning, and reports it. It returns nil if nobody wants to know.
func (r *runner) progressReporter(round int, runs []Run) func(study.Progress) {
	if r.options.Progress == nil {
		return nil
	}
	start := Progress{Round: round, Trials: r.Trials, Ended: len(r.history.Done) - len(runs), Best: r.bestScore()}
	if r.strategy.ChoosesEpochs && round > 1 {
		start.Ended = len(r.history.Done)
	}
	totalEpochs := float64(max(1, r.strategy.Work(&r.history)))
	roundEpochs := 0.0 // counted for one fold
	for _, run := range runs {
		roundEpochs += float64(run.Epochs)
	}
	earlierEpochs := float64(r.epochsDone)
	return func(s study.Progress) {
		fraction := 1.0
		if s.Work > 0 {
			fraction = s.Worked / s.Work
		}
		now := start
		now.Failed = s.Failed
		now.Share = min(1, (earlierEpochs+float64(roundEpochs*fraction))/totalEpochs)
		r.options.Progress(now)
	}
}

// bestScore returns the best mean score so far, NaN if there is none.
func (r *runner) bestScore() float64 {
	best := math.NaN()
	for _, t := range r.history.Done {
		if len(t.Rungs) == 0 {
			continue
		}
		if score := float64(t.Score().Mean); !r.isBetter(best, score) {
			best = score
		}
	}
	return best
}

// isBetter reports whether score a is better than b. NaN is worse than any number.
func (r *runner) isBetter(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(b) && !math.IsNaN(a)
	}
	return r.measure.Badness(a) < r.measure.Badness(b)
}

// judgeTrial adds a rung with the outcome of the trial's label to the trial, and sets its state.
func (r *runner) judgeTrial(t *Trial, o outcome) {
	mean, std := statistics.MeanStd(float64s(o.scores))
	rung := Rung{
		Epochs: o.epochs,
		Scores: o.scores,
		Mean:   strict.Number(mean),
		Std:    strict.Number(std),
		loss:   r.measure.Badness(mean),
	}
	t.State = Complete
	switch {
	case o.failure != "":
		t.State, t.Reason = Failed, o.failure
	case math.IsNaN(mean) || math.IsInf(mean, 0):
		t.State, t.Reason = Failed, fmt.Sprintf("its %s is %v", r.measure.Title, mean)
	case r.strategy.ChoosesEpochs && o.epochs < r.history.Epochs:
		t.State = Stopped
	}
	if t.State == Failed {
		rung.loss = math.Inf(1)
	}
	t.Rungs = append(t.Rungs, rung)
}

// float64s returns the numbers as float64 values.
func float64s(list []strict.Number) []float64 {
	var values []float64
	for _, v := range list {
		values = append(values, float64(v))
	}
	return values
}
