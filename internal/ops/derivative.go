package ops

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
)

// Flows reports for each operand of n whether a gradient flows to it. None flows through a
// stop or a piecewise constant operation, such as a comparison. Flows reports true for
// operations that are not Differentiable, so that their users get the error.
func Flows(n *gorgonia.Node, operands int) []bool {
	through := make([]bool, operands)
	o := Of(n)
	if operands == 0 || o.Kind == Size || o.Elementwise != nil && o.Elementwise.isPiecewiseConstant() {
		return through
	}
	if o.Kind == PadSlice { // Gorgonia confuses the operands
		return []bool{false, true}
	}
	op, ok := n.Op().(gorgonia.SDOp)
	if !ok || o.GradientAdvice != "" {
		for i := range through {
			through[i] = true
		}
		return through
	}
	flows := op.DiffWRT(operands)
	for i := range through {
		through[i] = i >= len(flows) || flows[i]
	}
	return through
}

// DependsOn reports for each operand of n whether the value depends on it, also if it is
// piecewise constant. It reports false for a stop.
func DependsOn(n *gorgonia.Node, operands int) []bool {
	if Of(n).Kind == OnElements {
		return slices.Repeat([]bool{true}, operands)
	}
	return Flows(n, operands)
}

// isPiecewiseConstant reports whether no gradient flows through the operation.
func (e *Elementwise) isPiecewiseConstant() bool {
	return e.comparison() || e.Name == "sign" || e.Name == "ceil" || e.Name == "floor"
}

// Differentiable returns an error, which says what to write instead, if Gradients cannot
// return a correct gradient of n.
func Differentiable(n *gorgonia.Node) error {
	if instead := Of(n).GradientAdvice; instead != "" {
		return fmt.Errorf("Gorgonia's gradient of %v is wrong or missing: %s", n.Op(), instead)
	}
	if _, ok := n.Op().(gorgonia.SDOp); !ok {
		return fmt.Errorf("%v has no gradient, for want of a method SymDiff: where none is to flow, put a StopGradient around it", n.Op())
	}
	return nil
}

// Gradients returns the gradients with respect to the operands of n that are needed, where
// grad is the gradient with respect to n: by the table's definition, by Gorgonia's symbolic
// derivative, or by another expression where Gorgonia's is wrong. The node has to be
// Differentiable.
func Gradients(n *gorgonia.Node, operands gorgonia.Nodes, grad *gorgonia.Node, needed []bool) (gorgonia.Nodes, error) {
	grads, err := gradients(n, operands, grad, needed)
	for i := range operands {
		if err == nil && needed[i] && (i >= len(grads) || grads[i] == nil) {
			err = fmt.Errorf("SymDiff returns none for operand %d, and DiffWRT says that there is one", i)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the gradient of %v: %w", n.Op(), err)
	}
	return grads, nil
}

func gradients(n *gorgonia.Node, operands gorgonia.Nodes, grad *gorgonia.Node, needed []bool) (gorgonia.Nodes, error) {
	o := Of(n)
	e := new(expression)
	if o.Kind != Reshape && o.Kind != Repeat {
		grad = e.fit(grad, n)
	}
	switch {
	case e.err != nil:
		return nil, e.err
	case o.replacesGradient(n):
		return elementwiseGradients(o.Elementwise.gradients, application{x: operands, c: o.Constant, y: n, grad: grad}, needed)
	case o.Kind == Product && o.Form == Outer: // Gorgonia multiplies by the operand itself instead of the other one
		left := e.binary(gorgonia.Mul, grad, operands[1])
		transposed := e.build(func() (*gorgonia.Node, error) { return gorgonia.Transpose(grad, 1, 0) })
		return e.results(left, e.binary(gorgonia.Mul, transposed, operands[0]))
	case o.Kind == Repeat && o.Axes[0] >= grad.Dims(): // Gorgonia's sums over repeated axes have dropped some
		return e.results(e.sum(e.fit(grad, n), o.Axes[0]))
	case o.Kind == Reshape && operands[0].IsScalar(): // the tape machine would make a tensor without axes of the scalar
		return e.results(e.sum(grad))
	}
	return n.Op().(gorgonia.SDOp).SymDiff(operands, n, grad)
}

// replacesGradient reports whether the table defines the gradient of an operation of Gorgonia.
func (o Operation) replacesGradient(n *gorgonia.Node) bool {
	_, ours := n.Op().(TableOp)
	return !ours && o.Elementwise != nil && o.Elementwise.gradients != nil
}

// fit is Fit.
func (e *expression) fit(grad, n *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return Fit(grad, n) })
}

// Fit returns a gradient in the shape of its node: Gorgonia's sums drop axes that the
// operand has.
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

// Zeros returns zeros of x's shape, also where x is infinite or NaN.
func Zeros(x *gorgonia.Node) (*gorgonia.Node, error) { return Apply("gate", 0, x, Number(x, 0)) }

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
