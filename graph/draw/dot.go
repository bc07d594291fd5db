package draw

import (
	"fmt"
	"strconv"
	"strings"
)

// dot writes the drawing in the language of Graphviz.
func (d *drawing) dot() string {
	var text strings.Builder
	names := make(map[*node]string)
	for i, n := range d.nodes {
		names[n] = "n" + strconv.Itoa(i)
	}
	write := func(indent string, n *node) {
		look := looks[n.kind]
		style := "filled,rounded"
		switch {
		case look.dashed:
			style += ",dashed"
		case look.shape != "box":
			style = "filled"
		}
		fmt.Fprintf(&text, "%s%s [label=%s, shape=%s, style=%s, fillcolor=%s, color=%s, fontcolor=%s];\n", indent, names[n],
			quote(strings.Join(n.label, "\n")), look.shape, quote(style), quote(look.fill), quote(look.stroke), quote(look.text))
	}
	text.WriteString("digraph {\n")
	fmt.Fprintf(&text, "  label=%s; labelloc=t; rankdir=LR; fontname=\"Helvetica\";\n", quote(d.title))
	text.WriteString("  node [fontname=\"Helvetica\", fontsize=11]; edge [fontname=\"Helvetica\", fontsize=11];\n")
	for i, c := range d.clusters {
		fmt.Fprintf(&text, "  subgraph cluster_%d {\n    label=%s; style=rounded; color=\"#94a3b8\";\n", i, quote(c.name))
		for _, n := range d.nodes {
			if n.cluster == c {
				write("    ", n)
			}
		}
		text.WriteString("  }\n")
	}
	for _, n := range d.nodes {
		if n.cluster == nil {
			write("  ", n)
		}
	}
	for _, e := range d.edges {
		look := edgeLooks[e.kind]
		fmt.Fprintf(&text, "  %s -> %s [color=%s", names[e.from], names[e.to], quote(look.stroke))
		if look.dash != "" {
			text.WriteString(", style=dashed")
		}
		if e.label != "" {
			fmt.Fprintf(&text, ", label=%s", quote(e.label))
		}
		text.WriteString("];\n")
	}
	text.WriteString("}\n")
	return text.String()
}

// quote writes a string as Graphviz reads it.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
