package tune

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/internal/strict"
)

// Trial is what a drawing of values came to.
type Trial struct {
	Number int      // from 1
	Values []string // of the dimensions; "": the method has no such hyperparameter
	Label  string   // as a study calls its method
	State  State
	Reason string // why it failed
	Rungs  []Rung // the last is what counts
}

// State says how a trial ended.
type State string

const (
	Complete State = "complete"
	Stopped  State = "stopped" // others were better: it was not trained for all epochs
	Failed   State = "failed"  // on a fold at least, or its score is not finite: it counts as worst
)

// Rung is a cross-validation of a trial.
type Rung struct {
	Epochs int             `json:"epochs"`
	Scores []strict.Number `json:"scores"` // of each fold
	Mean   strict.Number   `json:"mean"`
	Std    strict.Number   `json:"std"` // n − 1

	loss float64 // the mean, or its negative where higher is better
}

// Result is what a tuning came to.
type Result struct {
	Tuning  Tuning // with defaults filled in
	Epochs  int    // of a whole training, where the space does not vary them
	Trials  []Trial
	Best    int // its place among the trials; -1: all failed
	Rows    int // that are trained on, of which each trial leaves out a fold at a time
	Measure measure.Measure
}

// Progress is how far a tuning is.
type Progress struct {
	Round, Trials, Ended, Failed int
	Share                        float64 // of the work, from 0 to 1
	Best                         float64 // score until now; NaN: none
}

// Options are what results do not depend on.
type Options struct {
	Jobs     int // cells at the same time; default all cores
	Machine  study.Machine
	Progress func(Progress) // never called by two goroutines at once
}

// Run runs what a directory's tuning has not run yet. version is the program's: results
// of two are not mixed. When ctx ends the error is ctx's, and what was finished stays.
func (t Tuning) Run(ctx context.Context, dir, version string, read study.Reader, o Options) (*Result, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	t = t.withDefaults()
	r := &runner{Tuning: t, dir: dir, version: version, read: once(read), options: o, outcomes: make(map[string]outcome)}
	r.sampler, _ = LookupSampler(t.Sampler)
	r.judge, _ = measure.Lookup(t.Judge)
	r.history = History{Space: t.Space, Trials: t.Trials, Seed: 1}
	if len(t.Study.Seeds) > 0 {
		r.history.Seed = t.Study.Seeds[0]
	}
	if err := r.findEpochs(ctx); err != nil {
		return nil, err
	}
	if err := t.write(dir, version); err != nil {
		return nil, err
	}
	for round := 1; ; round++ {
		runs := r.sampler.Next(&r.history)
		if len(runs) == 0 {
			break
		}
		if err := r.run(ctx, round, runs); err != nil {
			return nil, err
		}
	}
	return r.result(), nil
}

type runner struct {
	Tuning
	dir, version string
	read         study.Reader
	options      Options
	sampler      Sampler
	judge        measure.Measure
	history      History
	outcomes     map[string]outcome // by label
	work         int                // epochs of a fold, done
	rows         int
}

// outcome is what became of a label.
type outcome struct {
	epochs int
	scores []strict.Number
	failed string
}

// once reads the table of a tuning once.
func once(read study.Reader) study.Reader {
	var known *data.Table
	return func(ctx context.Context, s experiment.Source, protocol data.Protocol) (t *data.Table, err error) {
		if known == nil {
			known, err = read(ctx, s, protocol)
		}
		return known, err
	}
}

// findEpochs finds how many epochs and rows a whole training has, and that trials are of
// one table, split, fold and seed.
func (r *runner) findEpochs(ctx context.Context) error {
	first := make([]string, len(r.Space))
	for i, d := range r.Space {
		first[i] = d.extremes()[0]
	}
	p, err := study.NewPlan(ctx, r.config(r.label(r.applied(first))), r.version, r.read, false)
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
	for _, cell := range p.Cells { // folds that cannot be are told before a trial is run
		if _, err := experiment.Prepare(ctx, cell.Settings, shared); err != nil {
			return err
		}
	}
	c.Training.Inner.Folds, c.Training.Inner.Fold, c.Training.Calibrate = 0, 0, 0
	split, err := c.Settings.Rows(ctx, table)
	r.history.Epochs, r.rows = c.Training.Epochs, len(split.Train)
	return err
}

// run runs a round, a study of those labels that were not run before.
func (r *runner) run(ctx context.Context, round int, runs []Run) error {
	labels := make([]string, len(runs))
	var todo []string
	for i, run := range runs {
		if run.Trial == len(r.history.Done)+1 {
			values := r.applied(run.Values)
			r.history.Done = append(r.history.Done, Trial{Number: run.Trial, Values: values, Label: r.label(values)})
		}
		if run.Trial < 1 || run.Trial > len(r.history.Done) {
			return fmt.Errorf("sampler %s runs trial %d, and there are %d", r.sampler.Name, run.Trial, len(r.history.Done))
		}
		labels[i] = r.history.Done[run.Trial-1].Label
		if r.sampler.OwnEpochs {
			labels[i] = withEpochs(labels[i], run.Epochs)
		}
		if _, known := r.outcomes[labels[i]]; known || slices.Contains(todo, labels[i]) {
			continue // drawn before
		}
		if err := r.config(labels[i]).Check(); err != nil { // values that do not go together
			r.outcomes[labels[i]] = outcome{epochs: run.Epochs, failed: err.Error()}
			continue
		}
		todo = append(todo, labels[i])
	}
	if len(todo) > 0 {
		if err := r.study(ctx, round, runs, todo); err != nil {
			return err
		}
	}
	for i, run := range runs {
		r.end(&r.history.Done[run.Trial-1], r.outcomes[labels[i]])
		r.work += run.Epochs
	}
	return nil
}

// withEpochs puts epochs into a label, before an optimizer.
func withEpochs(label string, epochs int) string {
	method, optimizer, by := strings.Cut(label, study.By)
	if by {
		optimizer = study.By + optimizer
	}
	return fmt.Sprintf("%s epochs=%d%s", method, epochs, optimizer)
}

func (r *runner) study(ctx context.Context, round int, runs []Run, labels []string) error {
	p, err := study.NewPlan(ctx, r.config(labels...), r.version, r.read, false)
	if err != nil {
		return err
	}
	dir := filepath.Join(r.dir, "rounds", fmt.Sprintf("%02d", round))
	if err := p.Write(dir); err != nil {
		return err
	}
	now := Progress{Round: round, Trials: r.Trials, Ended: len(r.history.Done) - len(runs), Best: math.NaN()}
	if r.sampler.OwnEpochs && round > 1 {
		now.Ended = len(r.history.Done)
	}
	for _, t := range r.history.Done {
		if len(t.Rungs) > 0 && !(r.better(now.Best, float64(t.Rungs[len(t.Rungs)-1].Mean))) {
			now.Best = float64(t.Rungs[len(t.Rungs)-1].Mean)
		}
	}
	whole, part := float64(max(1, r.sampler.Work(&r.history))), 0.0
	for _, run := range runs {
		part += float64(run.Epochs)
	}
	_, err = study.Run(ctx, dir, p, r.version, r.read, study.Options{Jobs: r.options.Jobs, Machine: r.options.Machine, Progress: func(s study.Progress) {
		if r.options.Progress == nil {
			return
		}
		done := 1.0
		if s.Work > 0 {
			done = s.Worked / s.Work
		}
		tell := now
		tell.Failed, tell.Share = s.Failed, min(1, (float64(r.work)+float64(part*done))/whole)
		r.options.Progress(tell)
	}})
	if err != nil {
		return err
	}
	for _, c := range p.Cells {
		o := r.outcomes[c.Label]
		o.epochs = c.Training.Epochs
		found, state, err := study.Load(dir, p, c)
		switch {
		case err != nil:
			return err
		case state == study.Failed:
			o.failed = found.Failed
			o.scores = append(o.scores, strict.Number(math.NaN()))
		case state != study.Done:
			return fmt.Errorf("%s: cell %s is %s", dir, c.Name, state)
		case !found.Test.Scores.Has(r.judge.Name):
			return fmt.Errorf("predictions of %s have no %s: it needs %v; choose another measure to judge by", c.Label, r.judge.Title, r.judge.Needs)
		default:
			o.scores = append(o.scores, strict.Number(found.Test.Scores.Of(r.judge.Name)))
		}
		r.outcomes[c.Label] = o
	}
	return nil
}

// better tells whether a score is better than another; NaN is worst.
func (r *runner) better(a, b float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(b) && !math.IsNaN(a)
	}
	return r.judge.Badness(a) < r.judge.Badness(b)
}

// end gives a trial what its label came to.
func (r *runner) end(t *Trial, o outcome) {
	mean, std := study.MeanAndStd(float64s(o.scores))
	rung := Rung{Epochs: o.epochs, Scores: o.scores, Mean: strict.Number(mean), Std: strict.Number(std), loss: r.judge.Badness(mean)}
	t.State = Complete
	switch {
	case o.failed != "":
		t.State, t.Reason = Failed, o.failed
	case math.IsNaN(mean) || math.IsInf(mean, 0):
		t.State, t.Reason = Failed, fmt.Sprintf("its %s is %v", r.judge.Title, mean)
	case r.sampler.OwnEpochs && o.epochs < r.history.Epochs:
		t.State = Stopped
	}
	if t.State == Failed {
		rung.loss = math.Inf(1)
	}
	t.Rungs = append(t.Rungs, rung)
}

func float64s(list []strict.Number) []float64 {
	var values []float64
	for _, v := range list {
		values = append(values, float64(v))
	}
	return values
}

func (r *runner) result() *Result {
	found := &Result{Tuning: r.Tuning, Epochs: r.history.Epochs, Trials: r.history.Done, Best: -1, Rows: r.rows, Measure: r.judge}
	for i, t := range found.Trials {
		if t.State == Complete && (found.Best < 0 || t.loss() < found.Trials[found.Best].loss()) {
			found.Best = i
		}
	}
	return found
}
