package onnx

import "math"

// erfcCoefficients holds the coefficients of P in erfc(z) = t·exp(−z² + P(t)) for z ≥ 0, where
// t = 2/(2 + z). P is a sum of Chebyshev polynomials of 2t − 1, and half of the first coefficient
// counts. The relative error is 1.2e-16.
//
// Source: Press et al., Numerical Recipes, third edition, section 6.2.2.
var erfcCoefficients = [...]float64{
	-1.3026537197817094, 6.4196979235649026e-1, 1.9476473204185836e-2, -9.561514786808631e-3, -9.46595344482036e-4,
	3.66839497852761e-4, 4.2523324806907e-5, -2.0278578112534e-5, -1.624290004647e-6, 1.303655835580e-6, 1.5626441722e-8,
	-8.5238095915e-8, 6.529054439e-9, 5.059343495e-9, -9.91364156e-10, -2.27365122e-10, 9.6467911e-11, 2.394038e-12,
	-6.886027e-12, 8.94487e-13, 3.13092e-13, -1.12708e-13, 3.81e-16, 7.106e-15, -1.523e-15, -9.4e-17, 1.21e-16, -2.8e-17,
}

// NormalCDF returns Φ(x), the probability that a number from N(0, 1) is at most x. If x is Double, the
// result has double precision: it is built from other operations, since ONNX Runtime has Erf only in
// single precision.
func (g *Graph) NormalCDF(x Value) Value {
	if x.Type == Float {
		return g.Scale(g.AddNumber(g.Unary("Erf", g.Scale(x, 1/math.Sqrt2)), 1), 0.5)
	}
	// Φ(−|x|) is half of erfc(z) = t·exp(P(t) − z²) with z = |x|/√2: see erfcCoefficients.
	z := g.Scale(g.Unary("Abs", x), 1/math.Sqrt2)
	t := g.Scale(g.Unary("Reciprocal", g.AddNumber(z, 2)), 2)
	argument := g.AddNumber(g.Scale(t, 4), -2) // twice 2t − 1
	p := g.chebyshevSum(argument, erfcCoefficients[:])
	tail := g.Scale(g.Mul(t, g.Unary("Exp", g.Sub(p, g.Mul(z, z)))), 0.5)

	isNegative := g.Compare("Less", x, g.file.Number(x.Type, 0))
	return g.Where(isNegative, tail, g.AddNumber(g.Unary("Neg", tail), 1))
}

// chebyshevSum returns the sum of Chebyshev polynomials with the given coefficients, at least three, where
// half of the first counts. twice is two times the argument of the polynomials.
//
// It adds the operations of the recurrence sum(i) = 2x·sum(i+1) − sum(i+2) + coefficients[i], from the
// last coefficient to the first.
//
// Source: Clenshaw 1955, A note on the summation of Chebyshev series.
func (g *Graph) chebyshevSum(twice Value, coefficients []float64) Value {
	last := len(coefficients) - 1
	previous := g.file.Number(twice.Type, coefficients[last]) // the sum before sum
	sum := g.AddNumber(g.Mul(twice, previous), coefficients[last-1])
	for i := last - 2; i > 0; i-- {
		next := g.AddNumber(g.Sub(g.Mul(twice, sum), previous), coefficients[i])
		previous = sum
		sum = next
	}
	return g.Sub(g.Scale(g.AddNumber(g.Mul(twice, sum), coefficients[0]), 0.5), previous)
}
