package models

import (
	"cmp"
	"fmt"
	"slices"

	"sml/graph"
	"sml/models/distribution"
)

// predictionRunner computes predictions of rows by one function of a method, its Predictor or its Combiner, as a float64
// graph. It must not be used by several goroutines at the same time.
type predictionRunner struct {
	PredictionForm // form of the predictions

	who  string // the function in errors, such as "the predictor of method sml"
	line string // where the function is written, for errors

	rows, targets int
	outputs       int // network outputs for each target
	run           *graph.Runner
	inputs        map[string][]float64 // by name
	parameters    []string             // names of the parameters of the network among the inputs
}

// buildPrediction adds a prediction to a graph and returns it, with the outputs of the graph: nil for the values of the
// prediction itself.
type buildPrediction func(b *graph.Builder) (PredictionNodes, graph.Nodes)

// newPredictionRunner returns the graph that build describes. kind is "predictor" or "combiner", and function is the
// method's. It returns an error if the graph declares parameters or draws random numbers.
func (s Spec) newPredictionRunner(kind string, function any, o PredictionOptions, build buildPrediction) (*predictionRunner, error) {
	r := &predictionRunner{
		who:     fmt.Sprintf("the %s of method %s", kind, s.Method),
		line:    sourceLine(function),
		rows:    o.Rows,
		targets: max(1, s.Architecture.Targets),
		outputs: s.Architecture.OutputsPerTarget(),
		inputs:  make(map[string][]float64),
	}
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	nodes, outputs, err := r.build(b, build)
	if err == nil {
		err = s.checkFamily(nodes.Family, r)
	}
	if err != nil {
		return nil, err
	}
	declared := params.List()
	if len(declared) > 0 {
		return nil, fmt.Errorf("%s declares the parameter %q: read parameters of the network or of the objective by Moments.Parameter, and take constants from Const%s", r.who, declared[0].Name, r.line)
	}
	if len(graph.Inspect(b).Draws()) > 0 {
		return nil, fmt.Errorf("%s draws random numbers, and predictions are repeatable: let it compute with the moments%s", r.who, r.line)
	}
	r.PredictionForm = nodes.Form()
	r.run, err = graph.NewRunner(cmp.Or(o.Engine, graph.Compiled), b, outputs...)
	if err != nil {
		return nil, err
	}
	// A run fails unless all inputs have been requested. An input on which no prediction depends is
	// never filled, and stays 0.
	for _, name := range r.run.Inputs() {
		r.inputs[name] = r.run.Input64(name)
	}
	return r, nil
}

// build calls build and checks the nodes that it returns. It turns a panic into an error.
func (r *predictionRunner) build(b *graph.Builder, build buildPrediction) (nodes PredictionNodes, outputs graph.Nodes, err error) {
	defer graph.Recover(&err, r.who)
	nodes, outputs = build(b)
	if err := b.Err(); err != nil {
		return nodes, nil, fmt.Errorf("%s: %w", r.who, err)
	}
	if err := r.check(b, nodes); err != nil {
		return nodes, nil, err
	}
	if outputs == nil {
		outputs = nodes.Values(b)
	}
	return nodes, outputs, nil
}

// checkFamily returns an error if quantile levels do not ascend between 0 and 1, or if the number of
// classes is not that of a target.
func (s Spec) checkFamily(f distribution.Family, r *predictionRunner) error {
	previous := 0.0
	for _, level := range f.Levels {
		if !(level > previous && level < 1) {
			return fmt.Errorf("%s gives quantiles at the levels %v; want them above 0, below 1 and ascending%s", r.who, f.Levels, r.line)
		}
		previous = level
	}
	if want := s.Architecture.Classes; f.Classes != want {
		return fmt.Errorf("%s gives probabilities of %d classes; want %d, as a target has%s", r.who, f.Classes, want, r.line)
	}
	return nil
}

// Form returns the form of the prediction.
func (p PredictionNodes) Form() PredictionForm {
	form := PredictionForm{Family: p.Family, Correlated: p.Correlations != nil}
	for _, c := range p.Components {
		form.Components = append(form.Components, c.Name)
	}
	return form
}

// Values returns all values of the prediction, [rows, targets] each: parameters, components, and the correlations of the
// targets with each target, if there are any.
func (p PredictionNodes) Values(b *graph.Builder) graph.Nodes {
	nodes := append(graph.Nodes{}, p.Parameters...)
	for _, c := range p.Components {
		nodes = append(nodes, c.Std)
	}
	if p.Correlations != nil {
		nodes = append(nodes, b.Split(p.Correlations, p.Parameters[0].Shape()[1])...)
	}
	return nodes
}

// check returns an error if nodes are missing, belong to another graph, or do not have the shape
// [rows targets], or [rows targets·targets] for the correlations.
func (r *predictionRunner) check(b *graph.Builder, p PredictionNodes) error {
	if p.Family.New == nil {
		return fmt.Errorf("%s gives no family of distributions: want one, such as distribution.Normal%s", r.who, r.line)
	}
	if got, want := len(p.Parameters), len(p.Family.Parameters); got != want {
		return fmt.Errorf("%s gives %d parameters; want the %d of the family %s, %v%s", r.who, got, want, p.Family.Name, p.Family.Parameters, r.line)
	}
	for i, n := range p.Parameters {
		if err := r.checkNode(b, p.Family.Parameters[i], n, "targets", r.targets); err != nil {
			return err
		}
	}
	for _, c := range p.Components {
		if err := r.checkNode(b, c.Name, c.Std, "targets", r.targets); err != nil {
			return err
		}
	}
	if p.Correlations == nil {
		return nil
	}
	return r.checkNode(b, "correlations", p.Correlations, "targets·targets", r.targets*r.targets)
}

// checkNode returns an error unless n is a node of the graph with r.rows rows and the given number of columns. name is the
// name of its values, and width describes the number of columns.
func (r *predictionRunner) checkNode(b *graph.Builder, name string, n *graph.Node, width string, columns int) error {
	if n == nil {
		return fmt.Errorf("%s gives nil for %s%s", r.who, name, r.line)
	}
	if g := n.Graph(); g != nil && g != b.Graph() {
		return fmt.Errorf("%s gives %s, a node of another graph: it was kept from an earlier call, or made by another builder than the one that is given%s", r.who, name, r.line)
	}
	if shape := n.Shape(); len(shape) != 2 || shape[0] != r.rows || shape[1] != columns {
		return fmt.Errorf("%s gives %s of shape %v; want [rows %s], here [%d %d]%s", r.who, name, shape, width, r.rows, columns, r.line)
	}
	return nil
}

// inputsOfNetwork returns inputs of another graph for the predictions of network k, which have the form of r's.
func (r *predictionRunner) inputsOfNetwork(b *graph.Builder, k int) PredictionNodes {
	var values graph.Nodes
	for i := range r.width() {
		values = append(values, predictionInput(b, memberInput(k, i), r.rows, r.targets))
	}
	return r.Nodes(b, values)
}

// Nodes returns the prediction of this form with the given values, in the order of PredictionNodes.Values.
func (f PredictionForm) Nodes(b *graph.Builder, values graph.Nodes) PredictionNodes {
	parameters := len(f.Family.Parameters)
	nodes := PredictionNodes{Family: f.Family, Parameters: values[:parameters]}
	for i, name := range f.Components {
		nodes.Components = append(nodes.Components, Component{name, values[parameters+i]})
	}
	if f.Correlated {
		nodes.Correlations = b.Concat(values[parameters+len(f.Components):]...)
	}
	return nodes
}

// width returns the number of values of the prediction of a target: parameters, components and correlations.
func (r *predictionRunner) width() int {
	width := len(r.Family.Parameters) + len(r.Components)
	if r.Correlated {
		width += r.targets
	}
	return width
}

// output runs the graph and returns its values, [rows, targets, values]: parameters, components and correlations of each
// target.
func (r *predictionRunner) output(rows int) ([]float64, error) {
	if err := r.run.Run(); err != nil {
		return nil, err
	}
	width := r.width()
	n := rows * r.targets
	values := make([]float64, n*width)
	for k := range width {
		for i, v := range r.run.Output64(k)[:n] {
			values[i*width+k] = v
		}
	}
	return values, nil
}

// predictions returns the predictions with the values that output returned, of which it makes no copy. It returns an
// error if the family does not allow the parameters, if a component is negative, or if correlations contradict each
// other. Values may be infinite or NaN: see Prediction.IsFinite.
func (r *predictionRunner) predictions(values []float64) ([]Prediction, error) {
	parameters := len(r.Family.Parameters)
	components := parameters + len(r.Components)
	width := r.width()
	predictions := make([]Prediction, len(values)/width)
	for i := range predictions {
		row := values[i*width:][:width:width]
		if err := r.checkValues(row[:parameters], row[parameters:components]); err != nil {
			return nil, err
		}
		predictions[i] = NewPrediction(r.Family, row[:parameters:parameters], row[parameters:components:components])
		if r.Correlated {
			predictions[i].Correlations = row[components:]
		}
	}
	return predictions, r.checkCorrelations(predictions)
}

// checkCorrelations returns an error unless the correlations in each row are a correlation matrix. A row with numbers that
// are not finite passes.
func (r *predictionRunner) checkCorrelations(predictions []Prediction) error {
	if !r.Correlated {
		return nil
	}
	for row := range slices.Chunk(predictions, r.targets) {
		if !slices.ContainsFunc(row, func(p Prediction) bool { return !p.IsFinite() }) {
			if _, err := NewJoint(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// NewJoint returns the joint distribution of the targets of a row, whose predictions it gets. It returns an error if their
// correlations are not a correlation matrix.
func NewJoint(row []Prediction) (*distribution.Joint, error) {
	var marginals []distribution.Distribution
	var correlations [][]float64
	for _, p := range row {
		marginals = append(marginals, p.Distribution)
		if p.Correlations != nil {
			correlations = append(correlations, p.Correlations)
		}
	}
	return distribution.NewJoint(marginals, correlations)
}

// checkValues returns an error if the family does not allow the parameters, or if a component is negative.
func (r *predictionRunner) checkValues(parameters, components []float64) error {
	if r.Family.Check != nil {
		if err := r.Family.Check(parameters); err != nil {
			return err
		}
	}
	for i, std := range components {
		if std < 0 {
			return fmt.Errorf("a standard deviation %s of %.6g: want 0 or more", r.Components[i], std)
		}
	}
	return nil
}
