package ops

import (
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"
)

// Flows tells to which of a node's operands a gradient flows: to none of a stop,
// and to none of an operation that is constant in pieces, such as a comparison. One
// that is not Differentiable says yes, so that its refusal is met.
func Flows(n *gorgonia.Node, operands int) []bool {
	through := make([]bool, operands)
	o := Of(n)
	if operands == 0 || o.Kind == Size || o.Elementwise != nil && o.Elementwise.constantInPieces() {
		return through
	}
	if o.Kind == PadSlice { // Gorgonia has it the other way round
		return []bool{false, true}
	}
	op, ok := n.Op().(gorgonia.SDOp)
	if !ok || o.Instead != "" {
		for i := range through {
			through[i] = true
		}
		return through
	}
	says := op.DiffWRT(operands)
	for i := range through {
		through[i] = i >= len(says) || says[i]
	}
	return through
}

// DependsOn tells of which operands a node's value is a function, be it one that is
// constant in pieces; of none for a stop.
func DependsOn(n *gorgonia.Node, operands int) []bool {
	if Of(n).Kind == OnElements {
		return slices.Repeat([]bool{true}, operands)
	}
	return Flows(n, operands)
}

// constantInPieces tells whether no gradient flows through the operation.
func (e *Elementwise) constantInPieces() bool {
	return e.comparison() || e.Name == "sign" || e.Name == "ceil" || e.Name == "floor"
}

// Differentiable returns an error, which says what to write instead, for an
// operation of which Gradients knows no gradient that is right.
func Differentiable(n *gorgonia.Node) error {
	if instead := Of(n).Instead; instead != "" {
		return fmt.Errorf("Gorgonia's gradient of %v is wrong or missing: %s", n.Op(), instead)
	}
	if _, ok := n.Op().(gorgonia.SDOp); !ok {
		return fmt.Errorf("%v has no gradient, for want of a method SymDiff: where none is to flow, put a StopGradient around it", n.Op())
	}
	return nil
}

// Gradients returns what flows to a node's operands where grad has come to it, for
// those that are needed: by Gorgonia's symbolic derivative, or by one of ours where
// that is wrong. The node is Differentiable.
func Gradients(n *gorgonia.Node, operands gorgonia.Nodes, grad *gorgonia.Node, needed []bool) (gorgonia.Nodes, error) {
	o := Of(n)
	var err error
	if o.Kind != Reshape && o.Kind != Repeat {
		if grad, err = Fit(grad, n); err != nil {
			return nil, err
		}
	}
	grads := make(gorgonia.Nodes, len(operands))
	switch {
	case o.Elementwise != nil && own[o.Elementwise.Name] != nil:
		e := new(expression)
		for i, derivative := range own[o.Elementwise.Name] {
			if needed[i] {
				grads[i] = derivative(e, n, operands, grad)
			}
			if needed[i] && e.err == nil && operands[i].IsScalar() {
				grads[i], e.err = gorgonia.Sum(grads[i])
			}
		}
		err = e.err
	case o.Kind == Product && o.Form == Outer: // Gorgonia has the product of the operand itself, not of the other
		grads, err = ofOuter(operands, grad)
	case o.Kind == Repeat && o.Axes[0] >= grad.Dims(): // sums over repeated axes have dropped some
		if grad, err = Fit(grad, n); err == nil {
			grads[0], err = gorgonia.Sum(grad, o.Axes[0])
		}
	case o.Kind == Reshape && operands[0].IsScalar(): // the tape machine makes a tensor of no axes where a scalar is meant
		grads[0], err = gorgonia.Sum(grad)
	default:
		grads, err = n.Op().(gorgonia.SDOp).SymDiff(operands, n, grad)
	}
	for i := range operands {
		if err == nil && needed[i] && (i >= len(grads) || grads[i] == nil) {
			err = fmt.Errorf("SymDiff gives none for operand %d, which DiffWRT does not say to have none", i)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the gradient of %v: %w", n.Op(), err)
	}
	return grads, nil
}

func ofOuter(x gorgonia.Nodes, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	left, err := gorgonia.Mul(grad, x[1])
	if err != nil {
		return nil, err
	}
	transposed, err := gorgonia.Transpose(grad, 1, 0)
	if err != nil {
		return nil, err
	}
	right, err := gorgonia.Mul(transposed, x[0])
	return gorgonia.Nodes{left, right}, err
}

// Fit gives a gradient the shape of its node: Gorgonia's sums drop axes that the
// operand has kept.
func Fit(grad, n *gorgonia.Node) (*gorgonia.Node, error) {
	if slices.Equal(grad.Shape(), n.Shape()) {
		return grad, nil
	}
	if max(1, grad.Shape().TotalSize()) != max(1, n.Shape().TotalSize()) {
		return nil, fmt.Errorf("Gorgonia's gradient of %v has shape %v, and the node %v", n.Op(), grad.Shape(), n.Shape())
	}
	if n.IsScalar() {
		return gorgonia.Sum(grad)
	}
	return gorgonia.Reshape(grad, n.Shape())
}

// Zeros are zeros of a node's shape, whatever its values are.
func Zeros(x *gorgonia.Node) (*gorgonia.Node, error) { return Apply("gate", 0, x, Number(x, 0)) }

// own are derivatives of Gorgonia's elementwise operations y of x that stand in
// the place of its own, by their names in the table: one for each operand.
var own = map[string][]func(e *expression, y *gorgonia.Node, x gorgonia.Nodes, grad *gorgonia.Node) *gorgonia.Node{
	"log2":   {ofLog2},
	"1/sqrt": {ofInverseSqrt},
	"power":  {ofBase, ofExponent},
}

// ofLog2 is 1/(x·log 2), where Gorgonia has log 2/x.
func ofLog2(e *expression, _ *gorgonia.Node, x gorgonia.Nodes, grad *gorgonia.Node) *gorgonia.Node {
	return e.of(gorgonia.HadamardDiv, e.of(gorgonia.HadamardProd, grad, Number(grad, 1/math.Ln2)), x[0])
}

// ofInverseSqrt is −½·y/x, where Gorgonia has −½/y³.
func ofInverseSqrt(e *expression, y *gorgonia.Node, x gorgonia.Nodes, grad *gorgonia.Node) *gorgonia.Node {
	slope := e.of(gorgonia.HadamardProd, e.of(gorgonia.HadamardDiv, y, x[0]), Number(y, -0.5))
	return e.of(gorgonia.HadamardProd, grad, slope)
}

// ofBase is that of Pow where the exponent is a constant, and x₁·x₀^(x₁−1).
func ofBase(e *expression, _ *gorgonia.Node, x gorgonia.Nodes, grad *gorgonia.Node) *gorgonia.Node {
	if c, ok := ScalarOf(x[1]); ok && e.err == nil {
		g, err := ofPower(x, c, grad)
		e.err = err
		return g
	}
	power := e.of(gorgonia.Pow, x[0], e.of(gorgonia.Sub, x[1], Number(x[1], 1)))
	return e.of(gorgonia.HadamardProd, e.of(gorgonia.HadamardProd, grad, x[1]), power)
}

// ofExponent is y·log x₀, and 0 where x₀ is 0, as in PyTorch. Gorgonia's Log would
// rewrite x₀ = 1 + z, and recycle it while it is in use.
func ofExponent(e *expression, y *gorgonia.Node, x gorgonia.Nodes, grad *gorgonia.Node) *gorgonia.Node {
	slope := e.of(gorgonia.HadamardProd, y, e.unary(gorgonia.Log, x[0]))
	slope = e.of(gate0, slope, e.unary(gorgonia.Square, x[0]))
	return e.of(gorgonia.HadamardProd, grad, slope)
}

func gate0(x, y *gorgonia.Node) (*gorgonia.Node, error) { return Apply("gate", 0, x, y) }

// ScalarOf returns the value of a node that is a constant number.
func ScalarOf(n *gorgonia.Node) (float64, bool) {
	if Of(n).Kind != Scalar {
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

// expression puts nodes together until there is an error.
type expression struct{ err error }

func (e *expression) of(op func(x, y *gorgonia.Node) (*gorgonia.Node, error), x, y *gorgonia.Node) (n *gorgonia.Node) {
	if e.err == nil {
		n, e.err = op(x, y)
	}
	return n
}

// unary applies an operation of Gorgonia without the rewriting that its function
// does: the operation is taken from a graph of its own.
func (e *expression) unary(op func(x *gorgonia.Node) (*gorgonia.Node, error), x *gorgonia.Node) (n *gorgonia.Node) {
	if e.err != nil {
		return nil
	}
	g := gorgonia.NewGraph()
	alone := gorgonia.NewScalar(g, x.Dtype(), gorgonia.WithName("x"))
	if !x.IsScalar() {
		alone = gorgonia.NewTensor(g, x.Dtype(), x.Dims(), gorgonia.WithShape(x.Shape()...), gorgonia.WithName("x"))
	}
	if alone, e.err = op(alone); e.err == nil {
		n, e.err = gorgonia.ApplyOp(alone.Op(), x)
	}
	return n
}
