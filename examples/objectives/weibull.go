package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

// init registers "weibull", for targets above 0 such as durations.
func init() {
	models.Register(models.Method{
		Name:      "weibull",
		Title:     "Weibull",
		Summary:   "the network puts out shape and scale of a Weibull distribution of numbers above 0",
		Source:    "Kalbfleisch and Prentice 2002, section 2.2.2",
		Outputs:   models.Outputs(2),
		Support:   models.Positive,
		Objective: positiveLikelihood(weibullFamily),
		Predict:   predictPositive(weibullFamily),
	})
}

// weibullFamily is the Weibull distribution with the CDF 1 − e^(−x^k) at x = (y − zero)/s. Its parameters are the shape k,
// the scale s and zero.
var weibullFamily = distribution.Formulas{
	Name:       "weibull",
	Parameters: []string{"shape", "scale", "zero"},
	Mean:       weibullMean,
	Std:        weibullStd,
	CDF:        weibullCDF,
	LogDensity: weibullLogDensity,
	Quantile:   weibullQuantile,
}.Family()

// weibullMean returns zero + s Γ(1 + 1/k).
func weibullMean(b *graph.Builder, p []*graph.Node) *graph.Node {
	return b.Add(b.Mul(p[1], weibullMoment(b, p, 1)), p[2])
}

// weibullStd returns s √(Γ(1 + 2/k) − Γ(1 + 1/k)²).
func weibullStd(b *graph.Builder, p []*graph.Node) *graph.Node {
	variance := b.Sub(weibullMoment(b, p, 2), b.Square(weibullMoment(b, p, 1)))
	return b.Mul(p[1], b.Sqrt(variance))
}

// weibullMoment returns Γ(1 + n/k), the n-th moment of x.
func weibullMoment(b *graph.Builder, p []*graph.Node, n float64) *graph.Node {
	return b.Exp(b.LogGamma(b.Shift(b.Div(b.Const(n), p[0]), 1)))
}

// weibullCDF returns 1 − e^(−x^k), 0 below zero.
func weibullCDF(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	x := b.ClampMin(b.Div(b.Sub(y, p[2]), p[1]), 0)
	power := b.Exp(b.Mul(p[0], b.Log(x)))
	return b.Neg(b.Expm1(b.Neg(power)))
}

// weibullLogDensity returns log(k/s) + (k − 1) log x − x^k, or logDensityBelow.
func weibullLogDensity(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	x, isBelow := positiveNumbers(b, p, y)
	logX := b.Log(x)
	logRate := b.Add(b.Log(b.Div(p[0], p[1])), b.Mul(b.Shift(p[0], -1), logX))
	logDensity := b.Sub(logRate, b.Exp(b.Mul(p[0], logX)))
	return b.Where(isBelow, b.Const(logDensityBelow), logDensity)
}

// weibullQuantile returns zero + s (−log(1 − level))^(1/k).
func weibullQuantile(b *graph.Builder, p []*graph.Node, level *graph.Node) *graph.Node {
	logX := b.Div(b.Log(b.Neg(b.Log1p(b.Neg(level)))), p[0])
	return b.Add(b.Mul(p[1], b.Exp(logX)), p[2])
}
