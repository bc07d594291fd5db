package evaluation

import (
	"slices"
	"sync"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

// predictionGraphs computes predictions from the outputs of a model's networks. It keeps
// graphs for several numbers of rows and lends each to one goroutine at a time.
type predictionGraphs struct {
	family     distribution.Family
	components []string
	layers     []string // names of the hidden layers that predictions need

	model    *models.Model
	sampling Sampling
	engine   graph.Engine

	lock sync.Mutex
	free map[int][]*predictionGraph
}

// predictionGraph computes the predictions of each member and combines them.
type predictionGraph struct {
	predictor   *models.NetworkPredictor
	combination *models.Combination // nil for one member
}

func newPredictionGraphs(m *models.Model, s Sampling, engine graph.Engine) (*predictionGraphs, error) {
	p := &predictionGraphs{model: m, sampling: s, engine: engine, free: make(map[int][]*predictionGraph)}
	first, err := p.open(2)
	if err != nil {
		return nil, err
	}
	p.free[2] = append(p.free[2], first)
	p.family, p.components, p.layers = first.result().Family, first.result().Components, first.predictor.Layers
	return p, nil
}

// last returns the graph whose predictions are the model's.
func (g *predictionGraph) result() *models.PredictionGraph {
	if g.combination != nil {
		return g.combination.PredictionGraph
	}
	return g.predictor.PredictionGraph
}

func (p *predictionGraphs) open(rows int) (*predictionGraph, error) {
	o := models.PredictionOptions{Rows: rows, Draws: p.sampling.Samples, Scalers: p.model.Targets, Stored: p.model.StoredOf(0), Predict: p.sampling.Predict, Engine: p.engine}
	one, err := p.model.NewPredictor(o)
	if err != nil {
		return nil, err
	}
	g := &predictionGraph{predictor: one}
	if members := len(p.model.Members); members > 1 {
		if g.combination, err = p.model.NewCombination(one.PredictionGraph, members, o); err != nil {
			one.Close()
			return nil, err
		}
	}
	return g, nil
}

// member returns the values of the predictions of one member's rows, which stay valid.
func (g *predictionGraph) predictMember(outputs models.NetworkOutputs, rows int) ([]float64, error) {
	values, err := g.predictor.Run(outputs, rows)
	if g.combination != nil {
		values = slices.Clone(values) // the next run overwrites them
	}
	return values, err
}

// combine returns the model's predictions from the values of each member.
func (g *predictionGraph) combine(members [][]float64, rows int) ([]models.Prediction, error) {
	values := members[0]
	if g.combination != nil {
		var err error
		if values, err = g.combination.Run(members, rows); err != nil {
			return nil, err
		}
	}
	return g.result().Predictions(values)
}

// take returns a free graph, or a new one.
func (p *predictionGraphs) take(rows int) (*predictionGraph, error) {
	if g := p.takeFree(rows); g != nil {
		return g, nil
	}
	return p.open(rows)
}

// spare takes out a free graph, nil if there is none.
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

func (p *predictionGraphs) put(rows int, g *predictionGraph) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.free[rows] = append(p.free[rows], g)
}

func (p *predictionGraphs) close() {
	for _, free := range p.free {
		for _, g := range free {
			g.predictor.Close()
			if g.combination != nil {
				g.combination.Close()
			}
		}
	}
}
