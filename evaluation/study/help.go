package study

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"sml/internal/safefile"
)

// neighbours are the shares that one helps when it has ended: those 1, 2, 4, … behind
// it, so that each helps few and everyone is helped.
func neighbours(shares [][]job, of int) [][]job {
	var list [][]job
	for stride := 1; stride < len(shares); stride *= 2 {
		list = append(list, slices.Clone(shares[(of+stride)%len(shares)]))
	}
	return list
}

// help queues what the next neighbour that is being run has left, and tells whether
// there is one. Estimates are wrong, so that equal shares do not end at the same time;
// what one of them has not begun is as well run here. As long as shares are waiting to
// begin, which they do in their order, there are better uses of the core.
func (r *run) help() bool {
	last := Shard{r.options.Shard.N, r.options.Shard.N}
	if _, err := os.Lstat(last.log(r.dir)); err != nil {
		return false
	}
	for {
		r.lock.Lock()
		if len(r.others) == 0 {
			r.lock.Unlock()
			return false
		}
		share := r.others[0]
		r.others = r.others[1:]
		r.lock.Unlock()

		left := r.leftOf(share)
		if len(left) == 0 {
			continue
		}
		r.lock.Lock()
		r.queue = append(left, r.queue...)
		r.lock.Unlock()
		return true
	}
}

// leftOf lists the jobs that a share in the same directory has left beside the one that
// it runs. There are none of one that nobody runs: it is ended, yet to begin or another
// run's to go on with.
func (r *run) leftOf(share []job) []job {
	var left []job
	for _, j := range share {
		ended := func(c Planned) bool {
			_, err := os.Lstat(r.plan.cellPath(r.dir, c.Name))
			return err == nil
		}
		if !j.without(ended) {
			continue
		}
		if left == nil && !r.claimed(j) {
			return nil
		}
		if j.other = true; r.tables[j.cell.Dataset()] != nil { // others are not read for it
			left = append(left, j)
		}
	}
	return left
}

// claimed tells whether another run has claimed a job.
func (r *run) claimed(j job) bool {
	claim, err := safefile.Acquire(filepath.Join(r.dir, claimsDir, j.name))
	if err == nil {
		claim.Release()
	}
	var held *safefile.Held
	return errors.As(err, &held)
}
