package draw

import (
	"fmt"
	"slices"
	"strings"
)

// dot returns the drawing in the language of Graphviz.
func (d *drawing) dot() string {
	w := new(writer)
	w.printf("digraph {\n")
	w.printf("  label=%s; labelloc=t; rankdir=LR; fontname=\"Helvetica\";\n", quote(d.title))
	w.printf("  node [fontname=\"Helvetica\", fontsize=11]; edge [fontname=\"Helvetica\", fontsize=11];\n")
	for i, c := range d.clusters {
		w.printf("  subgraph cluster_%d {\n    label=%s; style=rounded; color=\"#94a3b8\";\n", i, quote(c))
		w.writeNodes("    ", d.nodesIn(c))
		w.printf("  }\n")
	}
	w.writeNodes("  ", d.nodesIn("")) // outside all clusters
	for _, e := range d.edges {
		w.writeEdge(e)
	}
	w.printf("}\n")
	return w.String()
}

// nodesIn returns the nodes of a cluster; for "", the nodes outside all clusters.
func (d *drawing) nodesIn(cluster string) []*node {
	return slices.DeleteFunc(slices.Clone(d.nodes), func(n *node) bool { return n.cluster != cluster })
}

// writer collects the text of a picture in either format.
type writer struct{ strings.Builder }

// printf appends to the text.
func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.Builder, format, args...) }

// writeNodes writes one line for each node.
func (w *writer) writeNodes(indent string, nodes []*node) {
	for _, n := range nodes {
		look := nodeLooks[n.kind]
		style := "filled,rounded"
		switch {
		case look.dashed:
			style += ",dashed"
		case look.graphvizShape != "box": // other shapes have no corners to round
			style = "filled"
		}
		w.printf("%sn%d [label=%s, shape=%s, style=%s, fillcolor=%s, color=%s, fontcolor=%s];\n",
			indent, n.index, quote(strings.Join(n.label, "\n")), look.graphvizShape,
			quote(style), quote(look.fill), quote(look.stroke), quote(look.text))
	}
}

// writeEdge writes the line of an edge.
func (w *writer) writeEdge(e edge) {
	look := edgeLooks[e.kind]
	w.printf("  n%d -> n%d [color=%s", e.from.index, e.to.index, quote(look.colour))
	if look.dashed {
		w.printf(", style=dashed")
	}
	if e.label != "" {
		w.printf(", label=%s", quote(e.label))
	}
	w.printf("];\n")
}

// quote returns s as a string literal of Graphviz.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
