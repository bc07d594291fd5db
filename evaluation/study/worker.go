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

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/internal/safefile"
	"sml/trainers"
)

// run is the state that the workers of a call of Run share.
type run struct {
	dir     string
	plan    *Plan
	options Options
	cells   []PlannedCell                // cells of the study or shard, in the plan's order
	tables  map[string]*experiment.Table // by data set name
	log     *logWriter

	mu       sync.Mutex   // held while the fields below are used, once workers have started
	queue    []queuedCell // cells that no worker has taken
	running  int          // number of cells that workers of this run are running
	progress Progress

	warnNoLocks sync.Once
}

// queuedCell is a cell that waits to be run.
type queuedCell struct {
	PlannedCell
	wasClaimed bool // whether another run had claimed the cell when a worker last tried to claim it
}

// claimPollInterval is the time after which a worker tries cells again if other runs have
// claimed all remaining cells.
const claimPollInterval = 250 * time.Millisecond

// work runs queued cells until none is left or ctx ends. A cell that another run has claimed returns to
// the end of the queue until that run has finished it, or has died and lost its claim. worker is the worker's index.
func (r *run) work(ctx context.Context, worker int) error {
	for {
		c, isTaken := r.takeCell()
		if !isTaken {
			return ctx.Err()
		}
		hasEnded, err := r.claimAndRun(ctx, c.PlannedCell, worker)
		if err != nil {
			return err
		}
		if hasEnded {
			continue
		}
		hasUntried := r.putBack(c)
		if !hasUntried {
			select {
			case <-ctx.Done(): // the next claimAndRun returns ctx's error
			case <-time.After(claimPollInterval):
			}
		}
	}
}

// takeCell removes the first cell from the queue and returns it. It returns false if the queue is empty.
func (r *run) takeCell() (c queuedCell, isTaken bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.queue) == 0 {
		return queuedCell{}, false
	}
	c = r.queue[0]
	r.queue = r.queue[1:]
	return c, true
}

// putBack appends a cell that another run has claimed to the queue. It reports whether the
// queue begins with a cell that no worker has tried yet; then there is no need to wait.
func (r *run) putBack(c queuedCell) (hasUntried bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	hasUntried = len(r.queue) > 0 && !r.queue[0].wasClaimed
	c.wasClaimed = true
	r.queue = append(r.queue, c)
	return hasUntried
}

// claimAndRun claims a cell and runs it, unless another run has finished it meanwhile. It
// reports whether the cell has ended; it has not if another run has the claim. On a file
// system without locks it runs the cell without a claim.
func (r *run) claimAndRun(ctx context.Context, c PlannedCell, worker int) (hasEnded bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	claim, err := safefile.Acquire(filepath.Join(r.dir, claimsDir, c.Name))
	var heldByOther *safefile.HeldError
	switch {
	case err == nil:
		defer func() { err = errors.Join(err, claim.Release()) }()
	case errors.As(err, &heldByOther):
		return false, nil
	case errors.Is(err, errors.ErrUnsupported):
		r.warnNoLocks.Do(r.warnOfNoLocks)
	default:
		return false, err
	}
	if r.hasEndedElsewhere(c) {
		return true, nil
	}
	return true, r.runCell(ctx, c, worker)
}

// warnOfNoLocks warns that the study's file system has no locks.
func (r *run) warnOfNoLocks() {
	if r.options.Warn != nil {
		r.options.Warn(fmt.Sprintf("the file system of %s has no locks: two runs at the same time would run the same cells twice", r.dir))
	}
}

// hasEndedElsewhere reports whether another run has finished a cell since it was queued here, and
// counts such a cell.
func (r *run) hasEndedElsewhere(c PlannedCell) bool {
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

// runCell trains and scores a cell and saves its result, or the reason why it failed. If the
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
	if err != nil { // a failed training is a result
		result = failedResult(err)
		files = nil
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

// trainAndEvaluate trains a cell, continuing from its checkpoint if there is one, and scores it. It calls progress with
// the completed fraction of the training. It returns the result and the contents of the prediction files, by suffix.
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
	predicted := func(p *evaluation.Predictions) error {
		if r.options.Predicted == nil {
			return nil
		}
		return r.options.Predicted(c, trained, p)
	}
	return c.evaluate(ctx, trained, max(o.Workers, o.Threads), predicted)
}

// assignCores returns training options that divide the cores among the cells that run at the same time. While there are
// at least as many cells as cores, each has one core. Otherwise the free cores go to the goroutines of a large
// network's steps (Threads), or to the members of an ensemble (Workers). Neither changes a result.
func (r *run) assignCores(c PlannedCell) trainers.Options {
	r.mu.Lock()
	defer r.mu.Unlock()
	unfinished := r.running + len(r.queue)
	cores := runtime.GOMAXPROCS(0) / min(r.options.Jobs, unfinished)
	cores = max(1, cores)
	usefulThreads := trainers.UsefulThreads(c.Spec, c.Training.Batch)
	if usefulThreads > 1 {
		return trainers.Options{Workers: 1, Threads: min(cores, usefulThreads)}
	}
	return trainers.Options{Workers: cores, Threads: 1}
}

// addRunning adds n to the number of running cells.
func (r *run) addRunning(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running += n
}

// newCellProgress returns a function that takes the progress of one cell, from 0 to 1, and adds the increase since its
// last call to the run's progress.
func (r *run) newCellProgress(c PlannedCell) func(fraction float64) {
	reported := 0.0 // last fraction
	return func(fraction float64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.progress.Worked += float64((fraction - reported) * c.Cost)
		reported = fraction
		r.report()
	}
}

// record counts a cell that this run has finished, reports the progress and writes the cell's log line.
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

// isFinal reports whether a cell in this state is not run: it has a result, and not a failure that the run repeats.
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
