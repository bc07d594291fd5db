package models

import (
	"sml/data"
	"sml/graph"
)

// PredictionGraph predicts rows from the outputs of all networks of a model: with the method's Predictor for each copy of
// each network and, for several, with its Combiner. These are two graphs, since a single one for a hundred networks would
// be too large. It must not be used by several goroutines at the same time.
type PredictionGraph struct {
	PredictionForm          // form of the model's predictions
	Layers         []string // names of the values of the full network that the Predictor uses: see FullPass.FindLayer
	Parameters     []string // names of the parameters of the network or the objective that the Predictor uses

	network  *predictionRunner // the Predictor, for one copy of one network
	combiner *predictionRunner // the Combiner; nil for a single network

	// draws computes the functions of one sub-network's outputs that the Predictor passes to MeanOverDraws and
	// ForEachDraw. It runs for each sub-network, and its results are inputs of network. It is nil if there are no such
	// functions.
	draws        *predictionRunner
	means, lists int // number of calls of MeanOverDraws, and of ForEachDraw
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

	// Params has parameters of a network of the model; the graph is built for their shapes. By default they
	// have their initial values.
	Params *graph.Params
}

// NewPredictionGraph returns a graph of the predictions of this number of networks: all copies of all members. It returns
// an error if the method's Predictor or its Combiner has a mistake.
func (s Spec) NewPredictionGraph(networks int, o PredictionOptions) (*PredictionGraph, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	g := new(PredictionGraph)
	err = g.addPredictor(s, m, o)
	if err == nil && networks > 1 {
		err = g.addCombiner(s, m, networks, o)
	}
	if err != nil {
		g.Close()
		return nil, err
	}
	g.PredictionForm = g.result().PredictionForm
	return g, nil
}

// addPredictor adds the graph of the method's Predictor and, if it needs one, the graph of its functions of sub-networks.
func (g *PredictionGraph) addPredictor(s Spec, m Method, o PredictionOptions) (err error) {
	if o.Predict == nil {
		o.Predict = m.Predict
	}
	if o.Stored == nil { // matrices of the right shapes will do: NetworkOutputs.Stored replaces their values
		o.Stored, err = s.tryAfterTraining(m)
		if err != nil {
			return err
		}
	}
	parts := &networkParts{stored: o.Stored, params: o.Params}
	calls := &drawCalls{draws: o.Draws, haveInputs: true}
	g.network, err = s.newPredictionRunner("predictor", o.Predict, o, func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		return o.Predict(b, partInputs{s, b, o.Rows, calls, parts}.moments(m)), nil
	})
	if err != nil {
		return m.explainMissingMoments(err, s.Architecture.OutputsPerTarget())
	}
	g.network.fillConstants(o, parts)
	g.Layers = parts.layers
	g.Parameters = g.network.parameters
	g.means = len(calls.means)
	g.lists = len(calls.lists)
	if g.means+g.lists == 0 {
		return nil
	}
	// The Predictor is called once more, and its prediction ignored.
	g.draws, err = s.newPredictionRunner("predictor", o.Predict, o, func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		calls := &drawCalls{draws: o.Draws}
		nodes := o.Predict(b, partInputs{s, b, o.Rows, calls, parts}.moments(m))
		return nodes, append(calls.means, calls.lists...)
	})
	if err == nil {
		g.draws.fillConstants(o, parts)
	}
	return err
}

// addCombiner adds the graph of the method's Combiner for two or more networks.
func (g *PredictionGraph) addCombiner(s Spec, m Method, networks int, o PredictionOptions) (err error) {
	g.combiner, err = s.newPredictionRunner("combiner", m.Combine, o, func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		nodes := make([]PredictionNodes, networks)
		for k := range nodes {
			nodes[k] = g.network.inputsOfNetwork(b, k)
		}
		return m.Combine(b, nodes), nil
	})
	return err
}

// Close releases the graphs.
func (g *PredictionGraph) Close() {
	for _, r := range []*predictionRunner{g.network, g.draws, g.combiner} {
		if r != nil {
			r.run.Close()
		}
	}
}

// result returns the graph whose predictions are the model's.
func (g *PredictionGraph) result() *predictionRunner {
	if g.combiner != nil {
		return g.combiner
	}
	return g.network
}

// Run returns the values of the predictions of rows by one copy of one network, [rows, targets, values], in the order of
// PredictionNodes.Values.
func (g *PredictionGraph) Run(o NetworkOutputs, rows int) ([]float64, error) {
	g.network.fill(o)
	if g.draws != nil {
		if err := g.runDraws(o); err != nil {
			return nil, err
		}
	}
	return g.network.output(rows)
}

// runDraws runs g.draws for each sub-network. It fills the inputs of g.network with the means of the results over the
// sub-networks, and with the results of each.
func (g *PredictionGraph) runDraws(o NetworkOutputs) error {
	means := make([][]float64, g.means)
	for call := range means {
		means[call] = g.network.inputs[overDrawsInput(call)]
		clear(means[call])
	}
	g.draws.fill(o)
	for k, out := range o.Draws {
		fillOutputs(g.draws, drawInput, out)
		if err := g.draws.run.Run(); err != nil {
			return err
		}
		for call, mean := range means {
			for i, v := range g.draws.run.Output64(call) {
				mean[i] += v / float64(len(o.Draws))
			}
		}
		for call := range g.lists {
			copy(g.network.inputs[eachDrawInput(call, k)], g.draws.run.Output64(g.means+call))
		}
	}
	return nil
}

// Combine returns the model's predictions of rows. networks has the result of Run for each copy of each network, which
// must not be changed afterwards. It returns an error if a prediction is not a distribution, for instance because a
// standard deviation is negative. Values may be infinite or NaN: see Prediction.IsFinite.
func (g *PredictionGraph) Combine(networks [][]float64, rows int) ([]Prediction, error) {
	values, err := g.combineValues(networks, rows)
	if err != nil {
		return nil, err
	}
	return g.result().predictions(values)
}

// combineValues returns the values of the model's predictions of rows, [rows, targets, values]: see
// predictionRunner.output.
func (g *PredictionGraph) combineValues(networks [][]float64, rows int) ([]float64, error) {
	if g.combiner == nil {
		return networks[0], nil
	}
	valuesPerTarget := g.network.width()
	for k, values := range networks {
		for value := range valuesPerTarget {
			input := g.combiner.inputs[memberInput(k, value)]
			for i := range rows * g.combiner.targets { // i counts the targets of all rows
				input[i] = values[i*valuesPerTarget+value]
			}
		}
	}
	return g.combiner.output(rows)
}

// PredictionForm returns the form of the method's predictions with the given number of members. It builds the graph of
// the predictions for matrices that AfterTraining makes of invented rows, and for initial parameters.
func (s Spec) PredictionForm(members int) (PredictionForm, error) {
	return s.predictionForm(members, PredictionOptions{})
}

// PredictionForm returns Spec.PredictionForm for the model's members. It builds the graph of the predictions for the
// stored matrices and parameters of the first one.
func (m *Model) PredictionForm() (PredictionForm, error) {
	o := PredictionOptions{Stored: m.MemberMatrices(0)}
	if len(m.Members) > 0 {
		o.Params = m.Members[0]
	}
	return m.Spec.predictionForm(len(m.Members), o)
}

// predictionForm returns PredictionForm for the stored matrices and parameters of o.
func (s Spec) predictionForm(members int, o PredictionOptions) (PredictionForm, error) {
	o.Rows = 2  // any number: forms do not depend on it
	o.Draws = 2 // any number, too
	g, err := s.NewPredictionGraph(members*s.Architecture.CopyCount(), o)
	if err != nil {
		return PredictionForm{}, err
	}
	defer g.Close()
	return g.PredictionForm, nil
}
