package portable

import "math"

// Softplus returns log(1 + e^x).
func Softplus(x float64) float64 {
	return math.Max(x, 0) + Log1p(Exp(-math.Abs(x)))
}

// Tanh returns the hyperbolic tangent of x. Tanh(−x) is −Tanh(x) in every bit.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x, x == 0:
		return x
	case a > 20:
		return math.Copysign(1, x)
	case a > 0.55:
		return math.Copysign(1-2/(Exp(float64(2*a))+1), x)
	}
	e := Expm1(float64(2 * a))
	return math.Copysign(e/(e+2), x)
}

// Sigmoid returns 1/(1 + e^−x). Below 0 it computes e^x/(1 + e^x), which is precise where the result
// is small.
func Sigmoid(x float64) float64 {
	t := Exp(-math.Abs(x))
	if x < 0 {
		return t / (1 + t)
	}
	return 1 / (1 + t)
}
