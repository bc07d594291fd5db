package draw

import (
	"fmt"
	"strings"

	"sml/graph"
	"sml/internal/ops"
)

// folding converts graph nodes to the nodes of a drawing, from the loss towards the inputs.
// One drawn node may stand for several graph nodes, such as a linear layer for a product and a sum.
// The graph nodes inside a drawn node, its host, are drawn by themselves only if another operation
// uses them, too.
type folding struct {
	Picture
	drawing       *drawing
	nodes         map[int64]*node  // drawn node whose result is a graph node, by the graph node's ID; nil for constants
	hosts         map[int64]*node  // drawn node that contains a graph node, by the graph node's ID
	weights       map[string]*node // drawn weights of each layer, by the layer's name
	terms         []graph.Term     // terms of the loss
	forward       nodeSet          // graph nodes of the forward pass
	gradientNodes map[int64]*node  // drawn gradients, by the ID of the graph node
}

// newFolding returns the folding of a picture before any node is drawn.
func newFolding(p Picture) *folding {
	return &folding{
		Picture:       p,
		drawing:       &drawing{title: p.Title},
		nodes:         make(map[int64]*node),
		hosts:         make(map[int64]*node),
		weights:       make(map[string]*node),
		terms:         graph.Inspect(p.Graph).Terms(),
		forward:       withAncestors(p.Loss),
		gradientNodes: make(map[int64]*node),
	}
}

// addNode adds a node to the drawing. source is the graph node whose result it stands for.
func (f *folding) addNode(kind nodeKind, source *graph.Node, label ...string) *node {
	n := &node{index: len(f.drawing.nodes), kind: kind, label: label, source: source}
	f.drawing.nodes = append(f.drawing.nodes, n)
	return n
}

// addEdge adds an edge, unless from is nil: constants are not drawn.
func (f *folding) addEdge(from, to *node, label string) {
	if from == nil {
		return
	}
	kind := edgePlain
	switch from.kind {
	case nodeWeights:
		kind = edgeWeights
	case nodeStop:
		kind = edgeStopped
	}
	f.drawing.edges = append(f.drawing.edges, edge{from, to, label, kind})
}

// weightedNode is a summand of the loss: a graph node times its weight.
type weightedNode struct {
	node   *graph.Node
	weight float64
}

// addLoss draws the loss: the weighted sum of its terms as one node, with the weights at the
// edges.
func (f *folding) addLoss() {
	n := f.Loss
	if len(f.terms) == 0 {
		loss := f.nodeFor(n)
		loss.kind = nodeLoss
		loss.label = append([]string{"loss"}, loss.label...)
		return
	}
	summands := f.lossSummands(n, 1)
	var drawn []*node
	for _, s := range summands {
		drawn = append(drawn, f.nodeFor(s.node))
	}
	loss := f.addNode(nodeLoss, n, "loss")
	for i, s := range summands {
		f.addEdge(drawn[i], loss, "× "+formatNumber(s.weight))
	}
}

// lossSummands returns the summands of weight·n. It splits sums and constant factors, but not
// the terms of the loss.
func (f *folding) lossSummands(n *graph.Node, weight float64) []weightedNode {
	whole := []weightedNode{{n, weight}}
	for _, t := range f.terms {
		if t.Value == n {
			return whole
		}
	}
	operands := graph.Operands(n)
	switch {
	case ops.Is(n, "add"):
		first := f.lossSummands(operands[0], weight)
		second := f.lossSummands(operands[1], weight)
		return append(first, second...)
	case ops.Is(n, "multiply"):
		if factor, ok := constantValue(operands[1]); ok {
			return f.lossSummands(operands[0], weight*factor)
		}
	}
	return whole
}

// nodeFor returns the drawn node of a graph node and draws it first if necessary. It returns nil
// for a constant.
func (f *folding) nodeFor(n *graph.Node) *node {
	if drawn, ok := f.nodes[n.ID()]; ok {
		return drawn
	}
	drawn := f.drawNode(n)
	f.nodes[n.ID()] = drawn
	return drawn
}

// drawNode draws a graph node together with the graph nodes that it can be folded with. It
// returns nil for a constant.
func (f *folding) drawNode(n *graph.Node) *node {
	switch role, name := graph.Inspect(f.Graph).Role(n); role {
	case graph.Constant:
		return nil
	case graph.Parameter:
		return f.drawParameter(n, name)
	case graph.Input:
		return f.addNode(nodeInput, n, name, shapeText(n))
	case graph.Mask:
		return f.addNode(nodeDropout, n, "mask", name, shapeText(n))
	case graph.Stop:
		return f.addUnaryNode(nodeStop, n, graph.Operands(n)[0], "stop gradient", shapeText(n))
	}
	if _, ok := constantValue(n); ok {
		return nil
	}
	operands := graph.Operands(n)
	switch {
	case isRearrangement(n):
		return f.nodeFor(operands[0])
	case ops.Is(n, "add"):
		if drawn := f.drawLinear(n, operands); drawn != nil {
			return drawn
		}
	case ops.Is(n, "multiply"):
		if drawn := f.drawProduct(n, operands); drawn != nil {
			return drawn
		}
	}
	return f.drawOperation(n, operands)
}

// addUnaryNode adds a node with an edge from its only operand.
func (f *folding) addUnaryNode(kind nodeKind, n, operand *graph.Node, label ...string) *node {
	from := f.nodeFor(operand)
	drawn := f.addNode(kind, n, label...)
	f.addEdge(from, drawn, "")
	return drawn
}

// drawOperation draws an operation by itself. A difference or quotient names both operands, since they cannot be exchanged;
// if one has no name, the edge from the second operand has the sign.
func (f *folding) drawOperation(n *graph.Node, operands graph.Nodes) *node {
	var from []*node
	for _, operand := range operands {
		if ops.OperationOf(operand).Kind != ops.KindSize { // Gorgonia repeats by a length that a node computes
			from = append(from, f.nodeFor(operand))
		}
	}
	name := operationLabel(n)
	signAtEdge := ""
	isOrdered := ops.Is(n, "subtract") || ops.Is(n, "divide")
	if isOrdered && len(from) == 2 && from[0] != nil && from[1] != nil {
		first := f.operandName(operands[0], from[0])
		second := f.operandName(operands[1], from[1])
		sign := ops.Label(n)
		if first != "" && second != "" {
			name = first + " " + sign + " " + second
		} else {
			signAtEdge = sign
		}
	}
	drawn := f.addNode(nodeOperation, n, name, shapeText(n))
	for i, operand := range from {
		label := ""
		if i == 1 {
			label = signAtEdge
		}
		f.addEdge(operand, drawn, label)
	}
	return drawn
}

// operandName returns the name of an operand in the label of its user, "" if it has none.
func (f *folding) operandName(n *graph.Node, drawn *node) string {
	for _, p := range f.Passes {
		if p.Output == n {
			return p.Name
		}
	}
	firstLine := drawn.label[0]
	switch {
	case drawn.kind == nodeStop:
		return "stopped"
	case drawn.kind == nodeInput, strings.HasPrefix(firstLine, "column"):
		return firstLine
	}
	return ""
}

// drawLinear draws the linear function h·W + bias of a layer as one node. It returns nil if n is
// not the sum of a product with a parameter and a parameter.
func (f *folding) drawLinear(n *graph.Node, summands graph.Nodes) *node {
	product := summands[0]
	bias := skipRearrangements(summands[1]) // repeated for each row
	if ops.Label(product) != productLabel {
		return nil
	}
	factors := graph.Operands(product)
	h := factors[0] // input of the layer
	weight := factors[1]
	weightRole, weightName := graph.Inspect(f.Graph).Role(weight)
	biasRole, biasName := graph.Inspect(f.Graph).Role(bias)
	if weightRole != graph.Parameter || biasRole != graph.Parameter {
		return nil
	}
	from := []*node{f.nodeFor(h)}
	label := ""
	layer := layerName(weightName)
	if layer != "" && layer == layerName(biasName) { // one node has both parameters
		from = append(from, f.layerWeights(layer, weight, bias))
		label = "× " + layer + " + bias"
	} else {
		from = append(from, f.nodeFor(weight), f.nodeFor(bias))
		label = "× " + weightName + " + " + biasName
	}
	drawn := f.addNode(nodeOperation, n, label, shapeText(n))
	for _, operand := range from {
		f.addEdge(operand, drawn, "")
	}
	f.hosts[product.ID()] = drawn // the product has no node of its own
	return drawn
}

// layerWeights returns the node of a layer's weight and bias, which all uses of the layer share. It
// draws the node first if necessary.
func (f *folding) layerWeights(layer string, weight, bias *graph.Node) *node {
	if drawn := f.weights[layer]; drawn != nil {
		return drawn
	}
	drawn := f.addNode(nodeWeights, weight, layer, "weight "+shapeText(weight), "bias "+shapeText(bias))
	f.weights[layer] = drawn
	f.hosts[weight.ID()] = drawn
	f.hosts[bias.ID()] = drawn
	return drawn
}

// drawProduct draws a dropout mask, a ReLU or a mean, which are elementwise products in the graph,
// as one node, and records it as the host of the factor that it contains. It returns nil for other
// products.
func (f *folding) drawProduct(n *graph.Node, factors graph.Nodes) *node {
	first := factors[0]
	second := factors[1]
	role, name := graph.Inspect(f.Graph).Role(second)
	if role == graph.Mask {
		drawn := f.addUnaryNode(nodeDropout, n, first, "dropout mask", name, shapeText(n))
		f.hosts[second.ID()] = drawn
		return drawn
	}
	if isPositiveTest(second, first) { // ReLU is x·(x > 0)
		drawn := f.addUnaryNode(nodeOperation, n, first, "relu", shapeText(n))
		f.hosts[second.ID()] = drawn
		return drawn
	}
	if isMean(n, factors) { // the first factor is the sum
		summed := graph.Operands(first)[0]
		drawn := f.addUnaryNode(nodeOperation, n, summed, "mean", "over "+shapeText(summed))
		f.hosts[first.ID()] = drawn
		return drawn
	}
	return nil
}

// isPositiveTest reports whether test is the comparison x > 0.
func isPositiveTest(test, x *graph.Node) bool {
	if !ops.Is(test, "greater") {
		return false
	}
	operands := graph.Operands(test)
	bound, ok := constantValue(operands[1])
	return ok && bound == 0 && operands[0] == x
}

// isMean reports whether a product is a sum times the reciprocal of the number of its summands.
func isMean(product *graph.Node, factors graph.Nodes) bool {
	const tolerance = 1e-6 // the reciprocal may be rounded to float32
	sum := factors[0]
	factor, ok := constantValue(factors[1])
	if !ok || ops.OperationOf(sum).Kind != ops.KindSum || !product.IsScalar() {
		return false
	}
	summed := graph.Operands(sum)[0]
	count := float64(max(1, summed.Shape().TotalSize()))
	total := factor * count
	return total > 1-tolerance && total < 1+tolerance
}

// drawParameter draws a parameter by itself, unless the weights of its layer are drawn already.
func (f *folding) drawParameter(n *graph.Node, name string) *node {
	if drawn := f.hosts[n.ID()]; drawn != nil {
		return drawn
	}
	return f.addNode(nodeWeights, n, name, shapeText(n))
}

// markSharedWeights makes weights with several uses nodeSharedWeights, and adds the number of
// uses to their labels.
func (f *folding) markSharedWeights() {
	uses := make(map[*node]int)
	for _, e := range f.drawing.edges {
		uses[e.from]++
	}
	for _, n := range f.drawing.nodes {
		if n.kind == nodeWeights && uses[n] > 1 {
			n.kind = nodeSharedWeights
			n.label = append(n.label, fmt.Sprintf("shared: used %d times", uses[n]))
		}
	}
}

// layerName returns the layer in a parameter's name: hidden1 for hidden1.weight, "" for a name
// without a dot.
func layerName(parameter string) string {
	dot := strings.LastIndexByte(parameter, '.')
	if dot < 0 {
		return ""
	}
	return parameter[:dot]
}
