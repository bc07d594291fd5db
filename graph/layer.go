package graph

import (
	"errors"
	"fmt"
	"strings"
)

// Layer names the output x [rows, units] of a hidden layer, so that methods can use it: see
// models.Task.Layer and models.Moments.Layer. A network calls it in its forward pass, once for each
// name, with the prefix of the scope before the name. It adds nothing to the graph.
func (b *Builder) Layer(name string, x *Node) {
	b.apply("Layer", Nodes{x}, func() (*Node, error) {
		run := b.inspection.pass
		switch {
		case name == "":
			return nil, errors.New("a layer needs a name")
		case !x.IsMatrix():
			return nil, errors.New("want the output of a layer as [rows units]")
		case run == nil:
			return nil, errors.New("layers are named in the forward pass of a network")
		}
		l := Layer{Name: b.scope.prefix + name, Node: x}
		for _, have := range b.inspection.Layers[run.layersBefore:] {
			if have.Name == l.Name {
				return nil, fmt.Errorf("there is a layer %q already: give each a name of its own", l.Name)
			}
		}
		b.inspection.Layers = append(b.inspection.Layers, l)
		return x, nil
	})
}

// Layer is the output of a hidden layer in one pass of a network.
type Layer struct {
	Name string // with the prefix of its scope
	Node *Node  // [rows, units]
}

// FindLayer returns the layer with that name, or the last one if name is "". It returns an error
// that lists the names if there is none.
func FindLayer(layers []Layer, name string) (Layer, error) {
	var names []string
	for i, l := range layers {
		if l.Name == name || name == "" && i == len(layers)-1 {
			return l, nil
		}
		names = append(names, l.Name)
	}
	if len(names) == 0 {
		return Layer{}, errors.New("the network names no hidden layer (Builder.Layer)")
	}
	return Layer{}, fmt.Errorf("the network has no hidden layer %q: there is %s", name, strings.Join(names, ", "))
}
