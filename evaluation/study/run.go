package study

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"sml/evaluation/experiment"
	"sml/internal/safefile"
	"sml/models"
	"sml/trainers"
)

// Progress is how far a run is. Work is measured by the plan's estimates of
// cost, in seconds on one core.
type Progress struct {
	Cells, Done, Failed int     // of the whole study, or of the shard that is run
	Work, Worked        float64 // of this run
}

// Options are what results do not depend on.
type Options struct {
	Jobs        int            // cells at the same time, one goroutine each; default all cores
	RetryFailed bool           // run cells again that failed before
	FailFast    bool           // stop at the first cell that fails
	Shard       Shard          // of the study that is run; default the whole
	Machine     Machine        // for the log
	Warn        func(string)   // called with what does not keep the study from being run
	Progress    func(Progress) // never called by two goroutines at once
}

// Jobs is the range of Options.Jobs that are set. Each has the memory of a
// training; no machine has more cores.
var Jobs = models.Range{Min: 1, Max: 1024}

// ErrFailFast is the error of a run that stopped because a cell failed.
var ErrFailFast = errors.New("stopped at the first cell that failed")

// Run runs what a study, or the share of it that Options.Shard says, has not run yet, the
// longest cells first. Runs of one directory at the same time, on file systems that have
// locks, share the work: each cell is run once. A share that ends after the last has begun
// goes on with what a few others that are being run there have left. A cell whose training
// fails or diverges is recorded with its reason. When ctx ends the error is ctx's;
// everything finished until then stays, and trainings in progress leave checkpoints from
// which the next run goes on. The summary is of the share.
func Run(ctx context.Context, dir string, p *Plan, version string, read Reader, o Options) (Summary, error) {
	if version != p.Version {
		return Summary{}, fmt.Errorf("%s was planned for version %s of the program, and this is %s: their results are not mixed; plan into another directory", dir, p.Version, version)
	}
	if o.Jobs == 0 {
		o.Jobs = min(runtime.GOMAXPROCS(0), int(Jobs.Max))
	}
	if err := cmp.Or(Jobs.Check("the number of jobs", o.Jobs), o.Shard.check()); err != nil {
		return Summary{}, err
	}
	r := &run{dir: dir, plan: p, options: o, tables: make(map[string]*experiment.Table)}
	if err := r.open(ctx, read); err != nil {
		return Summary{}, err
	}
	defer r.log.Close()
	defer r.sweep()
	group, running := errgroup.WithContext(ctx)
	for worker := range o.Jobs {
		group.Go(func() error { return r.work(running, worker) })
	}
	err := cmp.Or(group.Wait(), ctx.Err())
	return status(dir, p, r.cells), err
}

type run struct {
	dir     string
	plan    *Plan
	options Options
	cells   []Planned                    // of the share
	tables  map[string]*experiment.Table // by what they are called
	log     *logWriter

	lock     sync.Mutex
	queue    []job   // that no worker has taken
	others   [][]job // of shares that may be helped
	running  int     // jobs
	progress Progress

	unclaimed sync.Once // it is told that runs cannot claim cells
}

// open finds out what is to be done and reads the tables for it.
func (r *run) open(ctx context.Context, read Reader) error {
	jobs := pair(r.plan.Cells)
	r.cells = r.plan.Cells
	if n := r.options.Shard.N; n > 0 {
		all := shares(jobs, n)
		jobs = all[r.options.Shard.I-1]
		r.others = neighbours(all, r.options.Shard.I-1)
		own := make(map[string]bool)
		for _, j := range jobs {
			for _, c := range j.cells() {
				own[c.Name] = true
			}
		}
		r.cells = slices.DeleteFunc(slices.Clone(r.cells), func(c Planned) bool { return !own[c.Name] })
	}
	ended := make(map[string]bool)
	for c, l := range loaded(r.dir, r.plan, r.cells) { // what is broken is run again
		if r.ends(l.State) {
			ended[c.Name] = true
			r.count(l.State)
		} else if err := r.vacant(c); err != nil {
			return err
		}
	}
	r.progress.Cells = len(r.cells)
	for _, j := range jobs {
		if j.without(func(c Planned) bool { return ended[c.Name] }) {
			r.queue = append(r.queue, j)
		}
	}
	longestFirst(r.queue)
	for _, j := range r.queue {
		r.progress.Work += j.cell.Cost
		name, planned := j.cell.Dataset(), j.cell.Source()
		if r.tables[name] != nil {
			continue
		}
		source := planned
		source.Checksum = "" // it is looked at here
		t, err := read(ctx, source, j.cell.Training.Protocol)
		if err != nil {
			return err
		}
		if changed, err := planned.Changed(ctx, t); err != nil {
			return err
		} else if changed != "" {
			return fmt.Errorf("%s has changed since the study was planned: plan into another directory", changed)
		}
		r.tables[name] = experiment.Share(t)
	}
	for _, folder := range []string{cellsDir, predictionsDir, claimsDir, checkpointsDir} {
		if err := ownFolder(r.dir, filepath.Join(r.dir, folder)); err != nil {
			return err
		}
	}
	var err error
	r.log, err = openLog(r.dir, r.options.Shard)
	return err
}

// ends tells whether a cell of that state is not run.
func (r *run) ends(s State) bool { return s == Done || s == Failed && !r.options.RetryFailed }

// count counts a cell that has ended. The lock is held, or nobody else is there.
func (r *run) count(s State) {
	r.progress.Done++
	if s == Failed {
		r.progress.Failed++
	}
}

// vacant makes sure, before hours are spent on it, that no directory is where a
// file of a cell would go.
func (r *run) vacant(c Planned) error {
	paths := []string{r.plan.cellPath(r.dir, c.Name)}
	for _, suffix := range suffixes {
		paths = append(paths, r.plan.keptPath(r.dir, c.Name, suffix))
	}
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a directory, and a file of the study would go there: move it away", path)
		}
	}
	return nil
}

// cores are those that a cell is trained on: one where there are more cells than cores.
// Where there are fewer, the steps of a large network, or the members of an ensemble,
// have several.
func (r *run) cores(c Planned) trainers.Options {
	r.lock.Lock()
	defer r.lock.Unlock()
	o := trainers.Options{Workers: 1, Threads: 1}
	free := runtime.GOMAXPROCS(0) / min(r.options.Jobs, r.running+len(r.queue))
	if most := trainers.MostThreads(c.Spec, c.Training.Batch); most > 1 {
		o.Threads = max(1, min(free, most))
	} else {
		o.Workers = max(1, free)
	}
	return o
}

// do runs a job and saves its results.
func (r *run) do(ctx context.Context, j job, worker int) error {
	r.begin(1)
	defer r.begin(-1)
	start := time.Now()
	told := 0.0
	tell := func(share float64) {
		r.lock.Lock()
		defer r.lock.Unlock()
		r.progress.Worked += float64((share - told) * j.cell.Cost)
		told = share
		r.report()
	}
	table := r.tables[j.cell.Dataset()]
	t, err := r.train(ctx, j.cell, table, tell)
	if err := r.finish(ctx, j.cell, t, err, start, worker); err != nil {
		return err
	}
	if j.member != nil {
		start = time.Now()
		var single *experiment.Trained
		if t != nil {
			single = only(t, j.member.Spec)
		} else {
			single, err = r.train(ctx, *j.member, table, func(float64) {})
		}
		if err := r.finish(ctx, *j.member, single, err, start, worker); err != nil {
			return err
		}
	}
	tell(1)
	return nil
}

// finish judges a cell and saves its result, or the reason why it has none. It is
// an error, and nothing is saved, if all that failed is that the study was stopped.
func (r *run) finish(ctx context.Context, c Planned, t *experiment.Trained, failure error, start time.Time, worker int) error {
	var result Result
	var files map[string][]byte
	if failure == nil {
		o := r.cores(c)
		result, files, failure = c.judge(ctx, t, max(o.Workers, o.Threads))
	}
	if failure != nil {
		if interrupted(failure) {
			return cmp.Or(ctx.Err(), failure)
		}
		reason := failure.Error()
		if len(reason) > maxReason {
			reason = strings.ToValidUTF8(reason[:maxReason], "") + " …"
		}
		result, files = Result{Failed: reason}, nil
	}
	for suffix, content := range files {
		if err := replace(r.dir, r.plan.keptPath(r.dir, c.Name, suffix), content); err != nil {
			return err
		}
		if result.Files == nil {
			result.Files = make(map[string]string)
		}
		result.Files[c.Name+"."+suffix] = safefile.Sum(content)
	}
	if err := save(r.dir, r.plan, c, result); err != nil {
		return err
	}
	if err := r.forget(c); err != nil {
		return err
	}
	line, err := json.Marshal(entry{
		Time: time.Now().UTC(), Cell: c.Name, Process: os.Getpid(), Worker: worker,
		Seconds: time.Since(start).Seconds(), Failed: result.Failed, Machine: r.options.Machine,
	})
	if err != nil {
		return err
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	if result.Failed != "" {
		r.count(Failed)
	} else {
		r.count(Done)
	}
	r.report()
	if err := r.log.writeLine(string(line)); err != nil {
		return err
	}
	if result.Failed != "" && r.options.FailFast {
		return fmt.Errorf("%w: %s: %s", ErrFailFast, c.Name, result.Failed)
	}
	return nil
}

// begin counts jobs that are run.
func (r *run) begin(jobs int) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.running += jobs
}

// report tells the progress. The lock is held.
func (r *run) report() {
	if r.options.Progress != nil {
		r.options.Progress(r.progress)
	}
}
