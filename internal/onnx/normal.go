package onnx

import "math"

// erfcOf is erfc(z) = t·exp(−z² + P(t)) for z ≥ 0, t = 2/(2 + z): the coefficients of P
// in Chebyshev polynomials of 2t − 1, half of the first. Source: Press et al.,
// Numerical Recipes, third edition, section 6.2.2; its error is 1.2e-16 relative.
var erfcOf = [...]float64{
	-1.3026537197817094, 6.4196979235649026e-1, 1.9476473204185836e-2, -9.561514786808631e-3, -9.46595344482036e-4,
	3.66839497852761e-4, 4.2523324806907e-5, -2.0278578112534e-5, -1.624290004647e-6, 1.303655835580e-6, 1.5626441722e-8,
	-8.5238095915e-8, 6.529054439e-9, 5.059343495e-9, -9.91364156e-10, -2.27365122e-10, 9.6467911e-11, 2.394038e-12,
	-6.886027e-12, 8.94487e-13, 3.13092e-13, -1.12708e-13, 3.81e-16, 7.106e-15, -1.523e-15, -9.4e-17, 1.21e-16, -2.8e-17,
}

// NormalCDF is Φ(x), the distribution function of N(0, 1), to the last places of double
// precision where x is double: ONNX Runtime's Erf is of single precision alone.
func (g *Graph) NormalCDF(x Value) Value {
	if x.Type == Float {
		return g.By(g.Plus(g.Unary("Erf", g.By(x, 1/math.Sqrt2)), 1), 0.5)
	}
	z := g.By(g.Unary("Abs", x), 1/math.Sqrt2)
	t := g.By(g.Unary("Reciprocal", g.Plus(z, 2)), 2)
	twice := g.Plus(g.By(t, 4), -2)
	// Clenshaw's recurrence.
	var d, dd Value
	for i := len(erfcOf) - 1; i > 0; i-- {
		switch i {
		case len(erfcOf) - 1:
			d = g.file.Number(x.Type, erfcOf[i])
		case len(erfcOf) - 2:
			d, dd = g.Plus(g.Mul(twice, d), erfcOf[i]), d
		default:
			d, dd = g.Plus(g.Sub(g.Mul(twice, d), dd), erfcOf[i]), d
		}
	}
	p := g.Sub(g.By(g.Plus(g.Mul(twice, d), erfcOf[0]), 0.5), dd)
	tail := g.By(g.Mul(t, g.Unary("Exp", g.Sub(p, g.Mul(z, z)))), 0.5) // Φ(−|x|)
	return g.Where(g.Compare("Less", x, g.file.Number(x.Type, 0)), tail, g.Plus(g.Unary("Neg", tail), 1))
}
