package graph

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// Gradients returns the gradient of the scalar loss with respect to every
// parameter, in the order of Params.List. A parameter that the loss does not
// depend on, or only through a StopGradient, has a gradient of zeros.
func (b *Builder) Gradients(loss *Node) Nodes {
	grads := make(Nodes, len(b.params.list))
	b.apply("Gradients", Nodes{loss}, func() (*Node, error) {
		wrt := b.parameters()
		d, err := b.differentiate(loss, wrt)
		if err != nil {
			return nil, err
		}
		reached := false
		for i, p := range b.params.list {
			if grads[i], err = d.of(wrt[i]); err != nil {
				return nil, err
			} else if grads[i] != nil {
				reached = true
				continue
			}
			zeros, err := b.newBuffer("zero gradient of "+p.Name, p.Rows, p.Columns)
			if err != nil {
				return nil, err
			}
			zeros.zero = true
			b.inputs = append(b.inputs, zeros)
			grads[i] = zeros.node
		}
		if !reached {
			return nil, errors.New("no parameter receives a gradient from this loss")
		}
		return loss, nil
	})
	return grads
}

// parameters are the nodes of Params.List, nil for those of other graphs alone.
func (b *Builder) parameters() Nodes {
	nodes := make(Nodes, len(b.params.list))
	for i, p := range b.params.list {
		nodes[i] = b.nodes[p.Name]
	}
	return nodes
}

// Grad returns the gradients of the scalar y with respect to nodes that it is
// computed from, each of its node's shape: parameters, inputs, or anything between.
// They are nodes like others, to build on: a gradient penalty is
// b.Mean(b.Square(b.Grad(y, x)[0])), and Grad of it a derivative of second order.
// It may be called any number of times.
//
// The gradient is zero where y depends on a node by constant pieces alone: signs,
// comparisons, and the slopes of ReLU and Abs made of them, as in PyTorch and JAX.
// A node that y does not depend on, or only through a StopGradient, is an error,
// as in PyTorch: whoever asks for a gradient expects that there is one, and zeros
// would train something else in silence. Gradients gives zeros in this case, since
// nobody has asked for any one of its parameters.
func (b *Builder) Grad(y *Node, wrt ...*Node) Nodes {
	grads := make(Nodes, len(wrt))
	n := b.apply("Grad", append(Nodes{y}, wrt...), func() (*Node, error) {
		if len(wrt) == 0 {
			return nil, errors.New("want nodes to differentiate by, behind the scalar")
		}
		d, err := b.differentiate(y, wrt)
		if err != nil {
			return nil, err
		}
		for i, x := range wrt {
			grads[i], err = d.of(x)
			if err == nil && grads[i] == nil {
				if err = dependent(y, x); err == nil {
					grads[i], err = ops.Zeros(x)
				}
			}
			if err != nil {
				return nil, err
			}
		}
		return y, nil
	})
	if b.err != nil {
		for i := range grads {
			grads[i] = n
		}
	}
	return grads
}

// dependent returns an error unless y is computed from the values of x by a path
// without a StopGradient.
func dependent(y, x *Node) error {
	if slices.Contains(follow(y, ops.DependsOn), x) {
		return nil
	}
	return fmt.Errorf("the scalar does not depend on %s, or only through a StopGradient: it has no gradient, not even zero", nameOf(x))
}

func nameOf(n *Node) string {
	if n.Op() == nil {
		return fmt.Sprintf("%q", n.Name())
	}
	return fmt.Sprintf("%v%s", n.Op(), shapeOf(n))
}

// derivative is a reverse pass from a scalar.
type derivative struct {
	order  Nodes           // between the scalar and what it is differentiated by, users before operands
	active map[*Node]bool  // the same, and all that it is differentiated by
	terms  map[*Node]Nodes // what has come to a node, from each use of it
	sum    map[*Node]*Node // of the terms
}

// of returns the gradient with respect to a node, nil if none has come to it.
func (d *derivative) of(x *Node) (*Node, error) {
	if d.sum[x] == nil {
		return nil, nil
	}
	return ops.Fit(d.sum[x], x)
}

// differentiate takes the gradients of the scalar y with respect to nodes, of which
// some may be nil. It reads the graph alone, not the notes that gorgonia.Grad leaves
// in nodes, which belong to one gradient of a graph. Order of nodes and sums are
// those of gorgonia.Grad, on which the last bit of a result depends: from the
// youngest node to the oldest, where a node is younger than its operands.
func (b *Builder) differentiate(y *Node, wrt Nodes) (*derivative, error) {
	if !y.IsScalar() {
		return nil, errors.New("want a scalar, such as a Mean")
	}
	d, err := b.between(y, wrt)
	if err != nil {
		return nil, err
	}
	d.terms[y] = Nodes{b.constant(1)}
	for _, n := range d.order {
		if err := d.collect(n); err != nil {
			return nil, err
		}
		if err := d.spread(n); err != nil {
			return nil, err
		}
		b.noteGradient(n)
	}
	return d, nil
}

// between finds what a reverse pass from y to the nodes of wrt goes through, and
// returns an error if it cannot.
func (b *Builder) between(y *Node, wrt Nodes) (*derivative, error) {
	for _, n := range append(Nodes{y}, wrt...) {
		if n != nil && n.Graph() != b.graph {
			return nil, fmt.Errorf("%s is a node of another graph", nameOf(n))
		}
	}
	if err := consistent(Nodes{y}); err != nil {
		return nil, err
	}
	d := &derivative{active: make(map[*Node]bool), terms: make(map[*Node]Nodes), sum: make(map[*Node]*Node)}
	for _, n := range wrt {
		if n != nil {
			d.active[n] = true
		}
	}
	for _, n := range slices.Backward(follow(y, ops.Flows)) {
		through := d.needed(n, Operands(n))
		if slices.Contains(through, true) {
			d.active[n] = true
			if err := ops.Differentiable(n); err != nil {
				return nil, err
			}
		}
		if d.active[n] {
			d.order = append(d.order, n)
		}
	}
	slices.Reverse(d.order)
	return d, nil
}

// needed tells which operands of n a gradient is to flow to.
func (d *derivative) needed(n *Node, operands Nodes) []bool {
	through := ops.Flows(n, len(operands))
	for i, o := range operands {
		through[i] = through[i] && d.active[o]
	}
	return through
}

// collect sums what has come to a node. Gorgonia's sums drop axes that are kept
// elsewhere: what is of one shape is summed in that shape.
func (d *derivative) collect(n *Node) error {
	terms := d.terms[n]
	alike := !slices.ContainsFunc(terms, func(g *Node) bool { return !sameShape(g, terms[0]) })
	for i, g := range terms {
		var err error
		if !alike {
			g, err = ops.Fit(g, n)
		}
		if err == nil && i > 0 {
			g, err = gorgonia.Add(d.sum[n], g)
		}
		if err != nil {
			return err
		}
		d.sum[n] = g
	}
	return nil
}

// spread hands a node's gradient on to its operands.
func (d *derivative) spread(n *Node) error {
	operands := Operands(n)
	through := d.needed(n, operands)
	if !slices.Contains(through, true) {
		return nil
	}
	grads, err := ops.Gradients(n, operands, d.sum[n], through)
	if err != nil {
		return err
	}
	for i, o := range operands {
		if through[i] {
			d.terms[o] = append(d.terms[o], grads[i])
		}
	}
	return nil
}

// follow lists y and what can be reached from it through operands that a function
// says, users before their operands.
func follow(y *Node, through func(n *Node, operands int) []bool) Nodes {
	list := Nodes{y}
	seen := map[*Node]bool{y: true}
	for i := 0; i < len(list); i++ {
		operands := Operands(list[i])
		open := through(list[i], len(operands))
		for k, o := range operands {
			if open[k] && !seen[o] {
				seen[o] = true
				list = append(list, o)
			}
		}
	}
	slices.SortFunc(list, func(m, n *Node) int { return int(n.ID() - m.ID()) })
	return list
}

// Operands returns the nodes that n is computed from, in order.
func Operands(n *Node) Nodes {
	it := n.Graph().From(n.ID())
	if it == nil {
		return nil
	}
	var operands Nodes
	for it.Next() {
		operands = append(operands, it.Node().(*Node))
	}
	return operands
}
