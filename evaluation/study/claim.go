package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sml/internal/safefile"
)

// patience is how long a worker that has nothing else to do waits before it looks
// again whether another run has ended a cell, or has died of it.
const patience = 250 * time.Millisecond

// work runs jobs until none is left, also those that other runs have claimed: these
// end them, or die and lose them. Then, and while it waits for them, it helps.
func (r *run) work(ctx context.Context, worker int) error {
	for {
		j, ok := r.next()
		if !ok && !r.help() {
			return ctx.Err()
		}
		if !ok {
			continue
		}
		ended, err := r.try(ctx, j, worker)
		if err != nil {
			return err
		}
		if ended || j.other {
			continue
		}
		if busy := r.later(j); !busy && !r.help() {
			select {
			case <-ctx.Done():
			case <-time.After(patience):
			}
		}
	}
}

func (r *run) next() (job, bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if len(r.queue) == 0 {
		return job{}, false
	}
	j := r.queue[0]
	r.queue = r.queue[1:]
	return j, true
}

// later puts a job that another run has claimed at the end of the queue, and tells
// whether there are jobs before it that have not been tried yet.
func (r *run) later(j job) (busy bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	j.held = true
	busy = len(r.queue) > 0 && !r.queue[0].held
	r.queue = append(r.queue, j)
	return busy
}

// try runs a job, unless another run has claimed it.
func (r *run) try(ctx context.Context, j job, worker int) (ended bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	var held *safefile.Held
	claim, err := safefile.Acquire(filepath.Join(r.dir, claimsDir, j.name))
	switch {
	case err == nil:
		defer func() { err = errors.Join(err, claim.Release()) }()
	case errors.As(err, &held):
		return false, nil
	case errors.Is(err, errors.ErrUnsupported):
		r.unclaimed.Do(func() {
			if r.options.Warn != nil {
				r.options.Warn(fmt.Sprintf("the file system of %s has no locks: two runs at the same time would run the same cells twice", r.dir))
			}
		})
	default:
		return false, err
	}
	left := j.without(func(c Planned) bool { // by the run that had the claim just before
		_, state, _ := Load(r.dir, r.plan, c)
		if !r.ends(state) {
			return false
		}
		if j.other {
			return true
		}
		r.lock.Lock()
		defer r.lock.Unlock()
		r.progress.Worked += c.Cost
		r.count(state)
		r.report()
		return true
	})
	if !left {
		return true, nil
	}
	if j.other {
		r.lock.Lock()
		r.progress.Cells += len(j.cells())
		r.progress.Work += j.cell.Cost
		r.lock.Unlock()
	}
	return true, r.do(ctx, j, worker)
}

// sweep removes what runs that were killed left of cells that have ended, and folders
// with nothing in them. What cannot be removed does no harm.
func (r *run) sweep() {
	claims := filepath.Join(r.dir, claimsDir)
	names, _ := os.ReadDir(claims)
	for _, name := range names {
		if claim, err := safefile.Acquire(filepath.Join(claims, name.Name())); err == nil {
			claim.Release()
		}
	}
	checkpoints := filepath.Join(r.dir, checkpointsDir)
	if names, _ = os.ReadDir(checkpoints); len(names) > 0 {
		left := make(map[string]bool)
		for _, name := range names {
			left[name.Name()] = true
		}
		for _, c := range r.cells {
			if left[c.Name] && IsDone(r.dir, r.plan, c) {
				r.forget(c)
			}
		}
	}
	os.Remove(claims)
	os.Remove(checkpoints)
}
