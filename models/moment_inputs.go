package models

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sml/graph"
)

// Names of the inputs of a graph of predictions.
const (
	targetMeanInput = "target mean"
	targetStdInput  = "target std"
)

func fullInput(output int) string          { return fmt.Sprint("full ", output) }
func meanInput(output int) string          { return fmt.Sprint("mean ", output) }
func stdInput(output int) string           { return fmt.Sprint("std ", output) }
func drawInput(output int) string          { return fmt.Sprint("draw ", output) }
func layerInput(name string) string        { return "layer " + name }
func storedInput(name string) string       { return "stored " + name }
func overDrawsInput(call int) string       { return fmt.Sprint("over draws ", call) }
func eachDrawInput(call, draw int) string  { return fmt.Sprintf("draw %d of %d", draw, call) }
func memberInput(member, value int) string { return fmt.Sprintf("part %d of member %d", value, member) }

// drawCalls records the functions of a sub-network's outputs that a Predictor passes to Moments.MeanOverDraws
// and Moments.ForEachDraw. Two graphs are built from one Predictor: one computes these functions for one
// sub-network, the other has their values for all sub-networks as inputs.
type drawCalls struct {
	draws        int         // number of sub-networks
	haveInputs   bool        // whether the graph has inputs for the functions' values
	means, lists graph.Nodes // function of each call of MeanOverDraws, and of ForEachDraw
}

// networkParts holds the stored matrices, and the hidden layers that a Predictor uses as further inputs.
type networkParts struct {
	stored []Matrix
	layers []string // names of the hidden layers that the predictor used so far
}

// layer returns the input for the output of a hidden layer, and adds its name to p.layers.
func (p *networkParts) layer(s Spec, b *graph.Builder, rows int, name string) (*graph.Node, error) {
	if err := s.checkOneCopy("a hidden layer (Moments.Layer)"); err != nil {
		return nil, err
	}
	const anyRows = 2
	pass, err := s.fullPass(anyRows)
	if err != nil {
		return nil, err
	}
	l, err := pass.FindLayer(name)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(p.layers, l.Name) {
		p.layers = append(p.layers, l.Name)
	}
	if n := graph.Inspect(b).Input(layerInput(l.Name)); n != nil {
		return n, nil
	}
	return predictionInput(b, layerInput(l.Name), rows, l.Node.Shape()[1]), nil
}

// matrix returns the input for a stored matrix. It returns an error if there is none of that name.
func (p *networkParts) matrix(b *graph.Builder, name string) (*graph.Node, error) {
	var names []string
	for _, m := range p.stored {
		if m.Name == name {
			if n := graph.Inspect(b).Input(storedInput(name)); n != nil {
				return n, nil
			}
			return predictionInput(b, storedInput(name), m.Rows, m.Columns), nil
		}
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("the model stores no matrix %q; it stores %s", name, cmp.Or(strings.Join(names, ", "), "none"))
}

// nodeOrFail returns n. If err is not nil, the builder fails and it returns a stand-in.
func nodeOrFail(b *graph.Builder, n *graph.Node, err error) *graph.Node {
	if err != nil {
		b.Fail(err)
		return b.Const(0)
	}
	return n
}

// predictionInput returns a new input of a graph of predictions. Inputs that the method adds by itself are
// errors, as nothing would fill them.
func predictionInput(b *graph.Builder, name string, rows, columns int) *graph.Node {
	i := graph.Inspect(b)
	i.Filler = "a prediction"
	i.FillerInputs = append(i.FillerInputs, name)
	return b.Input(name, rows, columns)
}

// moments returns the Moments of a Predictor, made of inputs of the graph. It records the Predictor's calls
// in calls and parts.
func (s Spec) moments(b *graph.Builder, m Method, rows int, calls *drawCalls, parts *networkParts) Moments {
	in := predictionInputs{
		b:       b,
		rows:    rows,
		targets: max(1, s.Architecture.Targets),
		outputs: s.Architecture.OutputsPerTarget(),
	}
	moments := Moments{
		Hyperparameters: s.Hyperparameters,
		Full:            in.forOutputs(fullInput),
		TargetMean:      predictionInput(b, targetMeanInput, 1, in.targets),
		TargetStd:       predictionInput(b, targetStdInput, 1, in.targets),
	}
	moments.Layer = func(name string) *graph.Node {
		n, err := parts.layer(s, b, rows, name)
		return nodeOrFail(b, n, err)
	}
	moments.LinearLayers = func(which Layers) []LinearLayer {
		layers, err := s.LinearLayersOf(which, moments.Layer)
		b.Fail(err)
		return layers
	}
	moments.Stored = func(name string) *graph.Node {
		n, err := parts.matrix(b, name)
		return nodeOrFail(b, n, err)
	}
	if m.UsesSubNetworks() {
		moments.Mean = in.forOutputs(meanInput)
		moments.Std = in.forOutputs(stdInput)
	}
	if m.SubNetworks != EachSubNetwork {
		return moments
	}
	draw := in.forOutputs(drawInput)
	moments.MeanOverDraws = func(f func([]*graph.Node) *graph.Node) *graph.Node { return calls.addMean(in, f(draw)) }
	moments.ForEachDraw = func(f func([]*graph.Node) *graph.Node) []*graph.Node { return calls.addList(in, f(draw)) }
	return moments
}

// predictionInputs adds inputs of a common shape to a graph of predictions.
type predictionInputs struct {
	b             *graph.Builder
	rows, targets int // shape of each input
	outputs       int // number of network outputs for each target
}

// add adds the input with the given name.
func (in predictionInputs) add(name string) *graph.Node {
	return predictionInput(in.b, name, in.rows, in.targets)
}

// forOutputs adds an input for each output of the network. name returns its name.
func (in predictionInputs) forOutputs(name func(output int) string) []*graph.Node {
	var nodes []*graph.Node
	for i := range in.outputs {
		nodes = append(nodes, in.add(name(i)))
	}
	return nodes
}

// addMean records a call of Moments.MeanOverDraws, whose function has the given value for one sub-network. It
// returns the input with the mean of the values or, in a graph without such inputs, the value itself.
func (c *drawCalls) addMean(in predictionInputs, value *graph.Node) *graph.Node {
	call := len(c.means)
	c.means = append(c.means, value)
	if !c.haveInputs {
		return value
	}
	return in.add(overDrawsInput(call))
}

// addList records a call of Moments.ForEachDraw, whose function has the given value for one sub-network. It
// returns an input for each sub-network or, in a graph without such inputs, the value in all places.
func (c *drawCalls) addList(in predictionInputs, value *graph.Node) []*graph.Node {
	call := len(c.lists)
	c.lists = append(c.lists, value)
	list := slices.Repeat([]*graph.Node{value}, c.draws)
	if c.haveInputs {
		for k := range list {
			list[k] = in.add(eachDrawInput(call, k))
		}
	}
	return list
}
