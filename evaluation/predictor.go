package evaluation

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// Predictor predicts rows that come one after the other, with the networks of a
// model built once. It is for one goroutine.
type Predictor struct {
	model    *models.Model
	method   models.Method
	sampling Sampling
	levels   []float64
	block    int // rows that run through a network at once
	pool     *samplers
}

// NewPredictor opens a model for predictions, until Close.
func NewPredictor(m *models.Model, s Sampling) (*Predictor, error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return nil, err
	}
	levels, err := m.Levels()
	if err != nil {
		return nil, err
	}
	if s.Predict != nil {
		method.Predict, method.Classes, levels = s.Predict, 0, nil
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
	engine, err := graph.ParseEngine(string(s.Engine))
	if err != nil {
		return nil, err
	}
	pool := &samplers{
		open: func(k kind) (*sampler, error) { return newSampler(m, k.member, k.rows, engine, method.Stochastic) },
		free: make(map[kind][]*sampler),
	}
	block, err := blockOf(m, method.Stochastic)
	if err != nil {
		return nil, err
	}
	if method.Draws {
		const values = 1 << 24 // that are kept at once
		block = max(1, min(block, values/(s.Samples*m.Architecture.Outputs)))
	}
	return &Predictor{model: m, method: method, sampling: s, levels: levels, block: block, pool: pool}, nil
}

// Close releases the networks.
func (p *Predictor) Close() { p.pool.close() }

// AtOnce is the number of rows that are computed at the same time, by all
// workers.
func (p *Predictor) AtOnce() int { return p.block * p.sampling.Workers }

// rowsFor is the rows of the graphs that so many rows run through, those of a
// block at most: few do not wait for what many take. Results do not depend on it,
// as long as it is more than one: where there is a single row, the engine takes a bias
// that is computed for any other row, and adds it in another order.
func (p *Predictor) rowsFor(n int) int {
	for _, size := range []int{2, 8, 64} {
		if n <= size {
			return max(2, min(size, p.block))
		}
	}
	return p.block
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
	block := p.block
	found := &Predictions{Targets: targets, Samples: s.Samples, Levels: p.levels, Classes: p.method.Classes, Values: make([]models.Prediction, n*targets)}
	causes := make([][]*NotFinite, (n+block-1)/block)
	defer graph.Yield()() // an objective may predict with another model
	var lock sync.Mutex
	done, predicted := 0, 0 // rows of networks, blocks
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.Workers)
	for from := 0; from < n; from += block {
		part := numbers[from:min(from+block, n)]
		group.Go(func() error {
			var far []*NotFinite
			members := make([][]models.Prediction, len(m.Members))
			for k := range m.Members {
				if err := ctx.Err(); err != nil {
					return err
				}
				err := p.pool.with(kind{k, p.rowsFor(len(part))}, func(sampler *sampler) (err error) {
					members[k], err = sampler.predict(ctx, rows, part, first+from, s, p.method, p.levels)
					if err == nil && k == 0 {
						far = sampler.tooFar(len(part))
					}
					return err
				})
				if err != nil {
					return err
				}
				lock.Lock()
				done += len(part)
				if s.Progress != nil {
					s.Progress(done, n*len(m.Members))
				}
				lock.Unlock()
			}
			values := found.Values[from*targets:][:len(part)*targets]
			if err := combine(values, members, p.method, newRowMoments(m, p.method, p.levels)); err != nil {
				return err
			}
			causes[from/block] = p.causes(values, far, rows, part, from)
			lock.Lock()
			predicted++
			lock.Unlock()
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	if predicted != len(causes) { // runtime.Goexit, which a *testing.T's Fatal calls, ends a goroutine without an error
		return nil, nil, fmt.Errorf("a prediction was not made: something in the network, the predictor or the combiner of method %s called runtime.Goexit", p.method.Name)
	}
	all := slices.Concat(causes...)
	for _, cause := range all {
		cause.name(m, numbers)
	}
	if len(all) == 0 {
		err = found.checkStd(p.method.Name)
	}
	return found, all, err
}
