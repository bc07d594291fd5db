package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
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
		Objective: weibull,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return models.PredictionNodes{Family: weibullFamily, Parameters: positiveParameters(b, m.Full, m.TargetMean, m.TargetStd)}
		},
	})
}

// weibull returns the mean of −log p(y), a scalar.
func weibull(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := t.TargetScale()
	parameters := positiveParameters(b, b.Split(t.Forward(graph.Full), 2), mean, std)
	return positiveNLL(b, t, weibullFamily, parameters)
}

// positiveNLL returns the mean of −log p(y), a scalar, for a family with the parameters shape, scale and zero. float32 may
// round a target of almost 0 to a number below zero, which has no probability.
func positiveNLL(b *graph.Builder, t *models.Task, family distribution.Family, parameters []*graph.Node) *graph.Node {
	return t.Mean(family.NLL(b, parameters, b.Max(t.Y, parameters[2])))
}

// positiveParameters returns shape, scale and zero of a family of numbers above 0 for two outputs of a network. zero is the
// standardised value of 0, where the distribution begins. The shape is at most 1,000, since float32 has few digits for Γ of
// larger ones.
func positiveParameters(b *graph.Builder, outputs []*graph.Node, targetMean, targetStd *graph.Node) []*graph.Node {
	shape := b.ClampMax(methods.SoftplusAtLeast(b, outputs[0], 0.01), 1000)
	scale := methods.SoftplusAtLeast(b, outputs[1], methods.MinStd)
	zero := b.Neg(b.Div(targetMean, targetStd))
	size := shape.Shape()
	return []*graph.Node{shape, scale, b.Repeat(zero, size[0], size[1])}
}

// logDensityBelow is the log density below zero. It stands for −Inf, so that losses and gradients stay finite.
const logDensityBelow = -700

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

// positiveNumbers returns x = (y − zero)/s for the parameters shape, s and zero, at least 1e-6, and whether y is below zero.
func positiveNumbers(b *graph.Builder, p []*graph.Node, y *graph.Node) (x, isBelow *graph.Node) {
	x = b.Div(b.Sub(y, p[2]), p[1])
	return b.ClampMin(x, 1e-6), b.Greater(b.Const(0), x)
}

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
