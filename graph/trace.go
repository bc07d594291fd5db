package graph

import (
	"strings"
)

// trace holds the line of code that made each node of a graph.
type trace struct {
	lines   map[*Node]string // " (at FILE:LINE)"
	forward map[*Node]*Node  // for a node of a gradient, the node of the forward pass whose gradient it belongs to
}

// note stores the line of the builder's caller for new nodes. Nodes that plain gorgonia
// functions made before the call get "before" that line.
func (b *Builder) note(before bool) {
	if b.trace == nil {
		return
	}
	at := origin()
	if before {
		at = strings.Replace(at, "(at ", "(before ", 1)
	}
	for _, n := range b.graph.AllNodes() {
		if _, known := b.trace.lines[n]; !known {
			b.trace.lines[n] = at
		}
	}
}

// noteGradient stores for new nodes that they belong to the gradient at n.
func (b *Builder) noteGradient(n *Node) {
	if b.trace == nil {
		return
	}
	for _, made := range b.graph.AllNodes() {
		if _, known := b.trace.lines[made]; !known {
			b.trace.lines[made], b.trace.forward[made] = b.trace.lines[n], n
		}
	}
}
