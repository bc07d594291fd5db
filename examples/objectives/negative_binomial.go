package main

import (
	"math"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

// init registers "negative-binomial", for counts whose variance is above their mean.
func init() {
	models.Register(models.Method{
		Name:      "negative-binomial",
		Title:     "NB",
		Summary:   "the network puts out mean and size of a negative binomial distribution of counts",
		Source:    "Hilbe 2011, Negative Binomial Regression, section 8.1 (NB2)",
		Outputs:   models.Outputs(2),
		Support:   models.Counts,
		Objective: negativeBinomial,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Counts(b, m, negativeBinomialFamily, negativeBinomialParameters(b, m.Full)...)
		},
	})
}

// negativeBinomialParameters returns the parameters of the family for two outputs of a network. The size is at most
// 10,000: the distribution is then close to a Poisson distribution, and float32 has few digits for Γ of larger sizes.
func negativeBinomialParameters(b *graph.Builder, outputs []*graph.Node) []*graph.Node {
	return []*graph.Node{outputs[0], b.ClampMax(outputs[1], math.Log(10000))}
}

// negativeBinomial returns the mean of −log p(y), a scalar.
func negativeBinomial(b *graph.Builder, t *models.Task) *graph.Node {
	parameters := negativeBinomialParameters(b, b.Split(t.Forward(graph.Full), 2))
	return t.Mean(b.Neg(negativeBinomialLogProbability(b, parameters, t.Unstandardised(t.Y))))
}

// negativeBinomialFamily is the negative binomial distribution of counts, with the mean μ and the variance μ + μ²/r.
// Its parameters are the logarithms of μ and of the size r.
var negativeBinomialFamily = distribution.Formulas{
	Name:       "negative-binomial",
	Parameters: []string{"log mean", "log size"},
	Counts:     true,
	Mean:       func(b *graph.Builder, p []*graph.Node) *graph.Node { return b.Exp(p[0]) },
	Std:        negativeBinomialStd,
	LogDensity: negativeBinomialLogProbability,
}.Family()

// negativeBinomialStd returns √(μ(1 + μ/r)), where 1 + μ/r is the exponential of softplus(log μ − log r).
func negativeBinomialStd(b *graph.Builder, p []*graph.Node) *graph.Node {
	logVariance := b.Add(p[0], b.Softplus(b.Sub(p[0], p[1])))
	return b.Exp(b.Scale(0.5, logVariance))
}

// negativeBinomialLogProbability returns log Γ(y + r) − log Γ(r) − log y! + r log(r/(r + μ)) + y log(μ/(r + μ)).
func negativeBinomialLogProbability(b *graph.Builder, p []*graph.Node, y *graph.Node) *graph.Node {
	size := b.Exp(p[1])
	logRatio := b.Sub(p[0], p[1]) // log μ/r
	ways := b.Sub(b.Sub(b.LogGamma(b.Add(y, size)), b.LogGamma(size)), b.LogGamma(b.Shift(y, 1)))
	failures := b.Mul(size, b.Softplus(logRatio))
	successes := b.Mul(y, b.Softplus(b.Neg(logRatio)))
	return b.Sub(ways, b.Add(failures, successes))
}
