package tune

import (
	"context"
	"fmt"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
)

// Progress is the progress of a tuning.
type Progress struct {
	Round  int     // number of the round that runs, from 1
	Trials int     // number of all trials
	Ended  int     // number of ended trials
	Failed int     // number of failed trainings of this round
	Share  float64 // fraction of the work done, from 0 to 1
	Best   float64 // best score so far; NaN if there is none
}

// Options control how a tuning is run. They do not change a result.
type Options struct {
	Jobs     int            // cells that run at the same time; default all cores
	Machine  study.Machine  // description of this machine for the logs of the rounds' studies
	Progress func(Progress) // called by one goroutine at a time; may be nil
}

// Run runs the tuning's unfinished trials and keeps their results in the directory dir. A later Run
// with the same directory continues where this one stopped. version is the version of the program:
// Run returns an error if the directory has results of another version or of another tuning. If ctx
// ends, Run returns the error of ctx and keeps the results so far.
func (t Tuning) Run(ctx context.Context, dir, version string, read study.Reader, o Options) (*Result, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	r := newRunner(t.withDefaults(), dir, version, readOnce(read), o)
	if err := r.findTraining(ctx); err != nil {
		return nil, err
	}
	if err := r.Tuning.write(dir, version); err != nil {
		return nil, err
	}
	for round := 1; ; round++ {
		runs := r.strategy.Next(&r.history)
		if len(runs) == 0 {
			return r.result(), nil
		}
		if err := r.runRound(ctx, round, runs); err != nil {
			return nil, err
		}
	}
}

// newRunner returns a runner before its first round. The tuning has been checked and has its
// defaults filled in.
func newRunner(t Tuning, dir, version string, read study.Reader, o Options) *runner {
	r := &runner{
		Tuning:   t,
		dir:      dir,
		version:  version,
		read:     read,
		options:  o,
		outcomes: make(map[string]outcome),
	}
	r.strategy, _ = LookupStrategy(t.Strategy)
	r.measure, _ = measure.Lookup(t.Judge)
	r.history = History{Space: t.Space, Trials: t.Trials, Seed: 1}
	if len(t.Study.Seeds) > 0 {
		r.history.Seed = t.Study.Seeds[0]
	}
	return r
}

// readOnce returns a reader that reads the tuning's table at its first call and returns the same
// table at every later call.
func readOnce(read study.Reader) study.Reader {
	var table *data.Table
	return func(ctx context.Context, s experiment.Source, protocol data.Protocol) (_ *data.Table, err error) {
		if table == nil {
			table, err = read(ctx, s, protocol)
		}
		return table, err
	}
}

// findTraining sets r.history.Epochs and r.trainingRows to the epochs and rows of a whole training.
// It returns an error if the study has more than one table, split, fold or seed, or a fold that
// cannot be prepared.
func (r *runner) findTraining(ctx context.Context) error {
	first := make([]string, len(r.Space))
	for i, d := range r.Space {
		first[i] = d.extremes()[0]
	}
	p, err := study.NewPlan(ctx, r.config(r.label(r.applicableValues(first))), r.version, r.read, false)
	if err != nil {
		return err
	}
	if len(p.Cells) != r.Folds {
		return fmt.Errorf("the study has %d trainings of a trial, and there are %d folds: want one table, split, fold and seed, and one value of each setting that the space does not have", len(p.Cells), r.Folds)
	}
	c := p.Cells[0]
	table, err := r.read(ctx, c.Table, c.Training.Protocol)
	if err != nil {
		return err
	}
	shared := experiment.Share(table)
	for _, cell := range p.Cells {
		if _, err := experiment.Prepare(ctx, cell.Settings, shared); err != nil {
			return err
		}
	}
	c.Training.Inner.Folds, c.Training.Inner.Fold, c.Training.Calibrate = 0, 0, 0
	split, err := c.Settings.Rows(ctx, table)
	r.history.Epochs, r.trainingRows = c.Training.Epochs, len(split.Train)
	return err
}

// result returns the outcome of the tuning, after its last round.
func (r *runner) result() *Result {
	trials := r.history.Done
	failed := 0
	for _, t := range trials {
		if t.State == Failed {
			failed++
		}
	}
	return &Result{
		Tuning:  r.Tuning,
		Trials:  trials,
		Best:    bestTrial(trials),
		Failed:  failed,
		Rows:    r.trainingRows,
		Measure: r.measure,
	}
}

// bestTrial returns the index of the complete trial with the lowest loss, the first of several,
// or -1 if no trial is complete.
func bestTrial(trials []Trial) int {
	best := -1
	for i, t := range trials {
		if t.State == Complete && (best < 0 || t.loss() < trials[best].loss()) {
			best = i
		}
	}
	return best
}
