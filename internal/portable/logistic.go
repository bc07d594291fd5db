package portable

import "math"

// Softplus is log(1 + e^x).
func Softplus(x float64) float64 {
	return math.Max(x, 0) + Log1p(Exp(-math.Abs(x)))
}

// Tanh is the hyperbolic tangent. It is odd in every bit.
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

// Sigmoid is 1/(1 + e^−x), as e^x/(1 + e^x) below 0, which keeps its tail.
func Sigmoid(x float64) float64 {
	t := Exp(-math.Abs(x))
	if x < 0 {
		return t / (1 + t)
	}
	return 1 / (1 + t)
}
