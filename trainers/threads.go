package trainers

import (
	"runtime"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// UsefulThreads is how many goroutines it is worth giving a member of a training with
// batches of so many rows (Options.Threads): 1 for small networks, whose steps are never
// shared, and more the more multiplications the largest layer has. It knows of layers
// what the architecture says, and so nothing of convolutions.
func UsefulThreads(spec models.Spec, batch int) int {
	a := spec.Architecture
	in, most := a.Inputs, 1
	for _, out := range append(append([]int(nil), a.Hidden...), a.Outputs) {
		if n := batch * in * out; graph.NewPool(2).ShouldShare(n, batch*in+in*out+batch*out) {
			most = max(most, 2, n/workPerThread)
		}
		in = out
	}
	return most
}

// workPerThread is how many multiplications of a product keep a goroutine busy for much longer
// than it takes to call it: some twenty microseconds.
const workPerThread = 1 << 21

// ThreadsRange is the range of Options.ThreadsRange that are set: no machine has more cores.
var ThreadsRange = models.Range{Min: 1, Max: 1024}

// setParallelism fills in how many members train at the same time, with how many goroutines.
func (o *Options) setParallelism(members int) {
	cores := runtime.GOMAXPROCS(0)
	if o.Workers < 1 {
		o.Workers = max(1, cores/max(1, o.Threads))
	}
	if o.Threads < 1 {
		o.Threads = max(1, cores/min(o.Workers, members))
	}
}

// sharePool lets so many goroutines make the member's steps together.
func (m *member) sharePool(threads int) error {
	m.pool = graph.NewPool(threads)
	if m.pool == nil {
		return nil
	}
	if d, ok := m.optimizer.(optimizer.Sharer); ok {
		d.Share(m.pool)
	}
	for _, steps := range []map[int]*models.Step{m.trainingSteps, m.evaluationSteps} {
		for _, s := range steps {
			if err := s.UsePool(m.pool); err != nil {
				return err
			}
		}
	}
	return nil
}
