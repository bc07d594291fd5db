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
			return models.PredictionNodes{Family: weibullFamily, Parameters: weibullParameters(b, m.Full, m.TargetMean, m.TargetStd)}
		},
	})
}

// weibull returns the mean of −log p(y), a scalar.
func weibull(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := t.TargetScale()
	parameters := weibullParameters(b, b.Split(t.Forward(graph.Full), 2), mean, std)
	return t.Mean(weibullFamily.NLL(b, parameters, t.Y))
}

// weibullParameters returns shape, scale and zero for two outputs of a network. zero is the standardised value of 0, where
// the distribution begins. The shape is at most 100: the standard deviation is then a hundredth of the mean.
func weibullParameters(b *graph.Builder, outputs []*graph.Node, targetMean, targetStd *graph.Node) []*graph.Node {
	shape := b.ClampMax(methods.SoftplusAtLeast(b, outputs[0], 0.01), 100)
	scale := methods.SoftplusAtLeast(b, outputs[1], methods.MinStd)
	zero := b.Neg(b.Div(targetMean, targetStd))
	size := shape.Shape()
	return []*graph.Node{shape, scale, b.Repeat(zero, size[0], size[1])}
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

// weibullPower returns x^k with x = (y − zero)/s, and log x. x is at least smallest.
func weibullPower(b *graph.Builder, p []*graph.Node, y *graph.Node, smallest float64) (power, logX *graph.Node) {
	logX = b.Log(b.ClampMin(b.Div(b.Sub(y, p[2]), p[1]), smallest))
	return b.Exp(b.Mul(p[0], logX)), logX
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
	power, _ := weibullPower(b, p, y, 0)
	return b.Neg(b.Expm1(b.Neg(power)))
}

// weibullLogDensity returns log(k/s) + (k − 1) log x − x^k. It is constant below x = 1e-6, also below zero, since float32 may round a small
// target to zero.
func weibullLogDensity(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	power, logX := weibullPower(b, p, y, 1e-6)
	return b.Sub(b.Add(b.Log(b.Div(p[0], p[1])), b.Mul(b.Shift(p[0], -1), logX)), power)
}

// weibullQuantile returns zero + s (−log(1 − level))^(1/k).
func weibullQuantile(b *graph.Builder, p []*graph.Node, level *graph.Node) *graph.Node {
	logX := b.Div(b.Log(b.Neg(b.Log1p(b.Neg(level)))), p[0])
	return b.Add(b.Mul(p[1], b.Exp(logX)), p[2])
}
