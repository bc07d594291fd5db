package draw

import (
	"fmt"
	"strconv"
	"strings"

	"sml/graph"
	"sml/internal/ops"
)

// operationLabel names an operation, with its constant operand if it has one.
func operationLabel(b *graph.Builder, n *graph.Node) string {
	name := ops.Label(n)
	in := graph.Operands(n)
	switch op := ops.Of(n); op.Kind {
	case ops.Sum:
		if n.IsScalar() {
			return "sum"
		}
		return "sum " + strings.TrimPrefix(name, "Σ")
	case ops.Product:
		if name == "A × B" {
			return "matrix product"
		}
	case ops.SubColumns:
		if op.To == op.From+1 {
			return fmt.Sprint("column ", op.From)
		}
		return fmt.Sprintf("columns %d to %d, exclusive", op.From, op.To)
	}
	if len(in) == 2 {
		if c, ok := constant(in[1]); ok {
			return name + " " + short(c)
		}
		if c, ok := constant(in[0]); ok {
			return short(c) + " " + name
		}
	}
	return name
}

// moves tells whether a node only repeats or reshapes its operand.
func moves(n *graph.Node) bool {
	kind := ops.Of(n).Kind
	return kind == ops.Repeat || kind == ops.Reshape
}

// constant returns the number that a node always has, where its elements are
// all one number.
func constant(n *graph.Node) (float64, bool) {
	in := graph.Operands(n)
	switch {
	case moves(n):
		return constant(in[0])
	case ops.Is(n, "negate"):
		v, ok := constant(in[0])
		return -v, ok
	case ops.Is(n, "multiply"), ops.Is(n, "add"):
		v, ok := constant(in[0])
		if !ok { // most are not: their whole graph is not looked through
			return 0, false
		}
		w, ok := constant(in[1])
		if ops.Is(n, "add") {
			return v + w, ok
		}
		return v * w, ok
	}
	return ops.ScalarOf(n)
}

// size is a node's shape: [rows columns], or "scalar".
func size(n *graph.Node) string {
	if n.IsScalar() {
		return "scalar"
	}
	return strings.ReplaceAll(fmt.Sprint([]int(n.Shape())), " ", " × ")
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
