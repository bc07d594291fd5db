package models

import (
	"errors"
	"fmt"

	"sml/graph"
)

// LinearLayer is a fully connected layer of the full network (graph.Builder.Linear). The derivative of network output
// k of a row with respect to weight (i, j) of the layer is Input[i]·Slopes[k][j], and with respect to bias j it is
// Slopes[k][j].
type LinearLayer struct {
	Input        *graph.Node   // [rows, inputs]
	Slopes       []*graph.Node // derivative of each network output with respect to the outputs of the layer, [rows, units]
	Weight, Bias *graph.Node   // [inputs, units] and [1, units]; nil in predictions
}

// LinearLayers returns the fully connected layers of the full network, from the inputs to the outputs: all of them,
// or the last. Embeddings and encodings of inputs are not among them. It is for TrainedNetwork.Evaluate: in an
// objective the builder fails. The builder fails as well if the network has no such layer, or if one of them does
// not have one row for each row of the batch.
func (t *Task) LinearLayers(which Layers) []LinearLayer {
	if !t.afterTraining {
		t.b.Fail(errors.New("LinearLayers: linear layers are for the functions after a training (Method.AfterTraining), not for objectives"))
		return nil
	}
	pass := NewFullPass(t.b, t.Forward)
	shapes, err := pass.linearShapes(t.rows)
	if err != nil {
		t.b.Fail(err)
		return nil
	}
	var layers []LinearLayer
	for i := firstLayer(which, len(shapes)); i < len(shapes); i++ {
		l := pass.linear[i]
		layer := LinearLayer{Input: l.Input, Weight: l.Weight, Bias: l.Bias}
		for output := range pass.Output.Shape()[1] {
			layer.Slopes = append(layer.Slopes, pass.slope(l, output))
		}
		layers = append(layers, layer)
	}
	return layers
}

// LinearShape is the size of a fully connected layer.
type LinearShape struct{ Inputs, Units int }

// LinearShapes returns the sizes of the fully connected layers that Task.LinearLayers returns. It returns an error
// where LinearLayers makes the builder fail.
func (s Spec) LinearShapes(which Layers) ([]LinearShape, error) {
	const rows = 2 // any number: sizes do not depend on it
	pass, err := s.fullPass(rows)
	if err != nil {
		return nil, err
	}
	shapes, err := pass.linearShapes(rows)
	if err != nil {
		return nil, err
	}
	return shapes[firstLayer(which, len(shapes)):], nil
}

// LinearShapes returns the sizes of the network's fully connected layers: see Spec.LinearShapes.
func (n *TrainedNetwork) LinearShapes(which Layers) ([]LinearShape, error) {
	return n.spec.LinearShapes(which)
}

// firstLayer returns the index of the first of n linear layers that which selects.
func firstLayer(which Layers, n int) int {
	if which == LastLayer {
		return max(0, n-1)
	}
	return 0
}

// linearShapes returns the sizes of the linear layers of a pass over the given number of rows. It returns an error if
// there are none, or if a layer has other rows than the batch.
func (p FullPass) linearShapes(rows int) ([]LinearShape, error) {
	if err := p.b.Err(); err != nil {
		return nil, err
	}
	if len(p.linear) == 0 {
		return nil, errors.New("the network has no linear layer (Builder.Linear)")
	}
	var shapes []LinearShape
	for i, l := range p.linear {
		if l.Input.Shape()[0] != rows {
			return nil, fmt.Errorf("linear layer %d of the network, from 0, has %d rows of inputs for %d rows of the batch: want one for each", i, l.Input.Shape()[0], rows)
		}
		shapes = append(shapes, LinearShape{Inputs: l.Input.Shape()[1], Units: l.Output.Shape()[1]})
	}
	return shapes, nil
}

// LinearLayersOf returns the linear layers that which selects as a predictor sees them. value returns the node of a
// value of the full network by its name, which FullPass.FindLayer knows. It returns an error where Spec.LinearShapes
// does, and if the network has copies.
func (s Spec) LinearLayersOf(which Layers, value func(name string) *graph.Node) ([]LinearLayer, error) {
	if err := s.checkOneCopy("linear layers (Moments.LinearLayers)"); err != nil {
		return nil, err
	}
	all, err := s.LinearShapes(AllLayers)
	if err != nil {
		return nil, err
	}
	var layers []LinearLayer
	for i := firstLayer(which, len(all)); i < len(all); i++ {
		layer := LinearLayer{Input: value(linearInputName(i))}
		for output := range s.Architecture.OutputColumns() {
			layer.Slopes = append(layer.Slopes, value(linearSlopeName(i, output)))
		}
		layers = append(layers, layer)
	}
	return layers, nil
}
