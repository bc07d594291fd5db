package trainers

import (
	"runtime"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// MostThreads is how many goroutines it is worth giving a member of a training with
// batches of so many rows (Options.Threads): 1 for small networks, whose steps are never
// shared, and more the more multiplications the largest layer has. It knows of layers
// what the architecture says, and so nothing of convolutions.
func MostThreads(spec models.Spec, batch int) int {
	a := spec.Architecture
	in, most := a.Inputs, 1
	for _, out := range append(append([]int(nil), a.Hidden...), a.Outputs) {
		if n := batch * in * out; graph.NewPool(2).ShouldShare(n, batch*in+in*out+batch*out) {
			most = max(most, 2, n/perThread)
		}
		in = out
	}
	return most
}

// perThread is how many multiplications of a product keep a goroutine busy for much longer
// than it takes to call it: some twenty microseconds.
const perThread = 1 << 21

// Threads is the range of Options.Threads that are set: no machine has more cores.
var Threads = models.Range{Min: 1, Max: 1024}

// atOnce fills in how many members train at the same time, with how many goroutines.
func (o *Options) atOnce(members int) {
	cores := runtime.GOMAXPROCS(0)
	if o.Workers < 1 {
		o.Workers = max(1, cores/max(1, o.Threads))
	}
	if o.Threads < 1 {
		o.Threads = max(1, cores/min(o.Workers, members))
	}
}

// share lets so many goroutines make the member's steps together.
func (m *member) share(threads int) error {
	m.pool = graph.NewPool(threads)
	if m.pool == nil {
		return nil
	}
	if d, ok := m.descent.(optimizer.Sharer); ok {
		d.Share(m.pool)
	}
	for _, steps := range []map[int]*models.Step{m.steps, m.judges} {
		for _, s := range steps {
			if err := s.Share(m.pool); err != nil {
				return err
			}
		}
	}
	return nil
}
