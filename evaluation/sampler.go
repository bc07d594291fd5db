package evaluation

import (
	"context"
	"sync"

	"sml/graph"
	"sml/models"
)

// sampler runs one network over blocks of rows: the full network once, its
// dropout sub-networks as often as asked.
type sampler struct {
	architecture models.Architecture
	member       int
	rows         int // of a block
	full, sub    *graph.Runner
}

func newSampler(m *models.Model, member, rows int, engine graph.Engine) (*sampler, error) {
	open := func(pass graph.Pass, open func(graph.Engine, *graph.Builder, ...*graph.Node) (*graph.Runner, error)) (*graph.Runner, error) {
		b := graph.New(graph.Float32, m.Members[member])
		f, err := m.Network(b, rows)
		if err != nil {
			return nil, err
		}
		return open(engine, b, f(pass))
	}
	full, err := open(graph.Full, graph.Open)
	if err != nil {
		return nil, err
	}
	sub, err := open(graph.Drop(0), graph.OpenSampler)
	if err != nil {
		return nil, err
	}
	return &sampler{architecture: m.Architecture, member: member, rows: rows, full: full, sub: sub}, nil
}

func (s *sampler) close() {
	s.full.Close()
	s.sub.Close()
}

// load fills a runner's inputs with the rows of x; a block that is not full
// ends in rows of zeros.
func (s *sampler) load(r *graph.Runner, x []float32) {
	clear(r.Input(models.InputX)[copy(r.Input(models.InputX), x):])
}

// draw calls use with the outputs of every sub-network for the rows of x,
// the first of which has number row.
func (s *sampler) draw(ctx context.Context, x []float32, d graph.Draw, samples int, use func(draw int, outputs []float32)) error {
	s.load(s.sub, x)
	rows := len(x) / s.architecture.Inputs
	for i := range samples {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.Step = uint32(i)
		s.sub.Draw(d)
		run := s.sub.Redraw
		if i == 0 {
			run = s.sub.Run
		}
		if err := run(); err != nil {
			return err
		}
		use(i, s.sub.Output(0)[:rows*s.architecture.Outputs])
	}
	return nil
}

// predict makes the predictions of one member for a block of rows.
func (s *sampler) predict(ctx context.Context, x []float32, row int, sampling Sampling, method models.Method) ([]models.Prediction, error) {
	a := s.architecture
	rows := len(x) / a.Inputs
	s.load(s.full, x)
	if err := s.full.Run(); err != nil {
		return nil, err
	}
	full := s.full.Output(0)
	moments := NewMoments(rows * a.Outputs)
	key := sampling.Seed + uint64(s.member)<<32 // members have masks of their own
	err := s.draw(ctx, x, graph.Draw{Key: key, Row: uint32(row)}, sampling.Samples, func(_ int, out []float32) { moments.Add(out) })
	if err != nil {
		return nil, err
	}
	mean, std := moments.Mean(), moments.Std()

	predictions := make([]models.Prediction, rows*a.Targets)
	d := models.Draws{Full: make([]float64, method.Outputs), Mean: make([]float64, method.Outputs), Std: make([]float64, method.Outputs)}
	for i := range predictions {
		r, target := i/a.Targets, i%a.Targets
		for o := range method.Outputs {
			at := r*a.Outputs + o*a.Targets + target
			d.Full[o], d.Mean[o], d.Std[o] = float64(full[at]), mean[at], std[at]
		}
		predictions[i] = method.Predict(d)
	}
	return predictions, nil
}

// samplers lends each member's samplers to one goroutine at a time.
type samplers struct {
	model  *models.Model
	rows   int
	engine graph.Engine

	lock sync.Mutex
	free map[int][]*sampler
	all  []*sampler
}

func newSamplers(m *models.Model, rows int, s Sampling) (*samplers, error) {
	engine, err := graph.ParseEngine(string(s.Engine))
	if err != nil {
		return nil, err
	}
	return &samplers{model: m, rows: rows, engine: engine, free: make(map[int][]*sampler)}, nil
}

func (p *samplers) take(member int) (*sampler, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if free := p.free[member]; len(free) > 0 {
		p.free[member] = free[:len(free)-1]
		return free[len(free)-1], nil
	}
	s, err := newSampler(p.model, member, p.rows, p.engine)
	if err == nil {
		p.all = append(p.all, s)
	}
	return s, err
}

func (p *samplers) give(member int, s *sampler) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.free[member] = append(p.free[member], s)
}

func (p *samplers) close() {
	for _, s := range p.all {
		s.close()
	}
}
