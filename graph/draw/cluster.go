package draw

import (
	"strings"

	"sml/graph"
)

// cluster puts every operation into the pass of the network that it belongs
// to, or else into the term. What several passes need is a cluster of its own;
// what several terms need stands outside.
func (f *fold) cluster(passes []Pass) {
	var names []string
	var within []map[int64]bool
	for _, p := range passes {
		names = append(names, p.Name)
		within = append(within, ancestors(p.Output))
	}
	f.assign(within, func(members []int) *cluster {
		var of []string
		for _, i := range members {
			of = append(of, names[i])
		}
		c := &cluster{name: strings.Join(of, " and "), pass: true}
		if len(members) > 1 {
			c.name += ", computed once"
		}
		return c
	})
	terms, prefix := f.terms, "term: "
	if len(terms) == 0 {
		for _, n := range f.d.nodes {
			if n.kind == loss {
				terms, prefix = []graph.Term{{Name: "objective", Value: n.from}}, ""
			}
		}
	}
	within = nil
	for _, t := range terms {
		within = append(within, ancestors(t.Value))
	}
	f.assign(within, func(members []int) *cluster {
		if len(members) > 1 {
			return nil
		}
		return &cluster{name: prefix + terms[members[0]].Name}
	})
}

// assign groups the boxes that are not grouped yet by which sets they are in.
func (f *fold) assign(within []map[int64]bool, create func(members []int) *cluster) {
	known := make(map[string]*cluster)
	for _, n := range f.d.nodes {
		if n.cluster != nil || n.kind == data || n.kind == weights || n.kind == sharedWeights || n.kind == loss && len(f.terms) > 0 {
			continue
		}
		var members []int
		var key strings.Builder
		for i, w := range within {
			if w[n.from.ID()] {
				members = append(members, i)
				key.WriteString(string(rune('a' + i)))
			}
		}
		if len(members) == 0 {
			continue
		}
		c, ok := known[key.String()]
		if !ok {
			c = create(members)
			known[key.String()] = c
			if c != nil {
				f.d.clusters = append(f.d.clusters, c)
			}
		}
		n.cluster = c
	}
}

// ancestors is the set of a node and all that it is computed from.
func ancestors(n *graph.Node) map[int64]bool {
	seen := make(map[int64]bool)
	var visit func(n *graph.Node)
	visit = func(n *graph.Node) {
		if seen[n.ID()] {
			return
		}
		seen[n.ID()] = true
		for _, operand := range graph.Operands(n) {
			visit(operand)
		}
	}
	visit(n)
	return seen
}
