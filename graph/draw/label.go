package draw

import (
	"fmt"
	"strconv"
	"strings"

	"sml/graph"
)

// symbol is a short name of a node's operation. Gorgonia's operations are
// unexported: they are told by how they print and by their types.
func symbol(n *graph.Node) string {
	if n.Op() == nil {
		return ""
	}
	switch kind := fmt.Sprintf("%T", n.Op()); {
	case strings.HasSuffix(kind, ".repeatOp"):
		return "repeat"
	case strings.HasSuffix(kind, ".reshapeOp"):
		return "reshape"
	case strings.HasSuffix(kind, ".sizeOp"):
		return "size"
	case strings.HasSuffix(kind, ".sumOp"):
		return "Σ"
	}
	text := n.Op().String()
	switch text {
	case "A × B":
		return "×"
	case "A × Bᵀ", "Aᵀ × B":
		return text
	}
	text = strings.TrimSuffix(strings.TrimSuffix(text, " false"), " true")
	if text == "-" {
		return "−"
	}
	return text
}

// operationLabel names an operation, with its constant operand if it has one.
func operationLabel(b *graph.Builder, n *graph.Node) string {
	name := symbol(n)
	in := graph.Operands(n)
	switch name {
	case "square":
		return "square"
	case "abs":
		return "absolute value"
	case "ln":
		return "log"
	case "neg":
		return "negative"
	case "Σ":
		if n.IsScalar() {
			return "sum"
		}
		return "sum " + strings.TrimPrefix(n.Op().String(), "Σ")
	case "×":
		return "matrix product"
	case "⊙":
		name = "×"
	}
	if text, ok := strings.CutPrefix(name, "columns "); ok {
		if from, to, ok := strings.Cut(text, ":"); ok {
			first, _ := strconv.Atoi(from)
			if end, _ := strconv.Atoi(to); end == first+1 {
				return "column " + from
			}
			return "columns " + from + " to " + to + ", exclusive"
		}
	}
	if len(in) == 2 {
		if c, ok := constant(b, in[1]); ok {
			return name + " " + short(c)
		}
		if c, ok := constant(b, in[0]); ok {
			return short(c) + " " + name
		}
	}
	return name
}

// constant returns the number that a node always has, where its elements are
// all one number.
func constant(b *graph.Builder, n *graph.Node) (float64, bool) {
	in := graph.Operands(n)
	switch symbol(n) {
	case "repeat", "reshape":
		return constant(b, in[0])
	case "neg":
		v, ok := constant(b, in[0])
		return -v, ok
	case "⊙", "+":
		v, ok := constant(b, in[0])
		if !ok { // most are not: their whole graph is not looked through
			return 0, false
		}
		w, ok := constant(b, in[1])
		if symbol(n) == "+" {
			return v + w, ok
		}
		return v * w, ok
	}
	if role, _ := b.Role(n); role != graph.Constant || n.Op() == nil {
		return 0, false
	}
	switch v := n.Value().Data().(type) {
	case float32:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// size is a node's shape: [rows columns], or "scalar".
func size(n *graph.Node) string {
	if n.IsScalar() {
		return "scalar"
	}
	return strings.ReplaceAll(fmt.Sprint([]int(n.Shape())), " ", " × ")
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
