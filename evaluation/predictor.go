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
	model            *models.Model
	method           models.Method
	sampling         Sampling
	blockRows        int  // most rows that are predicted together
	maxGraphRows     int  // rows of a graph
	stackDraws       bool // draws of a row may be rows of one run
	minWorkPerWorker int  // multiplications that are worth another worker
	samplers         *samplerPool

	predictions *predictionGraphs
}

// worthAWorker is some half a millisecond's work: as much as it takes to open a graph.
const minWorkPerWorker = 1 << 25

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
	most, stack, err := chooseBlock(m, method.Stochastic)
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
	pool := &samplerPool{
		open: func(k samplerKind) (*sampler, error) { return newSampler(m, k, predictions.layers, engine) },
		free: make(map[samplerKind][]*sampler),
	}
	return &Predictor{model: m, method: method, sampling: s, blockRows: block, maxGraphRows: most, stackDraws: stack, minWorkPerWorker: minWorkPerWorker, samplers: pool, predictions: predictions}, nil
}

// Close releases the networks.
func (p *Predictor) Close() {
	p.samplers.close()
	p.predictions.close()
}

// AtOnce is the number of rows that are computed at the same time, by all
// workers.
func (p *Predictor) RowsAtOnce() int { return p.blockRows * p.sampling.Workers }

// sizes are the rows of graphs, ascending: few rows do not wait for what many take.
// Results do not depend on them, as long as they are more than one: where there is a
// single row, the engine takes a bias that is computed for any other row, and adds it in
// another order.
func (p *Predictor) graphSizes() []int {
	sizes := []int{2}
	for size := 4; size < p.maxGraphRows; size *= 2 {
		sizes = append(sizes, size)
	}
	return append(sizes, max(2, p.maxGraphRows))
}

// graphOf is the graph through which a member's full network runs for n rows.
func (p *Predictor) fullKind(member, n int) samplerKind {
	return samplerKind{member: member, rows: p.graphRows(n)}
}

// rowsOfGraph returns the number of rows of the graph through which n rows run.
func (p *Predictor) graphRows(n int) int {
	for _, size := range p.graphSizes() {
		if n <= size {
			return size
		}
	}
	return p.maxGraphRows
}

// subGraphOf is the graph through which so many draws of n rows run the fastest: in few
// runs that are full, but not at the price of many copies of what no mask reaches, which
// is the first layer of most networks.
func (p *Predictor) subNetworkKind(member, n, draws int) samplerKind {
	k := p.fullKind(member, n)
	k.subNetworks, k.stackDraws = true, p.stackDraws
	if !p.stackDraws {
		return k
	}
	a := p.model.Architecture
	once := 0.0 // of a row's multiplications, how many are before the first mask
	if len(a.Hidden) > 0 {
		once = min(1, float64(a.Inputs)*float64(a.Hidden[0])/float64(p.model.Members[0].Len()))
	}
	const start = 16 // a run's beginning takes the time of so many rows
	sizes := p.graphSizes()
	if 1 < draws && draws < p.maxGraphRows { // a single row has room for all of its draws
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
func (p *Predictor) planBlocks(n int) (rows, workers int) {
	work := float64(p.model.Members[0].Len()) * float64(n) * float64(1+p.sampling.Samples)
	parts := int(max(1, min(work/float64(p.minWorkPerWorker), float64(p.sampling.Workers))))
	if n < parts {
		if p.sampling.Samples == 0 {
			return 1, 1
		}
		return 1, min(parts/n, p.sampling.Samples)
	}
	rounds := (n + parts*p.blockRows - 1) / (parts * p.blockRows)
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
func (p *Predictor) PredictEach(ctx context.Context, rows data.Subset, first int) (*Predictions, []*NotFiniteError, error) {
	return p.predict(ctx, rows, first)
}

func (p *Predictor) predict(ctx context.Context, rows data.Subset, first int) (*Predictions, []*NotFiniteError, error) {
	m, s := p.model, p.sampling
	numbers, err := rowNumbers(m, rows)
	if err != nil {
		return nil, nil, err
	}
	n, targets := len(numbers), m.Architecture.Targets
	block, workers := p.planBlocks(n)
	found := &Predictions{
		Targets: targets, Samples: s.Samples,
		Family: p.predictions.family, Components: p.predictions.components,
		Values: make([]models.Prediction, n*targets),
	}
	causes := make([][]*NotFiniteError, (n+block-1)/block)
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
			causes[from/block] = p.notFiniteRows(values, far, rows, part, from)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	all := slices.Concat(causes...)
	for _, cause := range all {
		cause.setNames(m, numbers)
	}
	return found, all, nil
}

// predictBlock predicts a block of rows, which begins with row number first. It reports the
// rows of each network. The second result lists rows too far from the training rows.
func (p *Predictor) predictBlock(ctx context.Context, rows data.Subset, part []int32, first, workers int, report func(rows int)) ([]models.Prediction, []*NotFiniteError, error) {
	size := p.graphRows(len(part))
	g, err := p.predictions.take(size)
	if err != nil {
		return nil, nil, err
	}
	defer p.predictions.put(size, g)
	var far []*NotFiniteError
	members := make([][]float64, len(p.model.Members))
	for k := range members {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		err := p.samplers.lend(p.fullKind(k, len(part)), func(full *sampler) error {
			out, err := full.runFull(rows, part)
			if err != nil {
				return err
			}
			if k == 0 {
				far = full.overflowingRows(len(part))
			}
			outputs := models.NetworkOutputs{Full: out, Layers: full.layerOutputs(len(part)), Stored: p.model.StoredOf(k)}
			drawn, err := p.sampleDraws(ctx, rows, part, first, k, workers)
			if err != nil {
				return err
			}
			outputs.Draws = drawn.outputs
			if p.method.Stochastic {
				outputs.Mean, outputs.Std = drawn.mean, drawn.std()
			}
			members[k], err = g.predictMember(outputs, len(part))
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
func (p *Predictor) sampleDraws(ctx context.Context, rows data.Subset, numbers []int32, first, member, workers int) (memberDraws, error) {
	m, samples := p.model, p.sampling.Samples
	drawn := memberDraws{moments: newMoments(len(numbers) * m.Architecture.Outputs)}
	if !p.method.Stochastic {
		return drawn, nil
	}
	add := func(_ int, out []float32) {
		drawn.add(out)
		if p.method.Draws {
			drawn.outputs = append(drawn.outputs, slices.Clone(out))
		}
	}
	key := graph.MaskKey{Seed: m.MaskSeed(p.sampling.Seed, member), Row: uint32(first)}
	part := (samples + workers - 1) / workers
	k := p.subNetworkKind(member, len(numbers), part)
	if workers == 1 {
		return drawn, p.samplers.lend(k, func(s *sampler) error { return s.runSubNetworks(ctx, rows, numbers, key, 0, samples, add) })
	}
	all := make([][]float32, samples)
	group, ctx := errgroup.WithContext(ctx)
	for from := 0; from < samples; from += part {
		group.Go(func() error {
			return p.samplers.lend(k, func(s *sampler) error {
				return s.runSubNetworks(ctx, rows, numbers, key, from, min(from+part, samples), func(draw int, out []float32) { all[draw] = slices.Clone(out) })
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
