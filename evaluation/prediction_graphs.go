package evaluation

import (
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
	free map[int][]*models.PredictionGraph // by number of rows
}

// newPredictionGraphs opens a first graph, from which it takes the family, components and layers of the
// predictions.
func newPredictionGraphs(m *models.Model, s Sampling, engine graph.Engine) (*predictionGraphs, error) {
	const rows = 2
	p := &predictionGraphs{
		model:    m,
		sampling: s,
		engine:   engine,
		free:     make(map[int][]*models.PredictionGraph),
	}
	first, err := p.open(rows)
	if err != nil {
		return nil, err
	}
	p.put(rows, first)
	p.family = first.Family
	p.components = first.Components
	p.layers = first.Layers
	return p, nil
}

// open builds a graph for the given number of rows, which predicts with all members.
func (p *predictionGraphs) open(rows int) (*models.PredictionGraph, error) {
	return p.openFor(len(p.model.Members), rows)
}

// openFor builds a graph for the given number of rows, which predicts with this number of members.
func (p *predictionGraphs) openFor(members, rows int) (*models.PredictionGraph, error) {
	options := models.PredictionOptions{
		Rows:    rows,
		Draws:   p.sampling.Samples,
		Scalers: p.model.Targets,
		Stored:  p.model.MemberMatrices(0),
		Params:  p.model.Members[0],
		Predict: p.sampling.Predict,
		Engine:  p.engine,
	}
	return p.model.NewPredictionGraph(members*p.model.Architecture.CopyCount(), options)
}

// predictCopies returns the distribution parameters of the predictions of each copy of a network, given the outputs of
// all copies.
func predictCopies(g *models.PredictionGraph, a models.Architecture, outputs models.NetworkOutputs, rows int) ([][]float64, error) {
	predictions := make([][]float64, a.CopyCount())
	for i := range predictions {
		var err error
		predictions[i], err = g.Run(a.CopyOutputs(outputs, i), rows)
		if err != nil {
			return nil, err
		}
	}
	return predictions, nil
}

// take returns a free graph for the given number of rows, or a new one if none is free. Return it
// with put.
func (p *predictionGraphs) take(rows int) (*models.PredictionGraph, error) {
	if g := p.takeFree(rows); g != nil {
		return g, nil
	}
	return p.open(rows)
}

// takeFree removes a free graph and returns it, or nil if there is none.
func (p *predictionGraphs) takeFree(rows int) *models.PredictionGraph {
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
func (p *predictionGraphs) put(rows int, g *models.PredictionGraph) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.free[rows] = append(p.free[rows], g)
}

// close releases all graphs. None may be lent.
func (p *predictionGraphs) close() {
	for _, free := range p.free {
		for _, g := range free {
			g.Close()
		}
	}
}
