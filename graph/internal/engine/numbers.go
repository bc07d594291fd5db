package engine

import (
	"math"

	"sml/data/portable"
	"sml/graph/internal/kernels"
)

// float is what a graph computes in.
type float interface{ float32 | float64 }

// unary64 is the definition of an elementwise operation in float64.
func unary64(op kernels.UnaryOp, x float64) float64 {
	switch op {
	case kernels.Copy:
		return x
	case kernels.Neg:
		return -x
	case kernels.Abs:
		return math.Abs(x)
	case kernels.Sign:
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return x
	case kernels.Square:
		return x * x
	case kernels.Cube:
		return x * x * x
	case kernels.Sqrt:
		return math.Sqrt(x)
	case kernels.Inv:
		return 1 / x
	case kernels.InvSqrt:
		return 1 / math.Sqrt(x)
	case kernels.Relu:
		if x < 0 {
			return 0
		}
		return x
	case kernels.Exp:
		return portable.Exp(x)
	case kernels.Expm1:
		return portable.Expm1(x)
	case kernels.Log:
		return portable.Log(x)
	case kernels.Log1p:
		return portable.Log1p(x)
	case kernels.Softplus:
		return portable.Softplus(x)
	case kernels.Tanh:
		return portable.Tanh(x)
	case kernels.Sigmoid:
		return portable.Sigmoid(x)
	}
	panic("engine: unknown unary operation")
}

// binary64 is the definition of an elementwise operation in float64.
func binary64(op kernels.BinaryOp, a, b float64) float64 {
	truth := func(t bool) float64 {
		if t {
			return 1
		}
		return 0
	}
	switch op {
	case kernels.Add:
		return a + b
	case kernels.Sub:
		return a - b
	case kernels.Mul:
		return a * b
	case kernels.Div:
		return a / b
	case kernels.Max:
		return math.Max(a, b)
	case kernels.Min:
		return math.Min(a, b)
	case kernels.Gt:
		return truth(a > b)
	case kernels.Gte:
		return truth(a >= b)
	case kernels.Lt:
		return truth(a < b)
	case kernels.Lte:
		return truth(a <= b)
	case kernels.Eq:
		return truth(a == b)
	case kernels.Ne:
		return truth(a != b)
	}
	panic("engine: unknown binary operation")
}
