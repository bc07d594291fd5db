package evaluation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// Predictor predicts rows that come one after the other, with the networks of a
// model built once, and kept until Close. Several goroutines may predict at the same
// time, where Sampling.Progress may be called by several.
type Predictor struct {
	model    *models.Model
	method   models.Method
	sampling Sampling
	block    int  // most rows that are predicted together
	most     int  // rows of a graph
	stack    bool // draws of a row may be rows of one run
	worth    int  // multiplications that are worth another worker
	pool     *samplers

	predictions *predictionGraphs
}

// worthAWorker is some half a millisecond's work: as much as it takes to open a graph.
const worthAWorker = 1 << 25

// NewPredictor opens a model for predictions, until Close.
func NewPredictor(m *models.Model, s Sampling) (*Predictor, error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return nil, err
	}
	s.Samples = cmp.Or(s.Samples, DefaultSamples)
	if err := models.Limits.Samples.Check("the number of sub-networks", s.Samples); err != nil {
		return nil, err
	}
	if s.Workers < 1 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	if !method.Stochastic {
		s.Samples = 0
	}
	if n := m.SubNetworks(0).Len(); n > 0 {
		s.Samples = min(s.Samples, n)
	}
	engine, err := graph.ParseEngine(string(s.Engine))
	if err != nil {
		return nil, err
	}
	most, stack, err := blockOf(m, method.Stochastic)
	if err != nil {
		return nil, err
	}
	block := most
	if method.Draws {
		const values = 1 << 24 // that are kept at once
		block = max(1, min(block, values/(s.Samples*m.Architecture.Outputs)))
	}
	predictions, err := newPredictionGraphs(m, s, engine)
	if err != nil {
		return nil, err
	}
	pool := &samplers{
		open: func(k kind) (*sampler, error) { return newSampler(m, k, predictions.layers, engine) },
		free: make(map[kind][]*sampler),
	}
	return &Predictor{model: m, method: method, sampling: s, block: block, most: most, stack: stack, worth: worthAWorker, pool: pool, predictions: predictions}, nil
}

// Close releases the networks.
func (p *Predictor) Close() {
	p.pool.close()
	p.predictions.close()
}

// AtOnce is the number of rows that are computed at the same time, by all
// workers.
func (p *Predictor) AtOnce() int { return p.block * p.sampling.Workers }

// sizes are the rows of graphs, ascending: few rows do not wait for what many take.
// Results do not depend on them, as long as they are more than one: where there is a
// single row, the engine takes a bias that is computed for any other row, and adds it in
// another order.
func (p *Predictor) sizes() []int {
	sizes := []int{2}
	for size := 4; size < p.most; size *= 2 {
		sizes = append(sizes, size)
	}
	return append(sizes, max(2, p.most))
}

// graphOf is the graph through which a member's full network runs for n rows.
func (p *Predictor) graphOf(member, n int) kind {
	return kind{member: member, rows: p.rowsOfGraph(n)}
}

// rowsOfGraph returns the number of rows of the graph through which n rows run.
func (p *Predictor) rowsOfGraph(n int) int {
	for _, size := range p.sizes() {
		if n <= size {
			return size
		}
	}
	return p.most
}

// subGraphOf is the graph through which so many draws of n rows run the fastest: in few
// runs that are full, but not at the price of many copies of what no mask reaches, which
// is the first layer of most networks.
func (p *Predictor) subGraphOf(member, n, draws int) kind {
	k := p.graphOf(member, n)
	k.sub, k.stack = true, p.stack
	if !p.stack {
		return k
	}
	a := p.model.Architecture
	once := 0.0 // of a row's multiplications, how many are before the first mask
	if len(a.Hidden) > 0 {
		once = min(1, float64(a.Inputs)*float64(a.Hidden[0])/float64(p.model.Members[0].Len()))
	}
	const start = 16 // a run's beginning takes the time of so many rows
	sizes := p.sizes()
	if 1 < draws && draws < p.most { // a single row has room for all of its draws
		sizes = append(sizes, draws)
	}
	best := math.Inf(1)
	for _, size := range sizes {
		if size < n {
			continue
		}
		together := min(draws, size/n)
		runs := float64((draws + together - 1) / together)
		if cost := float64(once*float64(size)) + float64((1-once)*runs*float64(start+size)); cost < best {
			best, k.rows = cost, size
		}
	}
	return k
}

// split says how n rows are dealt to workers: how many are predicted together, and how
// many workers share their draws.
func (p *Predictor) split(n int) (rows, workers int) {
	work := float64(p.model.Members[0].Len()) * float64(n) * float64(1+p.sampling.Samples)
	parts := int(max(1, min(work/float64(p.worth), float64(p.sampling.Workers))))
	if n < parts {
		if p.sampling.Samples == 0 {
			return 1, 1
		}
		return 1, min(parts/n, p.sampling.Samples)
	}
	rounds := (n + parts*p.block - 1) / (parts * p.block)
	return (n + parts*rounds - 1) / (parts * rounds), 1
}

// Predict predicts rows of which the first is row number first of all that are
// to be predicted: rows predicted in parts get the same values as all at once.
// Where a prediction is not finite the error is a *NotFinite, and the predictions
// of the rows before it are returned beside.
func (p *Predictor) Predict(ctx context.Context, rows data.Subset, first int) (*Predictions, error) {
	found, causes, err := p.predict(ctx, rows, first)
	if err != nil {
		return nil, err
	}
	if len(causes) > 0 {
		found.Values = found.Values[:causes[0].Row*found.Targets]
		return found, causes[0]
	}
	return found, nil
}

// PredictEach is Predict that goes on behind rows whose prediction is not finite. It
// returns why they are, ascending: what stands for them among the values means nothing.
func (p *Predictor) PredictEach(ctx context.Context, rows data.Subset, first int) (*Predictions, []*NotFinite, error) {
	return p.predict(ctx, rows, first)
}

func (p *Predictor) predict(ctx context.Context, rows data.Subset, first int) (*Predictions, []*NotFinite, error) {
	m, s := p.model, p.sampling
	numbers, err := numbersOf(m, rows)
	if err != nil {
		return nil, nil, err
	}
	n, targets := len(numbers), m.Architecture.Targets
	block, workers := p.split(n)
	found := &Predictions{
		Targets: targets, Samples: s.Samples,
		Family: p.predictions.family, Components: p.predictions.components,
		Values: make([]models.Prediction, n*targets),
	}
	causes := make([][]*NotFinite, (n+block-1)/block)
	var lock sync.Mutex
	done := 0 // rows of networks
	report := func(rows int) {
		lock.Lock()
		defer lock.Unlock()
		done += rows
		if s.Progress != nil {
			s.Progress(done, n*len(m.Members))
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.Workers)
	for from := 0; from < n; from += block {
		part := numbers[from:min(from+block, n)]
		group.Go(func() error {
			values, far, err := p.predictBlock(ctx, rows, part, first+from, workers, report)
			if err != nil {
				return err
			}
			copy(found.Values[from*targets:], values)
			causes[from/block] = p.causes(values, far, rows, part, from)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	all := slices.Concat(causes...)
	for _, cause := range all {
		cause.name(m, numbers)
	}
	return found, all, nil
}

// predictBlock predicts a block of rows, which begins with row number first. It reports the
// rows of each network. The second result lists rows too far from the training rows.
func (p *Predictor) predictBlock(ctx context.Context, rows data.Subset, part []int32, first, workers int, report func(rows int)) ([]models.Prediction, []*NotFinite, error) {
	size := p.rowsOfGraph(len(part))
	g, err := p.predictions.take(size)
	if err != nil {
		return nil, nil, err
	}
	defer p.predictions.put(size, g)
	var far []*NotFinite
	members := make([][]float64, len(p.model.Members))
	for k := range members {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		err := p.pool.with(p.graphOf(k, len(part)), func(full *sampler) error {
			out, err := full.outputs(rows, part)
			if err != nil {
				return err
			}
			if k == 0 {
				far = full.tooFar(len(part))
			}
			outputs := models.NetworkOutputs{Full: out, Layers: full.layerOutputs(len(part)), Stored: p.model.StoredOf(k)}
			drawn, err := p.draws(ctx, rows, part, first, k, workers)
			if err != nil {
				return err
			}
			outputs.Draws = drawn.all
			if p.method.Stochastic {
				outputs.Mean, outputs.Std = drawn.mean, drawn.std()
			}
			members[k], err = g.member(outputs, len(part))
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		report(len(part))
	}
	values, err := g.combine(members, len(part))
	if err != nil {
		return nil, nil, fmt.Errorf("the predictions of method %s: %w", p.model.Method, err)
	}
	return values, far, nil
}

// draws samples a member's sub-networks for a block of rows; masks are those of row first
// and what follows. Several workers sample some of the draws each, and moments are taken
// of all in their order.
func (p *Predictor) draws(ctx context.Context, rows data.Subset, numbers []int32, first, member, workers int) (draws, error) {
	m, samples := p.model, p.sampling.Samples
	drawn := draws{moments: newMoments(len(numbers) * m.Architecture.Outputs)}
	if !p.method.Stochastic {
		return drawn, nil
	}
	add := func(_ int, out []float32) {
		drawn.add(out)
		if p.method.Draws {
			drawn.all = append(drawn.all, slices.Clone(out))
		}
	}
	key := graph.MaskKey{Seed: m.MaskSeed(p.sampling.Seed, member), Row: uint32(first)}
	part := (samples + workers - 1) / workers
	k := p.subGraphOf(member, len(numbers), part)
	if workers == 1 {
		return drawn, p.pool.with(k, func(s *sampler) error { return s.draw(ctx, rows, numbers, key, 0, samples, add) })
	}
	all := make([][]float32, samples)
	group, ctx := errgroup.WithContext(ctx)
	for from := 0; from < samples; from += part {
		group.Go(func() error {
			return p.pool.with(k, func(s *sampler) error {
				return s.draw(ctx, rows, numbers, key, from, min(from+part, samples), func(draw int, out []float32) { all[draw] = slices.Clone(out) })
			})
		})
	}
	if err := group.Wait(); err != nil {
		return drawn, err
	}
	for i, out := range all {
		add(i, out)
	}
	return drawn, nil
}

// Predict returns a model's predictions of rows, for callers that need no Predictor of their
// own. Sub-networks are drawn independently for every row: a mask depends on the seed, the
// member, the index of the draw and the index of the row, and not on the workers.
func Predict(ctx context.Context, m *models.Model, rows data.Subset, s Sampling) (*Predictions, error) {
	p, err := NewPredictor(m, s)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.Predict(ctx, rows, 0)
}
