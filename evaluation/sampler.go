package evaluation

import (
	"context"
	"slices"
	"sync"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// sampler runs one network over blocks of rows: the full network once, its
// dropout sub-networks as often as asked.
type sampler struct {
	*models.Model
	member int
	full   *graph.Runner
	sub    *graph.Runner // nil if the method draws none
}

// newSampler opens a member's network for blocks of so many rows, with its
// sub-networks if sampled.
func newSampler(m *models.Model, member, rows int, engine graph.Engine, sampled bool) (*sampler, error) {
	open := func(pass graph.Pass, open func(graph.Engine, *graph.Builder, ...*graph.Node) (*graph.Runner, error)) (*graph.Runner, error) {
		b := graph.New(graph.Float32, m.Members[member])
		b.FilledBy("a prediction", models.InputX)
		f, err := m.Forward(b, rows)
		if err != nil {
			return nil, err
		}
		return open(engine, b, f(pass))
	}
	s := &sampler{Model: m, member: member}
	var err error
	if s.full, err = open(graph.Full, graph.NewRunner); err != nil {
		return nil, err
	}
	if sampled {
		if s.sub, err = open(graph.Drop(0), graph.NewSampler); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *sampler) close() {
	s.full.Close()
	if s.sub != nil {
		s.sub.Close()
	}
}

// load gathers rows into a runner's inputs; a block that is not full ends in
// rows of zeros.
func (s *sampler) load(r *graph.Runner, rows data.Subset, numbers []int32) {
	x, inputs := r.Input(models.InputX), s.Architecture.Inputs
	graph.Gather(x, rows.X, inputs, numbers, rows.XScale.Mean, rows.XScale.Std)
	clear(x[len(numbers)*inputs:])
}

// draw calls use with the outputs of every sub-network for a block of rows.
func (s *sampler) draw(ctx context.Context, rows data.Subset, numbers []int32, d graph.MaskKey, samples int, use func(draw int, outputs []float32)) error {
	s.load(s.sub, rows, numbers)
	for i := range samples {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.Step = uint32(i)
		s.sub.SampleMasks(d)
		run := s.sub.Rerun
		if i == 0 {
			run = s.sub.Run
		}
		if err := run(); err != nil {
			return err
		}
		use(i, s.sub.Output(0)[:len(numbers)*s.Architecture.Outputs])
	}
	return nil
}

// predict makes the predictions of one member for a block of rows; masks are
// those of row first and what follows.
func (s *sampler) predict(ctx context.Context, rows data.Subset, numbers []int32, first int, sampling Sampling, method models.Method, levels []float64) ([]models.Prediction, error) {
	a := s.Architecture
	s.load(s.full, rows, numbers)
	if err := s.full.Run(); err != nil {
		return nil, err
	}
	full := s.full.Output(0)
	moments := newMoments(len(numbers) * a.Outputs)
	var draws [][]float32 // of each sub-network the outputs for all rows, if they are asked for
	if method.Stochastic {
		err := s.draw(ctx, rows, numbers, graph.MaskKey{Seed: s.MaskSeed(sampling.Seed, s.member), Row: uint32(first)}, sampling.Samples, func(_ int, out []float32) {
			moments.add(out)
			if method.Draws {
				draws = append(draws, slices.Clone(out))
			}
		})
		if err != nil {
			return nil, err
		}
	}
	mean, std := moments.mean, moments.std()

	predictions := make([]models.Prediction, len(numbers)*a.Targets)
	row := newRowMoments(s.Model, method, levels)
	for target := range row {
		for range draws {
			row[target].Draws = append(row[target].Draws, make([]float64, method.Outputs))
		}
	}
	for i := range predictions {
		r, target := i/a.Targets, i%a.Targets
		if target == 0 {
			for target, d := range row {
				for o := range method.Outputs {
					at := r*a.Outputs + o*a.Targets + target
					d.Full[o] = float64(full[at])
					if method.Stochastic {
						d.Mean[o], d.Std[o] = mean[at], std[at]
					}
					for k, draw := range draws {
						d.Draws[k][o] = float64(draw[at])
					}
				}
			}
		}
		var err error
		if predictions[i], err = method.Prediction(row[target]); err != nil {
			return nil, err
		}
	}
	return predictions, nil
}

// kind is what samplers differ in: the member, and the rows of its graphs.
type kind struct{ member, rows int }

// samplers lends each member's samplers to one goroutine at a time.
type samplers struct {
	open func(kind) (*sampler, error)

	lock sync.Mutex
	free map[kind][]*sampler
}

// with lends work a sampler, a new one if none is free.
func (p *samplers) with(k kind, work func(*sampler) error) (err error) {
	s := p.spare(k)
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
func (p *samplers) spare(k kind) *sampler {
	p.lock.Lock()
	defer p.lock.Unlock()
	free := p.free[k]
	if len(free) == 0 {
		return nil
	}
	p.free[k] = free[:len(free)-1]
	return free[len(free)-1]
}

func (p *samplers) close() {
	for _, free := range p.free {
		for _, s := range free {
			s.close()
		}
	}
}
