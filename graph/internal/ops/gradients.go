package ops

import (
	"math"

	"gorgonia.org/gorgonia"

	"sml/internal/portable"
)

// The gradients of this project's elementwise operations: expressions of
// operations that are differentiable themselves, so that there are derivatives of
// any order.

// toLarger is the gradient to one operand of a maximum: all of it where the operand
// is larger, half of it where both are equal. The gate keeps what comes back from
// the other where that is infinite.
func toLarger(operand int) gradient {
	return func(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
		return toGreater(x[operand], x[1-operand], grad)
	}
}

// toSmaller is the same of a minimum.
func toSmaller(operand int) gradient {
	return func(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
		return toGreater(x[1-operand], x[operand], grad)
	}
}

// toGreater is grad where x > y, and half of it where x = y.
func toGreater(x, y, grad *gorgonia.Node) (*gorgonia.Node, error) {
	larger, err := gorgonia.Gt(x, y, true)
	if err != nil {
		return nil, err
	}
	notLess, err := gorgonia.Gte(x, y, true)
	if err != nil {
		return nil, err
	}
	twice, err := gorgonia.Add(larger, notLess)
	if err != nil {
		return nil, err
	}
	share, err := gorgonia.HadamardProd(twice, Number(grad, 0.5))
	if err != nil {
		return nil, err
	}
	passed, err := gorgonia.HadamardProd(grad, share)
	if err != nil {
		return nil, err
	}
	return Apply("gate", 0, passed, share)
}

func ofPower(x gorgonia.Nodes, c float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	if c == 0 {
		return Apply("gate", 0, grad, Number(grad, 0)) // 0·x⁻¹ would be NaN at 0
	}
	power, err := Apply("pow", c-1, x[0])
	if err != nil {
		return nil, err
	}
	slope, err := gorgonia.HadamardProd(power, Number(grad, c))
	if err != nil {
		return nil, err
	}
	return gorgonia.HadamardProd(grad, slope)
}

func aboveConstant(x gorgonia.Nodes, c float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	// x − c is above 0 where x is above c, also in the last bit.
	above, err := gorgonia.Sub(x[0], Number(x[0], c))
	if err != nil {
		return nil, err
	}
	return Apply("gate", 0, grad, above)
}

func throughGate(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	return Apply("gate", 0, grad, x[1])
}

func belowConstant(x gorgonia.Nodes, c float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	below, err := gorgonia.Sub(Number(x[0], c), x[0])
	if err != nil {
		return nil, err
	}
	return Apply("gate", 0, grad, below)
}

// slope is the gradient of an operation whose derivative is the operation of that
// name.
func slope(name string) gradient {
	return func(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
		derivative, err := Apply(name, 0, x[0])
		if err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(grad, derivative)
	}
}

// times is a gradient by a factor.
func times(factor float64, of gradient) gradient {
	return func(x gorgonia.Nodes, c float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
		g, err := of(x, c, grad)
		if err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(g, Number(g, factor))
	}
}

// timesOperand is a gradient by a factor and the operand.
func timesOperand(factor float64, of gradient) gradient {
	return times(factor, func(x gorgonia.Nodes, c float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
		g, err := of(x, c, grad)
		if err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(g, x[0])
	})
}

// ofLogit is the gradient 1/(x − x²).
func ofLogit(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	rest, err := gorgonia.Sub(Number(grad, 1), x[0])
	if err != nil {
		return nil, err
	}
	variance, err := gorgonia.HadamardProd(x[0], rest)
	if err != nil {
		return nil, err
	}
	return gorgonia.HadamardDiv(grad, variance)
}

// ofMills is the gradient −λ·δ of the inverse Mills ratio λ, with δ = x + λ.
func ofMills(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	product, err := millsProduct(x[0])
	if err != nil {
		return nil, err
	}
	g, err := gorgonia.HadamardProd(grad, product)
	if err != nil {
		return nil, err
	}
	return gorgonia.Neg(g)
}

// ofMillsExcess is the gradient 1 − λ·δ of δ.
func ofMillsExcess(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	product, err := millsProduct(x[0])
	if err != nil {
		return nil, err
	}
	derivative, err := gorgonia.Sub(Number(grad, 1), product)
	if err != nil {
		return nil, err
	}
	return gorgonia.HadamardProd(grad, derivative)
}

func millsProduct(x *gorgonia.Node) (*gorgonia.Node, error) {
	ratio, err := Apply("inverse mills", 0, x)
	if err != nil {
		return nil, err
	}
	excess, err := Apply("mills excess", 0, x)
	if err != nil {
		return nil, err
	}
	return gorgonia.HadamardProd(ratio, excess)
}

// ofDigamma is that of polygamma of order 0.
func ofDigamma(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	return ofOrder("polygamma")(x, 0, grad)
}

// ofDigammaStep is that of polygamma step of order 0.
func ofDigammaStep(x gorgonia.Nodes, _ float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
	return ofOrder("polygamma step")(x, 0, grad)
}

// ofOrder is the gradient of an operation whose constant is the order of a derivative.
func ofOrder(name string) gradient {
	return func(x gorgonia.Nodes, order float64, grad *gorgonia.Node) (*gorgonia.Node, error) {
		next, err := Apply(name, order+1, x[0])
		if err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(grad, next)
	}
}

// polygamma has an order that is a whole number.
func polygamma(x, order float64) float64 { return portable.Polygamma(int(order), x) }

// logGammaStep is a difference of logarithms as long as that has digits: log Γ of a
// million is 10⁷. Beyond, it is the first terms of its series in w = x − ¼.
func logGammaStep(x float64) float64 {
	switch {
	case x < 0:
		return math.NaN()
	case x > manySteps:
		w := x - 0.25
		return float64(0.5*portable.Log(w)) + 1/(64*w)/w
	}
	return portable.LogGamma(x+0.5) - portable.LogGamma(x)
}

func digammaStep(x float64) float64 {
	if x > manySteps {
		w := 1 / (x - 0.25)
		return float64(0.5*w) - float64(float64(float64(w*w)*w)/32)
	}
	return polygammaStep(x, 0)
}

// manySteps is where terms with w⁻⁴ do not count.
const manySteps = 1e4

// polygammaStep has an order that is a whole number.
func polygammaStep(x, order float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	return polygamma(x+0.5, order) - polygamma(x, order)
}

func logit(x float64) float64 {
	if math.Abs(x-0.5) < 0.25 {
		return portable.Log1p((x + x - 1) / (1 - x)) // 2x − 1 and 1 − x are exact
	}
	return portable.Log(x) - portable.Log1p(-x)
}

func gaussian(x float64) float64 { return portable.Exp(-float64(x * x)) }
