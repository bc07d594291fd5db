package graph

import "strings"

// trace is where the nodes of a graph come from.
type trace struct {
	lines   map[*Node]string // " (at FILE:LINE)"
	forward map[*Node]*Node  // of a node of a gradient, the one that it is the gradient at
}

// TraceLines makes the builder note from here on which line each node comes from, for
// FindFault. It costs a look at the stack for every operation.
func (i Inspection) TraceLines() {
	i.b.trace = &trace{lines: make(map[*Node]string), forward: make(map[*Node]*Node)}
}

// note gives the line of the builder's caller to nodes that are new. Those made by
// plain gorgonia functions before a builder's method was called get the line that
// they come before.
func (b *Builder) note(before bool) {
	if b.trace == nil {
		return
	}
	at := Origin()
	if before {
		at = strings.Replace(at, "(at ", "(before ", 1)
	}
	for _, n := range b.graph.AllNodes() {
		if _, known := b.trace.lines[n]; !known {
			b.trace.lines[n] = at
		}
	}
}

// noteGradient notes that nodes which are new belong to the gradient at n.
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
