package models

import (
	"errors"
	"fmt"
	"strings"

	"sml/graph"
)

// FullPass is a pass of the full network in a graph, with the layers that predictors use.
type FullPass struct {
	Output *graph.Node // [rows, outputs]

	b      *graph.Builder
	layers []graph.Layer       // layers that the network names
	linear []graph.LinearLayer // fully connected layers, from the inputs to the outputs
}

// NewFullPass adds a pass of the full network to the graph of b and returns it.
func NewFullPass(b *graph.Builder, forward Forward) FullPass {
	inspection := graph.Inspect(b)
	layersBefore := len(inspection.Layers)
	linearBefore := len(inspection.LinearLayers)
	output := forward(graph.Full)
	return FullPass{
		Output: output,
		b:      b,
		layers: inspection.Layers[layersBefore:],
		linear: inspection.LinearLayers[linearBefore:],
	}
}

// fullPass returns a pass of the full network over the given number of rows, in a graph of its own.
func (s Spec) fullPass(rows int) (FullPass, error) {
	b := graph.New(graph.Float32, new(graph.Params))
	forward, err := s.Forward(b, rows)
	if err != nil {
		return FullPass{}, err
	}
	pass := NewFullPass(b, forward)
	return pass, b.Err()
}

// FindLayer returns a value of the pass that PredictionGraph.Layers names: a layer that the network names, "" for
// the last of these, or the input or slope of a linear layer. It returns an error if there is none.
func (p FullPass) FindLayer(name string) (graph.Layer, error) {
	if err := p.b.Err(); err != nil {
		return graph.Layer{}, err
	}
	for i, l := range p.linear {
		if name == linearInputName(i) {
			return graph.Layer{Name: name, Node: l.Input}, nil
		}
		for output := range p.Output.Shape()[1] {
			if name == linearSlopeName(i, output) {
				return graph.Layer{Name: name, Node: p.slope(l, output)}, p.b.Err()
			}
		}
	}
	return findLayer(p.layers, name)
}

// slope returns the derivative of a network output with respect to the outputs of a linear layer, [rows, units]. The
// outputs of a row depend on no other row, so that the derivative of the sum over the rows has the derivative of
// each row in its place.
func (p FullPass) slope(l graph.LinearLayer, output int) *graph.Node {
	sum := p.b.Sum(p.b.Columns(p.Output, output, output+1))
	return p.b.Grad(sum, l.Output)[0]
}

// Names of the values of linear layer i, from 0, among PredictionGraph.Layers.
func linearInputName(i int) string { return fmt.Sprintf("input of linear layer %d", i) }
func linearSlopeName(i, output int) string {
	return fmt.Sprintf("slope of output %d by linear layer %d", output, i)
}

// checkOneCopy returns an error if the network has copies. A predictor that uses the part of the network would see only
// one of them.
func (s Spec) checkOneCopy(part string) error {
	if copies := s.Architecture.CopyCount(); copies > 1 {
		return fmt.Errorf("the predictor uses %s, and the network has %d copies: want 1 copy, or another network", part, copies)
	}
	return nil
}

// findLayer returns the layer with the given name, or the last layer if name is "". If there is no
// such layer, the error lists the names of all layers.
func findLayer(layers []graph.Layer, name string) (graph.Layer, error) {
	var names []string
	for i, l := range layers {
		isLast := i == len(layers)-1
		if l.Name == name || name == "" && isLast {
			return l, nil
		}
		names = append(names, l.Name)
	}
	if len(names) == 0 {
		return graph.Layer{}, errors.New("the network names no hidden layer (Builder.Layer)")
	}
	return graph.Layer{}, fmt.Errorf("the network has no hidden layer %q; want one of %s", name, strings.Join(names, ", "))
}
