package check

import (
	"slices"

	"sml/graph"
	"sml/models"
)

// gradientDraws is the number of seeds whose gradients are computed: in one draw a unit may be dropped,
// or give 0.
const gradientDraws = 3

// lossTerms returns the terms of an objective's loss or, if it names none, the loss as a single term.
func lossTerms(b *graph.Builder, loss *graph.Node) []graph.Term {
	terms := graph.Inspect(b).Terms()
	if len(terms) == 0 {
		return []graph.Term{{Name: "objective", Weight: 1, Value: loss}}
	}
	return terms
}

// termGradient is a term of the loss and the parameters that receive its gradient.
type termGradient struct {
	name       string
	weight     float64
	parameters []string        // names of all parameters, in order
	isTrained  map[string]bool // parameters with a gradient other than 0
}

// termGradients returns, for each term of the objective, the parameters that its gradient reaches. The
// objective gets the network that wrap returns for the real one.
func termGradients(s models.Spec, seed uint64, wrap func(*graph.Builder, models.Forward) models.Forward) ([]termGradient, error) {
	build := func(b *graph.Builder) ([]graph.Term, error) {
		loss, err := s.LossWithNetwork(b, smallBatchRows, func(_ *graph.Node, f models.Forward) models.Forward { return wrap(b, f) })
		if err != nil {
			return nil, err
		}
		return lossTerms(b, loss), nil
	}
	terms, err := build(graph.New(graph.Float64, new(graph.Params)))
	if err != nil {
		return nil, err
	}
	var gradients []termGradient
	// Each term gets a graph of its own, which has no nodes of the other terms' gradients.
	for i := range terms {
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		terms, err := build(b)
		if err != nil {
			return nil, err
		}
		g, err := newTermGradient(s, b, params, terms[i], seed)
		if err != nil {
			return nil, err
		}
		gradients = append(gradients, g)
	}
	return gradients, nil
}

// probeName is the name of a parameter that is added to a graph to see whether a gradient reaches it,
// or so that there is a gradient at all.
const probeName = "beside the term"

// newTermGradient differentiates one term of the graph b, whose parameters are params. A parameter
// counts as trained if an element of its gradient is not 0 for any of a few seeds, and if the
// parameter's group is one that the term may move.
func newTermGradient(s models.Spec, b *graph.Builder, params *graph.Params, term graph.Term, seed uint64) (termGradient, error) {
	g := termGradient{
		name:      term.Name,
		weight:    term.Weight,
		isTrained: make(map[string]bool),
	}
	// A term may depend on no parameter, and could not be differentiated. The sum depends on the probe.
	probe := b.Param(probeName, 1, 1, graph.Uniform(1))
	gradients := b.Gradients(b.Add(term.Value, b.Sum(probe))) // by parameter, in the order of params
	runner, err := graph.NewRunner(graph.Compiled, b, gradients...)
	if err != nil {
		return g, err
	}
	defer runner.Close()
	for _, p := range params.List() {
		if p.Name != probeName {
			g.parameters = append(g.parameters, p.Name)
		}
	}
	for draw := seed; draw < seed+gradientDraws; draw++ {
		params.Initialise(draw)
		fillTypical(s, runner, draw)
		if err := runner.Run(); err != nil {
			return g, err
		}
		for i, p := range params.List() {
			if p.Name != probeName && graph.Inspect(b).Moves(term, p) && !isZero(runner.Output64(i)) {
				g.isTrained[p.Name] = true
			}
		}
	}
	return g, nil
}

// isZero reports whether all values are 0.
func isZero(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != 0 })
}
