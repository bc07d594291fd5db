package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/ops"
)

// The methods of elementwise operations are named in internal/ops, whose table
// says what each does, in docs/operations.md too.

func (b *Builder) unary(name string, op func(*Node) (*Node, error), x *Node) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) { return op(x) })
}

// Neg returns −x.
func (b *Builder) Neg(x *Node) *Node { return b.unary("Neg", gorgonia.Neg, x) }

// Abs returns |x|; its gradient at 0 is 0.
func (b *Builder) Abs(x *Node) *Node { return b.unary("Abs", gorgonia.Abs, x) }

// Sign returns 1 where x > 0, −1 where x < 0, and x where it is 0 or NaN. No gradient
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

// Softplus returns log(1 + eˣ), computed without overflow.
func (b *Builder) Softplus(x *Node) *Node { return b.unary("Softplus", gorgonia.Softplus, x) }

// Tanh returns the hyperbolic tangent of x.
func (b *Builder) Tanh(x *Node) *Node { return b.unary("Tanh", gorgonia.Tanh, x) }

// Sigmoid returns 1/(1 + e⁻ˣ).
func (b *Builder) Sigmoid(x *Node) *Node { return b.unary("Sigmoid", gorgonia.Sigmoid, x) }

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

// Pow returns x to the power of a constant c that is finite: NaN where x is
// negative, unless c is an integer; 1 for c = 0; of 0, ±∞ for c < 0. The gradient is
// c·xᶜ⁻¹, at 0 too, where it is infinite for c < 1; for c = 0 it is 0. These are the
// conventions of torch.pow. Powers of 2, 3, ½, −1 and −½ have vector kernels.
func (b *Builder) Pow(x *Node, c float64) *Node {
	return b.apply("Pow", Nodes{x}, func() (*Node, error) {
		if err := b.holds(c); err != nil {
			return nil, err
		}
		if math.IsInf(c, 0) {
			return nil, fmt.Errorf("the exponent is %v: want a finite one", c)
		}
		return ops.Apply("pow", c, x)
	})
}

// ClampMin returns x where x > floor, for a constant floor, and floor elsewhere,
// also for infinite x; but where x is NaN it stays NaN. Where x is not above the
// floor, or NaN, the gradient is 0, whatever comes back: infinite or NaN too.
func (b *Builder) ClampMin(x *Node, floor float64) *Node {
	return b.apply("ClampMin", Nodes{x}, func() (*Node, error) {
		if err := b.holds(floor); err != nil {
			return nil, err
		}
		return ops.Apply("clamp min", floor, x)
	})
}

// Add returns x + y. Here and in Sub, Mul and Div shapes are equal, or one
// operand is a scalar, a row [1, n] or a column [m, 1] that is repeated to
// the other's shape. So [n 2] − [n 1] takes the column from both columns, as in
// x − MeanColumns(x); MSE wants equal shapes. A column and a row do not go together:
// both would be repeated, and of n predictions and n targets there would be n². A
// vector [n] meets neither: Reshape makes it [n 1] or [1 n]. Images and sequences,
// whose axes are more, meet their equals, scalars, and rows [1, channels].
func (b *Builder) Add(x, y *Node) *Node { return b.binary("Add", gorgonia.Add, x, y) }

// Sub returns x − y.
func (b *Builder) Sub(x, y *Node) *Node { return b.binary("Sub", gorgonia.Sub, x, y) }

// Mul returns the elementwise product of x and y.
func (b *Builder) Mul(x, y *Node) *Node { return b.binary("Mul", gorgonia.HadamardProd, x, y) }

// Div returns x / y elementwise.
func (b *Builder) Div(x, y *Node) *Node { return b.binary("Div", gorgonia.HadamardDiv, x, y) }

// Max returns the larger of x and y elementwise, NaN where either is. The gradient
// flows to the larger, and half of it to each where they are equal, as in PyTorch
// and JAX; where either is NaN, to none, as in JAX.
func (b *Builder) Max(x, y *Node) *Node {
	return b.binary("Max", func(x, y *Node) (*Node, error) { return ops.Apply("max", 0, x, y) }, x, y)
}

// Scale returns factor·x for a constant factor.
func (b *Builder) Scale(factor float64, x *Node) *Node {
	return b.apply("Scale", Nodes{x}, func() (*Node, error) {
		if err := b.holds(factor); err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(x, b.constant(factor))
	})
}

// AddConst returns x + c for a constant c.
func (b *Builder) AddConst(x *Node, c float64) *Node {
	return b.apply("AddConst", Nodes{x}, func() (*Node, error) {
		if err := b.holds(c); err != nil {
			return nil, err
		}
		return gorgonia.Add(x, b.constant(c))
	})
}

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

// byChannel is op of an operand of more than two axes and a scalar or a row [1,
// channels], as matrices: Gorgonia's sums, in the gradient, want them.
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
	if operands[large], err = reshaped(operands[large], shape.TotalSize()/channels, channels); err != nil {
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
	return reshaped(result, shape...)
}

// broadcast says along which axes x, or y, has to be repeated to meet the
// other.
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
			"with b.Transpose; if all pairs are meant, say so with b.RepeatColumns or b.RepeatRows", max(xs[0], ys[0]), max(xs[1], ys[1]))
	}
	return left, right, nil
}
