package models

import (
	"cmp"
	"fmt"

	"sml/data"
	"sml/graph"
	"sml/models/distribution"
)

// PredictionGraph computes predictions of rows: a method's Predictor or Combiner as a float64 graph. It
// must not be used by several goroutines at the same time.
type PredictionGraph struct {
	Family     distribution.Family
	Components []string // names of the components

	rows, targets int
	outputs       int // network outputs for each target
	run           *graph.Runner
	values        []float64 // result of the last call of output: [rows, targets, parameters and components]
}

// PredictionOptions configures a PredictionGraph.
type PredictionOptions struct {
	Rows    int          // maximum number of rows of a run
	Draws   int          // number of sub-networks, for a method that uses EachSubNetwork
	Scalers data.Scalers // scalers of the targets; default mean 0 and standard deviation 1
	Predict Predictor    // default the method's Predict
	Engine  graph.Engine // default graph.Compiled

	// Stored are the matrices that the model stores for a network; the graph is built for their shapes.
	// By default they are made by AfterTraining for invented rows.
	Stored []Matrix
}

// newPredictionGraph returns the graph that build describes: the predictions, and the outputs of the graph.
// kind is "predictor" or "combiner", and function is the method's, whose line errors name. It returns an
// error if the graph declares parameters or draws random numbers.
func (s Spec) newPredictionGraph(m Method, o PredictionOptions, kind string, function any, build func(b *graph.Builder) (PredictionNodes, graph.Nodes)) (g *PredictionGraph, err error) {
	g = &PredictionGraph{rows: o.Rows, targets: max(1, s.Architecture.Targets), outputs: s.Architecture.OutputsPerTarget()}
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	nodes, outputs, err := s.buildPrediction(b, m, kind, function, g.rows, build)
	if err != nil {
		return nil, err
	}
	declared := params.List()
	if len(declared) > 0 {
		return nil, fmt.Errorf("the %s of method %s declares the parameter %q, which no training changes: take constants from Const%s", kind, m.Name, declared[0].Name, sourceLine(function))
	}
	if len(graph.Inspect(b).Draws()) > 0 {
		return nil, fmt.Errorf("the %s of method %s draws random numbers, and predictions are repeatable: let it compute with the moments%s", kind, m.Name, sourceLine(function))
	}
	g.Family = nodes.Family
	for _, c := range nodes.Components {
		g.Components = append(g.Components, c.Name)
	}
	g.run, err = graph.NewRunner(cmp.Or(o.Engine, graph.Compiled), b, outputs...)
	if err != nil {
		return nil, err
	}
	// A run fails unless all inputs have been requested. An input on which no prediction depends is
	// never filled, and stays 0.
	for _, name := range g.run.Inputs() {
		g.run.Input64(name)
	}
	return g, nil
}

// buildPrediction calls build and checks the nodes that it returns. It turns a panic into an error. See
// newPredictionGraph for the parameters.
func (s Spec) buildPrediction(b *graph.Builder, m Method, kind string, function any, rows int, build func(b *graph.Builder) (PredictionNodes, graph.Nodes)) (nodes PredictionNodes, outputs graph.Nodes, err error) {
	who := fmt.Sprintf("the %s of method %s", kind, m.Name)
	line := sourceLine(function)
	defer graph.Recover(&err, who)
	nodes, outputs = build(b)
	if err := b.Err(); err != nil {
		return nodes, nil, fmt.Errorf("%s: %w", who, err)
	}
	if err := nodes.check(b, who, rows, max(1, s.Architecture.Targets), line); err != nil {
		return nodes, nil, err
	}
	return nodes, outputs, s.checkFamily(nodes.Family, who, line)
}

// checkFamily returns an error if quantile levels do not ascend between 0 and 1, or if the number of
// classes is not that of a target. who and line name the predictor or combiner in the error.
func (s Spec) checkFamily(f distribution.Family, who, line string) error {
	previous := 0.0
	for _, level := range f.Levels {
		if !(level > previous && level < 1) {
			return fmt.Errorf("%s gives quantiles at the levels %v; want them above 0, below 1 and ascending%s", who, f.Levels, line)
		}
		previous = level
	}
	if want := s.Architecture.Classes; f.Classes != want {
		return fmt.Errorf("%s gives probabilities of %d classes; want %d, as a target has%s", who, f.Classes, want, line)
	}
	return nil
}

// list returns all nodes of the prediction: parameters, then components.
func (p PredictionNodes) list() graph.Nodes {
	nodes := append(graph.Nodes{}, p.Parameters...)
	for _, c := range p.Components {
		nodes = append(nodes, c.Std)
	}
	return nodes
}

// check returns an error if nodes are missing, belong to another graph, or do not have the shape
// [rows targets]. who and line name the predictor or combiner in the error.
func (p PredictionNodes) check(b *graph.Builder, who string, rows, targets int, line string) error {
	if p.Family.New == nil {
		return fmt.Errorf("%s gives no family of distributions: want one, such as distribution.Normal%s", who, line)
	}
	if got, want := len(p.Parameters), len(p.Family.Parameters); got != want {
		return fmt.Errorf("%s gives %d parameters; want the %d of the family %s, %v%s", who, got, want, p.Family.Name, p.Family.Parameters, line)
	}
	for i, n := range p.list() {
		name := p.nodeName(i)
		if n == nil {
			return fmt.Errorf("%s gives nil for %s%s", who, name, line)
		}
		if g := n.Graph(); g != nil && g != b.Graph() {
			return fmt.Errorf("%s gives %s, a node of another graph: it was kept from an earlier call, or made by another builder than the one that is given%s", who, name, line)
		}
		if shape := n.Shape(); len(shape) != 2 || shape[0] != rows || shape[1] != targets {
			return fmt.Errorf("%s gives %s of shape %v; want [rows targets], here [%d %d]%s", who, name, shape, rows, targets, line)
		}
	}
	return nil
}

// nodeName returns the name of the parameter or component that node i of p.list stands for.
func (p PredictionNodes) nodeName(i int) string {
	if i < len(p.Parameters) {
		return p.Family.Parameters[i]
	}
	return p.Components[i-len(p.Parameters)].Name
}

// Close releases the graph.
func (g *PredictionGraph) Close() { g.run.Close() }

// output runs the graph and returns its values, [rows, targets, parameters and components], valid until the
// next call.
func (g *PredictionGraph) output(rows int) ([]float64, error) {
	if err := g.run.Run(); err != nil {
		return nil, err
	}
	width := len(g.Family.Parameters) + len(g.Components)
	n := rows * g.targets
	if len(g.values) < n*width {
		g.values = make([]float64, g.rows*g.targets*width)
	}
	for k := range width {
		for i, v := range g.run.Output64(k)[:n] {
			g.values[i*width+k] = v
		}
	}
	return g.values[:n*width], nil
}

// Predictions returns the predictions with the values that Run returned, which it copies. It returns an
// error if the family does not allow the parameters, or if a component is negative. Values may be
// infinite or NaN: see Prediction.IsFinite.
func (g *PredictionGraph) Predictions(values []float64) ([]Prediction, error) {
	count := len(g.Family.Parameters)
	width := count + len(g.Components)
	values = append([]float64(nil), values...)
	predictions := make([]Prediction, len(values)/width)
	for i := range predictions {
		row := values[i*width:][:width:width]
		if err := g.check(row[:count], row[count:]); err != nil {
			return nil, err
		}
		predictions[i] = NewPrediction(g.Family, row[:count:count], row[count:])
	}
	return predictions, nil
}

// check returns an error if the family does not allow the parameters, or if a component is negative.
func (g *PredictionGraph) check(parameters, components []float64) error {
	if g.Family.Check != nil {
		if err := g.Family.Check(parameters); err != nil {
			return err
		}
	}
	for i, std := range components {
		if std < 0 {
			return fmt.Errorf("a standard deviation %s of %.6g: want 0 or more", g.Components[i], std)
		}
	}
	return nil
}
