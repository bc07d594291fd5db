package graph

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// Gradients returns the gradient of the scalar loss with respect to every parameter, in the order
// of Params.List and in the parameters' shapes. The gradient is zero for a parameter on which the
// loss does not depend, or only through a StopGradient. The builder fails if loss is not a scalar,
// if no parameter receives a gradient, or if an operation has no correct gradient.
//
// If the loss has terms with a Term.Group, the gradient with respect to the parameters of this
// group is the gradient of these terms alone, and the gradient with respect to all other parameters
// does not count them.
func (b *Builder) Gradients(loss *Node) Nodes {
	grads := make(Nodes, len(b.params.list)) // all nil if the builder has failed
	// apply checks the loss and keeps the error. It wants a node, which nothing reads here.
	b.apply("Gradients", Nodes{loss}, func() (*Node, error) {
		complete, err := b.parameterGradients(loss)
		copy(grads, complete)
		return loss, err
	})
	return grads
}

// parameterGradients returns the gradient with respect to each parameter of Params.List. It returns an
// error if no parameter receives one.
func (b *Builder) parameterGradients(loss *Node) (Nodes, error) {
	objectives, err := b.objectives(loss)
	if err != nil {
		return nil, err
	}
	derivatives, err := b.differentiateEach(objectives)
	if err != nil {
		return nil, err
	}
	grads := make(Nodes, len(b.params.list))
	anyGradient := false
	for i, p := range b.params.list {
		d := derivatives[objectiveIndex(objectives, p)]
		grads[i], err = d.gradient(b.nodes[p.Name])
		if err != nil {
			return nil, err
		}
		if grads[i] != nil {
			anyGradient = true
			continue
		}
		grads[i], err = b.zeroGradient(p)
		if err != nil {
			return nil, err
		}
	}
	if !anyGradient {
		return nil, errors.New("no parameter receives a gradient from this loss")
	}
	return grads, nil
}

// zeroGradient returns the gradient with respect to a parameter that receives none: zeros that no
// operation computes.
func (b *Builder) zeroGradient(p Param) (*Node, error) {
	zeros, err := b.newInputNode("zero gradient of "+p.Name, p.Rows, p.Columns)
	if err != nil {
		return nil, err
	}
	zeros.alwaysZero = true
	b.inputs = append(b.inputs, zeros)
	return zeros.node, nil
}

// differentiateEach differentiates each objective with respect to the parameters that it moves.
func (b *Builder) differentiateEach(objectives []objective) ([]*derivative, error) {
	var derivatives []*derivative
	for k, o := range objectives {
		moved := b.parameters() // those that another objective moves become nil
		for i, p := range b.params.list {
			if objectiveIndex(objectives, p) != k {
				moved[i] = nil
			}
		}
		d, err := b.differentiate(o.value, moved)
		if err != nil {
			return nil, err
		}
		derivatives = append(derivatives, d)
	}
	return derivatives, nil
}

// Grad returns the gradients of the scalar y with respect to nodes from which it is computed:
// parameters, inputs, or nodes in between. Each gradient has the shape of its node, and can be used
// like every node: b.Mean(b.Square(b.Grad(y, x)[0])) is a gradient penalty, and Grad of it a second
// derivative. Grad may be called any number of times.
//
// The gradient is zero if y depends on a node only through piecewise constant functions, such as
// signs, comparisons and the slopes of ReLU and Abs, as in PyTorch and JAX. The builder fails if y
// does not depend on a node, or only through a StopGradient, as PyTorch does: the caller expects a
// gradient, and zeros would silently train something else.
func (b *Builder) Grad(y *Node, wrt ...*Node) Nodes {
	var grads Nodes
	result := b.apply("Grad", append(Nodes{y}, wrt...), func() (*Node, error) {
		var err error
		grads, err = b.scalarGradients(y, wrt)
		return y, err
	})
	if b.err != nil {
		// Callers index the gradients without a check, so a failed builder returns apply's stand-in
		// for each of them.
		return slices.Repeat(Nodes{result}, len(wrt))
	}
	return grads
}

// scalarGradients is Grad. It returns an error where Grad makes the builder fail.
func (b *Builder) scalarGradients(y *Node, wrt Nodes) (Nodes, error) {
	if len(wrt) == 0 {
		return nil, errors.New("want nodes to differentiate by, after the scalar")
	}
	d, err := b.differentiate(y, wrt)
	if err != nil {
		return nil, err
	}
	grads := make(Nodes, len(wrt))
	for i, x := range wrt {
		grads[i], err = d.gradientOrZeros(y, x)
		if err != nil {
			return nil, err
		}
	}
	return grads, nil
}

// gradientOrZeros returns the gradient of y with respect to x. It returns an error if y does not
// depend on x, or only through a StopGradient.
func (d *derivative) gradientOrZeros(y, x *Node) (*Node, error) {
	grad, err := d.gradient(x)
	if err != nil || grad != nil {
		return grad, err
	}
	if !slices.Contains(reachable(y, ops.DependsOn), x) {
		return nil, fmt.Errorf("the scalar does not depend on %s, or only through a StopGradient: it has no gradient, not even zero", describeNode(x))
	}
	return ops.Zeros(x)
}

// ParametersOf returns the parameters on which y depends other than through a StopGradient, in the
// order of Params.List: for the output of a network, the network's parameters. They are arguments of
// Grad and keys of Scope.Replacements.
func (b *Builder) ParametersOf(y *Node) Nodes {
	var parameters Nodes
	b.apply("ParametersOf", Nodes{y}, func() (*Node, error) {
		dependencies := reachable(y, ops.DependsOn)
		for _, n := range b.parameters() {
			if n != nil && slices.Contains(dependencies, n) {
				parameters = append(parameters, n)
			}
		}
		return y, nil
	})
	return parameters
}

// derivative is a reverse pass: it builds the gradients of a scalar with respect to nodes, from the
// scalar back to the nodes, by the chain rule.
type derivative struct {
	order Nodes // nodes that the pass visits, users before operands

	// onPath has all nodes to differentiate by, and the nodes through which a gradient flows to them.
	onPath map[*Node]bool

	terms map[*Node]Nodes // gradients that arrived at a node, one from each use of it
	sums  map[*Node]*Node // sum of the terms of each visited node
}

// gradient returns the gradient with respect to x in the shape of x, or nil if x receives none.
func (d *derivative) gradient(x *Node) (*Node, error) {
	if d.sums[x] == nil {
		return nil, nil
	}
	return ops.Fit(d.sums[x], x)
}

// differentiate returns the finished reverse pass from the scalar y to the nodes of wrt, some of which
// may be nil. It visits nodes from the newest to the oldest; operands are older than their users. It adds
// the gradients of a node in the order of their arrival, as gorgonia.Grad does: the last bit of a sum
// depends on this order.
func (b *Builder) differentiate(y *Node, wrt Nodes) (*derivative, error) {
	if !y.IsScalar() {
		return nil, errors.New("want a scalar, such as a Mean")
	}
	d, err := b.newDerivative(y, wrt)
	if err != nil {
		return nil, err
	}
	d.terms[y] = Nodes{b.constant(1)} // dy/dy
	for _, n := range d.order {
		if err := d.addTerms(n); err != nil {
			return nil, err
		}
		if err := d.propagate(n); err != nil {
			return nil, err
		}
		b.traceGradient(n)
	}
	return d, nil
}

// newDerivative returns a derivative with the nodes that a reverse pass from y to wrt visits, but
// without gradients. It returns an error if such a node has no correct gradient.
func (b *Builder) newDerivative(y *Node, wrt Nodes) (*derivative, error) {
	for _, n := range append(Nodes{y}, wrt...) {
		if n != nil && n.Graph() != b.graph {
			return nil, fmt.Errorf("%s is a node of another graph", describeNode(n))
		}
	}
	if err := checkConsistent(Nodes{y}); err != nil {
		return nil, err
	}
	d := &derivative{
		onPath: make(map[*Node]bool),
		terms:  make(map[*Node]Nodes),
		sums:   make(map[*Node]*Node),
	}
	for _, n := range wrt {
		if n != nil {
			d.onPath[n] = true
		}
	}
	usersFirst := reachable(y, ops.Flows)
	if err := d.extendPath(usersFirst); err != nil {
		return nil, err
	}
	d.order = slices.DeleteFunc(usersFirst, func(n *Node) bool { return !d.onPath[n] })
	return d, nil
}

// extendPath adds to onPath, which has the nodes to differentiate by, every node through which a
// gradient flows to one of them. nodes are in the order users before operands. extendPath returns an
// error if such a node has no correct gradient.
func (d *derivative) extendPath(nodes Nodes) error {
	// A node is on the path if a gradient flows from it to an operand that is. So the operands come
	// first: onPath, which neededOperands reads, is complete for them.
	for _, n := range slices.Backward(nodes) {
		reachesPath := slices.Contains(d.neededOperands(n, Operands(n)), true)
		if !reachesPath {
			continue
		}
		if err := ops.Differentiable(n); err != nil {
			return err
		}
		d.onPath[n] = true
	}
	return nil
}

// neededOperands reports for each operand of n whether a gradient has to flow to it: whether the
// operation lets one through, and the operand is on the path.
func (d *derivative) neededOperands(n *Node, operands Nodes) []bool {
	needed := ops.Flows(n, len(operands))
	for i, x := range operands {
		needed[i] = needed[i] && d.onPath[x]
	}
	return needed
}

// addTerms sets the sum of the gradients that arrived at n, added in the order of their arrival.
// Terms of one shape are added as they are, even in another shape than n's: so does gorgonia.Grad.
// Terms of different shapes, which arise because Gorgonia's sums drop axes that other gradients
// keep, take n's shape first.
func (d *derivative) addTerms(n *Node) error {
	terms := d.terms[n]
	shapesDiffer := slices.ContainsFunc(terms, func(g *Node) bool { return !sameShape(g, terms[0]) })
	for i, term := range terms { // at least one: every node of the order has a user before it, or is the scalar
		var err error
		if shapesDiffer {
			term, err = ops.Fit(term, n)
			if err != nil {
				return err
			}
		}
		if i == 0 {
			d.sums[n] = term
			continue
		}
		d.sums[n], err = gorgonia.Add(d.sums[n], term)
		if err != nil {
			return err
		}
	}
	return nil
}

// propagate adds to the terms of n's operands the gradients that flow to them from n.
func (d *derivative) propagate(n *Node) error {
	operands := Operands(n)
	needed := d.neededOperands(n, operands)
	if !slices.Contains(needed, true) {
		return nil
	}
	grads, err := ops.Gradients(n, operands, d.sums[n], needed)
	if err != nil {
		return err
	}
	for i, x := range operands {
		if needed[i] {
			d.terms[x] = append(d.terms[x], grads[i])
		}
	}
	return nil
}

// reachable returns y and all nodes that a walk from nodes to their operands reaches, users before
// operands. followed reports for each operand of n whether the walk goes on to it.
func reachable(y *Node, followed func(n *Node, operands int) []bool) Nodes {
	found := Nodes{y}
	seen := map[*Node]bool{y: true}
	for i := 0; i < len(found); i++ { // found grows in the loop, by each node once at most
		operands := Operands(found[i])
		goesOn := followed(found[i], len(operands))
		for k, x := range operands {
			if goesOn[k] && !seen[x] {
				seen[x] = true
				found = append(found, x)
			}
		}
	}
	// A graph numbers its nodes in the order in which they are made, so that operands have smaller IDs
	// than their users. checkConsistent rejects the exception, nodes that Gorgonia has recycled.
	slices.SortFunc(found, func(m, n *Node) int { return int(n.ID() - m.ID()) })
	return found
}
