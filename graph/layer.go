package graph

import (
	"errors"
	"fmt"
)

// Layer gives the output x [rows, units] of a hidden layer a name, by which methods find it: see
// models.Task.Layer and models.Moments.Layer. The prefix of the scope is put before the name. Layer
// returns x, or the node that an objective puts in its place (models.Task.ForwardChanging), from which the
// network has to continue. The builder fails outside of a network's forward pass, or if the pass has a
// layer of that name already.
func (b *Builder) Layer(name string, x *Node) *Node {
	return b.apply("Layer", Nodes{x}, func() (*Node, error) {
		pass := b.inspection.pass
		switch {
		case name == "":
			return nil, errors.New("a layer needs a name")
		case !x.IsMatrix():
			return nil, errors.New("want the output of a layer as [rows units]")
		case pass == nil:
			return nil, errors.New("layers are named in the forward pass of a network")
		}
		l := Layer{Name: b.scope.prefix + name, Node: x}
		layersOfPass := b.inspection.Layers[pass.layersBefore:] // each pass names the layers again
		for _, other := range layersOfPass {
			if other.Name == l.Name {
				return nil, fmt.Errorf("there is a layer %q already: give each layer a name of its own", l.Name)
			}
		}
		if change := b.inspection.ChangeLayer; change != nil {
			l.Changed = change(l)
		}
		b.inspection.Layers = append(b.inspection.Layers, l)
		switch {
		case l.Changed == nil:
			return x, b.err
		case !sameShape(l.Changed, x):
			return nil, fmt.Errorf("layer %q is %v, and what takes its place %v", l.Name, []int(x.Shape()), []int(l.Changed.Shape()))
		}
		return l.Changed, b.err
	})
}

// Layer is the output of a hidden layer in one pass of a network.
type Layer struct {
	Name string // name with the prefix of its scope
	Node *Node  // [rows, units]

	// Changed is the node of the same shape from which the pass continues in place of Node; nil if it continues
	// from Node.
	Changed *Node
}

// LinearLayer is a fully connected layer in one pass of a network: Output = Input·Weight + Bias.
type LinearLayer struct {
	Input        *Node // [rows, inputs]
	Weight, Bias *Node // [inputs, units] and [1, units]
	Output       *Node // [rows, units]
}
