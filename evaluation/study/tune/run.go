package tune

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"sml/data"
	"sml/data/split"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
)

// Options control how a tuning is run. They do not change a result, except for the trials that a time limit stops.
type Options struct {
	Jobs      int            // number of cells that run at the same time; default all cores
	Machine   study.Machine  // description of this machine, for the logs of the rounds' studies
	Progress  func(Progress) // called by one goroutine at a time; may be nil
	TimeLimit time.Duration  // time after which trials without scores on all folds are stopped; 0 for no limit
}

// Run runs the tuning's unfinished trials and keeps their results in the directory dir. A later Run with the same
// directory continues where this one stopped, even with another number of jobs or another time limit. read reads the
// table; Run calls it for each round, so it should keep the table. version is the version of the program.
//
// Run returns an error if Check does, if dir has results of another version, and an error that wraps
// ErrOtherTuning if dir has another tuning. If ctx ends, Run returns the error of ctx and keeps the results so
// far. A trial that fails is no error: see Trial.State.
func (t Tuning) Run(ctx context.Context, dir, version string, read study.Reader, o Options) (*Result, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	r := newRunner(t.withDefaults(), dir, version, read, o)
	if err := r.findTraining(ctx); err != nil {
		return nil, err
	}
	if err := r.Tuning.write(dir, version); err != nil {
		return nil, err
	}
	limited := ctx
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	for round := 1; !r.timedOut; round++ { // every strategy ends: it runs a limited number of trials
		runs := r.strategy.Next(&r.history)
		if len(runs) == 0 {
			break
		}
		if err := r.runRound(ctx, limited, round, runs); err != nil {
			return nil, err
		}
	}
	return r.result(ctx)
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
		chosen:   t,
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

// findTraining sets r.history.Epochs, r.trainingRows and, unless the tuning chooses it, r.Folds. All follow from a training
// on all training rows, which findTraining plans with the first value of each setting. It returns an error if the study has
// more than one table, split, fold, seed or value of a setting, or if a fold cannot be prepared: better now than after
// hours of training.
func (r *runner) findTraining(ctx context.Context) error {
	const anyNumber = 1
	label := r.newTrial(anyNumber, r.firstValues()).label()
	whole, err := r.wholeTraining(ctx, label)
	if err != nil {
		return err
	}
	whole.Training.Calibrate = 0 // rows to calibrate on are divided into inner folds, too
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
	kind, _ := split.Lookup(whole.Training.Split) // the plan has found it
	if err := r.fitFolds(table, kind, rows.Train); err != nil {
		return err
	}
	folds, err := study.NewPlan(ctx, r.config(label), r.version, r.read, false)
	if err != nil {
		return err
	}
	for _, c := range folds.Cells { // each trains on other folds
		if _, err := experiment.Prepare(ctx, c.Settings, shared); err != nil {
			return err
		}
	}
	return nil
}

// wholeTraining returns the settings of a label's training on all training rows, without inner folds. It returns an error
// unless the study has one table, split, fold, seed and value of each setting.
func (r *runner) wholeTraining(ctx context.Context, label string) (experiment.Settings, error) {
	config := r.chosen.config(label)
	config.Inner = 0
	config.Measures = nil // the measures of the tuning are for its trials only
	plan, err := study.NewPlan(ctx, config, r.version, r.read, false)
	if err != nil {
		return experiment.Settings{}, err
	}
	if len(plan.Cells) != 1 {
		return experiment.Settings{}, fmt.Errorf("a trial has %d trainings on each fold; want 1: choose one table, split, fold and seed, and one value of each setting outside the space", len(plan.Cells))
	}
	return plan.Cells[0].Settings, nil
}

// Numbers of folds of a tuning that chooses none: defaultFolds, unless the training rows have too few groups or times.
const (
	defaultFolds = 3
	fewestFolds  = 2
)

// fitFolds sets r.Folds if the tuning chooses none. If the split divides groups or times of a column, each fold needs one
// of its own. fitFolds returns an error if the training rows have too few of them for two folds.
func (r *runner) fitFolds(t *data.Table, kind split.Kind, trainingRows []int) error {
	if kind.Column != "group" && kind.Column != "time" {
		r.Folds = cmp.Or(r.Folds, defaultFolds)
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
	r.Folds = cmp.Or(r.Folds, min(values-trainedFirst, defaultFolds))
	if kind.Column == "group" {
		r.skipValidation(values)
	}
	return nil
}

// skipValidation sets the default of trials on few groups: no validation rows. If the largest fold leaves one group to
// train on, no other group can validate.
func (r *runner) skipValidation(groups int) {
	largestFold := (groups + r.Folds - 1) / r.Folds // number of groups, rounded up
	if groups-largestFold > 1 || r.choosesValidation() {
		return
	}
	settings := study.Settings{"validation": {"0"}}
	maps.Copy(settings, r.Study.Settings)
	r.Study.Settings = settings
}

// choosesValidation reports whether the tuning chooses validation rows, or something that needs them.
func (t Tuning) choosesValidation() bool {
	return slices.ContainsFunc([]string{"validation", "cross-validation", "bootstrap", "patience", "validation-measure"}, func(key string) bool {
		return t.Study.Settings[key] != nil || t.Space.index(key) >= 0
	})
}

// result returns the outcome of the tuning, after its last round.
func (r *runner) result(ctx context.Context) (*Result, error) {
	found := &Result{
		Tuning:   r.Tuning,
		Trials:   r.history.Trials,
		Best:     bestTrial(r.history.Trials),
		TimedOut: r.timedOut,
		Rows:     r.trainingRows,
		Measure:  r.measure,
	}
	for _, t := range found.Trials {
		switch t.State {
		case Complete:
			found.Complete++
		case Failed:
			found.Failed++
		}
	}
	var err error
	if found.Best >= 0 {
		found.Settings, err = r.wholeTraining(ctx, found.Trials[found.Best].label())
	}
	return found, err
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
