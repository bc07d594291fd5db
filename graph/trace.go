package graph

import (
	"strings"
)

// trace holds the line of code that made each node of a graph.
type trace struct {
	lines map[*Node]string // " (at FILE:LINE)"

	// forward has, for each node of a gradient, the node of the forward pass to whose gradient it
	// belongs.
	forward map[*Node]*Node
}

// traceEarlierNodes records the line of the builder's caller for nodes that gorgonia functions have
// made since the builder's last operation. They were made somewhere before this line: nothing tells
// the builder when a gorgonia function is called.
func (b *Builder) traceEarlierNodes() {
	if b.trace != nil {
		b.traceNodes(strings.Replace(callerLine(), "(at ", "(before ", 1))
	}
}

// traceNewNodes records the line of the builder's caller for the nodes of its operation.
func (b *Builder) traceNewNodes() {
	if b.trace != nil {
		b.traceNodes(callerLine())
	}
}

// traceNodes records a line for all nodes without a line.
func (b *Builder) traceNodes(line string) {
	for _, n := range b.graph.AllNodes() {
		if _, hasLine := b.trace.lines[n]; !hasLine {
			b.trace.lines[n] = line
		}
	}
}

// traceGradient records for all nodes without a line that they belong to the gradient at n, a node
// of the forward pass.
func (b *Builder) traceGradient(n *Node) {
	if b.trace == nil {
		return
	}
	for _, made := range b.graph.AllNodes() {
		if _, hasLine := b.trace.lines[made]; !hasLine {
			b.trace.lines[made] = b.trace.lines[n]
			b.trace.forward[made] = n
		}
	}
}
