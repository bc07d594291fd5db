package draw

import (
	"fmt"
	"strings"

	"sml/graph"
	"sml/internal/ops"
)

// fold makes boxes out of graph nodes, from the loss towards the inputs. What
// is folded into a box is never visited, unless something else needs it.
type fold struct {
	b       *graph.Builder
	d       *drawing
	done    map[int64]*node // by graph node
	host    map[int64]*node // the box that a folded graph node went into
	weights map[string]*node
	terms   []graph.Term
	passes  []Pass
}

func newFold(p Picture) *fold {
	return &fold{
		b: p.Graph, d: &drawing{title: p.Title}, terms: graph.Inspect(p.Graph).Terms(), passes: p.Passes,
		done: make(map[int64]*node), host: make(map[int64]*node), weights: make(map[string]*node),
	}
}

func (f *fold) add(kind nodeKind, from *graph.Node, label ...string) *node {
	n := &node{kind: kind, label: label, from: from}
	f.d.nodes = append(f.d.nodes, n)
	return n
}

func (f *fold) connect(from, to *node, label string) {
	if from == nil {
		return
	}
	kind := plain
	switch from.kind {
	case weights:
		kind = ofWeights
	case stop:
		kind = stopped
	}
	f.d.edges = append(f.d.edges, edge{from, to, label, kind})
}

// loss draws the weighted sum of terms as one box.
func (f *fold) loss(n *graph.Node) {
	if len(f.terms) == 0 {
		box := f.of(n)
		box.kind = loss
		box.label = append([]string{"loss"}, box.label...)
		return
	}
	type part struct {
		n      *graph.Node
		weight float64
	}
	var parts []part
	var split func(n *graph.Node, weight float64)
	split = func(n *graph.Node, weight float64) {
		in := graph.Operands(n)
		for _, t := range f.terms {
			if t.Value == n {
				parts = append(parts, part{n, weight})
				return
			}
		}
		switch {
		case ops.Is(n, "add"):
			split(in[0], weight)
			split(in[1], weight)
			return
		case ops.Is(n, "multiply"):
			if c, ok := constant(in[1]); ok {
				split(in[0], weight*c)
				return
			}
		}
		parts = append(parts, part{n, weight})
	}
	split(n, 1)
	var from []*node
	for _, p := range parts {
		from = append(from, f.of(p.n))
	}
	box := f.add(loss, n, "loss")
	for i, p := range parts {
		f.connect(from[i], box, "× "+short(p.weight))
	}
}

// of returns the box of a graph node, nil for a constant.
func (f *fold) of(n *graph.Node) *node {
	if box, ok := f.done[n.ID()]; ok {
		return box
	}
	box := f.make(n)
	f.done[n.ID()] = box
	return box
}

func (f *fold) make(n *graph.Node) *node {
	switch role, name := graph.Inspect(f.b).Role(n); role {
	case graph.Constant:
		return nil
	case graph.Parameter:
		return f.parameter(n, name)
	case graph.Input:
		return f.add(data, n, name, size(n))
	case graph.Mask:
		return f.add(dropout, n, "mask", name, size(n))
	case graph.Stop:
		return f.chain(stop, n, graph.Operands(n)[0], "stop gradient", size(n))
	}
	if _, ok := constant(n); ok {
		return nil
	}
	in := graph.Operands(n)
	switch {
	case moves(n):
		return f.of(in[0])
	case ops.Is(n, "add"):
		if box := f.linear(n, in); box != nil {
			return box
		}
	case ops.Is(n, "multiply"):
		if box := f.product(n, in); box != nil {
			return box
		}
	}
	return f.plain(n, in)
}

// chain adds a box with a single operand.
func (f *fold) chain(kind nodeKind, n, operand *graph.Node, label ...string) *node {
	from := f.of(operand)
	box := f.add(kind, n, label...)
	f.connect(from, box, "")
	return box
}

// plain draws an operation as it is.
func (f *fold) plain(n *graph.Node, in graph.Nodes) *node {
	var from []*node
	for _, operand := range in {
		if ops.Of(operand).Kind != ops.Size {
			from = append(from, f.of(operand))
		}
	}
	name, sign := operationLabel(f.b, n), ""
	if len(from) == 2 && from[0] != nil && from[1] != nil && (ops.Is(n, "subtract") || ops.Is(n, "divide")) {
		first, second := f.name(in[0], from[0]), f.name(in[1], from[1])
		if first != "" && second != "" {
			name = first + " " + ops.Label(n) + " " + second
		} else {
			sign = ops.Label(n) // at the line of what is taken away
		}
	}
	box := f.add(operation, n, name, size(n))
	for i, operand := range from {
		f.connect(operand, box, map[bool]string{true: sign}[i == 1])
	}
	return box
}

// name is what an operand is called where it is the operand of a difference,
// "" for one without a name.
func (f *fold) name(n *graph.Node, box *node) string {
	for _, p := range f.passes {
		if p.Output == n {
			return p.Name
		}
	}
	switch box.kind {
	case data:
		return box.label[0]
	case stop:
		return "stopped"
	}
	if strings.HasPrefix(box.label[0], "column") {
		return box.label[0]
	}
	return ""
}

// linear recognises h·W + bias.
func (f *fold) linear(n *graph.Node, in graph.Nodes) *node {
	product, bias := in[0], behind(in[1])
	if ops.Label(product) != "A × B" {
		return nil
	}
	operands := graph.Operands(product)
	isWeight, weight := graph.Inspect(f.b).Role(operands[1])
	isBias, name := graph.Inspect(f.b).Role(bias)
	if isWeight != graph.Parameter || isBias != graph.Parameter {
		return nil
	}
	layer, of := prefix(weight), prefix(name)
	h := f.of(operands[0])
	if layer == "" || layer != of {
		first, second := f.of(operands[1]), f.of(bias)
		box := f.add(operation, n, "× "+weight+" + "+name, size(n))
		f.connect(h, box, "")
		f.connect(first, box, "")
		f.connect(second, box, "")
		f.host[product.ID()] = box
		return box
	}
	w := f.weights[layer]
	if w == nil {
		w = f.add(weights, operands[1], layer, "weight "+size(operands[1]), "bias "+size(bias))
		f.weights[layer] = w
		f.host[operands[1].ID()], f.host[bias.ID()] = w, w
	}
	box := f.add(operation, n, "× "+layer+" + bias", size(n))
	f.connect(h, box, "")
	f.connect(w, box, "")
	f.host[product.ID()] = box
	return box
}

// product recognises a dropout mask, a ReLU and a mean.
func (f *fold) product(n *graph.Node, in graph.Nodes) *node {
	if role, name := graph.Inspect(f.b).Role(in[1]); role == graph.Mask {
		box := f.chain(dropout, n, in[0], "dropout mask", name, size(n))
		f.host[in[1].ID()] = box
		return box
	}
	if ops.Is(in[1], "greater") {
		operands := graph.Operands(in[1])
		if c, ok := constant(operands[1]); ok && c == 0 && operands[0] == in[0] {
			box := f.chain(operation, n, in[0], "relu", size(n))
			f.host[in[1].ID()] = box
			return box
		}
	}
	if c, ok := constant(in[1]); ok && ops.Of(in[0]).Kind == ops.Sum && n.IsScalar() {
		summed := graph.Operands(in[0])[0]
		if count := float64(max(1, summed.Shape().TotalSize())); c*count > 0.999999 && c*count < 1.000001 {
			box := f.chain(operation, n, summed, "mean", "over "+size(summed))
			f.host[in[0].ID()] = box
			return box
		}
	}
	return nil
}

// parameter draws a parameter by itself.
func (f *fold) parameter(n *graph.Node, name string) *node {
	if box := f.host[n.ID()]; box != nil {
		return box
	}
	return f.add(weights, n, name, size(n))
}

// shareWeights notes on weights how often they are used.
func (f *fold) shareWeights() {
	uses := make(map[*node]int)
	for _, e := range f.d.edges {
		uses[e.from]++
	}
	for _, n := range f.d.nodes {
		if n.kind == weights && uses[n] > 1 {
			n.kind = sharedWeights
			n.label = append(n.label, fmt.Sprintf("shared: used %d times", uses[n]))
		}
	}
}

// behind looks through repetition and reshaping.
func behind(n *graph.Node) *graph.Node {
	for moves(n) {
		n = graph.Operands(n)[0]
	}
	return n
}

// prefix is the layer in a parameter's name: hidden1 of hidden1.weight.
func prefix(name string) string {
	at := strings.LastIndexByte(name, '.')
	if at < 0 {
		return ""
	}
	return name[:at]
}
