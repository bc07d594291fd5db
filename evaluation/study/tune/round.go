package tune

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/internal/statistics"
	"sml/internal/strict"
)

// runner runs the rounds of a tuning, one after another.
type runner struct {
	Tuning // with its defaults filled in

	dir      string       // directory of the tuning
	version  string       // version of the program
	read     study.Reader // reads the table
	options  Options
	chosen   Tuning          // the tuning before its folds were fitted to the table
	strategy Strategy        // proposes the trials of each round
	measure  measure.Measure // compares trials

	history      History
	outcomes     map[string]outcome // outcomes of all labels trained so far, by label
	epochsDone   int                // epochs of all trials in earlier rounds, counted for one fold
	trainingRows int                // number of training rows; each training leaves out one fold of them
	timedOut     bool               // whether the time limit has ended a training
}

// outcome is the result of training one label on all folds. A label names a method and its settings. Trials
// with equal values have the same label, which is trained once.
type outcome struct {
	epochs  int
	scores  []strict.Number // by fold; NaN for a failed training
	failure string          // why a training failed; "" if none did
	stopped bool            // whether the time limit has ended a training
}

// runRound runs one round: it trains the labels of the runs that no earlier round has trained, and adds the
// outcome of its label to the trial of every run. When limited ends, the trials that lack a fold are stopped.
func (r *runner) runRound(ctx, limited context.Context, round int, runs []Run) error {
	if err := r.addTrials(runs); err != nil {
		return err
	}
	labels := r.labelsToTrain(runs)
	if len(labels) > 0 { // a study without cells is an error
		if err := r.runStudy(ctx, limited, round, runs, labels); err != nil {
			return err
		}
	}
	for _, run := range runs {
		o := r.outcomes[r.runLabel(run)]
		r.epochsDone += run.Epochs
		if o.stopped {
			r.timedOut = true
			continue
		}
		r.addRung(r.trial(run), o)
	}
	return nil
}

// addTrials adds the new trials of a round to the history. It returns an error if a run has the number of no
// trial.
func (r *runner) addTrials(runs []Run) error {
	for _, run := range runs {
		isNew := run.Trial == len(r.history.Trials)+1
		if isNew {
			r.history.Trials = append(r.history.Trials, r.newTrial(run.Trial, run.Values))
		}
		if run.Trial < 1 || run.Trial > len(r.history.Trials) {
			return fmt.Errorf("search strategy %s runs trial %d; want 1 to %d, or %d for a new trial", r.strategy.Name, run.Trial, len(r.history.Trials), len(r.history.Trials)+1)
		}
	}
	return nil
}

// trial returns the trial of a run, which addTrials has added.
func (r *runner) trial(run Run) *Trial { return &r.history.Trials[run.Trial-1] }

// runLabel returns the label that is trained for a run: the trial's label, with the epochs if the strategy
// chooses them.
func (r *runner) runLabel(run Run) string {
	trial := r.trial(run)
	if r.strategy.ChoosesEpochs {
		return trial.label(Setting{Key: epochsKey, Value: strconv.Itoa(run.Epochs)})
	}
	return trial.label()
}

// labelsToTrain returns the labels of the runs that have no outcome yet, without repetitions. It leaves out labels whose
// settings contradict each other, and stores failures as their outcomes: a study would refuse them, and with them all
// other runs of the round.
func (r *runner) labelsToTrain(runs []Run) []string {
	var labels []string
	for _, run := range runs {
		label := r.runLabel(run)
		_, hasOutcome := r.outcomes[label]
		if hasOutcome || slices.Contains(labels, label) {
			continue
		}
		if err := r.config(label).Check(); err != nil {
			r.outcomes[label] = outcome{epochs: run.Epochs, failure: err.Error()}
			continue
		}
		labels = append(labels, label)
	}
	return labels
}

// runStudy trains labels on all folds, as a study, until limited ends, and stores their outcomes.
func (r *runner) runStudy(ctx, limited context.Context, round int, runs []Run, labels []string) error {
	plan, err := study.NewPlan(ctx, r.config(labels...), r.version, r.read, false)
	if err != nil {
		return err
	}
	dir := filepath.Join(r.dir, "rounds", fmt.Sprintf("%02d", round))
	if err := plan.Write(dir); err != nil {
		return err
	}
	options := study.Options{
		Jobs:        r.options.Jobs,
		Machine:     r.options.Machine,
		InPlanOrder: r.options.TimeLimit > 0, // trial by trial: otherwise no trial might be complete when time is over
	}
	if r.options.Progress != nil {
		options.Progress = r.reportRound(round, runs)
	}
	_, err = study.Run(limited, dir, plan, r.version, r.read, options)
	isTimeOver := err != nil && limited.Err() != nil && ctx.Err() == nil // the time limit, not the caller, ended the run
	if err != nil && !isTimeOver {
		return err
	}
	for _, cell := range plan.Cells {
		if err := r.addFoldScore(dir, plan, cell, isTimeOver); err != nil {
			return err
		}
	}
	return nil
}

// addFoldScore adds the score of a cell, which has trained one label on one fold, to the outcome of the label. A cell
// without a result stops the label if time is over, and is an error otherwise.
func (r *runner) addFoldScore(dir string, plan *study.Plan, cell study.PlannedCell, isTimeOver bool) error {
	result, state, err := study.Load(dir, plan, cell)
	if err != nil {
		return err
	}
	o := r.outcomes[cell.Label]
	o.epochs = cell.Training.Epochs
	switch {
	case state == study.Done:
		scores := result.Test.Scores
		if !scores.Has(r.measure.Name) {
			return fmt.Errorf("%s has no %s: the measure needs predictions with %v; choose another measure to compare trials by", cell.Label, r.measure.Title, r.measure.Needs)
		}
		o.scores = append(o.scores, strict.Number(scores.Get(r.measure.Name)))
	case state == study.Failed:
		o.failure = result.Failed
		o.scores = append(o.scores, strict.Number(math.NaN()))
	case isTimeOver:
		o.stopped = true
	default:
		return fmt.Errorf("%s: cell %s is %s after its study has ended; want a result", dir, cell.Name, state)
	}
	r.outcomes[cell.Label] = o
	return nil
}

// addRung adds a rung with the outcome of its label to a trial, and updates the trial's state.
func (r *runner) addRung(t *Trial, o outcome) {
	scores := make([]float64, len(o.scores))
	for i, score := range o.scores {
		scores[i] = float64(score)
	}
	mean, std := statistics.MeanStd(scores)
	t.State, t.Reason = r.trialState(o, mean)
	loss := r.measure.Badness(mean)
	if t.State == Failed {
		loss = math.Inf(1)
	}
	t.Rungs = append(t.Rungs, Rung{
		Epochs: o.epochs,
		Scores: o.scores,
		Mean:   strict.Number(mean),
		Std:    strict.Number(std),
		loss:   loss,
	})
}

// trialState returns the state of a trial with this outcome and mean score and, if it failed, the reason.
func (r *runner) trialState(o outcome, mean float64) (state State, reason string) {
	switch {
	case o.failure != "":
		return Failed, o.failure
	case math.IsNaN(mean) || math.IsInf(mean, 0):
		return Failed, fmt.Sprintf("its %s is %v", r.measure.Title, mean)
	case r.strategy.ChoosesEpochs && o.epochs < r.history.Epochs:
		return Stopped, ""
	}
	return Complete, ""
}
