package ops

import (
	"math"

	"gorgonia.org/gorgonia"
)

// gradient builds the gradient of an elementwise operation with respect to one operand. It uses
// only operations that have gradients themselves, so that derivatives of any order exist.
type gradient func(e *expression, a application) *gorgonia.Node

// application is one use of an elementwise operation. The comments below call the first operand x
// and the second one y.
type application struct {
	operands gorgonia.Nodes
	constant float64        // constant of the operation, 0 if it has none
	result   *gorgonia.Node // result of the operation
	grad     *gorgonia.Node // gradient with respect to the result
}

// x returns the first operand.
func (a application) x() *gorgonia.Node { return a.operands[0] }

// elementwiseGradients returns the gradient with respect to each operand, nil where needed is
// false. The gradient with respect to a scalar is the sum over all elements.
func elementwiseGradients(gradients []gradient, a application, needed []bool) (gorgonia.Nodes, error) {
	e := new(expression)
	result := make(gorgonia.Nodes, len(a.operands))
	for i, build := range gradients {
		if build == nil || !needed[i] { // nil: no gradient flows to this operand
			continue
		}
		result[i] = build(e, a)
		if a.operands[i].IsScalar() {
			result[i] = e.sum(result[i])
		}
	}
	return e.results(result...)
}

// chainRule returns the gradient grad·f′(x) of an operation f whose derivative f′ is the operation
// with the given name.
func chainRule(derivative string) gradient {
	return func(e *expression, a application) *gorgonia.Node {
		return e.mul(a.grad, e.call(derivative, 0, a.x()))
	}
}

// scaleGradient returns factor times the gradient g.
func scaleGradient(factor float64, g gradient) gradient {
	return func(e *expression, a application) *gorgonia.Node {
		grad := g(e, a)
		return e.mul(grad, e.number(grad, factor))
	}
}

// scaleByOperand returns factor·x times the gradient g.
func scaleByOperand(factor float64, g gradient) gradient {
	return scaleGradient(factor, func(e *expression, a application) *gorgonia.Node {
		return e.mul(g(e, a), a.x())
	})
}

// raiseOrder returns the gradient of an operation that is the derivative of order c of a function:
// grad times the derivative of order c + 1. The operation with the given name computes the
// derivative whose order is its constant.
func raiseOrder(derivative string) gradient {
	return func(e *expression, a application) *gorgonia.Node {
		return e.mul(a.grad, e.call(derivative, a.constant+1, a.x()))
	}
}

// log2Gradient returns grad/(x·log 2). Gorgonia's own gradient is grad·log 2/x, which is wrong.
func log2Gradient(e *expression, a application) *gorgonia.Node {
	return e.div(e.mul(a.grad, e.number(a.grad, 1/math.Ln2)), a.x())
}

// inverseSqrtGradient returns grad·(−½·r/x) for r = 1/√x. Gorgonia's own gradient, −½/r³, is
// wrong.
func inverseSqrtGradient(e *expression, a application) *gorgonia.Node {
	slope := e.mul(e.div(a.result, a.x()), e.number(a.result, -0.5))
	return e.mul(a.grad, slope)
}

// logitGradient returns grad/(x·(1 − x)).
func logitGradient(e *expression, a application) *gorgonia.Node {
	complement := e.sub(e.number(a.grad, 1), a.x())
	return e.div(a.grad, e.mul(a.x(), complement))
}

// atanGradient returns grad/(1 + x²).
func atanGradient(e *expression, a application) *gorgonia.Node {
	return e.div(a.grad, onePlusSquare(e, a.x()))
}

// asinhGradient returns grad/√(1 + x²).
func asinhGradient(e *expression, a application) *gorgonia.Node {
	return e.div(a.grad, e.unary(gorgonia.Sqrt, onePlusSquare(e, a.x())))
}

// onePlusSquare returns 1 + x².
func onePlusSquare(e *expression, x *gorgonia.Node) *gorgonia.Node {
	return e.add(e.unary(gorgonia.Square, x), e.number(x, 1))
}

// normalQuantileGradient returns grad/φ(z) for the quantile z and the density φ of N(0, 1).
func normalQuantileGradient(e *expression, a application) *gorgonia.Node {
	return e.div(a.grad, e.call("normal pdf", 0, a.result))
}

// inverseMillsGradient returns −grad·λ·δ for the inverse Mills ratio λ = φ(x)/Φ(x) and its excess
// δ = x + λ.
func inverseMillsGradient(e *expression, a application) *gorgonia.Node {
	return e.unary(gorgonia.Neg, e.mul(a.grad, millsProduct(e, a.x())))
}

// millsExcessGradient returns the gradient grad·(1 − λ·δ) of δ = x + λ for the inverse Mills ratio
// λ = φ(x)/Φ(x).
func millsExcessGradient(e *expression, a application) *gorgonia.Node {
	product := millsProduct(e, a.x())
	return e.mul(a.grad, e.sub(e.number(a.grad, 1), product))
}

// millsProduct returns λ·δ for the inverse Mills ratio λ = φ(x)/Φ(x) and its excess δ = x + λ.
func millsProduct(e *expression, x *gorgonia.Node) *gorgonia.Node {
	ratio := e.call("inverse mills", 0, x)
	return e.mul(ratio, e.call("mills excess", 0, x))
}

// powGradient returns grad·c·xᶜ⁻¹ for the constant exponent c, and 0 for c = 0, since 0·x⁻¹ would
// be NaN where x is 0.
func powGradient(e *expression, a application) *gorgonia.Node {
	if a.constant == 0 {
		return e.gate(a.grad, e.number(a.grad, 0)) // a gate by 0 is closed: zeros in the shape of grad
	}
	power := e.call("pow", a.constant-1, a.x())
	return e.mul(a.grad, e.mul(power, e.number(a.grad, a.constant)))
}

// baseGradient returns the gradient grad·y·x^(y−1) of xʸ with respect to x, or powGradient if y is
// a constant.
func baseGradient(e *expression, a application) *gorgonia.Node {
	base := a.operands[0]
	exponent := a.operands[1]
	if c, isConstant := ScalarOf(exponent); isConstant {
		a.constant = c
		return powGradient(e, a)
	}
	power := e.binary(gorgonia.Pow, base, e.sub(exponent, e.number(exponent, 1)))
	return e.mul(e.mul(a.grad, exponent), power)
}

// exponentGradient returns the gradient grad·xʸ·log x of xʸ with respect to y, and 0 where x is 0,
// as PyTorch does. It avoids gorgonia.Log, which rewrites and recycles an operand such as 1 + z
// that is still in use.
func exponentGradient(e *expression, a application) *gorgonia.Node {
	base := a.operands[0]
	slope := e.mul(a.result, e.applyUnchanged(gorgonia.Log, base))
	slope = e.gate(slope, e.applyUnchanged(gorgonia.Square, base)) // x² is positive unless x is 0
	return e.mul(a.grad, slope)
}

// maxGradient returns the gradient of a maximum with respect to the operand with the given index:
// grad where that operand is larger, half of it where both are equal, and 0 elsewhere.
func maxGradient(operand int) gradient {
	return func(e *expression, a application) *gorgonia.Node {
		return gradWhereGreater(e, a.operands[operand], a.operands[1-operand], a.grad)
	}
}

// minGradient returns the gradient of a minimum with respect to the operand with the given index:
// grad where that operand is smaller, half of it where both are equal, and 0 elsewhere.
func minGradient(operand int) gradient {
	return func(e *expression, a application) *gorgonia.Node {
		return gradWhereGreater(e, a.operands[1-operand], a.operands[operand], a.grad)
	}
}

// gradWhereGreater returns grad where x > y, half of it where x = y, and 0 elsewhere, also where
// grad is infinite: the gate replaces the product of an infinite grad with 0, which is NaN.
func gradWhereGreater(e *expression, x, y, grad *gorgonia.Node) *gorgonia.Node {
	// Both comparisons are 1 where x > y, and one of them where x = y.
	comparisonsHeld := e.add(e.compare(gorgonia.Gt, x, y), e.compare(gorgonia.Gte, x, y))
	fraction := e.mul(comparisonsHeld, e.number(grad, 0.5))
	return e.gate(e.mul(grad, fraction), fraction)
}

// clampMinGradient returns grad where x > c, else 0, for the constant c. The difference x − c is
// positive exactly where x > c.
func clampMinGradient(e *expression, a application) *gorgonia.Node {
	return e.gate(a.grad, e.sub(a.x(), e.number(a.x(), a.constant)))
}

// clampMaxGradient returns grad where x < c, else 0, for the constant c.
func clampMaxGradient(e *expression, a application) *gorgonia.Node {
	return e.gate(a.grad, e.sub(e.number(a.x(), a.constant), a.x()))
}

// gateGradient returns the gradient of a gate with respect to x: grad where y > 0, else 0.
func gateGradient(e *expression, a application) *gorgonia.Node { return e.gate(a.grad, a.operands[1]) }
