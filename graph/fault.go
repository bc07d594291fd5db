package graph

import (
	"fmt"
	"math"
	"strings"

	"sml/internal/kernels"
	"sml/internal/ops"
)

// Fault is the first value of a run that is not finite although all its operands are.
type Fault struct {
	What     string   // such as "log of -0.31 is NaN"
	Line     string   // line that made the operation, " (at FILE:LINE)"; "" if TraceLines was not called
	Gradient bool     // the operation belongs to the gradient at Line
	Rows     []int    // rows of the matrix with a NaN or an infinity, from 0; nil for a Cholesky factor
	Height   int      // number of rows of the matrix
	Terms    []string // terms of the loss that depend on the value
}

// TraceLines makes the builder note from here on which line each node comes from, for
// FindFault. It costs a look at the stack for every operation.
func (i *Inspection) TraceLines() {
	i.b.trace = &trace{lines: make(map[*Node]string), forward: make(map[*Node]*Node)}
}

// FindFault runs the operations behind outputs one by one and returns the first value that
// is not finite, or nil if all are. fill gets the runner, to fill its inputs and to sample
// its masks.
func (i *Inspection) FindFault(fill func(*Runner), outputs ...*Node) (*Fault, error) {
	b := i.b
	var nodes Nodes
	seen := make(map[*Node]bool)
	for _, out := range outputs {
		for _, n := range dependencies(out) {
			if !seen[n] && n.Dtype() == b.dtype {
				nodes = append(nodes, n)
			}
			seen[n] = true
		}
	}
	r, err := NewRunner(Compiled, b, nodes...) // no output is fused into another operation
	if err != nil {
		return nil, err
	}
	defer r.Close()
	fill(r)
	if err := r.Run(); err != nil {
		return nil, err
	}
	values := make(map[*Node][]float64, len(nodes))
	for i, n := range nodes {
		values[n] = r.Output64(i)
		for _, v := range r.Output(i) {
			values[n] = append(values[n], float64(v))
		}
		if bad := firstNotFinite(values[n]); bad >= 0 {
			return b.fault(n, bad, values), nil
		}
	}
	return nil, nil
}

// String returns the fault as a part of a sentence.
func (f *Fault) String() string {
	text := f.What
	if f.Gradient {
		text += ", in the gradient of what stands there"
	}
	if len(f.Terms) > 0 {
		text += ", in the term " + strings.Join(f.Terms, ", ")
	}
	return text + f.Line
}

// firstNotFinite returns the index of the first value that is not finite, or −1.
func firstNotFinite(values []float64) int {
	for i, v := range values {
		if v-v != 0 {
			return i
		}
	}
	return -1
}

// fault describes element at of a node.
func (b *Builder) fault(n *Node, at int, values map[*Node][]float64) *Fault {
	f := &Fault{What: fmt.Sprintf("%s is %.4g", b.describe(n, at, values), values[n][at])}
	isFactor := ops.Of(n).Kind == ops.Factor
	if isFactor {
		a := Operands(n)[0]
		f.What += ": " + notPositiveDefinite(values[a], a.Shape()[0])
	}
	forward := n
	if b.trace != nil {
		f.Line = b.trace.lines[n]
		if of := b.trace.forward[n]; of != nil {
			forward, f.Gradient = of, true
		}
	}
	if n.Dims() == 2 && !isFactor {
		f.Height = n.Shape()[0]
		columns := n.Shape()[1]
		for i, v := range values[n] {
			if row := i / columns; v-v != 0 && (len(f.Rows) == 0 || f.Rows[len(f.Rows)-1] != row) {
				f.Rows = append(f.Rows, row)
			}
		}
	}
	for _, t := range Inspect(b).Terms() {
		for _, d := range dependencies(t.Value) {
			if d == forward {
				f.Terms = append(f.Terms, t.Name)
				break
			}
		}
	}
	return f
}

// notPositiveDefinite says why a matrix [n n] has no Cholesky factor, and how to change it.
func notPositiveDefinite(a []float64, n int) string {
	text := "the matrix is not positive definite"
	if order := kernels.Cholesky(make([]float64, n*n), a, n); order > 0 && order < n {
		text += fmt.Sprintf(", nor are its first %d rows and columns", order)
	}
	return text + fmt.Sprintf("; add a multiple of the identity to it, such as b.Scale(1e-4, b.Identity(%d))", n)
}

// describe returns the operation of n and its operands at that element.
func (b *Builder) describe(n *Node, at int, values map[*Node][]float64) string {
	switch role, name := Inspect(b).Role(n); role {
	case Parameter:
		return fmt.Sprintf("element %d of parameter %s", at, name)
	case Input, Mask:
		return fmt.Sprintf("element %d of input %s", at, name)
	}
	o, operands := ops.Of(n), Operands(n)
	_, byFunction := n.Op().(ops.UserFunction)
	onElements := byFunction || o.Kind == ops.OnElements
	var words []string
	for _, x := range operands {
		list := values[x]
		switch {
		case onElements && len(list) == 1:
			words = append(words, fmt.Sprintf("%.4g", list[0]))
		case onElements && at < len(list):
			words = append(words, fmt.Sprintf("%.4g", list[at]))
		default:
			words = append(words, fmt.Sprintf("%s of size up to %.4g", describeShape(x), largest(list)))
		}
	}
	name := ops.Label(n)
	if o.Elementwise != nil {
		name = o.Elementwise.Name
	}
	if len(words) == 0 {
		return name
	}
	return name + " of " + strings.Join(words, " and ")
}

// largest returns the largest absolute value.
func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	return most
}
