package distribution

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"sml/graph"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// Empirical returns the family of distributions that give each of n draws the same probability. The
// parameters are the draws, such as the outputs of sub-networks. The distributions have no density.
func Empirical(n int) Family {
	return Family{
		Name:       "empirical",
		Parameters: numbered("draw", n),
		HasStd:     true,
		New:        NewEmpirical,
		Nodes:      func(b *graph.Builder, p []*graph.Node) Nodes { return empiricalNodes{b, p} },
	}
}

// NewEmpirical returns the distribution that gives each draw the same probability. It needs at least
// one draw.
func NewEmpirical(draws []float64) Distribution {
	sorted := slices.Clone(draws)
	slices.Sort(sorted)
	return empirical(sorted)
}

// empirical is a distribution of the family Empirical: the draws in ascending order.
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

// CDF returns the fraction of the draws that are at most y.
func (d empirical) CDF(y float64) float64 {
	// The draws ascend, so the index of the first draw above y is the number of draws up to y.
	firstAbove := sort.Search(len(d), func(i int) bool { return !(d[i] <= y) })
	return float64(firstAbove) / float64(len(d))
}

// Quantile interpolates between draws as numpy.quantile does (type 7 of Hyndman and Fan
// 1996), so it is not the inverse of CDF, which has steps.
func (d empirical) Quantile(level float64) float64 {
	position := float64(level * float64(len(d)-1)) // between two draws
	below := int(position)
	above := min(below+1, len(d)-1)
	fraction := position - float64(below)
	return d[below] + float64(fraction*(d[above]-d[below]))
}

// CRPS returns 1/n Σ|xᵢ − y| − 1/(2n²) ΣΣ|xᵢ − xⱼ|. Source: Gneiting and Raftery 2007, equation 21.
// As the draws ascend, the double sum needs no double loop: the gap between two neighbouring draws
// counts once for each pair of draws on its two sides.
func (d empirical) CRPS(y float64) float64 {
	n := float64(len(d))
	distance := 0.0 // Σ|xᵢ − y|
	spread := 0.0   // Σ|xᵢ − xⱼ| over pairs i < j: half of the double sum
	for i, x := range d {
		distance += math.Abs(x - y)
		if i > 0 {
			pairsAcrossGap := float64(i) * (n - float64(i))
			spread += float64(pairsAcrossGap * (x - d[i-1]))
		}
	}
	return distance/n - spread/float64(n*n)
}

// Sample returns a random draw.
func (d empirical) Sample(r *rand.Rand) float64 {
	return d[portable.UintN(r, uint64(len(d)))]
}

// Affine returns the distribution of the draws scale·xᵢ + shift. They ascend too, as scale is positive.
func (d empirical) Affine(scale, shift float64) Distribution {
	transformed := make(empirical, len(d))
	for i, x := range d {
		transformed[i] = float64(x*scale) + shift
	}
	return transformed
}

// empiricalNodes holds distributions of the family Empirical.
type empiricalNodes struct {
	b     *graph.Builder
	draws []*graph.Node
}

func (d empiricalNodes) Mean() *graph.Node { return d.b.MeanOf(d.draws...) }

// Std returns the sample standard deviation (n−1), 0 for one draw.
func (d empiricalNodes) Std() *graph.Node {
	n := float64(len(d.draws))
	if n < 2 {
		return d.b.Scale(0, d.draws[0]) // zeros in the shape of the draws
	}
	// VarianceOf divides by n.
	return d.b.Sqrt(d.b.Scale(n/(n-1), d.b.VarianceOf(d.draws...)))
}

func (empiricalNodes) LogDensity(*graph.Node) *graph.Node { return nil }

// CDF returns the fraction of the draws that are at most y. It has no gradient: it is a step function.
func (d empiricalNodes) CDF(y *graph.Node) *graph.Node {
	isAtMostY := make([]*graph.Node, len(d.draws)) // 1 or 0, for each draw
	for i, x := range d.draws {
		isAbove := d.b.Greater(x, y)
		isAtMostY[i] = d.b.Shift(d.b.Neg(isAbove), 1)
	}
	return d.b.MeanOf(isAtMostY...)
}

// Quantiles returns nil: graphs compute quantiles for exported files, and these cannot sort draws.
func (empiricalNodes) Quantiles([]float64) graph.Nodes { return nil }

// CRPS returns the formula of empirical.CRPS.
func (d empiricalNodes) CRPS(y *graph.Node) *graph.Node {
	b, n := d.b, len(d.draws)
	var toTarget []*graph.Node     // |xᵢ − y|
	var betweenDraws []*graph.Node // |xᵢ − xⱼ| for the pairs i > j
	for i, x := range d.draws {
		toTarget = append(toTarget, b.Abs(b.Sub(x, y)))
		for _, other := range d.draws[:i] {
			betweenDraws = append(betweenDraws, b.Abs(b.Sub(x, other)))
		}
	}
	distance := b.MeanOf(toTarget...)
	if n == 1 {
		return distance // there are no pairs
	}
	// The mean over the n(n−1)/2 pairs, times this factor, is the double sum over 2n².
	pairFactor := float64(n-1) / float64(2*n)
	return b.Sub(distance, b.Scale(pairFactor, b.MeanOf(betweenDraws...)))
}
