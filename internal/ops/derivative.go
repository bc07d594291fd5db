package ops

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
)

// Flows reports for each operand of n whether a gradient flows to it. No gradient flows through a
// StopGradient or a piecewise constant operation, such as a comparison. For an operation that is
// not Differentiable, Flows reports true for every operand, so that the caller asks for the
// gradient and gets Differentiable's error.
func Flows(n *gorgonia.Node, operands int) []bool {
	flows := make([]bool, operands)
	o := OperationOf(n)
	isPiecewiseConstant := o.Elementwise != nil && o.Elementwise.isPiecewiseConstant()
	if operands == 0 || o.Kind == KindSize || isPiecewiseConstant { // the length of an axis is no function of its numbers
		return flows
	}
	if o.Kind == KindPadSlice { // Gorgonia's DiffWRT confuses the operands
		return []bool{false, true}
	}
	op, hasGradient := n.Op().(gorgonia.SDOp)
	if !hasGradient || o.GradientAdvice != "" {
		return slices.Repeat([]bool{true}, operands)
	}
	declared := op.DiffWRT(operands)
	for i := range flows {
		flows[i] = i >= len(declared) || declared[i] // some of Gorgonia's lists are too short
	}
	return flows
}

// DependsOn reports for each operand of n whether the value of n depends on it, also if the
// operation is piecewise constant, and for an index. It reports false for a StopGradient.
func DependsOn(n *gorgonia.Node, operands int) []bool {
	switch OperationOf(n).Kind {
	case KindElementwise, KindOrder, KindRows, KindSumByRow:
		return slices.Repeat([]bool{true}, operands)
	}
	return Flows(n, operands)
}

// isPiecewiseConstant reports whether the gradient of the operation is 0 wherever it is defined.
func (e *Elementwise) isPiecewiseConstant() bool {
	return e.isComparison() || e.Name == "sign" || e.Name == "ceil" || e.Name == "floor"
}

// Differentiable returns an error, which says what to write instead, if Gradients cannot return a
// correct gradient of n.
func Differentiable(n *gorgonia.Node) error {
	if advice := OperationOf(n).GradientAdvice; advice != "" {
		return fmt.Errorf("Gorgonia's gradient of %v is wrong or missing: %s", n.Op(), advice)
	}
	if _, hasGradient := n.Op().(gorgonia.SDOp); !hasGradient {
		return fmt.Errorf("%v has no gradient, since it has no method SymDiff; put a StopGradient around it if no gradient has to flow", n.Op())
	}
	return nil
}

// Gradients returns the gradient with respect to each operand of n for which needed is true, given
// the gradient grad with respect to n. It takes the gradient from the table or from Gorgonia, or
// corrects Gorgonia's if that is wrong. n has to be Differentiable.
func Gradients(n *gorgonia.Node, operands gorgonia.Nodes, grad *gorgonia.Node, needed []bool) (gorgonia.Nodes, error) {
	grads, err := buildGradients(n, operands, grad, needed)
	if err != nil {
		return nil, fmt.Errorf("the gradient of %v: %w", n.Op(), err)
	}
	for i := range operands {
		if needed[i] && (i >= len(grads) || grads[i] == nil) {
			return nil, fmt.Errorf("the gradient of %v: SymDiff returns no gradient for operand %d, but DiffWRT says that there is one", n.Op(), i)
		}
	}
	return grads, nil
}

// buildGradients is Gradients without a check of the result. Its cases correct errors of Gorgonia;
// all other operations have a SymDiff method that is right.
func buildGradients(n *gorgonia.Node, operands gorgonia.Nodes, grad *gorgonia.Node, needed []bool) (gorgonia.Nodes, error) {
	o := OperationOf(n)
	e := new(expression)
	if o.Kind != KindReshape && o.Kind != KindRepeat { // these two take a gradient of any shape
		grad = e.fit(grad, n)
	}
	switch {
	case e.err != nil:
		return nil, e.err
	case o.replacesGradient(n):
		a := application{operands: operands, constant: o.Constant, result: n, grad: grad}
		return elementwiseGradients(o.Elementwise.gradients, a, needed)
	case o.Kind == KindProduct && o.Form == Outer:
		// For z = x·yᵀ the gradients are grad·y and gradᵀ·x. Gorgonia multiplies by the operand
		// itself instead of the other one.
		left := e.binary(gorgonia.Mul, grad, operands[1])
		transposed := e.build(func() (*gorgonia.Node, error) { return gorgonia.Transpose(grad, 1, 0) })
		return e.results(left, e.binary(gorgonia.Mul, transposed, operands[0]))
	case o.Kind == KindRepeat && o.Axes[0] >= grad.Dims():
		// Gorgonia sums over an axis that grad has lost in an earlier sum.
		return e.results(e.sum(e.fit(grad, n), o.Axes[0]))
	case o.Kind == KindReshape && operands[0].IsScalar():
		// Gorgonia would return a tensor without axes, which its tape machine does not take for
		// a scalar.
		return e.results(e.sum(grad))
	}
	return n.Op().(gorgonia.SDOp).SymDiff(operands, n, grad)
}

// replacesGradient reports whether the table replaces the gradient of n, an operation of Gorgonia.
func (o Operation) replacesGradient(n *gorgonia.Node) bool {
	_, isOwn := n.Op().(tableOp)
	return !isOwn && o.Elementwise != nil && o.Elementwise.gradients != nil
}

// fit returns grad in the shape of n: see Fit.
func (e *expression) fit(grad, n *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return Fit(grad, n) })
}

// Fit returns grad, a gradient with respect to n, in the shape of n. Gorgonia's sums drop axes, so
// that a gradient can be a vector [n] where its node is a row [1 n]. Fit returns an error if the
// sizes differ.
func Fit(grad, n *gorgonia.Node) (*gorgonia.Node, error) {
	if slices.Equal(grad.Shape(), n.Shape()) {
		return grad, nil
	}
	gradSize := max(1, grad.Shape().TotalSize()) // TotalSize is 0 for a scalar
	size := max(1, n.Shape().TotalSize())
	if gradSize != size {
		return nil, fmt.Errorf("Gorgonia's gradient of %v has shape %v, and the node %v", n.Op(), grad.Shape(), n.Shape())
	}
	if n.IsScalar() {
		return gorgonia.Sum(grad)
	}
	return gorgonia.Reshape(grad, n.Shape())
}

// Zeros returns zeros in the shape of x, also where x is infinite or NaN, where 0·x would be NaN: a
// gate by 0 is closed everywhere.
func Zeros(x *gorgonia.Node) (*gorgonia.Node, error) { return Apply("gate", 0, x, Number(x, 0)) }

// ScalarOf returns the value of n if it is a constant number, and reports whether it is.
func ScalarOf(n *gorgonia.Node) (value float64, ok bool) {
	if OperationOf(n).Kind != KindScalar {
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
