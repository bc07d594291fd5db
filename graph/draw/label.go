package draw

import (
	"fmt"
	"strconv"
	"strings"

	"sml/graph"
	"sml/internal/ops"
)

// productLabel is the label of a product of two matrices, neither of them transposed, as Gorgonia
// prints it.
const productLabel = "A × B"

// operationLabel returns the name of an operation, with its constant operand if it has one.
func operationLabel(n *graph.Node) string {
	name := ops.Label(n)
	op := ops.OperationOf(n)
	switch op.Kind {
	case ops.KindSum:
		if n.IsScalar() {
			return "sum"
		}
		return "sum " + strings.TrimPrefix(name, "Σ") // Gorgonia prints Σ and the axes
	case ops.KindProduct:
		if name == productLabel {
			return "matrix product"
		}
	case ops.KindColumns:
		if op.To == op.From+1 {
			return fmt.Sprint("column ", op.From)
		}
		return fmt.Sprintf("columns %d to %d, exclusive", op.From, op.To)
	}
	operands := graph.Operands(n)
	if len(operands) != 2 {
		return name
	}
	if number, ok := constantValue(operands[1]); ok {
		return name + " " + formatNumber(number)
	}
	if number, ok := constantValue(operands[0]); ok {
		return formatNumber(number) + " " + name
	}
	return name
}

// isRearrangement reports whether a node only repeats or reshapes its operand.
func isRearrangement(n *graph.Node) bool {
	kind := ops.OperationOf(n).Kind
	return kind == ops.KindRepeat || kind == ops.KindReshape
}

// skipRearrangements returns the node whose numbers n repeats or reshapes, n itself if it does
// neither.
func skipRearrangements(n *graph.Node) *graph.Node {
	for isRearrangement(n) {
		n = graph.Operands(n)[0]
	}
	return n
}

// constantValue returns the number that all elements of a node always have. ok is false if
// there is no such number.
func constantValue(n *graph.Node) (number float64, ok bool) {
	operands := graph.Operands(n)
	switch {
	case isRearrangement(n):
		return constantValue(operands[0])
	case ops.Is(n, "negate"):
		number, ok = constantValue(operands[0])
		return -number, ok
	case ops.Is(n, "multiply"), ops.Is(n, "add"):
		first, ok := constantValue(operands[0])
		if !ok { // the usual case, in which the second operand's graph need not be searched
			return 0, false
		}
		second, ok := constantValue(operands[1])
		if ops.Is(n, "add") {
			return first + second, ok
		}
		return first * second, ok
	}
	return ops.ScalarOf(n)
}

// shapeText returns the shape of a node: "[rows × columns]", or "scalar".
func shapeText(n *graph.Node) string {
	if n.IsScalar() {
		return "scalar"
	}
	return strings.ReplaceAll(fmt.Sprint([]int(n.Shape())), " ", " × ")
}

// formatNumber returns a number with at most four digits.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
