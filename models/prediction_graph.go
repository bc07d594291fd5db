package models

import (
	"sml/data"
	"sml/graph"
	"sml/models/distribution"
)

// PredictionGraph predicts rows from the outputs of all networks of a model: with the method's Predictor for each copy of
// each network and, for several, with its Combiner. These are two graphs, since a single one for a hundred networks would
// be too large. It must not be used by several goroutines at the same time.
type PredictionGraph struct {
	Family     distribution.Family // family of the model's predictions
	Components []string            // names of the components
	Layers     []string            // names of the values of the full network that the Predictor uses: see FullPass.FindLayer

	network  *networkPredictor
	combiner *combiner // nil for a single network
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

// NewPredictionGraph returns a graph of the predictions of this number of networks: all copies of all members. It returns
// an error if the method cannot have so many, or if its Predictor or its Combiner has a mistake.
func (s Spec) NewPredictionGraph(networks int, o PredictionOptions) (*PredictionGraph, error) {
	network, err := s.newNetworkPredictor(o)
	if err != nil {
		return nil, err
	}
	g := &PredictionGraph{
		Family:     network.family,
		Components: network.components,
		Layers:     network.layers,
		network:    network,
	}
	if networks == 1 {
		return g, nil
	}
	g.combiner, err = s.newCombiner(network.predictionRunner, networks, o)
	if err != nil {
		network.close()
		return nil, err
	}
	g.Family = g.combiner.family
	g.Components = g.combiner.components
	return g, nil
}

// Close releases the graphs.
func (g *PredictionGraph) Close() {
	g.network.close()
	if g.combiner != nil {
		g.combiner.run.Close()
	}
}

// Run returns parameters and components of the predictions of rows by one copy of one network: [rows, targets,
// parameters and components].
func (g *PredictionGraph) Run(o NetworkOutputs, rows int) ([]float64, error) {
	return g.network.predict(o, rows)
}

// Combine returns the model's predictions of rows. networks has the result of Run for each copy of each network, which
// must not be changed afterwards. It returns an error if a prediction is not a distribution, for instance because a
// standard deviation is negative. Values may be infinite or NaN: see Prediction.IsFinite.
func (g *PredictionGraph) Combine(networks [][]float64, rows int) ([]Prediction, error) {
	if g.combiner == nil {
		return g.network.predictions(networks[0])
	}
	values, err := g.combiner.combine(networks, rows)
	if err != nil {
		return nil, err
	}
	return g.combiner.predictions(values)
}

// PredictedFamily returns the family of distributions that the method predicts with the given number of members,
// and the names of the components of the standard deviation. stored are the matrices that the model
// stores for one network; nil stands for matrices made by AfterTraining for invented rows.
func (s Spec) PredictedFamily(members int, stored []Matrix) (distribution.Family, []string, error) {
	g, err := s.NewPredictionGraph(members*s.Architecture.CopyCount(), PredictionOptions{Rows: 2, Draws: 2, Stored: stored})
	if err != nil {
		return distribution.Family{}, nil, err
	}
	defer g.Close()
	return g.Family, g.Components, nil
}
