package draw

import (
	"slices"
	"strings"

	"sml/graph"
	"sml/internal/ops"
)

// addGradients draws the gradients of the parameters and the graph nodes that they are computed
// from, as a cluster of their own. Below, a value is a graph node of the forward pass, which is drawn already, and a
// gradient one of the backward pass. Both passes are one graph, so a gradient has operands of both kinds: edges lead to it
// from gradients, and its label names the values, since edges from them would cover the picture.
func (f *folding) addGradients() {
	for i, gradient := range f.Gradients {
		f.addParameterGradient(gradient, "∂ "+f.Names[i])
	}
}

// addParameterGradient draws the gradient of a parameter. title is the first line of its label.
func (f *folding) addParameterGradient(gradient *graph.Node, title string) {
	n := skipRearrangements(gradient)
	if f.forward[n.ID()] || f.isConstant(n) {
		drawn := f.addGradientNode(nodeWeightsGradient, title, "0: nothing reaches it")
		drawn.source = gradient
		return
	}
	drawn := f.gradientNodeFor(n)
	drawn.kind = nodeWeightsGradient
	drawn.label = append([]string{title}, drawn.label...)
}

// isConstant reports whether a graph node has the same value at every step.
func (f *folding) isConstant(n *graph.Node) bool {
	_, isNumber := constantValue(n)
	role, _ := graph.Inspect(f.Graph).Role(n)
	return isNumber || role == graph.Constant
}

// addGradientNode adds a node to the cluster of gradients.
func (f *folding) addGradientNode(kind nodeKind, label ...string) *node {
	n := f.addNode(kind, nil, label...)
	f.drawing.setCluster(n, "gradients")
	return n
}

// gradientNodeFor returns the drawn node of a gradient and draws it first if necessary. The node
// has edges from the gradients it is computed from, or, where the backward pass starts, from the
// values of the forward pass.
func (f *folding) gradientNodeFor(n *graph.Node) *node {
	n = skipRearrangements(n)
	if drawn, ok := f.gradientNodes[n.ID()]; ok {
		return drawn
	}
	gradients, values := f.splitOperands(n)
	var from []*node // nil for values that no node is drawn for
	for _, gradient := range gradients {
		from = append(from, f.gradientNodeFor(gradient))
	}
	if len(gradients) == 0 { // the backward pass starts here
		for _, value := range values {
			from = append(from, f.hostOf(value))
		}
		from = slices.Compact(from) // one edge for neighbouring values of one host
	}
	drawn := f.addGradientNode(nodeGradient, f.gradientLabel(n), shapeText(n))
	f.gradientNodes[n.ID()] = drawn
	for _, source := range from {
		if source != nil {
			f.drawing.edges = append(f.drawing.edges, edge{source, drawn, "", edgeGradient})
		}
	}
	return drawn
}

// splitOperands divides the operands of a gradient into gradients, from which edges lead to it, and
// values, which its label names. For an operand that is computed from values alone, such as 2·x in the gradient of x², it
// returns these values, here x. Constants, and lengths of axes, by which Gorgonia repeats, are neither.
func (f *folding) splitOperands(n *graph.Node) (gradients, values []*graph.Node) {
	operands, _ := f.operandsAndBound(n)
	for _, operand := range operands {
		operand = skipRearrangements(operand)
		isLength := ops.OperationOf(operand).Kind == ops.KindSize
		if isLength || f.isConstant(operand) {
			continue
		}
		if f.forward[operand.ID()] {
			values = append(values, operand)
			continue
		}
		ofOperand := f.valueOperands(operand)
		if len(ofOperand) == 0 {
			gradients = append(gradients, operand)
		}
		values = append(values, ofOperand...)
	}
	return gradients, values
}

// valueOperands returns the operands of a graph node that is computed from values of the forward pass and constants
// alone, like 2·x in the gradient of x², without the constants. It returns nil for other nodes.
func (f *folding) valueOperands(n *graph.Node) []*graph.Node {
	if f.gradientNodes[n.ID()] != nil || f.forward[n.ID()] {
		return nil
	}
	var values []*graph.Node
	operands, _ := f.operandsAndBound(n)
	for _, operand := range operands {
		operand = skipRearrangements(operand)
		switch {
		case f.isConstant(operand):
			continue
		case f.forward[operand.ID()]:
			values = append(values, operand)
		default: // a gradient, or a function of a function
			return nil
		}
	}
	return values
}

// hostOf returns the drawn node that contains a graph node of the forward pass, nil if none does.
func (f *folding) hostOf(n *graph.Node) *node {
	if drawn := f.hosts[n.ID()]; drawn != nil {
		return drawn
	}
	return f.nodes[n.ID()]
}

// gradientLabel describes the operation on the gradient that a graph node receives, such as
// "× weightᵀ".
func (f *folding) gradientLabel(n *graph.Node) string {
	const ( // as Gorgonia prints the gradients of a product of matrices
		byFirstFactor  = "A × Bᵀ"
		bySecondFactor = "Aᵀ × B"
	)
	operands := graph.Operands(n)
	name := ops.Label(n)
	switch {
	case ops.Is(n, "gate"):
		return f.gateLabel(n)
	case ops.Is(n, "negate"):
		if value := f.valueLabel(operands[0]); value != "" {
			return "−(" + value + ")"
		}
		return "× −1"
	case ops.Is(n, "add"):
		return "sum of both"
	case ops.OperationOf(n).Kind == ops.KindSum:
		return "sum over the rows"
	case name == byFirstFactor:
		return "× " + transposedLabel(f.valueLabel(operands[1]))
	case name == bySecondFactor:
		return transposedLabel(f.valueLabel(operands[0])) + " ×"
	case ops.Is(n, "multiply"), ops.Is(n, "divide"):
		return f.factorLabel(n, operands)
	}
	return operationLabel(n)
}

// factorLabel returns the label of a product or quotient, with the values of the forward pass
// among its operands.
func (f *folding) factorLabel(n *graph.Node, operands graph.Nodes) string {
	sign := ops.Label(n)
	first := f.valueLabel(operands[0])
	second := f.valueLabel(operands[1])
	switch {
	case first != "" && second != "":
		return first + " " + sign + " " + second
	case ops.Is(n, "divide") && second == "":
		return first + " ÷"
	}
	return sign + " " + first + second
}

// gateLabel returns the label of a gate: what passes, and where.
func (f *folding) gateLabel(n *graph.Node) string {
	operands, bound := f.operandsAndBound(n)
	label := f.valueLabel(operands[0]) + " where " + f.valueLabel(operands[1]) + " > " + formatNumber(bound)
	return strings.TrimSpace(label)
}

// operandsAndBound returns the operands of a graph node and, for a gate, its bound. A gate passes its first operand where
// the second exceeds the bound. The bound is 0, but where the second operand is x − c, as in the gradient of a clamp,
// operandsAndBound returns x and the bound c instead. It returns the bound 0 for other nodes.
func (f *folding) operandsAndBound(n *graph.Node) (operands graph.Nodes, bound float64) {
	operands = graph.Operands(n)
	if ops.Is(n, "gate") && ops.Is(operands[1], "subtract") {
		difference := graph.Operands(operands[1])
		if c, ok := constantValue(difference[1]); ok {
			return graph.Nodes{operands[0], difference[0]}, c
		}
	}
	return operands, 0
}

// transposedLabel returns the label of a transposed value.
func transposedLabel(value string) string {
	if strings.Contains(value, " ") {
		return "(" + value + ")ᵀ"
	}
	return value + "ᵀ"
}

// valueLabel returns the label of a constant, of a value, or of a function of values. It returns "" for a gradient.
func (f *folding) valueLabel(n *graph.Node) string {
	n = skipRearrangements(n)
	if number, ok := constantValue(n); ok {
		return formatNumber(number)
	}
	switch role, name := graph.Inspect(f.Graph).Role(n); role {
	case graph.Mask:
		return "mask of " + name
	case graph.Parameter, graph.Input:
		return name
	}
	operands := graph.Operands(n)
	switch {
	case f.forward[n.ID()]:
		return f.forwardLabel(n)
	case len(f.valueOperands(n)) == 0:
		return ""
	case ops.Is(n, "gate"):
		return f.gateLabel(n)
	case len(operands) == 1:
		return operationLabel(n) + " of " + f.valueLabel(operands[0])
	}
	return f.valueLabel(operands[0]) + " " + ops.Label(n) + " " + f.valueLabel(operands[1])
}

// forwardLabel returns the label of a value: the name of its drawn node in quotation marks, or of its operation if it is
// not drawn.
func (f *folding) forwardLabel(n *graph.Node) string {
	host := f.hostOf(n)
	if host == nil {
		return operationLabel(n)
	}
	name := host.label[0]
	if host.kind == nodeLoss && len(host.label) > 1 { // the first line is "loss"
		name = host.label[1]
	}
	if ops.Is(n, "greater") {
		return "[" + name + " passes]"
	}
	return "“" + name + "”"
}
