package evaluation

import (
	"slices"
	"sync"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

// predictionGraphs keeps graphs that compute predictions from the outputs of a model's networks,
// for several numbers of rows, and lends each graph to one goroutine at a time.
type predictionGraphs struct {
	family     distribution.Family
	components []string // names of the parts of the standard deviation
	layers     []string // names of the hidden layers that predictions need

	model    *models.Model
	sampling Sampling
	engine   graph.Engine

	lock sync.Mutex
	free map[int][]*predictionGraph // by number of rows
}

// predictionGraph computes the predictions of each member and combines them.
type predictionGraph struct {
	predictor   *models.NetworkPredictor
	combination *models.Combination // nil for one member
}

// newPredictionGraphs opens a first graph, from which it takes the family, components and layers of the
// predictions.
func newPredictionGraphs(m *models.Model, s Sampling, engine graph.Engine) (*predictionGraphs, error) {
	const rows = 2
	p := &predictionGraphs{
		model:    m,
		sampling: s,
		engine:   engine,
		free:     make(map[int][]*predictionGraph),
	}
	first, err := p.open(rows)
	if err != nil {
		return nil, err
	}
	p.put(rows, first)
	p.family = first.result().Family
	p.components = first.result().Components
	p.layers = first.predictor.Layers
	return p, nil
}

// result returns the graph whose predictions are the model's.
func (g *predictionGraph) result() *models.PredictionGraph {
	if g.combination != nil {
		return g.combination.PredictionGraph
	}
	return g.predictor.PredictionGraph
}

// close releases the graph.
func (g *predictionGraph) close() {
	g.predictor.Close()
	if g.combination != nil {
		g.combination.Close()
	}
}

// open builds a graph for the given number of rows, which predicts with all members.
func (p *predictionGraphs) open(rows int) (*predictionGraph, error) {
	return p.openFor(len(p.model.Members), rows)
}

// openFor builds a graph for the given number of rows, which predicts with this number of members.
func (p *predictionGraphs) openFor(members, rows int) (*predictionGraph, error) {
	options := models.PredictionOptions{
		Rows:    rows,
		Draws:   p.sampling.Samples,
		Scalers: p.model.Targets,
		Stored:  p.model.MemberMatrices(0),
		Predict: p.sampling.Predict,
		Engine:  p.engine,
	}
	predictor, err := p.model.NewPredictor(options)
	if err != nil {
		return nil, err
	}
	g := &predictionGraph{predictor: predictor}
	networks := members * p.model.Architecture.CopyCount()
	if networks == 1 {
		return g, nil
	}
	g.combination, err = p.model.NewCombination(predictor.PredictionGraph, networks, options)
	if err != nil {
		predictor.Close()
		return nil, err
	}
	return g, nil
}

// predictCopies returns the distribution parameters of the predictions of each copy of a network, given the outputs of
// all copies. They stay valid when the next network is predicted.
func (g *predictionGraph) predictCopies(a models.Architecture, outputs models.NetworkOutputs, rows int) ([][]float64, error) {
	predictions := make([][]float64, a.CopyCount())
	for i := range predictions {
		parameters, err := g.predictor.Run(a.CopyOutputs(outputs, i), rows)
		if err != nil {
			return nil, err
		}
		if g.combination != nil {
			parameters = slices.Clone(parameters) // the next run overwrites them
		}
		predictions[i] = parameters
	}
	return predictions, nil
}

// combine returns the model's predictions from the distribution parameters of all members.
func (g *predictionGraph) combine(members [][]float64, rows int) ([]models.Prediction, error) {
	parameters := members[0]
	if g.combination != nil {
		var err error
		parameters, err = g.combination.Run(members, rows)
		if err != nil {
			return nil, err
		}
	}
	return g.result().Predictions(parameters)
}

// take returns a free graph for the given number of rows, or a new one if none is free. Return it
// with put.
func (p *predictionGraphs) take(rows int) (*predictionGraph, error) {
	if g := p.takeFree(rows); g != nil {
		return g, nil
	}
	return p.open(rows)
}

// takeFree removes a free graph and returns it, or nil if there is none.
func (p *predictionGraphs) takeFree(rows int) *predictionGraph {
	p.lock.Lock()
	defer p.lock.Unlock()
	free := p.free[rows]
	if len(free) == 0 {
		return nil
	}
	g := free[len(free)-1]
	p.free[rows] = free[:len(free)-1]
	return g
}

// put makes a graph free again.
func (p *predictionGraphs) put(rows int, g *predictionGraph) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.free[rows] = append(p.free[rows], g)
}

// close releases all graphs. None may be lent.
func (p *predictionGraphs) close() {
	for _, free := range p.free {
		for _, g := range free {
			g.close()
		}
	}
}
