package graph

import (
	"errors"
	"fmt"
)

// Watch makes a training log the mean, the minimum and the maximum of x over all its elements and
// all steps of an epoch, as the columns name.mean, name.min and name.max of its history. x is any
// node of an objective or a network. Weights and gradients are the same to the bit as without
// Watch, and graphs that are no training step log nothing.
//
// The prefix of the scope is put before the name. The builder fails if a graph watches two nodes by
// one name; if an objective runs a network several times, only the first pass is watched.
func (b *Builder) Watch(name string, x *Node) {
	b.apply("Watch", Nodes{x}, func() (*Node, error) {
		if name == "" {
			return nil, errors.New("a watched node needs a name")
		}
		pass := b.inspection.pass
		w := WatchedNode{Name: b.scope.prefix + name, Node: x, inNetwork: pass != nil}
		for i, other := range b.inspection.WatchedNodes {
			if other.Name != w.Name {
				continue
			}
			isOfEarlierPass := w.inNetwork && other.inNetwork && i < pass.watchedBefore
			if isOfEarlierPass { // only the first pass of a network is watched
				return x, nil
			}
			return nil, fmt.Errorf("%q is watched already: give each node a name of its own", w.Name)
		}
		b.inspection.WatchedNodes = append(b.inspection.WatchedNodes, w)
		return x, nil
	})
}

// WatchedNode is a node that a training logs.
type WatchedNode struct {
	Name      string // name with the prefix of its scope
	Node      *Node
	inNetwork bool // whether a network's forward pass watches it, not the objective: RunPass was running
}

// pass is one forward pass of a network.
type pass struct {
	watchedBefore int // number of watched nodes before the pass
	layersBefore  int // number of named layers before the pass
}

// RunPass calls build, which adds one forward pass of a network to the graph. Within the pass, Layer
// may name layers, and Watch ignores nodes whose names an earlier pass has watched.
func (i *Inspection) RunPass(build func()) {
	outer := i.pass
	defer func() { i.pass = outer }()
	i.pass = &pass{watchedBefore: len(i.WatchedNodes), layersBefore: len(i.Layers)}
	build()
}
