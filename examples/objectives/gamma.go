package main

import (
	"math"

	"sml/graph"
	"sml/internal/portable"
	"sml/models"
	"sml/models/distribution"
)

// init registers "gamma", for targets above 0 such as amounts.
func init() {
	models.Register(models.Method{
		Name:      "gamma",
		Title:     "Gamma",
		Summary:   "the network puts out shape and scale of a gamma distribution of numbers above 0",
		Source:    "McCullagh and Nelder 1989, chapter 8",
		Outputs:   models.Outputs(2),
		Support:   models.Positive,
		Objective: positiveLikelihood(gammaFamily),
		Predict:   predictPositive(gammaFamily),
	})
}

// gammaFamily is the gamma distribution with the density x^(k−1) e^(−x)/(s Γ(k)) at x = (y − zero)/s. Its parameters are the
// shape k, the scale s and zero. Graphs have no incomplete gamma function, so that its CDF is a function of numbers.
var gammaFamily = distribution.Formulas{
	Name:       "gamma",
	Parameters: []string{"shape", "scale", "zero"},
	Mean:       func(b *graph.Builder, p []*graph.Node) *graph.Node { return b.Add(b.Mul(p[0], p[1]), p[2]) },
	Std:        func(b *graph.Builder, p []*graph.Node) *graph.Node { return b.Mul(b.Sqrt(p[0]), p[1]) },
	NumericCDF: func(p []float64, y float64) float64 { return incompleteGamma(p[0], (y-p[2])/p[1]) },
	LogDensity: gammaLogDensity,
}.Family()

// gammaLogDensity returns (k − 1) log x − x − log Γ(k) − log s, or logDensityBelow.
func gammaLogDensity(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	x, isBelow := positiveNumbers(b, p, y)
	power := b.Mul(b.Shift(p[0], -1), b.Log(x))
	logDensity := b.Sub(b.Sub(power, x), b.Add(b.LogGamma(p[0]), b.Log(p[1])))
	return b.Where(isBelow, b.Const(logDensityBelow), logDensity)
}

// incompleteGamma returns the regularised incomplete gamma function P(k, x): x^k e^(−x)/Γ(k + 1) times the sum over n of
// xⁿ/((k + 1)…(k + n)), whose terms are all positive. It is 0 for x ≤ 0. Far above k, where the first factor would
// be too small, it is 1. Source: Abramowitz and Stegun, 6.5.29.
func incompleteGamma(k, x float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x > k+float64(12*math.Sqrt(k))+40: // the rest is below 1e-17
		return 1
	}
	logFirst := float64(k*portable.Log(x)) - x - portable.LogGamma(k+1)
	sum, term := 1.0, 1.0
	for n := 1.0; term > 1e-17*sum; n++ {
		term = float64(term * x / (k + n))
		sum += term
	}
	return min(1, portable.Exp(logFirst+portable.Log(sum)))
}
