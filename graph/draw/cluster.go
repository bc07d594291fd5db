package draw

import (
	"slices"
	"strings"

	"sml/graph"
)

// nodeSet is a set of graph nodes, by their IDs.
type nodeSet map[int64]bool

// addClusters puts every operation into the cluster of its pass of the network, or else of its
// term. Operations that several passes need have a cluster of their own; operations that several
// terms need have none.
func (f *folding) addClusters(passes []Pass) {
	f.addPassClusters(passes)
	f.addTermClusters()
}

// addPassClusters puts operations into clusters by the passes that need them.
func (f *folding) addPassClusters(passes []Pass) {
	var needed []nodeSet
	for _, p := range passes {
		needed = append(needed, withAncestors(p.Output))
	}
	f.groupNodes(needed, func(needingPasses []int) *cluster {
		var names []string
		for _, i := range needingPasses {
			names = append(names, passes[i].Name)
		}
		name := strings.Join(names, " and ")
		if len(needingPasses) > 1 {
			name += ", computed once"
		}
		return &cluster{name: name, isPass: true}
	})
}

// addTermClusters puts the remaining operations into clusters by the term that needs them. A loss
// without terms is one cluster, "objective".
func (f *folding) addTermClusters() {
	var names []string
	var needed []nodeSet
	for _, t := range f.terms {
		names = append(names, "term: "+t.Name)
		needed = append(needed, withAncestors(t.Value))
	}
	if len(f.terms) == 0 {
		isLoss := func(n *node) bool { return n.kind == nodeLoss }
		loss := f.drawing.nodes[slices.IndexFunc(f.drawing.nodes, isLoss)]
		names = []string{"objective"}
		needed = []nodeSet{withAncestors(loss.source)}
	}
	f.groupNodes(needed, func(needingTerms []int) *cluster {
		if len(needingTerms) > 1 { // no term is the only owner
			return nil
		}
		return &cluster{name: names[needingTerms[0]]}
	})
}

// groupNodes puts nodes that have no cluster yet into clusters, one for each combination of sets that
// contain them. It calls newCluster once for each combination, with the indices of the sets, at least
// one; newCluster returns nil for no cluster. Nodes in no set stay as they are.
func (f *folding) groupNodes(sets []nodeSet, newCluster func(setIndices []int) *cluster) {
	clusters := make(map[string]*cluster) // by combination, with a letter for each set
	for _, n := range f.drawing.nodes {
		if n.cluster != nil || f.isOutsideClusters(n) {
			continue
		}
		var containing []int // indices of the sets that contain n
		var key strings.Builder
		for i, set := range sets {
			if set[n.source.ID()] {
				containing = append(containing, i)
				key.WriteRune(rune('a' + i))
			}
		}
		if len(containing) == 0 {
			continue
		}
		c, exists := clusters[key.String()] // nil exists, too: no cluster
		if !exists {
			c = newCluster(containing)
			clusters[key.String()] = c
			if c != nil {
				f.drawing.clusters = append(f.drawing.clusters, c)
			}
		}
		n.cluster = c
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
