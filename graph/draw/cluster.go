package draw

import (
	"slices"
	"strings"

	"sml/graph"
)

// nodeSet is a set of graph nodes, by their IDs.
type nodeSet map[int64]bool

// owner is a pass of the network or a term of the loss, with the graph nodes that it needs.
type owner struct {
	name  string
	nodes nodeSet
}

// addClusters puts every operation into the cluster of its pass of the network, or else of its
// term. Operations that several passes need have a cluster of their own; operations that several
// terms need have none. A loss without terms is one cluster, "objective".
func (f *folding) addClusters() {
	var passes, terms []owner
	for _, pass := range f.Passes {
		passes = append(passes, owner{pass.Name, withAncestors(pass.Output)})
	}
	for _, t := range f.terms {
		terms = append(terms, owner{"term: " + t.Name, withAncestors(t.Value)})
	}
	if len(terms) == 0 {
		terms = []owner{{"objective", f.forward}}
	}
	for _, n := range f.drawing.nodes {
		switch names := f.ownersOf(n, passes); len(names) {
		case 0:
		case 1:
			f.drawing.setCluster(n, names[0])
		default:
			f.drawing.setCluster(n, strings.Join(names, " and ")+", computed once")
		}
	}
	for _, n := range f.drawing.nodes {
		names := f.ownersOf(n, terms)
		if n.cluster == "" && len(names) == 1 {
			f.drawing.setCluster(n, names[0])
		}
	}
}

// ownersOf returns the names of the owners that need a node, none if the node is never in a cluster.
func (f *folding) ownersOf(n *node, owners []owner) []string {
	if f.isOutsideClusters(n) {
		return nil
	}
	var names []string
	for _, o := range owners {
		if o.nodes[n.source.ID()] {
			names = append(names, o.name)
		}
	}
	return names
}

// setCluster puts a node into the cluster with a name, whose first node it may be.
func (d *drawing) setCluster(n *node, name string) {
	n.cluster = name
	if !slices.Contains(d.clusters, name) {
		d.clusters = append(d.clusters, name)
	}
}

// isOutsideClusters reports whether a node is never in a cluster: inputs, weights, and the sum of
// the terms.
func (f *folding) isOutsideClusters(n *node) bool {
	switch n.kind {
	case nodeInput, nodeWeights, nodeSharedWeights:
		return true
	case nodeLoss:
		return len(f.terms) > 0
	}
	return false
}

// withAncestors returns a graph node and all graph nodes that it is computed from.
func withAncestors(n *graph.Node) nodeSet {
	set := make(nodeSet)
	var visit func(n *graph.Node)
	visit = func(n *graph.Node) {
		if set[n.ID()] {
			return
		}
		set[n.ID()] = true
		for _, operand := range graph.Operands(n) {
			visit(operand)
		}
	}
	visit(n)
	return set
}
