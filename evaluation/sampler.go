package evaluation

import (
	"context"
	"slices"
	"sync"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/models"
)

// sampler runs a member's network, full or one of its sub-networks, over blocks of rows.
type sampler struct {
	*models.Model
	samplerKind
	runner *graph.Runner
	layers []graph.Layer // outputs of run behind the network's own

	params *graph.Params      // of the graph
	stored models.SubNetworks // whose weights params have in turn
}

// kind is what samplers differ in.
type samplerKind struct {
	member      int
	rows        int  // of the graph
	subNetworks bool // of sub-networks
	stackDraws  bool // whose draws may be rows of one run
}

// newSampler opens a network. A full network also returns the outputs of the named hidden
// layers.
func newSampler(m *models.Model, k samplerKind, layers []string, engine graph.Engine) (*sampler, error) {
	pass, open := graph.Full, graph.NewRunner
	if k.subNetworks {
		pass, open = graph.Drop(0), graph.NewSampler
	}
	s := &sampler{Model: m, samplerKind: k, params: m.Members[k.member]}
	if k.subNetworks && m.SubNetworks(k.member).Len() > 0 {
		s.stored, s.params = m.SubNetworks(k.member), s.params.Clone()
	}
	b := graph.New(graph.Float32, s.params)
	inspection := graph.Inspect(b)
	inspection.Filler = "a prediction"
	inspection.FillerInputs = []string{models.InputX}
	f, err := m.Forward(b, k.rows)
	if err != nil {
		return nil, err
	}
	nodes := graph.Nodes{f(pass)}
	if !k.subNetworks {
		for _, name := range layers {
			l, err := graph.FindLayer(inspection.Layers, name)
			if err != nil {
				return nil, err
			}
			s.layers = append(s.layers, l)
			nodes = append(nodes, l.Node)
		}
	}
	if s.runner, err = open(engine, b, nodes...); err != nil {
		return nil, err
	}
	return s, nil
}

// load gathers rows into the inputs, several times one behind the other; a block that is
// not full ends in rows of zeros.
func (s *sampler) load(rows data.Subset, numbers []int32, times int) {
	x, inputs := s.runner.Input(models.InputX), s.Architecture.Inputs
	kernels.GatherStandardised(x, rows.X, inputs, numbers, rows.XScale.Means(), rows.XScale.Stds())
	size := len(numbers) * inputs
	for i := range times {
		copy(x[i*size:], x[:size])
	}
	clear(x[times*size:])
}

// outputs are those of the full network, until the next run.
func (s *sampler) runFull(rows data.Subset, numbers []int32) ([]float32, error) {
	s.load(rows, numbers, 1)
	if err := s.runner.Run(); err != nil {
		return nil, err
	}
	return s.runner.Output(0)[:len(numbers)*s.Architecture.Outputs], nil
}

// layerOutputs returns copies of the outputs of the hidden layers in the last run, by their names, or
// nil if there are none.
func (s *sampler) layerOutputs(rows int) map[string][]float32 {
	if len(s.layers) == 0 {
		return nil
	}
	outputs := make(map[string][]float32)
	for i, l := range s.layers {
		outputs[l.Name] = slices.Clone(s.runner.Output(1 + i)[:rows*l.Node.Shape()[1]])
	}
	return outputs
}

// draw calls use with the outputs of the sub-networks from, …, to−1 for a block of rows.
func (s *sampler) runSubNetworks(ctx context.Context, rows data.Subset, numbers []int32, d graph.MaskKey, from, to int, use func(draw int, outputs []float32)) error {
	atOnce := 1
	if s.stackDraws {
		atOnce = max(1, min(to-from, s.rows/len(numbers)))
		d.StepRows = len(numbers)
	}
	s.load(rows, numbers, atOnce)
	size := len(numbers) * s.Architecture.Outputs
	run := s.runner.Run
	for first := from; first < to; first += atOnce {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.Step = uint32(first)
		s.runner.SampleMasks(d)
		if s.stored.Len() > 0 {
			s.stored.Load(first, s.params)
		}
		if err := run(); err != nil {
			return err
		}
		if s.stored.Len() == 0 {
			run = s.runner.Rerun
		}
		out := s.runner.Output(0)
		for i := range min(atOnce, to-first) {
			use(first+i, out[i*size:][:size])
		}
	}
	return nil
}

// draws are what sub-networks put out for a block of rows: their moments, and where they
// are asked for each one's outputs for all rows.
type memberDraws struct {
	*moments
	outputs [][]float32
}

// samplers lends each member's samplers to one goroutine at a time.
type samplerPool struct {
	open func(samplerKind) (*sampler, error)

	lock sync.Mutex
	free map[samplerKind][]*sampler
}

// with lends work a sampler, a new one if none is free.
func (p *samplerPool) lend(k samplerKind, work func(*sampler) error) (err error) {
	s := p.takeFree(k)
	if s == nil {
		if s, err = p.open(k); err != nil {
			return err
		}
	}
	defer func() {
		p.lock.Lock()
		p.free[k] = append(p.free[k], s)
		p.lock.Unlock()
	}()
	return work(s)
}

// spare takes out one that is free, nil if none is.
func (p *samplerPool) takeFree(k samplerKind) *sampler {
	p.lock.Lock()
	defer p.lock.Unlock()
	free := p.free[k]
	if len(free) == 0 {
		return nil
	}
	p.free[k] = free[:len(free)-1]
	return free[len(free)-1]
}

func (p *samplerPool) close() {
	for _, free := range p.free {
		for _, s := range free {
			s.runner.Close()
		}
	}
}
