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
func (f *folding) addClusters(passes []Pass) {
	var passOwners []owner
	for _, p := range passes {
		passOwners = append(passOwners, owner{p.Name, withAncestors(p.Output)})
	}
	f.groupNodes(passOwners, func(names []string) string {
		name := strings.Join(names, " and ")
		if len(names) > 1 {
			name += ", computed once"
		}
		return name
	})
	var termOwners []owner
	for _, t := range f.terms {
		termOwners = append(termOwners, owner{"term: " + t.Name, withAncestors(t.Value)})
	}
	if len(f.terms) == 0 {
		isLoss := func(n *node) bool { return n.kind == nodeLoss }
		loss := f.drawing.nodes[slices.IndexFunc(f.drawing.nodes, isLoss)]
		termOwners = []owner{{"objective", withAncestors(loss.source)}}
	}
	f.groupNodes(termOwners, func(names []string) string {
		if len(names) > 1 { // no term is the only owner
			return ""
		}
		return names[0]
	})
}

// groupNodes puts nodes that have no cluster yet into clusters, one for each combination of owners
// that need them. nameCluster returns the name of the cluster of a combination, given the names of its
// owners, or "" for no cluster. Nodes without an owner stay as they are.
func (f *folding) groupNodes(owners []owner, nameCluster func(names []string) string) {
	for _, n := range f.drawing.nodes {
		if n.cluster != "" || f.isOutsideClusters(n) {
			continue
		}
		var names []string
		for _, o := range owners {
			if o.nodes[n.source.ID()] {
				names = append(names, o.name)
			}
		}
		if names != nil {
			f.drawing.setCluster(n, nameCluster(names))
		}
	}
}

// setCluster puts a node into the cluster with a name, which may be the cluster's first node; "" for none.
func (d *drawing) setCluster(n *node, name string) {
	n.cluster = name
	if name != "" && !slices.Contains(d.clusters, name) {
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
