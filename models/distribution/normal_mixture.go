package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// NormalMixture returns the family of mixtures of normal distributions. The parameters are
// the logarithms of the weights, which add up to 1, then the means, then the standard
// deviations, which are 0 or more.
func NormalMixture(components int) Family {
	return Family{
		Name:       "normal-mixture",
		Parameters: slices.Concat(numbered("log weight", components), numbered("mean", components), numbered("std", components)),
		HasStd:     true,
		New: func(p []float64) Distribution {
			return normalMixture{p[:components], p[components : 2*components], p[2*components:]}
		},
		Nodes: func(b *graph.Builder, p []*graph.Node) Nodes {
			return normalMixtureNodes{b, p[:components], p[components : 2*components], p[2*components:]}
		},
		Check: func(p []float64) error {
			for k, std := range p[2*components:] {
				if std < 0 {
					return checkAtLeastZero("normal-mixture", fmt.Sprint("std ", k+1), std)
				}
			}
			return checkSum("normal-mixture", "log weight", p[:components])
		},
	}
}

type normalMixture struct{ logWeights, means, stds []float64 }

// average returns the mean of a value of the components, by their weights.
func (d normalMixture) average(value func(component int) float64) float64 {
	sum := 0.0
	for k, logWeight := range d.logWeights {
		sum += float64(portable.Exp(logWeight) * value(k))
	}
	return sum
}

func (d normalMixture) component(k int) normal { return normal{d.means[k], d.stds[k]} }

func (d normalMixture) Mean() float64 {
	return d.average(func(k int) float64 { return d.means[k] })
}

// Std returns √(Σ w (σ² + (μ − mean)²)).
func (d normalMixture) Std() float64 {
	mean := d.Mean()
	return math.Sqrt(d.average(func(k int) float64 {
		off := d.means[k] - mean
		return float64(d.stds[k]*d.stds[k]) + float64(off*off)
	}))
}

func (d normalMixture) LogDensity(y float64) float64 {
	largest := math.Inf(-1)
	logs := make([]float64, len(d.means))
	for k := range logs {
		logs[k] = d.logWeights[k] + d.component(k).LogDensity(y)
		largest = max(largest, logs[k])
	}
	if math.IsInf(largest, 0) {
		return largest
	}
	sum := 0.0
	for _, l := range logs {
		sum += portable.Exp(l - largest)
	}
	return largest + portable.Log(sum)
}

func (d normalMixture) CDF(y float64) float64 {
	return min(1, d.average(func(k int) float64 { return d.component(k).CDF(y) })) // weights are rounded
}

func (d normalMixture) Quantile(level float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for k := range d.means {
		q := d.component(k).Quantile(level)
		low, high = min(low, q), max(high, q)
	}
	if low == high || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return low
	}
	return solveQuantile(d, level, low, high, d.Mean()+float64(standardQuantile(level)*d.Std()))
}

// CRPS returns Σ wᵢ A(y − μᵢ, σᵢ) − ½ ΣΣ wᵢ wⱼ A(μᵢ − μⱼ, √(σᵢ² + σⱼ²)), where A(m, s) is
// the mean of |X| for X ~ N(m, s²). Source: Grimit et al. 2006, equation 5.
func (d normalMixture) CRPS(y float64) float64 {
	distance := d.average(func(k int) float64 { return meanAbs(y-d.means[k], d.stds[k]) })
	weights := make([]float64, len(d.means))
	for k, logWeight := range d.logWeights {
		weights[k] = portable.Exp(logWeight)
	}
	spread := 0.0
	for i := range weights {
		for j := range weights {
			variance := float64(d.stds[i]*d.stds[i]) + float64(d.stds[j]*d.stds[j])
			spread += float64(weights[i] * weights[j] * meanAbs(d.means[i]-d.means[j], math.Sqrt(variance)))
		}
	}
	return distance - float64(spread/2)
}

// meanAbs returns the mean of |X| for X ~ N(m, s²): 2s φ(m/s) + m (2Φ(m/s) − 1).
func meanAbs(m, s float64) float64 {
	if s == 0 {
		return math.Abs(m)
	}
	z := m / s
	return float64(2*s*portable.NormalPDF(z)) + float64(m*portable.Erf(z/math.Sqrt2))
}

func (d normalMixture) Sample(r *rand.Rand) float64 {
	u, sum := r.Float64(), 0.0
	for k, logWeight := range d.logWeights {
		if sum += portable.Exp(logWeight); u < sum {
			return d.component(k).Sample(r)
		}
	}
	return d.component(len(d.means) - 1).Sample(r)
}

func (d normalMixture) Affine(scale, shift float64) Distribution {
	moved := normalMixture{d.logWeights, make([]float64, len(d.means)), make([]float64, len(d.means))}
	for k := range d.means {
		moved.means[k], moved.stds[k] = float64(d.means[k]*scale)+shift, d.stds[k]*scale
	}
	return moved
}

type normalMixtureNodes struct {
	b                       *graph.Builder
	logWeights, means, stds []*graph.Node
}

// average returns the mean of a value of the components, by their weights.
func (d normalMixtureNodes) average(value func(component int) *graph.Node) *graph.Node {
	b := d.b
	var sum *graph.Node
	for k, logWeight := range d.logWeights {
		part := b.Mul(b.Exp(logWeight), value(k))
		if sum == nil {
			sum = part
		} else {
			sum = b.Add(sum, part)
		}
	}
	return sum
}

func (d normalMixtureNodes) component(k int) normalNodes {
	return normalNodes{d.b, d.means[k], d.stds[k]}
}

func (d normalMixtureNodes) Mean() *graph.Node {
	return d.average(func(k int) *graph.Node { return d.means[k] })
}

func (d normalMixtureNodes) Std() *graph.Node {
	b, mean := d.b, d.Mean()
	return b.Sqrt(d.average(func(k int) *graph.Node {
		return b.Add(b.Square(d.stds[k]), b.Square(b.Sub(d.means[k], mean)))
	}))
}

func (d normalMixtureNodes) LogDensity(y *graph.Node) *graph.Node {
	logs := make([]*graph.Node, len(d.means))
	for k := range logs {
		logs[k] = d.b.Add(d.logWeights[k], d.component(k).LogDensity(y))
	}
	return d.b.LogSumExpOf(logs...)
}

func (d normalMixtureNodes) CDF(y *graph.Node) *graph.Node {
	return d.average(func(k int) *graph.Node { return d.component(k).CDF(y) })
}

// Quantiles halves the interval between the least and the largest quantile of the components 40
// times, for all levels at once: each level has columns of its own.
func (d normalMixtureNodes) Quantiles(levels []float64) graph.Nodes {
	b := d.b
	n := len(levels)
	d = normalMixtureNodes{b, repeatEach(b, d.logWeights, n), repeatEach(b, d.means, n), repeatEach(b, d.stds, n)}
	low, high := d.brackets(levels)
	cdf, wanted := d.cdfOfColumns(), rowOf(b, levels, low.Shape()[1])
	ends := b.Iterate(40, graph.Nodes{low, high}, func(ends graph.Nodes) graph.Nodes {
		low, high := ends[0], ends[1]
		middle := b.Scale(0.5, b.Add(low, high))
		above := b.Greater(cdf(middle), wanted)
		return graph.Nodes{b.Where(above, low, middle), b.Where(above, middle, high)}
	})
	return b.Split(b.Scale(0.5, b.Add(ends[0], ends[1])), n)
}

// brackets returns the least and the largest quantile of the components.
func (d normalMixtureNodes) brackets(levels []float64) (low, high *graph.Node) {
	b := d.b
	z := rowOf(b, standardQuantiles(levels), d.means[0].Shape()[1])
	for k := range d.means {
		q := b.Add(d.means[k], b.Mul(d.stds[k], z))
		if k == 0 {
			low, high = q, q
			continue
		}
		low, high = b.Min(low, q), b.Max(high, q)
	}
	return low, high
}

// cdfOfColumns returns the CDF as a function that computes all components at once, as
// columns of one matrix: a few nodes where CDF has some for each component.
func (d normalMixtureNodes) cdfOfColumns() func(y *graph.Node) *graph.Node {
	b, n := d.b, len(d.means)
	columns := normalNodes{b, b.Concat(d.means...), b.Concat(d.stds...)}
	weights := b.Exp(b.Concat(d.logWeights...))
	return func(y *graph.Node) *graph.Node {
		all := columns.CDF(b.Concat(slices.Repeat([]*graph.Node{y}, n)...))
		parts := b.Split(b.Mul(weights, all), n)
		sum := parts[0]
		for _, part := range parts[1:] {
			sum = b.Add(sum, part)
		}
		return sum
	}
}

func (d normalMixtureNodes) CRPS(y *graph.Node) *graph.Node {
	b := d.b
	distance := d.average(func(k int) *graph.Node { return meanAbsNode(b, b.Sub(y, d.means[k]), d.stds[k]) })
	spread := d.average(func(i int) *graph.Node {
		return d.average(func(j int) *graph.Node {
			std := b.Sqrt(b.Add(b.Square(d.stds[i]), b.Square(d.stds[j])))
			return meanAbsNode(b, b.Sub(d.means[i], d.means[j]), std)
		})
	})
	return b.Sub(distance, b.Scale(0.5, spread))
}

// meanAbsNode is meanAbs as a node.
func meanAbsNode(b *graph.Builder, m, s *graph.Node) *graph.Node {
	z := b.Div(m, s)
	return b.Add(b.Scale(2, b.Mul(s, b.NormalPDF(z))), b.Mul(m, b.Erf(b.Scale(1/math.Sqrt2, z))))
}
