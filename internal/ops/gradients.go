package ops

import (
	"math"

	"gorgonia.org/gorgonia"
)

// gradient builds the gradient of an elementwise operation with respect to one operand, from
// operations that have gradients themselves, so that there are derivatives of any order.
type gradient func(e *expression, at application) *gorgonia.Node

// application is an elementwise operation on operands.
type application struct {
	x    gorgonia.Nodes // operands
	c    float64        // constant, if the operation has one
	y    *gorgonia.Node // result
	grad *gorgonia.Node // gradient with respect to y
}

// elementwiseGradients returns the gradients with respect to the operands that are needed.
// An operand that is a scalar gets the sum over all elements.
func elementwiseGradients(gradients []gradient, at application, needed []bool) (gorgonia.Nodes, error) {
	e := new(expression)
	result := make(gorgonia.Nodes, len(at.x))
	for i, build := range gradients {
		if build == nil || !needed[i] {
			continue
		}
		result[i] = build(e, at)
		if at.x[i].IsScalar() {
			result[i] = e.sum(result[i])
		}
	}
	return e.results(result...)
}

// chainRule is the gradient of an operation whose derivative is the operation called name.
func chainRule(name string) gradient {
	return func(e *expression, at application) *gorgonia.Node {
		return e.mul(at.grad, e.call(name, 0, at.x[0]))
	}
}

// scaleGradient multiplies a gradient by a factor.
func scaleGradient(factor float64, of gradient) gradient {
	return func(e *expression, at application) *gorgonia.Node {
		g := of(e, at)
		return e.mul(g, e.number(g, factor))
	}
}

// scaleByOperand multiplies a gradient by the operand and a factor.
func scaleByOperand(factor float64, of gradient) gradient {
	return scaleGradient(factor, func(e *expression, at application) *gorgonia.Node {
		return e.mul(of(e, at), at.x[0])
	})
}

// raiseOrder is the gradient of the derivative of order c of a function: the operation called
// name is the derivative of any order.
func raiseOrder(name string) gradient {
	return func(e *expression, at application) *gorgonia.Node {
		return e.mul(at.grad, e.call(name, at.c+1, at.x[0]))
	}
}

// log2Gradient is grad/(x·log 2). Gorgonia has grad·log 2/x.
func log2Gradient(e *expression, at application) *gorgonia.Node {
	return e.div(e.mul(at.grad, e.number(at.grad, 1/math.Ln2)), at.x[0])
}

// inverseSqrtGradient is grad·(−½·y/x). Gorgonia has −½/y³.
func inverseSqrtGradient(e *expression, at application) *gorgonia.Node {
	slope := e.mul(e.div(at.y, at.x[0]), e.number(at.y, -0.5))
	return e.mul(at.grad, slope)
}

// logitGradient is grad/(x − x²).
func logitGradient(e *expression, at application) *gorgonia.Node {
	rest := e.sub(e.number(at.grad, 1), at.x[0])
	return e.div(at.grad, e.mul(at.x[0], rest))
}

// inverseMillsGradient is −grad·λ·δ for the inverse Mills ratio λ and δ = x + λ.
func inverseMillsGradient(e *expression, at application) *gorgonia.Node {
	return e.unary(gorgonia.Neg, e.mul(at.grad, millsProduct(e, at.x[0])))
}

// millsExcessGradient is grad·(1 − λ·δ) for δ.
func millsExcessGradient(e *expression, at application) *gorgonia.Node {
	product := millsProduct(e, at.x[0])
	return e.mul(at.grad, e.sub(e.number(at.grad, 1), product))
}

// millsProduct is λ·δ.
func millsProduct(e *expression, x *gorgonia.Node) *gorgonia.Node {
	ratio := e.call("inverse mills", 0, x)
	return e.mul(ratio, e.call("mills excess", 0, x))
}

// powGradient is grad·c·xᶜ⁻¹, and 0 for c = 0, where 0·x⁻¹ would be NaN at 0.
func powGradient(e *expression, at application) *gorgonia.Node {
	if at.c == 0 {
		return e.gate(at.grad, e.number(at.grad, 0))
	}
	power := e.call("pow", at.c-1, at.x[0])
	return e.mul(at.grad, e.mul(power, e.number(at.grad, at.c)))
}

// baseGradient is grad·x₁·x₀^(x₁−1), and powGradient if the exponent is a constant.
func baseGradient(e *expression, at application) *gorgonia.Node {
	base, exponent := at.x[0], at.x[1]
	if c, ok := ScalarOf(exponent); ok {
		at.c = c
		return powGradient(e, at)
	}
	power := e.binary(gorgonia.Pow, base, e.sub(exponent, e.number(exponent, 1)))
	return e.mul(e.mul(at.grad, exponent), power)
}

// exponentGradient is grad·y·log x₀, and 0 where x₀ is 0, as in PyTorch. Gorgonia's Log
// would rewrite x₀ = 1 + z, and recycle it while it is in use.
func exponentGradient(e *expression, at application) *gorgonia.Node {
	base := at.x[0]
	slope := e.mul(at.y, e.unrewritten(gorgonia.Log, base))
	slope = e.gate(slope, e.unrewritten(gorgonia.Square, base))
	return e.mul(at.grad, slope)
}

// maxGradient is the gradient of a maximum with respect to one operand: all of grad where
// the operand is larger, and half of it where both are equal.
func maxGradient(operand int) gradient {
	return func(e *expression, at application) *gorgonia.Node {
		return gradWhereGreater(e, at.x[operand], at.x[1-operand], at.grad)
	}
}

// minGradient is the gradient of a minimum with respect to one operand.
func minGradient(operand int) gradient {
	return func(e *expression, at application) *gorgonia.Node {
		return gradWhereGreater(e, at.x[1-operand], at.x[operand], at.grad)
	}
}

// gradWhereGreater is grad where x > y, half of it where x = y, and 0 elsewhere, also where
// grad is infinite.
func gradWhereGreater(e *expression, x, y, grad *gorgonia.Node) *gorgonia.Node {
	twice := e.add(e.compare(gorgonia.Gt, x, y), e.compare(gorgonia.Gte, x, y))
	share := e.mul(twice, e.number(grad, 0.5))
	return e.gate(e.mul(grad, share), share)
}

// clampMinGradient is grad where x > c. The difference x − c is above 0 exactly there.
func clampMinGradient(e *expression, at application) *gorgonia.Node {
	return e.gate(at.grad, e.sub(at.x[0], e.number(at.x[0], at.c)))
}

// clampMaxGradient is grad where x < c.
func clampMaxGradient(e *expression, at application) *gorgonia.Node {
	return e.gate(at.grad, e.sub(e.number(at.x[0], at.c), at.x[0]))
}

// gateGradient is grad where the gate is open.
func gateGradient(e *expression, at application) *gorgonia.Node { return e.gate(at.grad, at.x[1]) }
