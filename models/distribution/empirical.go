package distribution

import (
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// Empirical returns the family of distributions that give each of n draws the same
// probability. The parameters are the draws, such as the outputs of sub-networks. There is
// no density.
func Empirical(n int) Family {
	return Family{
		Name:       "empirical",
		Parameters: numbered("draw", n),
		HasStd:     true,
		New:        NewEmpirical,
		Nodes:      func(b *graph.Builder, p []*graph.Node) Nodes { return empiricalNodes{b, p} },
	}
}

// NewEmpirical returns the distribution of draws, at least one.
func NewEmpirical(draws []float64) Distribution {
	sorted := slices.Clone(draws)
	slices.Sort(sorted)
	return empirical(sorted)
}

// empirical holds the draws in ascending order.
type empirical []float64

func (d empirical) Mean() float64 { return statistics.Mean(d) }

// Std returns the sample standard deviation (n−1), 0 for one draw.
func (d empirical) Std() float64 {
	if len(d) < 2 {
		return 0
	}
	_, std := statistics.MeanStd(d)
	return std
}

func (empirical) LogDensity(float64) float64 { return math.NaN() }

func (d empirical) CDF(y float64) float64 {
	above, _ := slices.BinarySearchFunc(d, y, func(x, y float64) int {
		if x <= y {
			return -1
		}
		return 1
	})
	return float64(above) / float64(len(d))
}

// Quantile interpolates between draws as numpy.quantile does (type 7 of Hyndman and Fan
// 1996), so it is not the inverse of CDF, which has steps.
func (d empirical) Quantile(level float64) float64 {
	at := float64(level * float64(len(d)-1))
	below := int(at)
	above := min(below+1, len(d)-1)
	return d[below] + float64((at-float64(below))*(d[above]-d[below]))
}

// CRPS returns 1/n Σ|xᵢ − y| − 1/(2n²) ΣΣ|xᵢ − xⱼ|. Source: Gneiting and Raftery 2007,
// equation 21.
func (d empirical) CRPS(y float64) float64 {
	n := float64(len(d))
	var distance, spread float64 // Σ|x − y|, and Σ|xᵢ − xⱼ| over pairs i < j
	for i, x := range d {
		distance += math.Abs(x - y)
		if i > 0 {
			spread += float64(float64(i) * (n - float64(i)) * (x - d[i-1])) // pairs on both sides of a gap
		}
	}
	return distance/n - spread/float64(n*n)
}

func (d empirical) Sample(r *rand.Rand) float64 {
	return d[portable.Below(r, uint64(len(d)))]
}

func (d empirical) Affine(scale, shift float64) Distribution {
	moved := make(empirical, len(d))
	for i, x := range d {
		moved[i] = float64(x*scale) + shift
	}
	return moved
}

type empiricalNodes struct {
	b     *graph.Builder
	draws []*graph.Node
}

func (d empiricalNodes) Mean() *graph.Node { return d.b.MeanOf(d.draws...) }

func (d empiricalNodes) Std() *graph.Node {
	n := float64(len(d.draws))
	if n < 2 {
		return d.b.Scale(0, d.draws[0])
	}
	return d.b.Sqrt(d.b.Scale(n/(n-1), d.b.VarianceOf(d.draws...)))
}

func (empiricalNodes) LogDensity(*graph.Node) *graph.Node { return nil }

func (d empiricalNodes) CDF(y *graph.Node) *graph.Node {
	reached := make([]*graph.Node, len(d.draws))
	for i, x := range d.draws {
		reached[i] = d.b.AddConst(d.b.Neg(d.b.Greater(x, y)), 1)
	}
	return d.b.MeanOf(reached...)
}

// Quantiles returns nil: no operation of a graph sorts.
func (empiricalNodes) Quantiles([]float64) graph.Nodes { return nil }

func (d empiricalNodes) CRPS(y *graph.Node) *graph.Node {
	b, n := d.b, len(d.draws)
	var distances, spreads []*graph.Node
	for i, x := range d.draws {
		distances = append(distances, b.Abs(b.Sub(x, y)))
		for _, other := range d.draws[:i] {
			spreads = append(spreads, b.Abs(b.Sub(x, other)))
		}
	}
	distance := b.MeanOf(distances...)
	if n == 1 {
		return distance
	}
	return b.Sub(distance, b.Scale(float64(n-1)/float64(2*n), b.MeanOf(spreads...)))
}
