package draw

import (
	"errors"

	"sml/graph"
)

// node is a box of the picture. It stands for one or several nodes of the graph.
type node struct {
	index   int // in drawing.nodes
	kind    nodeKind
	label   []string    // lines of text
	cluster string      // name of the frame around the node and its like; "" outside all clusters
	source  *graph.Node // result of the graph nodes that the box stands for; nil for gradients
}

// edge is an arrow between two nodes.
type edge struct {
	from, to *node
	label    string // "" for none
	kind     edgeKind
}

// Pass is one forward pass of the network within an objective.
type Pass struct {
	Name   string
	Output *graph.Node
}

// Picture describes the picture of a finished graph.
type Picture struct {
	Graph     *graph.Builder
	Title     string
	Loss      *graph.Node // scalar
	Passes    []Pass      // drawn as clusters, like the terms of the loss
	Gradients graph.Nodes // in the order of parameters, as Builder.Gradients returns them; nil for none
	Names     []string    // parameter names of Gradients
}

// SVG returns the picture in SVG, which any browser shows, with inverted brightness on a dark screen.
// Inputs are at the top and the loss below, so that the picture fits a page and a phone. SVG returns an
// error if the builder has failed, Loss is nil, Gradients and Names differ in length, or the
// picture has more than 5000 edges: use DOT for larger pictures.
func (p Picture) SVG() (string, error) {
	d, err := newDrawing(p)
	if err != nil {
		return "", err
	}
	return d.svg()
}

// DOT returns the picture in the language of Graphviz, which finds better layouts:
// dot -Tsvg graph.dot. It returns an error if the builder has failed, Loss is nil, or Gradients
// and Names differ in length.
func (p Picture) DOT() (string, error) {
	d, err := newDrawing(p)
	if err != nil {
		return "", err
	}
	return d.dot(), nil
}

// drawing is the content of a picture without its layout.
type drawing struct {
	title    string
	nodes    []*node
	edges    []edge
	clusters []string // names, in the order of the clusters' first nodes
}

// newDrawing returns the drawing of a picture. It returns an error if the builder has failed,
// the loss is nil, or gradients and names differ in number.
func newDrawing(p Picture) (*drawing, error) {
	switch {
	case p.Graph.Err() != nil:
		return nil, p.Graph.Err()
	case p.Loss == nil:
		return nil, errors.New("drawing a graph: there is no loss")
	case len(p.Gradients) != len(p.Names):
		return nil, errors.New("drawing a graph: gradients and parameter names differ in number")
	}
	f := newFolding(p)
	f.addLoss()
	f.markSharedWeights()
	f.addClusters()
	f.addGradients()
	return f.drawing, nil
}
