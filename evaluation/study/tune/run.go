package tune

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"sml/data"
	"sml/data/split"
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

// findTraining sets r.history.Epochs and r.trainingRows to the epochs and rows of a whole training, and fits the folds to
// these rows. It returns an error if the study has more than one table, split, fold, seed or value
// of a setting, or if a fold cannot be prepared: better now than after hours of training.
func (r *runner) findTraining(ctx context.Context) error {
	label := r.label(r.clearInapplicable(r.firstValues()))
	config := r.config(label)
	config.Inner = 0 // the training without inner folds
	plan, err := study.NewPlan(ctx, config, r.version, r.read, false)
	if err != nil {
		return err
	}
	if len(plan.Cells) != 1 {
		return fmt.Errorf("a trial has %d trainings on each fold; want 1: choose one table, split, fold and seed, and one value of each setting outside the space", len(plan.Cells))
	}
	whole := plan.Cells[0].Settings
	whole.Training.Calibrate = 0
	table, err := r.read(ctx, whole.Table, whole.Training.Protocol)
	if err != nil {
		return err
	}
	shared := experiment.NewTable(table)
	rows, err := whole.Rows(ctx, shared)
	if err != nil {
		return err
	}
	r.history.Epochs = whole.Training.Epochs
	r.trainingRows = len(rows.Train)
	kind, err := split.Lookup(whole.Training.Split)
	if err != nil {
		return err
	}
	if err := r.fitFolds(table, kind, rows.Train); err != nil {
		return err
	}
	folds, err := study.NewPlan(ctx, r.config(label), r.version, r.read, false)
	if err != nil {
		return err
	}
	return checkFolds(ctx, folds.Cells, shared)
}

// fitFolds sets r.Folds if the tuning chooses none: to 3, or to 2 if the training rows have too few groups or times for 3. It
// returns an error if they have too few for 2. If a fold leaves one group to train on, no other group can validate, and
// trials have no validation rows by default.
func (r *runner) fitFolds(t *data.Table, kind split.Kind, trainingRows []int) error {
	const mostFolds, fewestFolds = 3, 2
	if kind.Column != "group" && kind.Column != "time" {
		r.Folds = cmp.Or(r.Folds, mostFolds)
		return nil
	}
	distinct := make(map[float64]bool)
	for _, row := range trainingRows {
		distinct[t.SplitValues[row]] = true
	}
	values := len(distinct)
	trainedFirst := 0 // values that no fold tests on
	if kind.Column == "time" {
		trainedFirst = 1 // each fold is later than its training rows
	}
	if values < fewestFolds+trainedFirst {
		return fmt.Errorf("the split by %s leaves %d of the values in column %q to train on, and a tuning needs %d, to compare trials on others than they are trained on: choose another split, or another column",
			kind.Name, values, t.SplitColumn, fewestFolds+trainedFirst)
	}
	r.Folds = cmp.Or(r.Folds, min(values-trainedFirst, mostFolds))
	testedGroups := (values + r.Folds - 1) / r.Folds // of the largest fold
	if kind.Column == "group" && values-testedGroups == 1 && !r.choosesValidation() {
		settings := study.Settings{"validation": {"0"}}
		maps.Copy(settings, r.Study.Settings)
		r.Study.Settings = settings
	}
	return nil
}

// choosesValidation reports whether the tuning chooses validation rows, or something that needs them.
func (t Tuning) choosesValidation() bool {
	return slices.ContainsFunc([]string{"validation", "cross-validation", "bootstrap", "patience", "validation-measure"}, func(key string) bool {
		return t.Study.Settings[key] != nil || t.Space.index(key) >= 0
	})
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
