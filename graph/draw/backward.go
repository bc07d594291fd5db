package draw

import (
	"slices"
	"strings"

	"sml/graph"
	"sml/internal/ops"
)

// backward draws the gradient nodes, as a cluster of their own. Values of the
// forward pass that they need are named in their labels: lines for them would
// hide the picture.
func (f *fold) backward(p Picture) {
	if len(p.Gradients) == 0 {
		return
	}
	g := &gradients{fold: f, forward: ancestors(p.Loss), cluster: &cluster{name: "gradients"}, done: make(map[int64]*node)}
	f.d.clusters = append(f.d.clusters, g.cluster)
	for i, n := range p.Gradients {
		at := behind(n)
		if g.forward[at.ID()] || f.isConstant(at) {
			box := g.add(result, "∂ "+p.Names[i], "0: nothing reaches it")
			box.from = n
			continue
		}
		box := g.of(at)
		if box.kind == result { // one node for two parameters
			box.label = append([]string{"∂ " + p.Names[i]}, box.label...)
			continue
		}
		box.kind = result
		box.label = append([]string{"∂ " + p.Names[i]}, box.label...)
	}
}

func (f *fold) isConstant(n *graph.Node) bool {
	_, number := constant(n)
	role, _ := graph.Inspect(f.b).Role(n)
	return number || role == graph.Constant
}

type gradients struct {
	*fold
	forward map[int64]bool
	cluster *cluster
	done    map[int64]*node
}

func (g *gradients) add(kind nodeKind, label ...string) *node {
	n := g.fold.add(kind, nil, label...)
	n.cluster = g.cluster
	return n
}

// of returns the box of a gradient node.
func (g *gradients) of(n *graph.Node) *node {
	n = behind(n)
	if box, ok := g.done[n.ID()]; ok {
		return box
	}
	var carried []*node
	var seeds []*node // of the forward pass, where nothing is carried
	in, _ := g.operands(n)
	for _, operand := range in {
		operand = behind(operand)
		switch {
		case g.isConstant(operand), ops.Of(operand).Kind == ops.Size:
		case g.forward[operand.ID()]:
			seeds = append(seeds, g.hostOf(operand))
		case g.isValue(operand):
			values, _ := g.operands(operand)
			for _, value := range values {
				if value = behind(value); g.forward[value.ID()] && !g.isConstant(value) {
					seeds = append(seeds, g.hostOf(value))
				}
			}
		default:
			carried = append(carried, g.of(operand))
		}
	}
	box := g.add(gradient, g.label(n), size(n))
	g.done[n.ID()] = box
	for _, c := range carried {
		g.d.edges = append(g.d.edges, edge{c, box, "", backward})
	}
	if len(carried) == 0 {
		for _, s := range slices.Compact(seeds) {
			if s != nil {
				g.d.edges = append(g.d.edges, edge{s, box, "", backward})
			}
		}
	}
	return box
}

// isValue tells whether a node only prepares values of the forward pass, as
// 2·x does for the gradient of x².
func (g *gradients) isValue(n *graph.Node) bool {
	if g.done[n.ID()] != nil || g.forward[n.ID()] {
		return false
	}
	forward := false
	in, _ := g.operands(n)
	for _, operand := range in {
		operand = behind(operand)
		isForward := g.forward[operand.ID()] && !g.isConstant(operand)
		if !isForward && !g.isConstant(operand) {
			return false
		}
		forward = forward || isForward
	}
	return forward
}

// hostOf is the box that holds a node of the forward pass.
func (g *gradients) hostOf(n *graph.Node) *node {
	if box := g.host[n.ID()]; box != nil {
		return box
	}
	return g.fold.done[n.ID()]
}

// label says what a gradient node does.
func (g *gradients) label(n *graph.Node) string {
	in := graph.Operands(n)
	if text, ok := g.where(n); ok {
		return text
	}
	switch name := ops.Label(n); {
	case ops.Is(n, "negate"):
		if value := g.text(in[0]); value != "" {
			return "−(" + value + ")"
		}
		return "× −1"
	case ops.Is(n, "add"):
		return "sum of both"
	case ops.Of(n).Kind == ops.Sum:
		return "sum over the rows"
	case name == "A × Bᵀ":
		return "× " + transposed(g.text(in[1]))
	case name == "Aᵀ × B":
		return transposed(g.text(in[0])) + " ×"
	case ops.Is(n, "multiply"), ops.Is(n, "divide"):
		sign := name + " "
		first, second := g.text(in[0]), g.text(in[1])
		switch {
		case first != "" && second != "":
			return first + " " + sign + second
		case ops.Is(n, "divide") && second == "":
			return first + " ÷"
		}
		return sign + first + second
	}
	return operationLabel(g.b, n)
}

// where names what lets a gradient pass a gate.
func (g *gradients) where(n *graph.Node) (string, bool) {
	if !ops.Is(n, "gate") {
		return "", false
	}
	in, than := g.operands(n)
	return strings.TrimSpace(g.text(in[0]) + " where " + g.text(in[1]) + " > " + short(than)), true
}

// operands returns a node's operands. Of a gate that asks whether x − c is above 0
// they are what passes and x, and c is returned too.
func (g *gradients) operands(n *graph.Node) (in graph.Nodes, c float64) {
	in = graph.Operands(n)
	if ops.Is(n, "gate") && ops.Is(in[1], "subtract") {
		difference := graph.Operands(in[1])
		if c, ok := constant(difference[1]); ok {
			return graph.Nodes{in[0], difference[0]}, c
		}
	}
	return in, 0
}

func transposed(text string) string {
	if strings.Contains(text, " ") {
		return "(" + text + ")ᵀ"
	}
	return text + "ᵀ"
}

// text names a value that is not a gradient, "" for one that is.
func (g *gradients) text(n *graph.Node) string {
	n = behind(n)
	if c, ok := constant(n); ok {
		return short(c)
	}
	if role, name := graph.Inspect(g.b).Role(n); role == graph.Mask {
		return "mask of " + name
	} else if role == graph.Parameter || role == graph.Input {
		return name
	}
	in := graph.Operands(n)
	switch {
	case g.forward[n.ID()]:
		host := g.hostOf(n)
		if host == nil {
			return operationLabel(g.b, n)
		}
		name := host.label[0]
		if host.kind == loss && len(host.label) > 1 {
			name = host.label[1]
		}
		if ops.Is(n, "greater") {
			return "[" + name + " passes]"
		}
		return "“" + name + "”"
	case !g.isValue(n):
		return ""
	}
	if text, ok := g.where(n); ok {
		return text
	}
	switch {
	case len(in) == 1:
		return operationLabel(g.b, n) + " of " + g.text(in[0])
	}
	return g.text(in[0]) + " " + ops.Label(n) + " " + g.text(in[1])
}
