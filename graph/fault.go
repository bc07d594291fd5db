package graph

import (
	"fmt"
	"math"
	"strings"

	"sml/graph/internal/ops"
)

// Fault is the first value of a run that is not a finite number although all that it
// is computed from are.
type Fault struct {
	What     string   // such as "log of -0.31 is NaN"
	Line     string   // " (at FILE:LINE)" of who made the operation, "" if TraceLines was not called
	Gradient bool     // it is a part of the gradient at that line
	Rows     []int    // of a matrix that have such values, from 0
	Height   int      // rows of the matrix
	Terms    []string // of the loss, that depend on it
}

// FindFault runs what outputs depend on, operation by operation, and returns the
// first value that is not finite, nil if there is none. The runner that fill gets
// has the inputs to be filled and the masks to be sampled.
func (i Inspection) FindFault(fill func(*Runner), outputs ...*Node) (*Fault, error) {
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
	r, err := NewRunner(Compiled, b, nodes...) // outputs are not fused
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
	forward := n
	if b.trace != nil {
		f.Line = b.trace.lines[n]
		if of := b.trace.forward[n]; of != nil {
			forward, f.Gradient = of, true
		}
	}
	if n.Dims() == 2 {
		f.Height = n.Shape()[0]
		columns := n.Shape()[1]
		for i, v := range values[n] {
			if row := i / columns; v-v != 0 && (len(f.Rows) == 0 || f.Rows[len(f.Rows)-1] != row) {
				f.Rows = append(f.Rows, row)
			}
		}
	}
	for _, t := range b.terms {
		for _, d := range dependencies(t.Value) {
			if d == forward {
				f.Terms = append(f.Terms, t.Name)
				break
			}
		}
	}
	return f
}

// describe says what a node computes, with the operands of that element.
func (b *Builder) describe(n *Node, at int, values map[*Node][]float64) string {
	switch role, name := Inspect(b).Role(n); role {
	case Parameter:
		return fmt.Sprintf("element %d of parameter %s", at, name)
	case Input, Mask:
		return fmt.Sprintf("element %d of input %s", at, name)
	}
	o, operands := ops.Of(n), Operands(n)
	_, byFunction := n.Op().(ops.ByFunction)
	onElements := byFunction || o.Kind == ops.OnElements
	var said []string
	for _, x := range operands {
		list := values[x]
		switch {
		case onElements && len(list) == 1:
			said = append(said, fmt.Sprintf("%.4g", list[0]))
		case onElements && at < len(list):
			said = append(said, fmt.Sprintf("%.4g", list[at]))
		default:
			said = append(said, fmt.Sprintf("%s of size up to %.4g", shapeOf(x), largest(list)))
		}
	}
	name := ops.Label(n)
	if o.Elementwise != nil {
		name = o.Elementwise.Name
	}
	if len(said) == 0 {
		return name
	}
	return name + " of " + strings.Join(said, " and ")
}

func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, math.Abs(v))
	}
	return most
}

// String says all of it in a sentence's part.
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
