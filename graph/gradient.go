package graph

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// Gradients returns the gradient of the scalar loss with respect to every parameter, in
// the order of Params.List. The gradient is zero for a parameter that the loss does not
// depend on, or only through a StopGradient. If the loss has terms with a Term.Group, the
// gradient with respect to the parameters of this group is the gradient of these terms, and
// the gradient with respect to all other parameters does not count them.
func (b *Builder) Gradients(loss *Node) Nodes {
	grads := make(Nodes, len(b.params.list))
	b.apply("Gradients", Nodes{loss}, func() (*Node, error) {
		wrt := b.parameters()
		list, err := b.objectives(loss)
		if err != nil {
			return nil, err
		}
		derivatives, err := b.differentiateEach(list, wrt)
		if err != nil {
			return nil, err
		}
		reached := false
		for i, p := range b.params.list {
			if grads[i], err = derivatives[objectiveIndex(list, p)].gradient(wrt[i]); err != nil {
				return nil, err
			} else if grads[i] != nil {
				reached = true
				continue
			}
			zeros, err := b.newInputNode("zero gradient of "+p.Name, p.Rows, p.Columns)
			if err != nil {
				return nil, err
			}
			zeros.alwaysZero = true
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

// differentiateEach differentiates each objective by the parameters that it moves. wrt has the nodes
// of all parameters.
func (b *Builder) differentiateEach(list []objective, wrt Nodes) ([]*derivative, error) {
	var derivatives []*derivative
	for k, o := range list {
		own := slices.Clone(wrt)
		for i, p := range b.params.list {
			if objectiveIndex(list, p) != k {
				own[i] = nil
			}
		}
		d, err := b.differentiate(o.value, own)
		if err != nil {
			return nil, err
		}
		derivatives = append(derivatives, d)
	}
	return derivatives, nil
}

// Grad returns the gradients of the scalar y with respect to nodes that it is computed
// from: parameters, inputs, or nodes in between. Each gradient has the shape of its node,
// and can be used like every node: b.Mean(b.Square(b.Grad(y, x)[0])) is a gradient
// penalty, and Grad of it a second derivative. Grad may be called any number of times.
//
// The gradient is zero where y depends on a node only through piecewise constant
// functions, such as signs, comparisons and the slopes of ReLU and Abs, as in PyTorch and
// JAX. Grad fails if y does not depend on a node, or only through a StopGradient, as in
// PyTorch: its caller expects a gradient, and zeros would silently train something else.
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
			grads[i], err = d.gradient(x)
			if err == nil && grads[i] == nil {
				if err = checkDependence(y, x); err == nil {
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

// checkDependence returns an error unless y is computed from x by a path without a
// StopGradient.
func checkDependence(y, x *Node) error {
	if slices.Contains(reachable(y, ops.DependsOn), x) {
		return nil
	}
	return fmt.Errorf("the scalar does not depend on %s, or only through a StopGradient: it has no gradient, not even zero", describeNode(x))
}

// ParametersOf returns the parameters on which y depends other than through a StopGradient, in
// the order of Params.List. If y is the output of a network, they are the network's parameters. Grad and
// Scope.Replacements take them.
func (b *Builder) ParametersOf(y *Node) Nodes {
	var list Nodes
	b.apply("ParametersOf", Nodes{y}, func() (*Node, error) {
		behind := reachable(y, ops.DependsOn)
		for _, n := range b.parameters() {
			if n != nil && slices.Contains(behind, n) {
				list = append(list, n)
			}
		}
		return y, nil
	})
	return list
}

// derivative is a reverse pass from a scalar.
type derivative struct {
	order  Nodes           // nodes that the pass visits, users before operands
	active map[*Node]bool  // nodes of order, and all nodes to differentiate by
	terms  map[*Node]Nodes // gradients that arrived at a node, one from each use of it
	sum    map[*Node]*Node // sums of terms
}

// gradient returns the gradient with respect to x, or nil if x receives none.
func (d *derivative) gradient(x *Node) (*Node, error) {
	if d.sum[x] == nil {
		return nil, nil
	}
	return ops.Fit(d.sum[x], x)
}

// differentiate computes the gradients of the scalar y with respect to nodes, some of
// which may be nil. Nodes and sums are in the order of gorgonia.Grad, on which the last bit
// of a result depends: from the youngest node to the oldest, where a node is younger than
// its operands.
func (b *Builder) differentiate(y *Node, wrt Nodes) (*derivative, error) {
	if !y.IsScalar() {
		return nil, errors.New("want a scalar, such as a Mean")
	}
	d, err := b.findPaths(y, wrt)
	if err != nil {
		return nil, err
	}
	d.terms[y] = Nodes{b.constant(1)}
	for _, n := range d.order {
		if err := d.collect(n); err != nil {
			return nil, err
		}
		if err := d.propagate(n); err != nil {
			return nil, err
		}
		b.traceGradient(n)
	}
	return d, nil
}

// findPaths returns a derivative with the nodes that a reverse pass from y to wrt goes
// through. It returns an error if a node cannot be differentiated.
func (b *Builder) findPaths(y *Node, wrt Nodes) (*derivative, error) {
	for _, n := range append(Nodes{y}, wrt...) {
		if n != nil && n.Graph() != b.graph {
			return nil, fmt.Errorf("%s is a node of another graph", describeNode(n))
		}
	}
	if err := checkConsistent(Nodes{y}); err != nil {
		return nil, err
	}
	d := &derivative{active: make(map[*Node]bool), terms: make(map[*Node]Nodes), sum: make(map[*Node]*Node)}
	for _, n := range wrt {
		if n != nil {
			d.active[n] = true
		}
	}
	for _, n := range slices.Backward(reachable(y, ops.Flows)) {
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

// needed reports for each operand of n whether a gradient has to flow to it.
func (d *derivative) needed(n *Node, operands Nodes) []bool {
	through := ops.Flows(n, len(operands))
	for i, o := range operands {
		through[i] = through[i] && d.active[o]
	}
	return through
}

// collect sums the gradients that arrived at a node. Gorgonia's sums drop axes that other
// gradients keep: gradients of one shape are summed in that shape.
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

// propagate passes the gradient of a node on to its operands.
func (d *derivative) propagate(n *Node) error {
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

// reachable returns y and all nodes that can be reached from it through operands for which
// through returns true, users before operands.
func reachable(y *Node, through func(n *Node, operands int) []bool) Nodes {
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
