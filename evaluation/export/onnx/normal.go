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

// A rational function is a quotient of two polynomials, with the constant terms first.
type rational struct{ numerator, denominator []float64 }

// The rational functions of NormalQuantile. Their relative error is 10⁻¹⁶.
//
// Source: Wichura 1988, Algorithm AS 241: The percentage points of the normal distribution.
var (
	quantileMiddle = rational{
		[]float64{3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
			45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727},
		[]float64{1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
			21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610},
	}
	quantileTail = rational{
		[]float64{1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
			1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4},
		[]float64{1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
			0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
	}
	quantileFarTail = rational{
		[]float64{6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
			0.0265321895265761230930, 0.00124266094738807843860, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
		[]float64{1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15},
	}
)

// NormalQuantile returns Φ⁻¹(p), the quantile of N(0, 1) at level p: −∞ at 0, +∞ at 1, NaN outside.
func (g *Graph) NormalQuantile(p Value) Value {
	number := func(v float64) Value { return g.file.Number(p.Type, v) }
	distance := g.AddNumber(p, -0.5)
	fromEdge := g.AddNumber(g.Unary("Neg", g.Mul(distance, distance)), 0.180625) // 0.425² − distance²
	middle := g.Mul(distance, g.rational(fromEdge, quantileMiddle))

	tail := g.Binary("Min", p, g.AddNumber(g.Unary("Neg", p), 1)) // the smaller of p and 1 − p
	r := g.Unary("Sqrt", g.Unary("Neg", g.Unary("Log", tail)))
	near := g.rational(g.AddNumber(r, -1.6), quantileTail)
	far := g.rational(g.AddNumber(r, -5), quantileFarTail)
	size := g.Where(g.Compare("LessOrEqual", r, number(5)), near, far)
	size = g.Where(g.Compare("Equal", tail, number(0)), number(math.Inf(1)), size) // r is infinite there
	outer := g.Mul(g.Unary("Sign", distance), size)
	isMiddle := g.Compare("LessOrEqual", g.Unary("Abs", distance), number(0.425))
	return g.Where(isMiddle, middle, outer)
}

// rational returns the value of a rational function at x.
func (g *Graph) rational(x Value, f rational) Value {
	return g.Div(g.polynomial(x, f.numerator), g.polynomial(x, f.denominator))
}
