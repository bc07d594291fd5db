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

// The table in internal/ops says what each elementwise operation computes, and
// docs/reference/operations.md shows it.

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

// Erf returns the error function of x. Like the functions below, it is computed in float64
// and rounded, and has derivatives of any order.
func (b *Builder) Erf(x *Node) *Node { return b.applyTable("Erf", "erf", x) }

// NormalPDF returns φ(x), the density of N(0, 1).
func (b *Builder) NormalPDF(x *Node) *Node { return b.applyTable("NormalPDF", "normal pdf", x) }

// NormalCDF returns Φ(x), the distribution function of N(0, 1). Write NormalCDF(−x) for
// 1 − Φ(x), which is precise for large x.
func (b *Builder) NormalCDF(x *Node) *Node { return b.applyTable("NormalCDF", "normal cdf", x) }

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

// Digamma returns the derivative of LogGamma: −∞ at 0, NaN at −1, −2, ….
func (b *Builder) Digamma(x *Node) *Node { return b.applyTable("Digamma", "digamma", x) }

// applyTable applies the operation of this project's table with the name op.
func (b *Builder) applyTable(name, op string, x *Node) *Node {
	return b.unary(name, func(x *Node) (*Node, error) { return ops.Apply(op, 0, x) }, x)
}

// unary applies an operation to one operand.
func (b *Builder) unary(name string, op func(*Node) (*Node, error), x *Node) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) { return op(x) })
}

// Elementwise returns f(x) element by element, for functions that the builder has no
// method for. The gradient uses derivative, the derivative of f. Profiles and errors show
// name. Both functions get and return float64, and results are rounded to the graph's
// number type. They must depend on nothing but their argument, and use functions that are
// the same on every CPU if results have to be. There is no second derivative: a gradient
// of the gradient is an error.
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

// Add returns x + y. Here and in Sub, Mul and Div, shapes are equal, or one operand is a
// scalar, a row [1, n] or a column [m, 1], which is repeated to the other's shape. So
// [n 2] − [n 1] subtracts the column from both columns, as in x − MeanColumns(x). A column
// and a row do not go together, since n predictions and n targets would make n² pairs. A
// vector [n] goes with neither; Reshape makes it [n 1] or [1 n]. Images and sequences go
// with equal shapes, scalars and rows [1, channels].
func (b *Builder) Add(x, y *Node) *Node { return b.binary("Add", gorgonia.Add, x, y) }

// Sub returns x − y.
func (b *Builder) Sub(x, y *Node) *Node { return b.binary("Sub", gorgonia.Sub, x, y) }

// Mul returns the elementwise product of x and y.
func (b *Builder) Mul(x, y *Node) *Node { return b.binary("Mul", gorgonia.HadamardProd, x, y) }

// Div returns x / y elementwise.
func (b *Builder) Div(x, y *Node) *Node { return b.binary("Div", gorgonia.HadamardDiv, x, y) }

// Max returns the larger of x and y elementwise, NaN where one is NaN. The gradient flows
// to the larger one, half of it to each where they are equal, as in PyTorch and JAX, and
// to none where one is NaN, as in JAX.
func (b *Builder) Max(x, y *Node) *Node {
	return b.binary("Max", func(x, y *Node) (*Node, error) { return ops.Apply("max", 0, x, y) }, x, y)
}

// Min returns the smaller of x and y elementwise, NaN where one is NaN. The gradient flows
// as in Max. Shapes are as in Add.
func (b *Builder) Min(x, y *Node) *Node {
	return b.binary("Min", func(x, y *Node) (*Node, error) { return ops.Apply("min", 0, x, y) }, x, y)
}

// Scale returns factor·x for a constant factor.
func (b *Builder) Scale(factor float64, x *Node) *Node {
	return b.apply("Scale", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(factor); err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(x, b.constant(factor))
	})
}

// AddConst returns x + c for a constant c.
func (b *Builder) AddConst(x *Node, c float64) *Node {
	return b.apply("AddConst", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(c); err != nil {
			return nil, err
		}
		return gorgonia.Add(x, b.constant(c))
	})
}

// ClampMin returns x where x > floor, floor where x ≤ floor, and NaN where x is NaN. The
// gradient is 0 unless x > floor, even if an infinite or NaN gradient arrives.
func (b *Builder) ClampMin(x *Node, floor float64) *Node {
	return b.apply("ClampMin", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(floor); err != nil {
			return nil, err
		}
		return ops.Apply("clamp min", floor, x)
	})
}

// ClampMax returns x where x < ceiling, ceiling where x ≥ ceiling, and NaN where x is NaN.
// The gradient is 0 unless x < ceiling, even if an infinite or NaN gradient arrives.
func (b *Builder) ClampMax(x *Node, ceiling float64) *Node {
	return b.apply("ClampMax", Nodes{x}, func() (*Node, error) {
		if err := b.checkConstant(ceiling); err != nil {
			return nil, err
		}
		return ops.Apply("clamp max", ceiling, x)
	})
}

// Clip returns x limited to [low, high]: ClampMin, then ClampMax. The gradient is 0 at the
// bounds and outside.
func (b *Builder) Clip(x *Node, low, high float64) *Node {
	if low > high {
		b.Fail(fmt.Errorf("Clip(%s): the lower bound %v is above the upper bound %v", describeShape(x), low, high))
	}
	return b.ClampMax(b.ClampMin(x, low), high)
}

// Greater returns 1 where x > y, else 0, also where an operand is NaN: Greater(y, x) is 1
// where x < y. Here and in Equal, shapes are as in Add, and no gradient flows.
func (b *Builder) Greater(x, y *Node) *Node { return b.compare("Greater", gorgonia.Gt, x, y) }

// Equal returns 1 where x = y, else 0.
func (b *Builder) Equal(x, y *Node) *Node { return b.compare("Equal", gorgonia.Eq, x, y) }

// compare applies a comparison that returns numbers.
func (b *Builder) compare(name string, op func(x, y *Node, retSame bool) (*Node, error), x, y *Node) *Node {
	return b.binary(name, func(x, y *Node) (*Node, error) { return op(x, y, true) }, x, y)
}

// Where returns x where condition > 0, and y elsewhere, also where the condition is NaN.
// Shapes are as in Add. An infinite or NaN element that is not chosen affects neither the
// value nor its gradient, and no gradient flows to the condition. The gradient 0 of an
// element that is not chosen becomes NaN if an infinite slope multiplies it further back,
// as in PyTorch, so keep operands in range: Where(x, Log(ClampMin(x, 1e-30)), y).
func (b *Builder) Where(condition, x, y *Node) *Node {
	yes := b.compare("Where", gorgonia.Gt, condition, b.Const(0))
	no := b.compare("Where", gorgonia.Eq, yes, b.Const(0))
	gate := func(x, y *Node) (*Node, error) { return ops.Apply("gate", 0, x, y) }
	return b.binary("Where", gorgonia.Add, b.binary("Where", gate, x, yes), b.binary("Where", gate, y, no))
}

// binary applies an operation to two operands, which it broadcasts to one shape.
func (b *Builder) binary(name string, op func(x, y *Node) (*Node, error), x, y *Node) *Node {
	return b.apply(name, Nodes{x, y}, func() (*Node, error) {
		if large := x.Dims() > 2 || y.Dims() > 2; large && !sameShape(x, y) {
			return byChannel(op, x, y)
		}
		if x.IsScalar() || y.IsScalar() || sameShape(x, y) {
			return op(x, y)
		}
		left, right, err := broadcast(x, y)
		if err != nil {
			return nil, err
		}
		x, y, err := gorgonia.Broadcast(x, y, gorgonia.NewBroadcastPattern(left, right))
		if err != nil {
			return nil, err
		}
		return op(x, y)
	})
}

// byChannel applies op to an operand with more than two axes and to a scalar or a row
// [1, channels]. It computes with matrices, which Gorgonia's sums need in the gradient.
func byChannel(op func(x, y *Node) (*Node, error), x, y *Node) (*Node, error) {
	operands := Nodes{x, y}
	large := 0
	if y.Dims() > 2 {
		large = 1
	}
	shape, small := operands[large].Shape(), operands[1-large]
	channels := shape[len(shape)-1]
	if !small.IsScalar() && !slices.Equal(small.Shape(), tensor.Shape{1, channels}) {
		return nil, fmt.Errorf("want equal shapes, a scalar, or a row [1 %d] with a number for each channel; for other shapes make a matrix of it with b.Reshape", channels)
	}
	var err error
	if operands[large], err = reshapeNode(operands[large], shape.TotalSize()/channels, channels); err != nil {
		return nil, err
	}
	if !small.IsScalar() && !sameShape(operands[0], operands[1]) {
		var repeated [2][]byte
		repeated[1-large] = []byte{0}
		if operands[0], operands[1], err = gorgonia.Broadcast(operands[0], operands[1], gorgonia.NewBroadcastPattern(repeated[0], repeated[1])); err != nil {
			return nil, err
		}
	}
	result, err := op(operands[0], operands[1])
	if err != nil {
		return nil, err
	}
	return reshapeNode(result, shape...)
}

// broadcast returns the axes along which x (left) and y (right) have to be repeated to get
// equal shapes.
func broadcast(x, y *Node) (left, right []byte, err error) {
	xs, ys := x.Shape(), y.Shape()
	unequal := errors.New("want equal shapes, or a scalar, a row or a column that repeats to the other's shape")
	if xs.Dims() != 2 || ys.Dims() != 2 {
		if xs.Dims() == 1 && ys.Dims() == 2 || xs.Dims() == 2 && ys.Dims() == 1 {
			unequal = fmt.Errorf("%w: [n] is neither the column [n 1] nor the row [1 n], make it one with b.Reshape", unequal)
		}
		return nil, nil, unequal
	}
	for axis := range xs {
		switch {
		case xs[axis] == ys[axis]:
		case xs[axis] == 1:
			left = append(left, byte(axis))
		case ys[axis] == 1:
			right = append(right, byte(axis))
		default:
			return nil, nil, unequal
		}
	}
	if left != nil && right != nil {
		return nil, nil, fmt.Errorf("a column meets a row, and both would be repeated to [%d %d]: make a column of the row, or a row of the column, "+
			"with b.Transpose; if all pairs are meant, say so with b.Repeat", max(xs[0], ys[0]), max(xs[1], ys[1]))
	}
	return left, right, nil
}

// sameShape reports whether two nodes have the same shape. Gorgonia's own Shape.Eq also
// accepts a column [n 1] or a row [1 n] for a vector [n].
func sameShape(x, y *Node) bool { return slices.Equal(x.Shape(), y.Shape()) }
