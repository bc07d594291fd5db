package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

// init registers "laplace", which predicts a distribution of a family of its own.
func init() {
	models.Register(models.Method{
		Name:      "laplace",
		Title:     "Laplace",
		Summary:   "the network puts out location and scale of a Laplace distribution",
		Source:    "Bassett and Koenker 1978: its likelihood is the least absolute error",
		Outputs:   models.Outputs(2),
		Objective: laplace,
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return models.PredictionNodes{Family: laplaceFamily, Parameters: laplaceParameters(b, m.Full)}
		},
	})
}

// laplaceParameters returns location and scale for two outputs of a network: the first output, and the
// softplus of the second, which is above 0.
func laplaceParameters(b *graph.Builder, outputs []*graph.Node) []*graph.Node {
	return []*graph.Node{outputs[0], methods.SoftplusAtLeast(b, outputs[1], methods.MinStd)}
}

// laplace returns the mean of −log p(y) = log 2s + |y − μ|/s, a scalar.
func laplace(b *graph.Builder, t *models.Task) *graph.Node {
	parameters := laplaceParameters(b, b.Split(t.Forward(graph.Full), 2))
	return t.Mean(laplaceFamily.NLL(b, parameters, t.Y))
}

// laplaceFamily is the Laplace distribution with density exp(−|y − μ|/s)/(2s). Its parameters are
// the location μ and the scale s > 0.
var laplaceFamily = distribution.Family{
	Name:       "laplace",
	Parameters: []string{"location", "scale"},
	HasStd:     true,
	New:        func(p []float64) distribution.Distribution { return laplaceDistribution{p[0], p[1]} },
	Check: func(p []float64) error {
		if p[1] <= 0 {
			return fmt.Errorf("scale = %v in the family laplace: want a number above 0", p[1])
		}
		return nil
	},
	Nodes: func(b *graph.Builder, p []*graph.Node) distribution.Nodes {
		return laplaceNodes{b, p[0], p[1]}
	},
}

// laplaceDistribution is one distribution of the family, with the methods that predictions and scores
// need.
type laplaceDistribution struct{ location, scale float64 }

// z returns the standardised y, (y − μ)/s.
func (d laplaceDistribution) z(y float64) float64 { return (y - d.location) / d.scale }

func (d laplaceDistribution) Mean() float64 { return d.location }
func (d laplaceDistribution) Std() float64  { return math.Sqrt2 * d.scale }

func (d laplaceDistribution) LogDensity(y float64) float64 {
	return -math.Abs(d.z(y)) - math.Log(2*d.scale)
}

// CDF returns exp(−|z|)/2 below the location, and 1 minus this tail above.
func (d laplaceDistribution) CDF(y float64) float64 {
	tail := math.Exp(-math.Abs(d.z(y))) / 2
	if y < d.location {
		return tail
	}
	return 1 - tail
}

func (d laplaceDistribution) Quantile(level float64) float64 {
	return d.location + d.scale*laplaceQuantile(level)
}

// laplaceQuantile returns the quantile of the distribution with location 0 and scale 1, the inverse of its
// CDF.
func laplaceQuantile(level float64) float64 {
	if level < 0.5 {
		return math.Log(2 * level)
	}
	return -math.Log(2 * (1 - level))
}

// CRPS returns s (|z| + exp(−|z|) − ¾). Source: Jordan et al. 2019, appendix A.
func (d laplaceDistribution) CRPS(y float64) float64 {
	z := math.Abs(d.z(y))
	return d.scale * (z + math.Exp(-z) - 0.75)
}

func (d laplaceDistribution) Sample(r *rand.Rand) float64 {
	level := (float64(r.Uint64()>>11) + 0.5) / (1 << 53) // 53 random bits: above 0 and below 1
	return d.Quantile(level)
}

func (d laplaceDistribution) Affine(scale, shift float64) distribution.Distribution {
	return laplaceDistribution{scale*d.location + shift, scale * d.scale}
}

// laplaceNodes has the formulas of laplaceDistribution for many numbers at once, as objectives and exported
// models need them.
type laplaceNodes struct {
	b               *graph.Builder
	location, scale *graph.Node
}

func (d laplaceNodes) z(y *graph.Node) *graph.Node { return d.b.Div(d.b.Sub(y, d.location), d.scale) }

func (d laplaceNodes) Mean() *graph.Node { return d.location }
func (d laplaceNodes) Std() *graph.Node  { return d.b.Scale(math.Sqrt2, d.scale) }

func (d laplaceNodes) LogDensity(y *graph.Node) *graph.Node {
	return d.b.Neg(d.b.Add(d.b.Abs(d.z(y)), d.b.Log(d.b.Scale(2, d.scale))))
}

// CDF returns ½ + ½ sign(z) (1 − exp(−|z|)).
func (d laplaceNodes) CDF(y *graph.Node) *graph.Node {
	b, z := d.b, d.z(y)
	centralProbability := b.Neg(b.Expm1(b.Neg(b.Abs(z)))) // 1 − exp(−|z|), between −|z| and |z|
	return b.Shift(b.Scale(0.5, b.Mul(b.Sign(z), centralProbability)), 0.5)
}

// Quantiles returns location + scale·laplaceQuantile(level) for each level.
func (d laplaceNodes) Quantiles(levels []float64) graph.Nodes {
	var quantiles graph.Nodes
	for _, level := range levels {
		quantiles = append(quantiles, d.b.Add(d.location, d.b.Scale(laplaceQuantile(level), d.scale)))
	}
	return quantiles
}

// CRPS returns s (|z| + exp(−|z|) − ¾).
func (d laplaceNodes) CRPS(y *graph.Node) *graph.Node {
	b := d.b
	z := b.Abs(d.z(y))
	return b.Mul(d.scale, b.Shift(b.Add(z, b.Exp(b.Neg(z))), -0.75))
}
