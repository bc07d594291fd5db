package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"sml/evaluation/experiment"
	"sml/internal/safefile"
	"sml/trainers"
)

// run is the state that the workers of a call of Run share.
type run struct {
	dir     string
	plan    *Plan
	options Options
	cells   []PlannedCell                // of the study or shard, in the plan's order
	tables  map[string]*experiment.Table // by data set name
	log     *logWriter

	mu       sync.Mutex
	queue    []queuedCell // cells that no worker has taken
	running  int          // cells that workers of this run are running
	progress Progress

	warnNoLocks sync.Once
}

// queuedCell is a cell that waits to be run.
type queuedCell struct {
	PlannedCell
	claimed bool // another run had claimed the cell when it was last tried
}

// claimPollInterval is the time after which a worker tries cells again if other runs have
// claimed all remaining cells.
const claimPollInterval = 250 * time.Millisecond

// work runs queued cells until none is left. A cell that another run has claimed returns to
// the end of the queue until that run has finished it, or has died and lost its claim.
func (r *run) work(ctx context.Context, worker int) error {
	for {
		c, ok := r.takeCell()
		if !ok {
			return ctx.Err()
		}
		ended, err := r.claimAndRun(ctx, c.PlannedCell, worker)
		if err != nil {
			return err
		}
		if ended {
			continue
		}
		if untried := r.putBack(c); !untried {
			select {
			case <-ctx.Done():
			case <-time.After(claimPollInterval):
			}
		}
	}
}

// takeCell removes the first cell from the queue.
func (r *run) takeCell() (c queuedCell, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.queue) == 0 {
		return queuedCell{}, false
	}
	c = r.queue[0]
	r.queue = r.queue[1:]
	return c, true
}

// putBack appends a cell that another run has claimed to the queue, and reports whether the
// queue has an untried cell.
func (r *run) putBack(c queuedCell) (untried bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	untried = len(r.queue) > 0 && !r.queue[0].claimed
	c.claimed = true
	r.queue = append(r.queue, c)
	return untried
}

// claimAndRun claims a cell and runs it, unless another run has finished it meanwhile. It
// reports whether the cell has ended; it has not if another run has the claim. On a file
// system without locks it runs the cell without a claim.
func (r *run) claimAndRun(ctx context.Context, c PlannedCell, worker int) (ended bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	claim, err := safefile.Acquire(filepath.Join(r.dir, claimsDir, c.Name))
	var held *safefile.HeldError
	switch {
	case err == nil:
		defer func() { err = errors.Join(err, claim.Release()) }()
	case errors.As(err, &held):
		return false, nil
	case errors.Is(err, errors.ErrUnsupported):
		r.warnNoLocks.Do(func() {
			if r.options.Warn != nil {
				r.options.Warn(fmt.Sprintf("the file system of %s has no locks: two runs at the same time would run the same cells twice", r.dir))
			}
		})
	default:
		return false, err
	}
	if r.endedElsewhere(c) {
		return true, nil
	}
	return true, r.runCell(ctx, c, worker)
}

// endedElsewhere reports whether another run has finished a cell that was queued here, and
// counts such a cell.
func (r *run) endedElsewhere(c PlannedCell) bool {
	_, state, _ := Load(r.dir, r.plan, c)
	if !r.isFinal(state) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.progress.Worked += c.Cost
	r.countFinished(state)
	r.report()
	return true
}

// runCell trains and judges a cell and saves its result, or the reason why it failed. If the
// run was interrupted, runCell returns an error and saves no result.
func (r *run) runCell(ctx context.Context, c PlannedCell, worker int) error {
	r.addRunning(1)
	defer r.addRunning(-1)
	start := time.Now()
	progress := r.newCellProgress(c)
	result, files, err := r.trainAndEvaluate(ctx, c, progress)
	if isInterruption(err) {
		return cmp.Or(ctx.Err(), err)
	}
	if err != nil {
		result, files = failedResult(err), nil
	}
	if err := saveWithFiles(r.dir, r.plan, c, result, files); err != nil {
		return err
	}
	if err := removeCheckpoint(r.dir, c); err != nil {
		return err
	}
	err = r.record(logEntry{
		Time:    time.Now().UTC(),
		Cell:    c.Name,
		Process: os.Getpid(),
		Worker:  worker,
		Seconds: time.Since(start).Seconds(),
		Failed:  result.Failed,
		Machine: r.options.Machine,
	})
	if err != nil {
		return err
	}
	progress(1)
	return nil
}

// trainAndEvaluate trains a cell, continuing from its checkpoint if there is one, and judges it.
func (r *run) trainAndEvaluate(ctx context.Context, c PlannedCell, progress func(fraction float64)) (Result, map[string][]byte, error) {
	checkpoint := newCheckpoint(r.dir, r.plan.Version, c)
	o := r.assignCores(c)
	checkpoint.configure(&o)
	trained, err := c.train(ctx, r.tables[c.datasetName()], o, progress)
	if err != nil {
		checkpoint.keepStates(err)
		return Result{}, nil, err
	}
	o = r.assignCores(c) // cells that ended meanwhile have freed cores
	return c.evaluate(ctx, trained, max(o.Workers, o.Threads))
}

// assignCores divides the cores among the cells that run at the same time. While there are at
// least as many cells as cores, each has one core. Otherwise the goroutines of a large
// network's steps, or the members of an ensemble, share the free cores.
func (r *run) assignCores(c PlannedCell) trainers.Options {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := trainers.Options{Workers: 1, Threads: 1}
	cores := runtime.GOMAXPROCS(0) / min(r.options.Jobs, r.running+len(r.queue))
	if useful := trainers.UsefulThreads(c.Spec, c.Training.Batch); useful > 1 {
		o.Threads = max(1, min(cores, useful))
	} else {
		o.Workers = max(1, cores)
	}
	return o
}

func (r *run) addRunning(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running += n
}

// newCellProgress returns a function that adds the progress of one cell, from 0 to 1, to the run's.
func (r *run) newCellProgress(c PlannedCell) func(fraction float64) {
	before := 0.0
	return func(fraction float64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.progress.Worked += float64((fraction - before) * c.Cost)
		before = fraction
		r.report()
	}
}

// record counts a cell that this run has finished and writes its log line.
func (r *run) record(e logEntry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := Done
	if e.Failed != "" {
		state = Failed
	}
	r.countFinished(state)
	r.report()
	return r.log.write(e)
}

// isFinal reports whether a cell in this state is not run.
func (r *run) isFinal(s State) bool { return s == Done || s == Failed && !r.options.RetryFailed }

// countFinished counts a cell with a result. The caller holds r.mu once workers have started.
func (r *run) countFinished(s State) {
	r.progress.Done++
	if s == Failed {
		r.progress.Failed++
	}
}

// report calls Options.Progress. The caller holds r.mu.
func (r *run) report() {
	if r.options.Progress != nil {
		r.options.Progress(r.progress)
	}
}
