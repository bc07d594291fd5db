package models

import (
	"errors"
	"fmt"
	"runtime"

	"sml/data"
	"sml/graph"
)

// NetworkOutputs holds the outputs of one network for rows, [rows, outputs] each: the columns are the
// first output of every target, then the second output of every target, and so on.
type NetworkOutputs struct {
	Full      []float32   // outputs of the full network
	Mean, Std []float64   // mean and sample standard deviation (n−1) over the sub-networks; nil if there are none
	Draws     [][]float32 // outputs of each sub-network; nil unless Method.SubNetworks is EachSubNetwork

	// Layers holds the values [rows, units] of the full network in PredictionGraph.Layers, by name: see
	// FullPass.FindLayer.
	// Stored holds the matrices that the model stores for the network. A predictor uses invented values
	// for those that are missing.
	Layers map[string][]float32
	Stored []Matrix
}

// networkPredictor computes predictions from the outputs of one copy of one network.
type networkPredictor struct {
	*predictionRunner
	layers []string // names of the values of the full network that the Predictor uses
	inputs networkInputs
	draws  *drawRunner // nil unless the Predictor passes functions to MeanOverDraws or ForEachDraw
}

// drawRunner computes the functions of one sub-network's outputs that the Predictor passes to MeanOverDraws and
// ForEachDraw. It runs for each sub-network, and its results are inputs of the Predictor's graph.
type drawRunner struct {
	*predictionRunner
	inputs networkInputs
	means  [][]float64   // input of the Predictor's graph for each call of MeanOverDraws
	lists  [][][]float64 // inputs for each call of ForEachDraw, one for each sub-network
}

// networkInputs holds the inputs of a graph of predictions: one for each network output in full, mean, std
// and draw, and by name in layers and stored.
type networkInputs struct {
	full, mean, std, draw [][]float64
	layers, stored        map[string][]float64
}

// newNetworkPredictor returns a graph of the predictions of one copy of one network. It returns an error if the method's
// Predictor has a mistake.
func (s Spec) newNetworkPredictor(o PredictionOptions) (*networkPredictor, error) {
	m, err := Lookup(s.Method)
	if err != nil {
		return nil, err
	}
	if o.Predict == nil {
		o.Predict = m.Predict
	}
	if o.Stored == nil { // matrices of the right shapes will do: NetworkOutputs.Stored replaces their values
		o.Stored, err = s.tryAfterTraining(m)
		if err != nil {
			return nil, err
		}
	}
	parts := &networkParts{stored: o.Stored}
	calls := &drawCalls{draws: o.Draws, haveInputs: true}
	run, err := s.newPredictionRunner("predictor", o.Predict, o, func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		nodes := o.Predict(b, s.moments(b, m, o.Rows, calls, parts))
		return nodes, nodes.list()
	})
	if err != nil {
		return nil, m.explainMissingMoments(err, s.Architecture.OutputsPerTarget())
	}
	p := &networkPredictor{
		predictionRunner: run,
		layers:           parts.layers,
		inputs:           run.networkInputs(o.Scalers, parts),
	}
	if calls.means == nil && calls.lists == nil {
		return p, nil
	}
	p.draws, err = s.newDrawRunner(m, o, parts)
	if err != nil {
		run.run.Close()
		return nil, err
	}
	p.draws.findResults(run, calls)
	return p, nil
}

// newDrawRunner returns the graph of the functions that the Predictor passes to Moments.MeanOverDraws and
// Moments.ForEachDraw. It calls the Predictor once more, and ignores the prediction.
func (s Spec) newDrawRunner(m Method, o PredictionOptions, parts *networkParts) (*drawRunner, error) {
	run, err := s.newPredictionRunner("predictor", o.Predict, o, func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		calls := &drawCalls{draws: o.Draws}
		nodes := o.Predict(b, s.moments(b, m, o.Rows, calls, parts))
		return nodes, append(calls.means, calls.lists...)
	})
	if err != nil {
		return nil, err
	}
	return &drawRunner{predictionRunner: run, inputs: run.networkInputs(o.Scalers, parts)}, nil
}

// findResults sets r.means and r.lists to the inputs of the Predictor's graph for its calls of
// Moments.MeanOverDraws and Moments.ForEachDraw.
func (r *drawRunner) findResults(predictor *predictionRunner, calls *drawCalls) {
	for call := range calls.means {
		r.means = append(r.means, predictor.run.Input64(overDrawsInput(call)))
	}
	for call := range calls.lists {
		list := make([][]float64, calls.draws)
		for draw := range list {
			list[draw] = predictor.run.Input64(eachDrawInput(call, draw))
		}
		r.lists = append(r.lists, list)
	}
}

// explainMissingMoments adds to the error of a predictor that panicked which moments it does not have, and
// which field of the method would add them. outputs is the number of network outputs for each target.
func (m Method) explainMissingMoments(err error, outputs int) error {
	switch {
	case !errors.As(err, new(runtime.Error)): // no panic such as an index out of range or a call of nil
		return err
	case !m.UsesSubNetworks():
		return fmt.Errorf("%w; its Moments have the %d outputs of the full network and, without SubNetworks: models.SubNetworkMoments, nothing from sub-networks", err, outputs)
	case m.SubNetworks != EachSubNetwork:
		return fmt.Errorf("%w; its Moments have mean and standard deviation over the sub-networks, and without SubNetworks: models.EachSubNetwork there is no MeanOverDraws and no ForEachDraw", err)
	}
	return err
}

// networkInputs returns the inputs of the graph. It sets the scalers of the targets, the stored matrices, and the hidden
// layers, which get invented values.
func (r *predictionRunner) networkInputs(scalers data.Scalers, parts *networkParts) networkInputs {
	mean := r.run.Input64(targetMeanInput)
	std := r.run.Input64(targetStdInput)
	for target := range r.targets {
		scaler := data.Scaler{Std: 1}
		if target < len(scalers) {
			scaler = scalers[target]
		}
		mean[target] = scaler.Mean
		std[target] = scaler.Std
	}
	in := networkInputs{
		full:   r.outputInputs(fullInput),
		mean:   r.outputInputs(meanInput),
		std:    r.outputInputs(stdInput),
		draw:   r.outputInputs(drawInput),
		layers: make(map[string][]float64),
		stored: make(map[string][]float64),
	}
	for _, name := range parts.layers {
		values := r.run.Input64(layerInput(name))
		for i := range values {
			values[i] = float64(0.1 * float64(1+i%10)) // invented, from 0.1 to 1
		}
		in.layers[name] = values
	}
	for _, m := range parts.stored {
		in.stored[m.Name] = r.run.Input64(storedInput(m.Name))
	}
	in.fillParts(NetworkOutputs{Stored: parts.stored})
	return in
}

// outputInputs returns the inputs of the graph that stand for the network's outputs. name returns the name of
// the input for an output. An input is nil if the graph does not have it.
func (r *predictionRunner) outputInputs(name func(output int) string) [][]float64 {
	var inputs [][]float64
	for i := range r.outputs {
		inputs = append(inputs, r.run.Input64(name(i)))
	}
	return inputs
}

// close releases the graphs.
func (p *networkPredictor) close() {
	p.run.Close()
	if p.draws != nil {
		p.draws.run.Close()
	}
}

// predict returns parameters and components of the predictions of rows: [rows, targets, parameters and
// components].
func (p *networkPredictor) predict(o NetworkOutputs, rows int) ([]float64, error) {
	p.inputs.fill(o, p.targets)
	if p.draws != nil {
		if err := p.draws.runAll(o); err != nil {
			return nil, err
		}
	}
	return p.output(rows)
}

// runAll runs the graph for each sub-network. It sets r.means to the means of the results over the
// sub-networks, and r.lists to the results of each.
func (r *drawRunner) runAll(o NetworkOutputs) error {
	for _, mean := range r.means {
		clear(mean)
	}
	r.inputs.fill(o, r.targets)
	for k, out := range o.Draws {
		fillOutputs(r.inputs.draw, out, r.targets)
		if err := r.run.Run(); err != nil {
			return err
		}
		for call, mean := range r.means {
			for i, v := range r.run.Output64(call) {
				mean[i] += v / float64(len(o.Draws))
			}
		}
		for call, list := range r.lists {
			copy(list[k], r.run.Output64(len(r.means)+call))
		}
	}
	return nil
}

// fill copies the outputs of a network into the inputs.
func (in networkInputs) fill(o NetworkOutputs, targets int) {
	fillOutputs(in.full, o.Full, targets)
	if o.Mean != nil {
		fillOutputs(in.mean, o.Mean, targets)
		fillOutputs(in.std, o.Std, targets)
	}
	in.fillParts(o)
}

// fillParts copies hidden layers and stored matrices into the inputs.
func (in networkInputs) fillParts(o NetworkOutputs) {
	for name, dst := range in.layers {
		for i, v := range o.Layers[name] {
			dst[i] = float64(v)
		}
	}
	for _, m := range o.Stored {
		dst := in.stored[m.Name]
		for i := range dst {
			dst[i] = float64(m.Values[i])
		}
	}
}

// fillOutputs copies the outputs [rows, outputs·targets] of a network into one input [rows, targets] for
// each output: a row of outputs has the first output of every target, then the second, and so on. An
// input is nil if the graph does not use it.
func fillOutputs[T float32 | float64](inputs [][]float64, outputs []T, targets int) {
	width := targets * len(inputs)
	for i, dst := range inputs {
		if dst == nil {
			continue
		}
		for row := range len(outputs) / width {
			for target, v := range outputs[row*width+i*targets:][:targets] {
				dst[row*targets+target] = float64(v)
			}
		}
	}
}
