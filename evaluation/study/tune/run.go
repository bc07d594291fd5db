package tune

import (
	"context"
	"fmt"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
)

// Options control how a tuning is run. They do not change a result.
type Options struct {
	Jobs     int            // number of cells that run at the same time; default all cores
	Machine  study.Machine  // description of this machine, for the logs of the rounds' studies
	Progress func(Progress) // called by one goroutine at a time; may be nil
}

// Run runs the tuning's unfinished trials and keeps their results in the directory dir. A later Run with the same
// directory continues where this one stopped, even with another number of jobs. read reads the table; Run calls
// it once. version is the version of the program.
//
// Run returns an error if Check does, if dir has results of another version, and an error that wraps
// ErrOtherTuning if dir has another tuning. If ctx ends, Run returns the error of ctx and keeps the results so
// far. A trial that fails is no error: see Trial.State.
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
	for round := 1; ; round++ { // every strategy ends: it runs a limited number of trials
		runs := r.strategy.Next(&r.history)
		if len(runs) == 0 {
			return r.result(), nil
		}
		if err := r.runRound(ctx, round, runs); err != nil {
			return nil, err
		}
	}
}

// newRunner returns a runner before its first round. The tuning has passed Check and has its defaults filled in.
func newRunner(t Tuning, dir, version string, read study.Reader, o Options) *runner {
	strategy, _ := LookupStrategy(t.Strategy) // Check has looked it up
	measure, _ := measure.Lookup(t.Measure)   // Check has looked it up
	seed := uint64(1)
	if len(t.Study.Seeds) > 0 {
		seed = t.Study.Seeds[0]
	}
	return &runner{
		Tuning:   t,
		dir:      dir,
		version:  version,
		read:     read,
		options:  o,
		strategy: strategy,
		measure:  measure,
		history:  History{Space: t.Space, TrialCount: t.Trials, Seed: seed},
		outcomes: make(map[string]outcome),
	}
}

// readOnce returns a reader that reads the tuning's table at its first call and returns the same table at every
// later call. A tuning has one table only.
func readOnce(read study.Reader) study.Reader {
	var table *data.Table
	return func(ctx context.Context, s experiment.Source, protocol data.Protocol) (_ *data.Table, err error) {
		if table == nil {
			table, err = read(ctx, s, protocol)
		}
		return table, err
	}
}

// findTraining sets r.history.Epochs and r.trainingRows to the epochs and rows of a whole training. It returns an
// error if the study has more than one table, split, fold, seed or value of a setting, or if a fold cannot be
// prepared: better now than after hours of training.
func (r *runner) findTraining(ctx context.Context) error {
	label := r.label(r.clearInapplicable(r.firstValues()))
	plan, err := study.NewPlan(ctx, r.config(label), r.version, r.read, false)
	if err != nil {
		return err
	}
	if len(plan.Cells) != r.Folds {
		return fmt.Errorf("the study has %d trainings of a trial; want %d, one per fold: choose one table, split, fold and seed, and one value of each setting outside the space", len(plan.Cells), r.Folds)
	}
	cell := plan.Cells[0]
	table, err := r.read(ctx, cell.Table, cell.Training.Protocol)
	if err != nil {
		return err
	}
	shared := experiment.NewTable(table)
	if err := checkFolds(ctx, plan.Cells, shared); err != nil {
		return err
	}
	whole := cell.Settings // the training without inner folds
	whole.Training.Inner.Folds = 0
	whole.Training.Inner.Fold = 0
	whole.Training.Calibrate = 0
	rows, err := whole.Rows(ctx, shared)
	r.history.Epochs = cell.Training.Epochs
	r.trainingRows = len(rows.Train)
	return err
}

// checkFolds returns an error if the table cannot be prepared for one of the cells, each of which trains on other folds.
func checkFolds(ctx context.Context, cells []study.PlannedCell, table *experiment.Table) error {
	for _, c := range cells {
		if _, err := experiment.Prepare(ctx, c.Settings, table); err != nil {
			return err
		}
	}
	return nil
}

// result returns the outcome of the tuning, after its last round.
func (r *runner) result() *Result {
	trials := r.history.Trials
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

// bestTrial returns the index of the complete trial with the lowest loss, or -1 if no trial is complete. Of equal
// trials it returns the first.
func bestTrial(trials []Trial) int {
	best := -1
	for i, t := range trials {
		if t.State == Complete && (best < 0 || t.loss() < trials[best].loss()) {
			best = i
		}
	}
	return best
}
