package portable

import "math"

// Softplus returns log(1 + e^x). It computes it as max(x, 0) + log(1 + e^−|x|), which does not overflow.
func Softplus(x float64) float64 {
	return math.Max(x, 0) + Log1p(Exp(-math.Abs(x)))
}

// Tanh returns the hyperbolic tangent of x. Tanh(−x) is −Tanh(x) in every bit.
func Tanh(x float64) float64 {
	const (
		isOne   = 20   // above, 1 − tanh x is less than the last digit of 1
		fromOne = 0.55 // above, tanh x is more than ½, so that subtracting from 1 cancels nothing
	)
	size := math.Abs(x)
	switch {
	case x != x, x == 0: // NaN, 0 or −0
		return x
	case size > isOne:
		return math.Copysign(1, x)
	case size > fromOne: // tanh x = 1 − 2/(e^2x + 1)
		return math.Copysign(1-2/(Exp(float64(2*size))+1), x)
	}
	e := Expm1(float64(2 * size)) // tanh x = (e^2x − 1)/(e^2x + 1)
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
