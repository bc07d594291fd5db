package trainers

import (
	"runtime"
	"slices"

	"sml/graph"
	"sml/models"
	"sml/trainers/optimizer"
)

// UsefulThreads returns the largest number of goroutines that shortens a training step of batch rows:
// see Options.Threads. It is 1 for small networks, whose steps are never divided, and grows with the
// multiplications of the largest layer. It counts only the layers that the architecture lists,
// and no convolutions.
func UsefulThreads(spec models.Spec, batch int) int {
	a := spec.Architecture
	widths := append(slices.Clone(a.Hidden), a.Outputs) // of all layers
	inputs := a.FirstLayerInputs()
	rows := batch // rows of a layer's inputs
	threads := 1
	twoWorkers := graph.NewPool(2)
	for _, units := range widths {
		multiplications := rows * inputs * units
		memoryAccesses := rows*inputs + inputs*units + rows*units
		if twoWorkers.ShouldShare(multiplications, memoryAccesses) {
			threads = max(threads, 2, multiplications/workPerThread)
		}
		inputs = units
		rows = batch * a.CopyCount() // copies share the product of the first layer
	}
	return threads
}

// workPerThread is the number of multiplications of a matrix product that keep a goroutine busy for
// about twenty microseconds, much longer than it takes to wake the goroutine.
const workPerThread = 1 << 21

// ThreadsRange is the range of Options.Threads: no machine has more cores.
var ThreadsRange = models.Range{Min: 1, Max: 1024}

// setParallelism fills in Workers and Threads where they are 0, so that a training of the given number
// of members uses all cores: first for members at the same time, then for the steps of each.
func (o *Options) setParallelism(members int) {
	cores := runtime.GOMAXPROCS(0)
	if o.Workers < 1 {
		o.Workers = max(1, cores/max(1, o.Threads))
	}
	if o.Threads < 1 {
		o.Threads = max(1, cores/min(o.Workers, members))
	}
}

// startPool starts the member's workers, the given number of goroutines, and lets its optimizer and its
// compiled steps divide large steps among them. For one goroutine the pool is nil. The caller must close
// m.pool.
func (m *member) startPool(threads int) error {
	m.pool = graph.NewPool(threads)
	if m.pool == nil {
		return nil
	}
	for _, user := range rulesOf[optimizer.PoolUser](m.optimizer) {
		user.UsePool(m.pool)
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
