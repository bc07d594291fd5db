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
func parameterInput(name string) string    { return "parameter " + name }
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

// networkParts holds the stored matrices, the hidden layers and the parameters that a Predictor uses as further inputs.
type networkParts struct {
	stored     []Matrix
	layers     []string      // names of the hidden layers that the predictor used so far
	params     *graph.Params // parameters of a network, for their shapes; nil for initial values, made when they are needed
	parameters []Matrix      // parameters that the predictor used so far
}

// partInputs adds the inputs of a graph of predictions: the outputs of a network and its parts. It records what a
// Predictor uses. A part that does not exist makes the builder fail.
type partInputs struct {
	spec Spec
	b    *graph.Builder
	rows int
	*drawCalls
	*networkParts
}

// layer returns the input for the output of a hidden layer, and adds its name to the parts.
func (in partInputs) layer(name string) *graph.Node {
	l, err := in.findLayer(name)
	if err != nil {
		return in.fail(err)
	}
	if !slices.Contains(in.layers, l.Name) {
		in.layers = append(in.layers, l.Name)
	}
	return in.add(layerInput(l.Name), in.rows, l.Node.Shape()[1])
}

// findLayer returns the hidden layer in a pass of the full network.
func (in partInputs) findLayer(name string) (graph.Layer, error) {
	if err := in.spec.checkOneCopy("a hidden layer (Moments.Layer)"); err != nil {
		return graph.Layer{}, err
	}
	const anyRows = 2
	pass, err := in.spec.fullPass(anyRows)
	if err != nil {
		return graph.Layer{}, err
	}
	return pass.FindLayer(name)
}

// matrix returns the input for a stored matrix.
func (in partInputs) matrix(name string) *graph.Node {
	var names []string
	for _, m := range in.stored {
		if m.Name == name {
			return in.add(storedInput(name), m.Rows, m.Columns)
		}
		names = append(names, m.Name)
	}
	return in.fail(fmt.Errorf("the model stores no matrix %q; it stores %s", name, cmp.Or(strings.Join(names, ", "), "none")))
}

// parameter returns the input for a parameter of the network, and adds the parameter to the parts.
func (in partInputs) parameter(name string) *graph.Node {
	m, err := in.findParameter(name)
	if err != nil {
		return in.fail(err)
	}
	if !slices.ContainsFunc(in.parameters, func(other Matrix) bool { return other.Name == name }) {
		in.parameters = append(in.parameters, m)
	}
	return in.add(parameterInput(name), m.Rows, m.Columns)
}

// findParameter returns a parameter of the network. Without a network, it makes one with initial values.
func (in partInputs) findParameter(name string) (Matrix, error) {
	if in.params == nil {
		const anySeed = 1
		params, err := in.spec.NewParams(anySeed)
		if err != nil {
			return Matrix{}, err
		}
		in.params = params
	}
	return FindParameter(in.params, name)
}

// add returns the input with the given name, which it adds to the graph in the first call.
func (in partInputs) add(name string, rows, columns int) *graph.Node {
	if n := graph.Inspect(in.b).Input(name); n != nil {
		return n
	}
	return predictionInput(in.b, name, rows, columns)
}

// fail makes the builder fail and returns a stand-in.
func (in partInputs) fail(err error) *graph.Node {
	in.b.Fail(err)
	return in.b.Const(0)
}

// predictionInput returns a new input of a graph of predictions. Inputs that the method adds by itself are
// errors, as nothing would fill them.
func predictionInput(b *graph.Builder, name string, rows, columns int) *graph.Node {
	i := graph.Inspect(b)
	i.Filler = "a prediction"
	i.FillerInputs = append(i.FillerInputs, name)
	return b.Input(name, rows, columns)
}

// moments returns the Moments of a Predictor of the method m, made of inputs of the graph.
func (in partInputs) moments(m Method) Moments {
	targets := max(1, in.spec.Architecture.Targets)
	moments := Moments{
		Hyperparameters: in.spec.Hyperparameters,
		Full:            in.forOutputs(fullInput),
		TargetMean:      predictionInput(in.b, targetMeanInput, 1, targets),
		TargetStd:       predictionInput(in.b, targetStdInput, 1, targets),
		Layer:           in.layer,
		Stored:          in.matrix,
		Parameter:       in.parameter,
	}
	moments.LinearLayers = func(which Layers) []LinearLayer {
		layers, err := in.spec.LinearLayersOf(which, in.layer)
		in.b.Fail(err)
		return layers
	}
	if m.UsesSubNetworks() {
		moments.Mean = in.forOutputs(meanInput)
		moments.Std = in.forOutputs(stdInput)
	}
	if m.SubNetworks != EachSubNetwork {
		return moments
	}
	draw := in.forOutputs(drawInput)
	moments.MeanOverDraws = func(f func([]*graph.Node) *graph.Node) *graph.Node { return in.addMean(f(draw)) }
	moments.ForEachDraw = func(f func([]*graph.Node) *graph.Node) []*graph.Node { return in.addList(f(draw)) }
	return moments
}

// forTargets adds the input with the given name and an element for each row and target.
func (in partInputs) forTargets(name string) *graph.Node {
	return predictionInput(in.b, name, in.rows, max(1, in.spec.Architecture.Targets))
}

// forOutputs adds an input for each output of the network that belongs to a target. name returns its name.
func (in partInputs) forOutputs(name func(output int) string) []*graph.Node {
	var nodes []*graph.Node
	for i := range in.spec.Architecture.OutputsPerTarget() {
		nodes = append(nodes, in.forTargets(name(i)))
	}
	return nodes
}

// addMean records a call of Moments.MeanOverDraws, whose function has the given value for one sub-network. It
// returns the input with the mean of the values or, in a graph without such inputs, the value itself.
func (in partInputs) addMean(value *graph.Node) *graph.Node {
	call := len(in.means)
	in.means = append(in.means, value)
	if !in.haveInputs {
		return value
	}
	return in.forTargets(overDrawsInput(call))
}

// addList records a call of Moments.ForEachDraw, whose function has the given value for one sub-network. It
// returns an input for each sub-network or, in a graph without such inputs, the value in all places.
func (in partInputs) addList(value *graph.Node) []*graph.Node {
	call := len(in.lists)
	in.lists = append(in.lists, value)
	list := slices.Repeat([]*graph.Node{value}, in.draws)
	if in.haveInputs {
		for k := range list {
			list[k] = in.forTargets(eachDrawInput(call, k))
		}
	}
	return list
}
