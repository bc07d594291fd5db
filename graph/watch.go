package graph

import (
	"errors"
	"fmt"
)

// Watch makes a training log the mean, the minimum and the maximum of x over all its elements and
// all steps of an epoch, as the columns name.mean, name.min and name.max of its history. x is any
// node of an objective or a network, and weights and gradients are the same to the bit as without
// Watch. The prefix of the scope comes before the name, which is watched once in a graph. A network
// that an objective runs several times is watched in the first of these passes. Only training steps
// log.
func (b *Builder) Watch(name string, x *Node) {
	b.apply("Watch", Nodes{x}, func() (*Node, error) {
		if name == "" {
			return nil, errors.New("a watched node needs a name")
		}
		w := Watched{Name: b.scope.prefix + name, Node: x, inNetwork: b.inspection.pass != nil}
		for i, have := range b.inspection.Watched {
			if have.Name != w.Name {
				continue
			}
			if w.inNetwork && have.inNetwork && i < b.inspection.pass.watchedBefore {
				return x, nil // a pass before has watched it
			}
			return nil, fmt.Errorf("%q is watched already: give each node a name of its own", w.Name)
		}
		b.inspection.Watched = append(b.inspection.Watched, w)
		return x, nil
	})
}

// Watched is a node that a training logs.
type Watched struct {
	Name      string // with the prefix of its scope
	Node      *Node
	inNetwork bool // Watch was called within RunPass
}

// pass is a run of a network in one pass.
type pass struct {
	watchedBefore int // number of watched nodes before the run
	layersBefore  int // number of named layers before the run
}

// RunPass calls run, which puts a network in one pass on a graph: Watch then leaves out nodes whose
// names an earlier pass of a network has watched, and Layer may name layers.
func (i *Inspection) RunPass(run func()) {
	around := i.pass
	defer func() { i.pass = around }()
	i.pass = &pass{watchedBefore: len(i.Watched), layersBefore: len(i.Layers)}
	run()
}
