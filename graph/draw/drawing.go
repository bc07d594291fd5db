package draw

import (
	"errors"

	"sml/graph"
)

// nodeKind says how a node is drawn.
type nodeKind uint8

const (
	operation     nodeKind = iota
	data                   // an input
	weights                // parameters of one layer
	sharedWeights          // used by several operations
	dropout                // a mask and its product
	stop                   // a stop-gradient
	loss
	gradient // a step of the backward pass
	result   // the gradient of a parameter
)

// node is a box of the picture.
type node struct {
	kind    nodeKind
	label   []string // lines
	cluster *cluster // nil: outside all
	from    *graph.Node
}

// edge leads from one box to another.
type edge struct {
	from, to *node
	label    string
	kind     edgeKind
}

type edgeKind uint8

const (
	plain edgeKind = iota
	ofWeights
	stopped  // behind a stop-gradient
	backward // of gradients
)

// cluster is a named group of nodes: a pass of the network or a term.
type cluster struct {
	name string
	pass bool
}

// Pass is one run of the network within an objective.
type Pass struct {
	Name   string
	Output *graph.Node
}

// Picture is a picture of a finished graph.
type Picture struct {
	Graph     *graph.Builder
	Title     string
	Loss      *graph.Node // a scalar
	Passes    []Pass      // drawn as clusters, like the terms of the loss
	Gradients graph.Nodes // in the order of parameters, as Builder.Gradients returns them; nil for none
	Names     []string    // of the parameters, for Gradients
}

// SVG returns the picture as a page that any browser shows, in dark colours on a dark
// screen. Inputs are at the left, the loss at the right; gradients, if there are any, run
// back below. A picture of more than 5000 lines is an error: DOT writes those.
func (p Picture) SVG() (string, error) {
	d, err := newDrawing(p)
	if err != nil {
		return "", err
	}
	return d.svg()
}

// DOT returns the picture in the language of Graphviz, whose layout is better where it is
// installed: dot -Tsvg graph.dot.
func (p Picture) DOT() (string, error) {
	d, err := newDrawing(p)
	if err != nil {
		return "", err
	}
	return d.dot(), nil
}

// drawing is a folded graph, ready to be written as DOT or SVG.
type drawing struct {
	title    string
	nodes    []*node
	edges    []edge
	clusters []*cluster
	kinds    map[nodeKind]bool // what there is, for the legend
}

// newDrawing returns the drawing of a picture. It fails if the graph's builder has failed or the
// picture has no loss.
func newDrawing(p Picture) (*drawing, error) {
	switch {
	case p.Graph.Err() != nil:
		return nil, p.Graph.Err()
	case p.Loss == nil:
		return nil, errors.New("drawing a graph: there is no loss")
	case len(p.Gradients) != len(p.Names):
		return nil, errors.New("drawing a graph: gradients and names of parameters differ in number")
	}
	f := newFold(p)
	f.loss(p.Loss)
	f.shareWeights()
	f.cluster(p.Passes)
	f.backward(p)
	f.d.kinds = make(map[nodeKind]bool)
	for _, n := range f.d.nodes {
		f.d.kinds[n.kind] = true
	}
	return f.d, nil
}
