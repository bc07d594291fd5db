package graph

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/internal/kernels"
	"sml/internal/ops"
)

// Fault describes the first value of a run that is not finite although all its operands are.
type Fault struct {
	What     string   // operation, operands and value, such as "log of -0.31 is NaN"
	Line     string   // line that made the operation, " (at FILE:LINE)"; "" if TraceLines was not called
	Gradient bool     // whether the operation belongs to the gradient at Line
	Rows     []int    // rows of the matrix with a NaN or an infinity, from 0; nil for a Cholesky factor
	Height   int      // number of rows of the matrix
	Terms    []string // names of the loss's terms that depend on the value
}

// TraceLines makes the builder record from now on the line of code that makes each node, for
// FindFault. Building the graph then takes longer, since each operation searches the stack.
func (i *Inspection) TraceLines() {
	i.b.trace = &trace{lines: make(map[*Node]string), forward: make(map[*Node]*Node)}
}

// FindFault runs the graph of outputs once and returns its first value that is not finite, in the
// order in which nodes were built, or nil if all values are finite. fill gets the runner, to fill
// its inputs and to sample its masks. The error is of the run itself.
func (i *Inspection) FindFault(fill func(*Runner), outputs ...*Node) (*Fault, error) {
	// All nodes are outputs, so that the engine keeps their values: it fuses other nodes into the
	// operations that use them, or overwrites their memory.
	nodes := i.numberNodes(outputs)
	r, err := NewRunner(Compiled, i.b, nodes...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	fill(r)
	if err := r.Run(); err != nil {
		return nil, err
	}
	values := make(map[*Node][]float64, len(nodes))
	for k, n := range nodes {
		values[n] = r.outputInFloat64(k)
		if element := firstNotFinite(values[n]); element >= 0 {
			return i.describeFault(n, element, values), nil
		}
	}
	return nil, nil
}

// numberNodes returns the nodes from which outputs are computed, operands first, that have the
// graph's number type.
func (i *Inspection) numberNodes(outputs []*Node) Nodes {
	var nodes Nodes
	seen := make(map[*Node]bool)
	for _, out := range outputs {
		for _, n := range dependencies(out) {
			if !seen[n] && n.Dtype() == i.b.dtype {
				nodes = append(nodes, n)
			}
			seen[n] = true
		}
	}
	return nodes
}

// outputInFloat64 returns the values of output k, of a graph in either number type, in float64.
func (r *Runner) outputInFloat64(k int) []float64 {
	// A graph computes in one type: either Output64 or Output returns nil, and a loop over nil does
	// nothing.
	values := r.Output64(k)
	for _, v := range r.Output(k) {
		values = append(values, float64(v))
	}
	return values
}

// String returns the fault as a part of a sentence.
func (f *Fault) String() string {
	text := f.What
	if f.Gradient {
		text += ", in the gradient of the operation there"
	}
	if len(f.Terms) > 0 {
		text += ", in the term " + strings.Join(f.Terms, ", ")
	}
	return text + f.Line
}

// isNotFinite reports whether v is NaN or infinite. For these v − v is NaN, otherwise 0.
func isNotFinite(v float64) bool { return v-v != 0 }

// firstNotFinite returns the index of the first value that is not finite, or −1.
func firstNotFinite(values []float64) int { return slices.IndexFunc(values, isNotFinite) }

// describeFault returns the fault of an element of n that is not finite: its operation, its line, and
// the rows and terms that are affected. values has the values of n and of its operands.
func (i *Inspection) describeFault(n *Node, element int, values map[*Node][]float64) *Fault {
	f := &Fault{What: fmt.Sprintf("%s is %.4g", i.describeElement(n, element, values), values[n][element])}
	isFactor := ops.OperationOf(n).Kind == ops.KindCholesky
	if isFactor { // all its elements are NaN, so that rows would say nothing
		matrix := Operands(n)[0]
		f.What += ": " + adviseOnCholesky(values[matrix], matrix.Shape()[0])
	}
	if n.Dims() == 2 && !isFactor {
		f.Height = n.Shape()[0]
		f.Rows = rowsNotFinite(values[n], n.Shape()[1])
	}
	forward := n
	if trace := i.b.trace; trace != nil {
		f.Line = trace.lines[n]
		if source := trace.forward[n]; source != nil {
			forward = source
			f.Gradient = true
		}
	}
	for _, t := range i.Terms() {
		if slices.Contains(dependencies(t.Value), forward) {
			f.Terms = append(f.Terms, t.Name)
		}
	}
	return f
}

// rowsNotFinite returns the numbers of the rows of a matrix that have a value which is not finite.
func rowsNotFinite(values []float64, columns int) []int {
	var rows []int
	for row := range len(values) / columns {
		if firstNotFinite(values[row*columns:][:columns]) >= 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// adviseOnCholesky returns why the matrix a [n n] has no Cholesky factor, and how to change it.
func adviseOnCholesky(a []float64, n int) string {
	text := "the matrix is not positive definite"
	failedOrder := kernels.Cholesky(make([]float64, n*n), a, n) // number of rows and columns that have no factor either
	if failedOrder > 0 && failedOrder < n {
		text += fmt.Sprintf(", nor are its first %d rows and columns", failedOrder)
	}
	return text + fmt.Sprintf("; add a multiple of the identity to it, such as b.Scale(1e-4, b.Identity(%d))", n)
}

// describeElement describes the computation of an element of n, such as "log of -0.31". For an
// elementwise operation it shows the operands at this element, for all others their shapes and
// largest absolute values. values has the values of n and of its operands.
func (i *Inspection) describeElement(n *Node, element int, values map[*Node][]float64) string {
	switch role, name := i.Role(n); role {
	case Parameter:
		return fmt.Sprintf("element %d of parameter %s", element, name)
	case Input, Mask:
		return fmt.Sprintf("element %d of input %s", element, name)
	}
	o := ops.OperationOf(n)
	isElementwise := o.Kind == ops.KindElementwise || o.Kind == ops.KindUserFunction
	var operands []string
	for _, x := range Operands(n) {
		numbers := values[x]
		switch {
		case isElementwise && len(numbers) == 1: // a scalar
			operands = append(operands, fmt.Sprintf("%.4g", numbers[0]))
		case isElementwise && element < len(numbers):
			operands = append(operands, fmt.Sprintf("%.4g", numbers[element]))
		default:
			operands = append(operands, fmt.Sprintf("%s of size up to %.4g", describeShape(x), largestSize(numbers)))
		}
	}
	name := ops.Label(n)
	if o.Elementwise != nil {
		name = o.Elementwise.Name
	}
	if len(operands) == 0 { // a constant
		return name
	}
	return name + " of " + strings.Join(operands, " and ")
}

// largestSize returns the largest absolute value, 0 if there are no values.
func largestSize(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	return largest
}
