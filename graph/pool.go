package graph

import "sml/graph/internal/pool"

// Pool is a number of goroutines that do the work of a step together, where it is large:
// see Runner.Share. Numbers do not depend on it, by a bit. It is used by one goroutine
// at a time, and closed at the end; a nil Pool is that goroutine alone.
type Pool = pool.Pool

// NewPool returns a pool of so many goroutines, with the one that uses it; nil for
// less than two.
func NewPool(threads int) *Pool { return pool.New(threads) }

// Share lets a pool do what it is worth being asked for in runs and in SampleMasks.
// The Tape engine knows no pools.
func (r *Runner) Share(p *Pool) error {
	r.pool = p
	if c, ok := r.machine.(*compiled); ok {
		return c.code.Share(p)
	}
	return nil
}
