package models

import (
	"errors"
	"fmt"
	"runtime"

	"sml/data"
	"sml/graph"
	"sml/models/distribution"
)

// NetworkOutputs holds the outputs of one network for rows, [rows, outputs] each: the columns are the
// first output of every target, then the second output of every target, and so on.
type NetworkOutputs struct {
	Full      []float32   // outputs of the full network
	Mean, Std []float64   // mean and sample standard deviation (n−1) over the sub-networks; nil if there are none
	Draws     [][]float32 // outputs of each sub-network; nil unless Method.SubNetworks is EachSubNetwork

	// Layers holds the values [rows, units] of the full network in NetworkPredictor.Layers, by name: see
	// FullPass.FindLayer.
	// Stored holds the matrices that the model stores for the network. A predictor uses invented values
	// for those that are missing.
	Layers map[string][]float32
	Stored []Matrix
}

// NetworkPredictor computes predictions from the outputs of one network.
type NetworkPredictor struct {
	*PredictionGraph
	Layers []string // names of the values of the full network that the method's Predictor uses: see FullPass.FindLayer

	inputs momentBuffers
	means  [][]float64   // input for each call of Moments.MeanOverDraws
	lists  [][][]float64 // inputs for each call of Moments.ForEachDraw, one for each sub-network

	// drawGraph computes the functions of one sub-network's outputs that the Predictor passes to
	// MeanOverDraws and ForEachDraw. Run runs it for each sub-network, and copies the results to means
	// and lists, inputs of the PredictionGraph. It is nil if there are no such functions.
	drawGraph  *PredictionGraph
	drawInputs momentBuffers
}

// momentBuffers holds the inputs of a graph of predictions: one for each network output in full, mean, std
// and draw, and by name in layers and stored.
type momentBuffers struct {
	full, mean, std, draw [][]float64
	layers, stored        map[string][]float64
}

// NewPredictor returns a graph of the predictions of one network. It returns an error if the method's
// Predictor has a mistake.
func (s Spec) NewPredictor(o PredictionOptions) (*NetworkPredictor, error) {
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
	p := new(NetworkPredictor)
	parts := &networkParts{stored: o.Stored}
	calls := &drawCalls{draws: o.Draws, haveInputs: true}
	build := func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		nodes := o.Predict(b, s.moments(b, m, o.Rows, calls, parts))
		return nodes, nodes.list()
	}
	p.PredictionGraph, err = s.newPredictionGraph(m, o, "predictor", o.Predict, build)
	if err != nil {
		return nil, m.explainMissingMoments(err, s.Architecture.OutputsPerTarget())
	}
	p.Layers = parts.layers
	p.inputs = p.buffers(o.Scalers, parts)
	if calls.means == nil && calls.lists == nil {
		return p, nil
	}
	p.findDrawInputs(calls)
	if err := p.buildDrawGraph(s, m, o, parts); err != nil {
		p.PredictionGraph.Close()
		return nil, err
	}
	return p, nil
}

// findDrawInputs sets p.means and p.lists to the inputs of the graph for the calls of
// Moments.MeanOverDraws and Moments.ForEachDraw.
func (p *NetworkPredictor) findDrawInputs(calls *drawCalls) {
	for call := range calls.means {
		p.means = append(p.means, p.run.Input64(overDrawsInput(call)))
	}
	for call := range calls.lists {
		list := make([][]float64, calls.draws)
		for draw := range list {
			list[draw] = p.run.Input64(eachDrawInput(call, draw))
		}
		p.lists = append(p.lists, list)
	}
}

// buildDrawGraph builds p.drawGraph and finds its inputs. It calls the Predictor once more, ignores the
// prediction, and takes as outputs of the graph the functions that the Predictor passes to
// Moments.MeanOverDraws and Moments.ForEachDraw.
func (p *NetworkPredictor) buildDrawGraph(s Spec, m Method, o PredictionOptions, parts *networkParts) error {
	build := func(b *graph.Builder) (PredictionNodes, graph.Nodes) {
		calls := &drawCalls{draws: o.Draws}
		nodes := o.Predict(b, s.moments(b, m, o.Rows, calls, parts))
		return nodes, append(calls.means, calls.lists...)
	}
	draw, err := s.newPredictionGraph(m, o, "predictor", o.Predict, build)
	if err != nil {
		return err
	}
	p.drawGraph = draw
	p.drawInputs = draw.buffers(o.Scalers, parts)
	return nil
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

// buffers returns the inputs of the graph. It sets the scalers of the targets, the stored matrices, and the hidden
// layers, which get invented values.
func (g *PredictionGraph) buffers(scalers data.Scalers, parts *networkParts) momentBuffers {
	mean := g.run.Input64(targetMeanInput)
	std := g.run.Input64(targetStdInput)
	for target := range g.targets {
		scaler := data.Scaler{Std: 1}
		if target < len(scalers) {
			scaler = scalers[target]
		}
		mean[target] = scaler.Mean
		std[target] = scaler.Std
	}
	in := momentBuffers{
		full:   g.outputInputs(fullInput),
		mean:   g.outputInputs(meanInput),
		std:    g.outputInputs(stdInput),
		draw:   g.outputInputs(drawInput),
		layers: make(map[string][]float64),
		stored: make(map[string][]float64),
	}
	for _, name := range parts.layers {
		values := g.run.Input64(layerInput(name))
		for i := range values {
			values[i] = float64(0.1 * float64(1+i%10)) // invented, from 0.1 to 1
		}
		in.layers[name] = values
	}
	for _, m := range parts.stored {
		in.stored[m.Name] = g.run.Input64(storedInput(m.Name))
	}
	in.fillParts(NetworkOutputs{Stored: parts.stored})
	return in
}

// outputInputs returns the inputs of the graph that stand for the network's outputs. name returns the name of
// the input for an output. An input is nil if the graph does not have it.
func (g *PredictionGraph) outputInputs(name func(output int) string) [][]float64 {
	var inputs [][]float64
	for i := range g.outputs {
		inputs = append(inputs, g.run.Input64(name(i)))
	}
	return inputs
}

// Close releases the graphs.
func (p *NetworkPredictor) Close() {
	p.PredictionGraph.Close()
	if p.drawGraph != nil {
		p.drawGraph.Close()
	}
}

// Run returns parameters and components of the predictions of rows: [rows, targets, parameters and
// components], valid until the next run.
func (p *NetworkPredictor) Run(o NetworkOutputs, rows int) ([]float64, error) {
	p.inputs.fill(o, p.targets)
	if p.drawGraph != nil {
		if err := p.runDraws(o); err != nil {
			return nil, err
		}
	}
	return p.output(rows)
}

// runDraws runs p.drawGraph for each sub-network. It sets p.means to the means of the results over the
// sub-networks, and p.lists to the results of each.
func (p *NetworkPredictor) runDraws(o NetworkOutputs) error {
	for _, mean := range p.means {
		clear(mean)
	}
	p.drawInputs.fill(o, p.targets)
	for k, out := range o.Draws {
		fillOutputs(p.drawInputs.draw, out, p.targets)
		if err := p.drawGraph.run.Run(); err != nil {
			return err
		}
		for call, mean := range p.means {
			for i, v := range p.drawGraph.run.Output64(call) {
				mean[i] += v / float64(len(o.Draws))
			}
		}
		for call, list := range p.lists {
			copy(list[k], p.drawGraph.run.Output64(len(p.means)+call))
		}
	}
	return nil
}

// fill copies the outputs of a network into the inputs.
func (in momentBuffers) fill(o NetworkOutputs, targets int) {
	fillOutputs(in.full, o.Full, targets)
	if o.Mean != nil {
		fillOutputs(in.mean, o.Mean, targets)
		fillOutputs(in.std, o.Std, targets)
	}
	in.fillParts(o)
}

// fillParts copies hidden layers and stored matrices into the inputs.
func (in momentBuffers) fillParts(o NetworkOutputs) {
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

// PredictedFamily returns the family of distributions that the method predicts with the given number of networks,
// and the names of the components of the standard deviation. stored are the matrices that the model
// stores for one network; nil stands for matrices made by AfterTraining for invented rows.
func (s Spec) PredictedFamily(networks int, stored []Matrix) (distribution.Family, []string, error) {
	p, err := s.NewPredictor(PredictionOptions{Rows: 2, Draws: 2, Stored: stored})
	if err != nil {
		return distribution.Family{}, nil, err
	}
	defer p.Close()
	members := networks * s.Architecture.CopyCount()
	if members < 2 {
		return p.Family, p.Components, nil
	}
	c, err := s.NewCombination(p.PredictionGraph, members, PredictionOptions{Rows: 2})
	if err != nil {
		return distribution.Family{}, nil, err
	}
	defer c.Close()
	return c.Family, c.Components, nil
}
