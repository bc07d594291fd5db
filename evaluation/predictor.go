package evaluation

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"sml/data"
	"sml/graph"
	"sml/models"
)

// Predictor predicts rows with the networks of one model. It builds the networks once and
// keeps them until Close. Several goroutines may call its methods at the same time; they then
// call Sampling.Progress at the same time, too.
type Predictor struct {
	model    *models.Model
	method   models.Method
	sampling Sampling

	blockRows        int  // largest number of rows that are predicted together
	maxGraphRows     int  // number of rows of the largest graph
	stackDraws       bool // whether one run can compute several draws of a row
	minWorkPerWorker int  // multiply-adds below which another worker costs more than it saves

	form   models.PredictionForm // form of the predictions
	layers []string              // names of the hidden layers that predictions need

	samplers    *pool[samplerKind, *sampler]
	predictions *pool[int, *models.PredictionGraph] // graphs that predict from the outputs of all networks, by number of rows
}

// minWorkPerWorker is the default of Predictor.minWorkPerWorker, in multiply-adds: half a
// millisecond of work, about the time in which a graph opens.
const minWorkPerWorker = 1 << 25

// maxKeptDraws bounds the outputs of sub-networks that a block keeps, in numbers of 4 bytes:
// 64 MiB.
const maxKeptDraws = 1 << 24

// NewPredictor opens a model for predictions, until Close. It returns an error if the number
// of samples is out of range, the engine is unknown or a graph cannot be built.
func NewPredictor(m *models.Model, s Sampling) (*Predictor, error) {
	method, err := models.Lookup(m.Method)
	if err != nil {
		return nil, err
	}
	s, err = s.resolve(m, method)
	if err != nil {
		return nil, err
	}
	graphs, err := newProbe(m, method.UsesSubNetworks(), s.Moments)
	if err != nil {
		return nil, err
	}
	maxGraphRows := graphs.blockRows()
	blockRows := maxGraphRows
	if method.SubNetworks == models.EachSubNetwork { // then a block keeps the outputs of all its draws
		outputsPerRow := s.Samples * m.Architecture.OutputColumns()
		blockRows = max(1, min(blockRows, maxKeptDraws/outputsPerRow))
	}
	p := &Predictor{
		model:            m,
		method:           method,
		sampling:         s,
		blockRows:        blockRows,
		maxGraphRows:     maxGraphRows,
		stackDraws:       graphs.canStackDraws(),
		minWorkPerWorker: minWorkPerWorker,
	}
	p.samplers = newPool(func(k samplerKind) (*sampler, error) { return newSampler(m, k, p.layers, s.Engine) })
	p.predictions = newPool(func(rows int) (*models.PredictionGraph, error) {
		return p.openPredictionGraph(len(m.Members), rows)
	})
	const smallestRows = 2
	err = p.predictions.lend(smallestRows, func(g *models.PredictionGraph) error {
		p.form = g.PredictionForm
		p.layers = g.Layers
		return nil
	})
	return p, err
}

// openPredictionGraph opens a graph for a number of rows, which predicts from the outputs of a number of members.
func (p *Predictor) openPredictionGraph(members, rows int) (*models.PredictionGraph, error) {
	options := models.PredictionOptions{
		Rows:    rows,
		Draws:   p.sampling.Samples,
		Scalers: p.model.Targets,
		Stored:  p.model.MemberMatrices(0),
		Params:  p.model.Members[0],
		Predict: p.sampling.Predict,
		Engine:  p.sampling.Engine,
	}
	return p.model.NewPredictionGraph(members*p.model.Architecture.CopyCount(), options)
}

// resolve returns the sampling with its defaults filled in. Samples is 0 for methods without
// sub-networks and for analytic moments, and at most the number of sub-networks that the model stores, if it stores any.
func (s Sampling) resolve(m *models.Model, method models.Method) (Sampling, error) {
	s.Samples = cmp.Or(s.Samples, DefaultSamples)
	if err := models.Limits.Samples.Check("the number of sub-networks", s.Samples); err != nil {
		return s, err
	}
	if s.Workers < 1 {
		s.Workers = runtime.GOMAXPROCS(0)
	}
	if err := s.Moments.Check(m.Spec); err != nil {
		return s, err
	}
	if !method.UsesSubNetworks() {
		s.Moments = SampledMoments
	}
	if !method.UsesSubNetworks() || s.Moments == AnalyticMoments {
		s.Samples = 0
	}
	if stored := m.SubNetworks(0).Len(); stored > 0 {
		s.Samples = min(s.Samples, stored)
	}
	engine, err := graph.ParseEngine(string(s.Engine))
	s.Engine = engine
	return s, err
}

// Close releases the networks. No other method may be running.
func (p *Predictor) Close() {
	p.samplers.close()
	p.predictions.close()
}

// RowsAtOnce returns the number of rows that all workers together compute at the same time.
// Reading rows in portions of this size keeps all workers busy.
func (p *Predictor) RowsAtOnce() int { return p.blockRows * p.sampling.Workers }

// graphSizes returns the numbers of rows for which there are graphs, ascending, so that few
// rows do not take the time of many. Predictions do not depend on the size as long as a graph
// has at least two rows: with a single row, the engine adds a bias in another order.
func (p *Predictor) graphSizes() []int {
	sizes := []int{2}
	for size := 4; size < p.maxGraphRows; size *= 2 { // by doubling, at most half of a graph's rows are unused
		sizes = append(sizes, size)
	}
	return append(sizes, max(2, p.maxGraphRows))
}

// fullKind returns the kind of sampler that runs a member's full network for n rows.
func (p *Predictor) fullKind(member, n int) samplerKind {
	return samplerKind{member: member, rows: p.graphRows(n), analytic: p.sampling.Moments == AnalyticMoments}
}

// graphRows returns the number of rows of the smallest graph that holds n rows.
func (p *Predictor) graphRows(n int) int {
	for _, size := range p.graphSizes() {
		if n <= size {
			return size
		}
	}
	return p.maxGraphRows
}

// runOverheadRows is the time that a run of a graph takes besides its rows, as a number of
// rows.
const runOverheadRows = 16

// subNetworkKind returns the kind of sampler that computes the given number of draws of n rows
// the fastest. A large graph stacks several draws of the rows in one run, and so has fewer
// runs; but it also repeats, for each draw, the layers before the first dropout mask, which a
// small graph computes only once.
func (p *Predictor) subNetworkKind(member, n, draws int) samplerKind {
	k := p.fullKind(member, n)
	k.subNetworks = true
	if !p.stackDraws {
		return k
	}
	unmasked := p.unmaskedFraction()
	sizes := p.graphSizes()
	if 1 < draws && draws < p.maxGraphRows {
		sizes = append(sizes, draws) // fits all draws of a single row exactly
	}
	lowestCost := math.Inf(1)
	for _, size := range sizes {
		if size < n {
			continue
		}
		drawsPerRun := min(draws, size/n)
		runs := float64((draws + drawsPerRun - 1) / drawsPerRun)
		// Costs are in rows of the whole network. Every run repeats the layers behind the first mask, and
		// only the first run computes the layers before it.
		masked := float64((1 - unmasked) * runs * float64(runOverheadRows+size))
		cost := float64(unmasked*float64(size)) + masked
		if cost < lowestCost {
			lowestCost = cost
			k.rows = size
			k.stackDraws = drawsPerRun > 1 // without stacked draws the rows share a mask, which costs nothing
		}
	}
	return k
}

// unmaskedFraction returns the fraction of a network's multiplications that come before its
// first dropout mask, from 0 to 1: the weights of the embeddings and the first layer among all
// weights.
func (p *Predictor) unmaskedFraction() float64 {
	a := p.model.Architecture
	if len(a.Hidden) == 0 {
		return 0
	}
	unmasked := a.FirstLayerInputs() * a.Hidden[0]
	for _, e := range a.Embeddings {
		unmasked += e.Categories * a.EmbeddingWidth
	}
	return min(1, float64(unmasked)/p.workPerRow())
}

// workPerRow returns about how many multiply-adds a member's network needs for a row: one for each of its weights,
// and for each copy if copies share the weight.
func (p *Predictor) workPerRow() float64 {
	a := p.model.Architecture
	work := p.model.Members[0].Len()
	for i := 1; i < len(a.Hidden); i++ {
		work += (a.CopyCount() - 1) * a.Hidden[i-1] * a.Hidden[i]
	}
	return float64(work)
}

// planBlocks returns how n rows are divided among workers: the number of rows of a block, and
// the number of workers that share the draws of a block. Blocks are computed at the same time;
// draws are shared only if there are fewer rows than useful workers.
func (p *Predictor) planBlocks(n int) (blockRows, workersPerBlock int) {
	work := p.workPerRow() * float64(n) * float64(1+p.sampling.Samples)
	workers := int(max(1, min(work/float64(p.minWorkPerWorker), float64(p.sampling.Workers))))
	if n < workers { // one row for each block; the workers that are left share the draws, if there are any
		if p.sampling.Samples == 0 {
			return 1, 1
		}
		return 1, min(workers/n, p.sampling.Samples)
	}
	// As few blocks as possible, but the same number for each worker, of equal size: both divisions round up.
	rounds := (n + workers*p.blockRows - 1) / (workers * p.blockRows) // blocks for each worker
	return (n + workers*rounds - 1) / (workers * rounds), 1
}

// Predict predicts rows. The prediction of a row does not depend on other rows: rows predicted in parts
// or in another order get the same values as all at once. If a prediction is not finite, Predict returns
// a *NotFiniteError together with the predictions of the rows before it.
func (p *Predictor) Predict(ctx context.Context, rows data.Subset) (*Predictions, error) {
	predictions, failures, err := p.PredictEach(ctx, rows)
	if err != nil {
		return nil, err
	}
	if len(failures) > 0 {
		predictions.Values = predictions.Values[:failures[0].Row*predictions.Targets]
		return predictions, failures[0]
	}
	return predictions, nil
}

// PredictEach predicts rows as Predict does, but continues after a row whose prediction is not
// finite. It returns an error for each such row, ascending; the values of these rows are
// meaningless.
func (p *Predictor) PredictEach(ctx context.Context, rows data.Subset) (*Predictions, []*NotFiniteError, error) {
	numbers, err := rowNumbers(p.model, rows)
	if err != nil {
		return nil, nil, err
	}
	predictions := p.newPredictions(len(numbers))
	blocks := p.divideRows(rows, numbers)
	failuresByBlock := make([][]*NotFiniteError, len(blocks))
	progress := NewProgress(p.sampling.Progress, len(numbers)*len(p.model.Members))
	err = p.eachBlock(ctx, blocks, func(ctx context.Context, i int) error { // writes its own part of Values and failuresByBlock
		b := blocks[i]
		values, overflowing, err := p.predictBlock(ctx, b, progress)
		if err != nil {
			return err
		}
		copy(predictions.Values[b.first*predictions.Targets:], values)
		failuresByBlock[i] = p.notFiniteRows(values, overflowing, b)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	failures := slices.Concat(failuresByBlock...)
	for _, failure := range failures {
		failure.setNames(p.model, numbers)
	}
	return predictions, failures, nil
}

// newPredictions returns predictions of a number of rows, whose values are not set.
func (p *Predictor) newPredictions(rows int) *Predictions {
	targets := p.model.Architecture.Targets
	return &Predictions{
		Targets:    targets,
		Samples:    p.sampling.Samples,
		Family:     p.form.Family,
		Components: p.form.Components,
		Values:     make([]models.Prediction, rows*targets),
	}
}

// block is a part of the rows that is predicted together.
type block struct {
	rows    data.Subset
	numbers []int32 // numbers of the block's rows in rows
	first   int     // index of the block's first row among all rows to be predicted
	workers int     // workers that share the draws
}

// divideRows returns the blocks of the rows with these numbers.
func (p *Predictor) divideRows(rows data.Subset, numbers []int32) []block {
	blockRows, workers := p.planBlocks(len(numbers))
	var blocks []block
	for chunk := range slices.Chunk(numbers, blockRows) {
		blocks = append(blocks, block{rows: rows, numbers: chunk, first: len(blocks) * blockRows, workers: workers})
	}
	return blocks
}

// eachBlock calls predict with the index of each block. As many blocks as there are workers are predicted at the same
// time.
func (p *Predictor) eachBlock(ctx context.Context, blocks []block, predict func(ctx context.Context, index int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.sampling.Workers)
	for i := range blocks {
		group.Go(func() error { return predict(ctx, i) })
	}
	return group.Wait()
}

// predictBlock returns the predictions of a block of rows, and an error for each row whose inputs are too
// large for float32. It adds the block's rows to progress once for each member.
func (p *Predictor) predictBlock(ctx context.Context, b block, progress *Progress) (values []models.Prediction, overflowing []*NotFiniteError, err error) {
	err = p.predictions.lend(p.graphRows(len(b.numbers)), func(g *models.PredictionGraph) (err error) {
		var members [][]float64 // predictions of each copy of each network
		for member := range p.model.Members {
			if err := ctx.Err(); err != nil {
				return err
			}
			var copies [][]float64
			copies, overflowing, err = p.runMember(ctx, g, b, member) // all members have the same inputs
			if err != nil {
				return err
			}
			members = append(members, copies...)
			progress.Add(len(b.numbers))
		}
		values, err = g.Combine(members, len(b.numbers))
		if err != nil {
			return fmt.Errorf("the predictions of method %s: %w", p.model.Method, err)
		}
		return nil
	})
	return values, overflowing, err
}

// runMember returns the distribution parameters of the predictions of a block of rows by each copy of a member's
// network, and an error for each row whose inputs are too large for float32. g predicts from the networks' outputs.
func (p *Predictor) runMember(ctx context.Context, g *models.PredictionGraph, b block, member int) (copies [][]float64, overflowing []*NotFiniteError, err error) {
	err = p.samplers.lend(p.fullKind(member, len(b.numbers)), func(full *sampler) error {
		outputs, err := p.memberOutputs(ctx, b, full)
		if err != nil {
			return err
		}
		overflowing = full.overflowingRows(len(b.numbers))
		a := p.model.Architecture
		for i := range a.CopyCount() {
			prediction, err := g.Run(a.CopyOutputs(outputs, i), len(b.numbers))
			if err != nil {
				return err
			}
			copies = append(copies, prediction)
		}
		return nil
	})
	return copies, overflowing, err
}

// memberOutputs runs the networks of a member for a block of rows and returns their outputs. full is the
// sampler of the member's full network. Sub-networks run only if the method uses them. The result's Full
// is memory of the sampler, valid until its next run.
func (p *Predictor) memberOutputs(ctx context.Context, b block, full *sampler) (models.NetworkOutputs, error) {
	fullOutputs, err := full.runFull(b.rows, b.numbers)
	if err != nil {
		return models.NetworkOutputs{}, err
	}
	outputs := models.NetworkOutputs{
		Full:   fullOutputs,
		Layers: full.layerOutputs(len(b.numbers)),
		Stored: p.model.MemberMatrices(full.member),
		Params: p.model.Members[full.member],
	}
	switch {
	case !p.method.UsesSubNetworks():
		return outputs, nil
	case full.analytic:
		outputs.Mean, outputs.Std = full.dropoutMoments(len(b.numbers))
		return outputs, nil
	}
	drawn, err := p.sampleDraws(ctx, b, full.member)
	if err != nil {
		return models.NetworkOutputs{}, err
	}
	outputs.Draws = drawn.outputs
	outputs.Mean = drawn.mean
	outputs.Std = drawn.std()
	return outputs, nil
}

// sampleDraws runs the sub-networks of a member for a block of rows. If several workers share
// the draws, their outputs are still added in the order of the draws, so that the moments do
// not depend on the number of workers.
func (p *Predictor) sampleDraws(ctx context.Context, b block, member int) (*memberDraws, error) {
	samples := p.sampling.Samples
	drawn := &memberDraws{
		moments: newMoments(len(b.numbers) * p.model.Architecture.OutputColumns()),
		keep:    p.method.SubNetworks == models.EachSubNetwork,
	}
	drawsPerWorker := (samples + b.workers - 1) / b.workers
	kind := p.subNetworkKind(member, len(b.numbers), drawsPerWorker)
	if b.workers == 1 {
		err := p.samplers.lend(kind, func(s *sampler) error {
			return s.runSubNetworks(ctx, b.rows, b.numbers, p.sampling.Seed, 0, samples, drawn.add)
		})
		return drawn, err
	}
	outputs := make([][]float32, samples)
	keep := func(draw int, out []float32) { outputs[draw] = slices.Clone(out) }
	group, ctx := errgroup.WithContext(ctx)
	for from := 0; from < samples; from += drawsPerWorker {
		to := min(from+drawsPerWorker, samples)
		group.Go(func() error {
			return p.samplers.lend(kind, func(s *sampler) error {
				return s.runSubNetworks(ctx, b.rows, b.numbers, p.sampling.Seed, from, to, keep)
			})
		})
	}
	if err := group.Wait(); err != nil {
		return drawn, err
	}
	for draw, out := range outputs {
		drawn.add(draw, out)
	}
	return drawn, nil
}

// Predict returns a model's predictions of rows, for callers that predict only once. The rows must have
// the scalers of the model's training, Model.Inputs and Model.Targets, or be standardised with them.
// A sub-network is one function: its dropout masks depend on the seed, the member and the index of the
// draw, and all rows share them.
//
// It returns a *NotFiniteError, with the predictions of the rows before, if a prediction is not
// finite.
func Predict(ctx context.Context, m *models.Model, rows data.Subset, s Sampling) (*Predictions, error) {
	p, err := NewPredictor(m, s)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.Predict(ctx, rows)
}
