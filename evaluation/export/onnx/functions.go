package onnx

import (
	"math"

	"sml/internal/portable"
)

// The functions below lack an operator in ONNX, or ONNX Runtime computes it in single precision only.

// Cosh returns (eˣ + e⁻ˣ)/2.
func (g *Graph) Cosh(x Value) Value {
	return g.Scale(g.Add(g.Unary("Exp", x), g.Unary("Exp", g.Unary("Neg", x))), 0.5)
}

// Sinh returns sinh x = tanh(x/2)·(1 + cosh x), without cancellation.
func (g *Graph) Sinh(x Value) Value {
	return g.Mul(g.Unary("Tanh", g.Scale(x, 0.5)), g.AddNumber(g.Cosh(x), 1))
}

// Asinh returns log(x + √(x² + 1)). If x is Double, it is ±log(|x| + √(x² + 1)), with an absolute error of
// 1e-16 also near 0.
func (g *Graph) Asinh(x Value) Value {
	if x.Type == Float {
		return g.Unary("Asinh", x)
	}
	root := g.Unary("Sqrt", g.AddNumber(g.Mul(x, x), 1))
	return g.Mul(g.Unary("Sign", x), g.Unary("Log", g.Add(g.Unary("Abs", x), root)))
}

// Atan returns the arctangent of x. If x is Double, it halves the angle three times by
// arctan x = 2·arctan(x/(1 + √(1+x²))), so that |x| is below 0.199, and adds up the series
// x − x³/3 + x⁵/5 − … to x²³, which leaves a relative error of 10⁻¹⁸.
func (g *Graph) Atan(x Value) Value {
	if x.Type == Float {
		return g.Unary("Atan", x)
	}
	const halvings = 3
	for range halvings {
		root := g.Unary("Sqrt", g.AddNumber(g.Mul(x, x), 1))
		x = g.Div(x, g.AddNumber(root, 1))
	}
	var coefficients []float64 // 1, −1/3, 1/5, −1/7, … of the series
	for sign, n := 1.0, 1; n <= 23; sign, n = -sign, n+2 {
		coefficients = append(coefficients, sign/float64(n))
	}
	return g.Scale(g.Mul(x, g.polynomial(g.Mul(x, x), coefficients)), 1<<halvings)
}

// polynomial returns c[0] + c[1]·x + c[2]·x² + … by Horner's rule.
func (g *Graph) polynomial(x Value, c []float64) Value {
	last := len(c) - 1
	y := g.file.Number(x.Type, c[last])
	for i := last - 1; i >= 0; i-- {
		y = g.AddNumber(g.Mul(y, x), c[i])
	}
	return y
}

// lanczos holds the coefficients of Lanczos' approximation of the gamma function, with its parameter 7.
// Their relative error is 10⁻¹⁵.
//
// Source: Godfrey 2001, A note on the computation of the convergent Lanczos complex gamma approximation.
var lanczos = [...]float64{
	0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
	12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
}

// LogGamma returns log |Γ(x)|, +∞ at 0, −1, −2, …. It computes in double precision, because the terms of
// the sum cancel near 1 and 2.
func (g *Graph) LogGamma(x Value) Value {
	z := g.Cast(x, Double)
	// Below ½, Γ(x) is π/(sin(πx)·Γ(1−x)).
	isLow := g.Compare("Less", z, g.file.Number(Double, 0.5))
	complement := g.AddNumber(g.Unary("Neg", z), 1)
	high := g.logGammaFromHalf(g.Where(isLow, complement, z))
	fraction := g.Sub(z, g.Unary("Floor", z)) // |sin πx| is the same for x and x + 1, and exactly 0 at 0
	sine := g.Unary("Sin", g.Scale(fraction, math.Pi))
	low := g.Sub(g.Unary("Neg", g.Unary("Log", g.Scale(sine, 1/math.Pi))), high)
	return g.Cast(g.Where(isLow, low, high), x.Type)
}

// logGammaFromHalf returns log Γ(x) for x ≥ ½: ½·log 2π + (x − ½)·log t − t + log A(x), with t = x + 6½
// and A(x) = lanczos[0] + Σ lanczos[i]/(x − 1 + i). Since t is (x − ½) + 7, the second and third terms
// are (x − ½)·(log t − 1) − 7, which is no ∞ − ∞ for infinite x.
func (g *Graph) logGammaFromHalf(x Value) Value {
	sum := g.file.Number(x.Type, lanczos[0])
	for i, c := range lanczos[1:] {
		sum = g.Add(sum, g.Scale(g.Unary("Reciprocal", g.AddNumber(x, float64(i))), c))
	}
	logT := g.Unary("Log", g.AddNumber(x, 6.5))
	product := g.Mul(g.AddNumber(x, -0.5), g.AddNumber(logT, -1))
	return g.AddNumber(g.Add(product, g.Unary("Log", sum)), float64(0.5*portable.Log(2*math.Pi))-7)
}
