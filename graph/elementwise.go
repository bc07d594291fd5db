package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/ops"
)

// The elementwise operations of one operand return a node in the shape of x. The table in
// internal/ops defines them, and docs/reference/operations.md lists them.

// Neg returns −x.
func (b *Builder) Neg(x *Node) *Node { return b.unary("Neg", gorgonia.Neg, x) }

// Abs returns |x|; its gradient at 0 is 0.
func (b *Builder) Abs(x *Node) *Node { return b.unary("Abs", gorgonia.Abs, x) }

// Sign returns 1 where x > 0, −1 where x < 0, and x where x is 0 or NaN. No gradient
// flows.
func (b *Builder) Sign(x *Node) *Node { return b.unary("Sign", gorgonia.Sign, x) }

// Square returns x².
func (b *Builder) Square(x *Node) *Node { return b.unary("Square", gorgonia.Square, x) }

// Sqrt returns √x.
func (b *Builder) Sqrt(x *Node) *Node { return b.unary("Sqrt", gorgonia.Sqrt, x) }

// Exp returns eˣ.
func (b *Builder) Exp(x *Node) *Node { return b.unary("Exp", gorgonia.Exp, x) }

// Log returns the natural logarithm of x.
func (b *Builder) Log(x *Node) *Node { return b.unary("Log", gorgonia.Log, x) }

// Log1p returns log(1 + x), precise for small x: −∞ at −1, NaN below.
func (b *Builder) Log1p(x *Node) *Node { return b.unary("Log1p", gorgonia.Log1p, x) }

// Expm1 returns eˣ − 1, precise for small x.
func (b *Builder) Expm1(x *Node) *Node { return b.unary("Expm1", gorgonia.Expm1, x) }

// Softplus returns log(1 + eˣ), computed without overflow.
func (b *Builder) Softplus(x *Node) *Node { return b.unary("Softplus", gorgonia.Softplus, x) }

// Tanh returns the hyperbolic tangent of x.
func (b *Builder) Tanh(x *Node) *Node { return b.unary("Tanh", gorgonia.Tanh, x) }

// Sigmoid returns 1/(1 + e⁻ˣ).
func (b *Builder) Sigmoid(x *Node) *Node { return b.unary("Sigmoid", gorgonia.Sigmoid, x) }

// Logit returns log(x/(1 − x)), the inverse of Sigmoid: −∞ at 0, +∞ at 1, NaN outside.
func (b *Builder) Logit(x *Node) *Node { return b.applyTable("Logit", "logit", x) }

// ReLU returns x where x > 0, else 0, and NaN where x is NaN; its gradient at 0 is 0.
func (b *Builder) ReLU(x *Node) *Node {
	return b.apply("ReLU", Nodes{x}, func() (*Node, error) {
		gate, err := gorgonia.Gt(x, b.constant(0), true)
		if err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(x, gate)
	})
}

// Pow returns xᶜ for a finite constant c: NaN for negative x unless c is an integer, 1 for
// c = 0, and ±∞ for x = 0 and c < 0. The gradient is c·xᶜ⁻¹, also at 0, where it is
// infinite for c < 1; it is 0 for c = 0. torch.pow has the same conventions. Powers of 2,
// 3, ½, −1 and −½ have vector kernels.
func (b *Builder) Pow(x *Node, c float64) *Node {
	return b.apply("Pow", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(c); err != nil {
			return nil, err
		}
		if math.IsInf(c, 0) {
			return nil, fmt.Errorf("the exponent is %v: want a finite one", c)
		}
		return ops.Apply("pow", c, x)
	})
}

// Sin returns the sine of x radians.
func (b *Builder) Sin(x *Node) *Node { return b.applyTable("Sin", "sin", x) }

// Cos returns the cosine of x radians.
func (b *Builder) Cos(x *Node) *Node { return b.applyTable("Cos", "cos", x) }

// Atan returns the arctangent of x, in radians.
func (b *Builder) Atan(x *Node) *Node { return b.applyTable("Atan", "atan", x) }

// Sinh returns the hyperbolic sine of x.
func (b *Builder) Sinh(x *Node) *Node { return b.applyTable("Sinh", "sinh", x) }

// Asinh returns log(x + √(x² + 1)), the inverse of Sinh, precise near 0. It is about ±log 2|x| for
// large |x|: a logarithm that negative numbers have, too.
func (b *Builder) Asinh(x *Node) *Node { return b.applyTable("Asinh", "asinh", x) }

// Erf returns the error function of x. It is computed in float64 and rounded, and has derivatives of
// any order, as have the functions from NormalPDF to Digamma.
func (b *Builder) Erf(x *Node) *Node { return b.applyTable("Erf", "erf", x) }

// NormalPDF returns φ(x), the density of N(0, 1).
func (b *Builder) NormalPDF(x *Node) *Node { return b.applyTable("NormalPDF", "normal pdf", x) }

// NormalCDF returns Φ(x), the distribution function of N(0, 1). Write NormalCDF(−x) for
// 1 − Φ(x), which is precise for large x.
func (b *Builder) NormalCDF(x *Node) *Node { return b.applyTable("NormalCDF", "normal cdf", x) }

// NormalQuantile returns Φ⁻¹(x), the quantile of N(0, 1) at level x: −∞ at 0, +∞ at 1, NaN outside. Write
// −NormalQuantile(q) for Φ⁻¹(1 − q), which is precise for small q.
func (b *Builder) NormalQuantile(x *Node) *Node {
	return b.applyTable("NormalQuantile", "normal quantile", x)
}

// LogNormalCDF returns log Φ(x), precise in both tails: −x²/2 − log(−x·√(2π)) for
// x → −∞, −Φ(−x) for x → ∞.
func (b *Builder) LogNormalCDF(x *Node) *Node {
	return b.applyTable("LogNormalCDF", "log normal cdf", x)
}

// InverseMills returns φ(x)/Φ(x), the derivative of LogNormalCDF: −x for x → −∞, 0 for
// x → ∞. InverseMills(−x) is the hazard of the normal distribution.
func (b *Builder) InverseMills(x *Node) *Node {
	return b.applyTable("InverseMills", "inverse mills", x)
}

// LogGamma returns log |Γ(x)|, +∞ at 0, −1, −2, …; its gradient is Digamma.
func (b *Builder) LogGamma(x *Node) *Node { return b.applyTable("LogGamma", "log gamma", x) }

// LogGammaStep returns log Γ(x + ½) − log Γ(x), NaN for x < 0. Unlike the difference of two LogGamma it is
// precise for large x, where it is about ½ log x.
func (b *Builder) LogGammaStep(x *Node) *Node {
	return b.applyTable("LogGammaStep", "log gamma step", x)
}

// Digamma returns the derivative of LogGamma: −∞ at 0, NaN at −1, −2, ….
func (b *Builder) Digamma(x *Node) *Node { return b.applyTable("Digamma", "digamma", x) }

// applyTable applies the operation that is named op in the table of internal/ops. name is the
// builder's method, for errors.
func (b *Builder) applyTable(name, op string, x *Node) *Node {
	return b.unary(name, func(x *Node) (*Node, error) { return ops.Apply(op, 0, x) }, x)
}

// unary applies an operation to one operand. name is the builder's method, for errors.
func (b *Builder) unary(name string, op func(*Node) (*Node, error), x *Node) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) { return op(x) })
}

// Elementwise returns f(x) element by element, for a function f without a method of the builder.
// derivative is the derivative of f, for the gradient; there is no second derivative, so that a
// gradient of the gradient fails. Profiles and errors show name.
//
// Both functions compute in float64, and results are rounded to the graph's number type. They must
// depend on nothing but their argument. If results have to be the same on every CPU, they must use
// only functions of which this holds.
func (b *Builder) Elementwise(name string, x *Node, f, derivative func(x float64) float64) *Node {
	return b.apply("Elementwise", Nodes{x}, func() (*Node, error) {
		switch {
		case name == "":
			return nil, errors.New("the function has no name")
		case f == nil || derivative == nil:
			return nil, fmt.Errorf("%q: want a function and its derivative, not nil", name)
		}
		return gorgonia.ApplyOp(ops.NewUserFunction(name, f, derivative, Recover), x)
	})
}

// Add returns x + y, element by element. For Add and all operations on two operands, the shapes are
// equal, or one operand is a scalar, a row [1, n] or a column [m, 1], which is repeated to the shape
// of the other one. So [n 2] − [n 1] subtracts the column from both columns, as in
// x − MeanColumns(x).
//
// The builder fails for a column and a row, which would make n² pairs of n predictions and n
// targets, and for a matrix and a vector [n], of which Reshape makes [n 1] or [1 n]. An image or
// sequence needs an operand of equal shape, a scalar or a row [1, channels].
func (b *Builder) Add(x, y *Node) *Node { return b.binary("Add", gorgonia.Add, x, y) }

// Sub returns x − y, element by element. Shapes are as in Add.
func (b *Builder) Sub(x, y *Node) *Node { return b.binary("Sub", gorgonia.Sub, x, y) }

// Mul returns the elementwise product of x and y. Shapes are as in Add.
func (b *Builder) Mul(x, y *Node) *Node { return b.binary("Mul", gorgonia.HadamardProd, x, y) }

// Div returns x / y, element by element. Shapes are as in Add.
func (b *Builder) Div(x, y *Node) *Node { return b.binary("Div", gorgonia.HadamardDiv, x, y) }

// Max returns the larger of x and y, element by element, and NaN where one is NaN. The gradient flows
// to the larger one, half of it to each where they are equal, as in PyTorch and JAX, and
// to neither where one is NaN, as in JAX. Shapes are as in Add.
func (b *Builder) Max(x, y *Node) *Node {
	return b.binary("Max", func(x, y *Node) (*Node, error) { return ops.Apply("max", 0, x, y) }, x, y)
}

// Min returns the smaller of x and y, element by element, and NaN where one is NaN. The gradient
// flows as in Max, to the smaller one. Shapes are as in Add.
func (b *Builder) Min(x, y *Node) *Node {
	return b.binary("Min", func(x, y *Node) (*Node, error) { return ops.Apply("min", 0, x, y) }, x, y)
}

// Scale returns factor·x for a constant factor, which has to be valid for Const.
func (b *Builder) Scale(factor float64, x *Node) *Node {
	return b.apply("Scale", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(factor); err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(x, b.constant(factor))
	})
}

// Shift returns x + c for a constant c, which has to be valid for Const.
func (b *Builder) Shift(x *Node, c float64) *Node {
	return b.apply("Shift", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(c); err != nil {
			return nil, err
		}
		return gorgonia.Add(x, b.constant(c))
	})
}

// ClampMin returns x where x > floor, floor where x ≤ floor, and NaN where x is NaN. The
// gradient is 0 unless x > floor, even if the gradient of the result is infinite or NaN.
func (b *Builder) ClampMin(x *Node, floor float64) *Node {
	return b.apply("ClampMin", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(floor); err != nil {
			return nil, err
		}
		return ops.Apply("clamp min", floor, x)
	})
}

// ClampMax returns x where x < ceiling, ceiling where x ≥ ceiling, and NaN where x is NaN.
// The gradient is 0 unless x < ceiling, even if the gradient of the result is infinite or NaN.
func (b *Builder) ClampMax(x *Node, ceiling float64) *Node {
	return b.apply("ClampMax", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(ceiling); err != nil {
			return nil, err
		}
		return ops.Apply("clamp max", ceiling, x)
	})
}

// Clip returns x limited to [low, high]: ClampMin, then ClampMax. The gradient is 0 at the
// bounds and outside. The builder fails if low > high.
func (b *Builder) Clip(x *Node, low, high float64) *Node {
	if low > high {
		b.Fail(fmt.Errorf("Clip(%s): the lower bound %v is above the upper bound %v", describeShape(x), low, high))
	}
	return b.ClampMax(b.ClampMin(x, low), high)
}

// Greater returns 1 where x > y, and 0 elsewhere, also where an operand is NaN. Greater(y, x) is 1
// where x < y. Shapes are as in Add, and no gradient flows.
func (b *Builder) Greater(x, y *Node) *Node { return b.compare("Greater", gorgonia.Gt, x, y) }

// Equal returns 1 where x = y, else 0. Shapes are as in Add, and no gradient flows.
func (b *Builder) Equal(x, y *Node) *Node { return b.compare("Equal", gorgonia.Eq, x, y) }

// compare applies a comparison of Gorgonia, which returns numbers if its last argument is true. name
// is the builder's method, for errors.
func (b *Builder) compare(name string, op func(x, y *Node, retSame bool) (*Node, error), x, y *Node) *Node {
	return b.binary(name, func(x, y *Node) (*Node, error) { return op(x, y, true) }, x, y)
}

// Where returns x where condition > 0, and y elsewhere, also where the condition is NaN. Shapes are
// as in Add. No gradient flows to the condition.
//
// An infinite or NaN element of the operand that is not selected affects neither the value nor the
// gradient of the result. But the gradient 0 of such an element becomes NaN if an infinite slope
// multiplies it further back, as in PyTorch, so keep operands in range:
// Where(x, Log(ClampMin(x, 1e-30)), y).
func (b *Builder) Where(condition, x, y *Node) *Node {
	isTrue := b.compare("Where", gorgonia.Gt, condition, b.Const(0))
	isFalse := b.compare("Where", gorgonia.Eq, isTrue, b.Const(0)) // not condition ≤ 0, which is false for NaN, too
	selectedX := b.binary("Where", gate, x, isTrue)
	selectedY := b.binary("Where", gate, y, isFalse)
	return b.binary("Where", gorgonia.Add, selectedX, selectedY)
}

// gate returns x where y > 0, else 0. Unlike a product with 0, it returns 0 also where x is infinite or
// NaN.
func gate(x, y *Node) (*Node, error) { return ops.Apply("gate", 0, x, y) }

// binary applies an operation to two operands, after it has repeated the smaller one to the shape of
// the larger. name is the builder's method, for errors.
func (b *Builder) binary(name string, op func(x, y *Node) (*Node, error), x, y *Node) *Node {
	return b.apply(name, Nodes{x, y}, func() (*Node, error) {
		hasImages := x.Dims() > 2 || y.Dims() > 2
		switch {
		case hasImages && !sameShape(x, y):
			return applyToImages(op, x, y)
		case x.IsScalar() || y.IsScalar() || sameShape(x, y):
			return op(x, y)
		}
		xAxes, yAxes, err := broadcastAxes(x, y)
		if err != nil {
			return nil, err
		}
		repeatedX, repeatedY, err := gorgonia.Broadcast(x, y, gorgonia.NewBroadcastPattern(xAxes, yAxes))
		if err != nil {
			return nil, err
		}
		return op(repeatedX, repeatedY)
	})
}

// applyToImages applies op to images or sequences and to a scalar or a row [1, channels], in either
// order. It computes with matrices, since Gorgonia's sums in the gradient need them.
func applyToImages(op func(x, y *Node) (*Node, error), x, y *Node) (*Node, error) {
	imagesFirst := y.Dims() <= 2 // both are images only if their shapes differ, which is an error below
	images := x
	other := y
	if !imagesFirst {
		images = y
		other = x
	}
	shape := images.Shape()
	channels := shape[len(shape)-1]
	isRow := slices.Equal(other.Shape(), tensor.Shape{1, channels})
	if !other.IsScalar() && !isRow {
		return nil, fmt.Errorf("want equal shapes, a scalar, or a row [1 %d] with a number for each channel; for other shapes make a matrix of it with b.Reshape", channels)
	}
	matrix, err := reshapeNode(images, shape.TotalSize()/channels, channels)
	if err != nil {
		return nil, err
	}
	if isRow && !sameShape(other, matrix) {
		pattern := gorgonia.NewBroadcastPattern(nil, []byte{0}) // repeats the row along axis 0
		matrix, other, err = gorgonia.Broadcast(matrix, other, pattern)
		if err != nil {
			return nil, err
		}
	}
	left := matrix
	right := other
	if !imagesFirst { // the order matters for a difference
		left = other
		right = matrix
	}
	result, err := op(left, right)
	if err != nil {
		return nil, err
	}
	return reshapeNode(result, shape...)
}

// broadcastAxes returns the axes along which the matrices x and y have to be repeated to get equal
// shapes; at most one of them has any, as only axes of length 1 can be repeated. It returns an error if
// neither repeats to the shape of the other.
func broadcastAxes(x, y *Node) (xAxes, yAxes []byte, err error) {
	xShape, yShape := x.Shape(), y.Shape()
	if xShape.Dims() != 2 || yShape.Dims() != 2 {
		return nil, nil, unequalShapesError(xShape, yShape)
	}
	for axis := range xShape {
		if xShape[axis] == yShape[axis] {
			continue
		}
		switch {
		case xShape[axis] == 1:
			xAxes = append(xAxes, byte(axis))
		case yShape[axis] == 1:
			yAxes = append(yAxes, byte(axis))
		default:
			return nil, nil, unequalShapesError(xShape, yShape)
		}
	}
	if xAxes != nil && yAxes != nil {
		return nil, nil, columnAndRowError(xShape, yShape)
	}
	return xAxes, yAxes, nil
}

// unequalShapesError returns the error for two shapes of which neither repeats to the other. For a
// vector [n] and a matrix it adds what to do.
func unequalShapesError(xShape, yShape tensor.Shape) error {
	unequal := errors.New("want equal shapes, or a scalar, a row or a column that repeats to the other's shape")
	hasVector := min(xShape.Dims(), yShape.Dims()) == 1
	hasMatrix := max(xShape.Dims(), yShape.Dims()) == 2
	if hasVector && hasMatrix {
		return fmt.Errorf("%w: [n] is neither the column [n 1] nor the row [1 n], make it one with b.Reshape", unequal)
	}
	return unequal
}

// columnAndRowError returns the error for a column and a row, which would make a matrix of all pairs.
func columnAndRowError(xShape, yShape tensor.Shape) error {
	return fmt.Errorf("a column meets a row, and both would be repeated to [%d %d]: make a column of the row, or a row of the column, "+
		"with b.Transpose; if all pairs are meant, repeat both with b.Repeat", max(xShape[0], yShape[0]), max(xShape[1], yShape[1]))
}

// sameShape reports whether two nodes have the same shape. Gorgonia's own Shape.Eq also
// accepts a column [n 1] or a row [1 n] for a vector [n].
func sameShape(x, y *Node) bool { return slices.Equal(x.Shape(), y.Shape()) }
