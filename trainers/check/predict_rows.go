package check

import (
	"slices"

	"sml/data"
	"sml/graph"
	"sml/internal/kernels"
	"sml/internal/statistics"
	"sml/models"
	"sml/trainers"
)

// predictDraws is the number of sub-networks in a prediction.
const predictDraws = 50

// predictRows returns the prediction of each row and target from the outputs of one network. The
// combiner of an ensemble gets this network's predictions in place of every member's.
func predictRows(s models.Spec, m models.Method, outputs models.NetworkOutputs, rows data.Subset) ([]models.Prediction, error) {
	count := len(rows.Y) / s.Architecture.Targets
	options := models.PredictionOptions{
		Rows:    count,
		Draws:   max(1, len(outputs.Draws)),
		Scalers: rows.YScale,
		Stored:  outputs.Stored,
	}
	predictor, err := s.NewPredictor(options)
	if err != nil {
		return nil, err
	}
	defer predictor.Close()
	values, err := predictor.Run(outputs, count)
	if err != nil {
		return nil, err
	}
	if m.Combine == nil {
		return predictor.Predictions(values)
	}
	members := max(2, m.Members) // Members is 1 for a method that need not be an ensemble
	combination, err := s.NewCombination(predictor.PredictionGraph, members, options)
	if err != nil {
		return nil, err
	}
	defer combination.Close()
	combined, err := combination.Run(slices.Repeat([][]float64{values}, members), count)
	if err != nil {
		return nil, err
	}
	return combination.Predictions(combined)
}

// networkOutputs returns the outputs of the first network of a training for rows: the full network's
// and, if the method predicts by sub-networks, the sub-networks'.
func networkOutputs(s models.Spec, m models.Method, trained *trainers.Result, rows data.Subset, seed uint64) (models.NetworkOutputs, error) {
	var outputs models.NetworkOutputs
	if trained.Stored != nil {
		outputs.Stored = trained.Stored[0]
	}
	r := passRunner{
		spec:        s,
		params:      trained.Members[0],
		subNetworks: models.FindSubNetworks(outputs.Stored),
		rows:        rows,
		seed:        seed,
	}
	names, err := predictorLayers(s, outputs.Stored)
	if err != nil {
		return models.NetworkOutputs{}, err
	}
	full, layers, err := r.runFull(names)
	if err != nil {
		return models.NetworkOutputs{}, err
	}
	outputs.Full = full
	outputs.Layers = layers
	if !m.UsesSubNetworks {
		return outputs, nil
	}
	draws, err := r.runSubNetworks(predictDraws)
	if err != nil {
		return models.NetworkOutputs{}, err
	}
	outputs.Mean, outputs.Std = momentsOfDraws(draws)
	if m.UsesEachDraw {
		outputs.Draws = draws
	}
	return outputs, nil
}

// predictorLayers returns the names of the layers that the method's predictor uses. stored are the matrices that the
// model stores for one network.
func predictorLayers(s models.Spec, stored []models.Matrix) ([]string, error) {
	predictor, err := s.NewPredictor(models.PredictionOptions{Rows: 2, Draws: 2, Stored: stored})
	if err != nil {
		return nil, err
	}
	defer predictor.Close()
	return predictor.Layers, nil
}

// momentsOfDraws returns the mean and the standard deviation of each output over the draws.
func momentsOfDraws(draws [][]float32) (means, stds []float64) {
	values := make([]float64, len(draws))
	for i := range draws[0] {
		for draw := range draws {
			values[draw] = float64(draws[draw][i])
		}
		mean, std := statistics.MeanStd(values)
		means = append(means, mean)
		stds = append(stds, std)
	}
	return means, stds
}

// passRunner runs the passes of a trained network for rows.
type passRunner struct {
	spec        models.Spec
	params      *graph.Params
	subNetworks models.SubNetworks // sub-networks that Method.AfterTraining stored, if any
	rows        data.Subset
	seed        uint64
}

// runFull returns the outputs of the full network and the values of its layers with these names.
func (r passRunner) runFull(names []string) (outputs []float32, layers map[string][]float32, err error) {
	b, forward, err := r.open(r.params)
	if err != nil {
		return nil, nil, err
	}
	pass := models.NewFullPass(b, forward)
	nodes := graph.Nodes{pass.Output}
	for _, name := range names {
		layer, err := pass.FindLayer(name)
		if err != nil {
			return nil, nil, err
		}
		nodes = append(nodes, layer.Node)
	}
	runner, err := r.newRunner(b, nodes)
	if err != nil {
		return nil, nil, err
	}
	defer runner.Close()
	runner.SampleMasks(graph.MaskKey{Seed: r.seed})
	if err := runner.Run(); err != nil {
		return nil, nil, err
	}
	layers = make(map[string][]float32)
	for i, name := range names {
		layers[name] = slices.Clone(runner.Output(1 + i))
	}
	return slices.Clone(runner.Output(0)), layers, nil
}

// runSubNetworks returns the outputs of sub-networks: the stored ones, at most the given number of
// them, or else the network under as many dropout masks.
func (r passRunner) runSubNetworks(draws int) ([][]float32, error) {
	params := r.params
	hasStored := r.subNetworks.Len() > 0
	if hasStored {
		params = params.Clone() // Load below overwrites the weights
		draws = min(draws, r.subNetworks.Len())
	}
	b, forward, err := r.open(params)
	if err != nil {
		return nil, err
	}
	runner, err := r.newRunner(b, graph.Nodes{forward(r.subNetworks.Pass())})
	if err != nil {
		return nil, err
	}
	defer runner.Close()
	var outputs [][]float32
	for draw := range draws {
		runner.SampleMasks(graph.MaskKey{Seed: r.seed, Step: uint32(draw)})
		if hasStored {
			r.subNetworks.Load(draw, params)
		}
		if err := runner.Run(); err != nil {
			return nil, err
		}
		outputs = append(outputs, slices.Clone(runner.Output(0)))
	}
	return outputs, nil
}

// open returns the network in a new graph, and the graph's builder.
func (r passRunner) open(params *graph.Params) (*graph.Builder, models.Forward, error) {
	b := graph.New(graph.Float32, params)
	forward, err := r.spec.Forward(b, r.rowCount())
	return b, forward, err
}

// newRunner compiles the nodes of a graph, and returns a runner with the rows as the network's inputs.
// The caller must close it.
func (r passRunner) newRunner(b *graph.Builder, nodes graph.Nodes) (*graph.Runner, error) {
	runner, err := graph.NewRunner(graph.Compiled, b, nodes...)
	if err != nil {
		return nil, err
	}
	inputs := r.spec.Architecture.Inputs
	kernels.GatherStandardised(runner.Input(models.InputX), r.rows.X, inputs, r.rows.RowNumbers(inputs), nil, nil)
	return runner, nil
}

// rowCount returns the number of rows, for each of which there is a value of each target.
func (r passRunner) rowCount() int { return len(r.rows.Y) / r.spec.Architecture.Targets }
