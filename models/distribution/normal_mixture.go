package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// NormalMixture returns the family of mixtures of a number of normal distributions, the components.
// The parameters are the logarithms of the components' weights, which add up to 1, then their means,
// then their standard deviations, which are 0 or more.
func NormalMixture(components int) Family {
	const name = "normal-mixture"
	return Family{
		Name:       name,
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
					return checkAtLeastZero(name, fmt.Sprint("std ", k+1), std)
				}
			}
			return checkProbabilitySum(name, "log weight", p[:components])
		},
	}
}

// normalMixture is a distribution of the family NormalMixture, with one element for each component.
type normalMixture struct{ logWeights, means, stds []float64 }

// average returns the weighted mean of a value of the components.
func (d normalMixture) average(value func(component int) float64) float64 {
	sum := 0.0
	for k, logWeight := range d.logWeights {
		weight := portable.Exp(logWeight)
		if weight == 0 {
			continue // 0 times a square that overflows would be NaN
		}
		sum += float64(weight * value(k))
	}
	return sum
}

// component returns component k.
func (d normalMixture) component(k int) normal { return normal{d.means[k], d.stds[k]} }

func (d normalMixture) Mean() float64 {
	return d.average(func(k int) float64 { return d.means[k] })
}

// Std returns √(Σ w (σ² + (μ − mean)²)).
func (d normalMixture) Std() float64 {
	mean := d.Mean()
	variance := d.average(func(k int) float64 {
		deviation := d.means[k] - mean
		return float64(d.stds[k]*d.stds[k]) + float64(deviation*deviation)
	})
	return math.Sqrt(variance)
}

// LogDensity returns log Σ w N(y; μ, σ²). It divides all summands by the largest, so that not all of
// them underflow.
func (d normalMixture) LogDensity(y float64) float64 {
	largest := math.Inf(-1)
	logSummands := make([]float64, len(d.means))
	for k := range logSummands {
		logSummands[k] = d.logWeights[k] + d.component(k).LogDensity(y)
		largest = max(largest, logSummands[k])
	}
	if math.IsInf(largest, 0) {
		return largest // −∞ minus −∞ below would be NaN
	}
	sum := 0.0
	for _, logSummand := range logSummands {
		sum += portable.Exp(logSummand - largest)
	}
	return largest + portable.Log(sum)
}

func (d normalMixture) CDF(y float64) float64 {
	probability := d.average(func(k int) float64 { return d.component(k).CDF(y) })
	return min(1, probability) // the weights are rounded, and their sum may be above 1
}

// Quantile returns the y with CDF(y) = level. It lies between the smallest and the largest quantile of
// the components: below the smallest every component's CDF is below the level, and so is their mean.
func (d normalMixture) Quantile(level float64) float64 {
	var quantiles []float64
	for k := range d.means {
		quantiles = append(quantiles, d.component(k).Quantile(level))
	}
	low, high := slices.Min(quantiles), slices.Max(quantiles)
	if low == high || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return low
	}
	start := d.Mean() + float64(standardQuantile(level)*d.Std()) // the quantile if d were normal
	return solveQuantile(d, level, bracket{low, high}, start)
}

// CRPS returns Σ wᵢ A(y − μᵢ, σᵢ) − ½ ΣΣ wᵢ wⱼ A(μᵢ − μⱼ, √(σᵢ² + σⱼ²)), where A(m, s) is the mean of
// |X| for X ~ N(m, s²), which meanAbs returns. float64(…) rounds each product, so that no CPU fuses it with
// the sum. Source: Grimit et al. 2006, equation 5.
func (d normalMixture) CRPS(y float64) float64 {
	distance := d.average(func(k int) float64 { return meanAbs(y-d.means[k], d.stds[k]) }) // first sum
	weights := make([]float64, len(d.means))
	for k, logWeight := range d.logWeights {
		weights[k] = portable.Exp(logWeight)
	}
	spread := 0.0 // double sum
	for i := range weights {
		for j := range weights {
			variance := float64(d.stds[i]*d.stds[i]) + float64(d.stds[j]*d.stds[j])
			spread += float64(weights[i] * weights[j] * meanAbs(d.means[i]-d.means[j], math.Sqrt(variance)))
		}
	}
	return distance - float64(spread/2)
}

// meanAbs returns the mean of |X| for X ~ N(m, s²): 2s φ(m/s) + m (2Φ(m/s) − 1), with the standard
// normal density φ and CDF Φ, and 2Φ(z) − 1 = erf(z/√2).
func meanAbs(m, s float64) float64 {
	if s == 0 {
		return math.Abs(m)
	}
	z := m / s
	return float64(2*s*portable.NormalPDF(z)) + float64(m*portable.Erf(z/math.Sqrt2))
}

// Sample returns a random number from a random component.
func (d normalMixture) Sample(r *rand.Rand) float64 {
	u := r.Float64()
	cumulativeWeight := 0.0
	for k, logWeight := range d.logWeights {
		cumulativeWeight += portable.Exp(logWeight)
		if u < cumulativeWeight {
			return d.component(k).Sample(r)
		}
	}
	return d.component(len(d.means) - 1).Sample(r) // the weights are rounded, and their sum may be below 1
}

// Affine returns the mixture of the transformed components. The weights stay.
func (d normalMixture) Affine(scale, shift float64) Distribution {
	transformed := normalMixture{
		logWeights: d.logWeights,
		means:      make([]float64, len(d.means)),
		stds:       make([]float64, len(d.means)),
	}
	for k := range d.means {
		transformed.means[k] = float64(d.means[k]*scale) + shift
		transformed.stds[k] = d.stds[k] * scale
	}
	return transformed
}

// normalMixtureNodes holds distributions of the family NormalMixture, with one node for each
// component.
type normalMixtureNodes struct {
	b                       *graph.Builder
	logWeights, means, stds []*graph.Node
}

// average returns the weighted mean of a value of the components.
func (d normalMixtureNodes) average(value func(component int) *graph.Node) *graph.Node {
	var summands []*graph.Node
	for k, logWeight := range d.logWeights {
		summands = append(summands, d.b.Mul(d.b.Exp(logWeight), value(k)))
	}
	return fold(d.b.Add, summands)
}

// component returns component k.
func (d normalMixtureNodes) component(k int) normalNodes {
	return normalNodes{d.b, d.means[k], d.stds[k]}
}

func (d normalMixtureNodes) Mean() *graph.Node {
	return d.average(func(k int) *graph.Node { return d.means[k] })
}

// Std returns the formula of normalMixture.Std.
func (d normalMixtureNodes) Std() *graph.Node {
	b, mean := d.b, d.Mean()
	return b.Sqrt(d.average(func(k int) *graph.Node {
		return b.Add(b.Square(d.stds[k]), b.Square(b.Sub(d.means[k], mean)))
	}))
}

// LogDensity returns the formula of normalMixture.LogDensity.
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

// Quantiles returns the quantile at each level, by bisection between the smallest and the largest
// quantile of the components. All levels are computed at once: parameters in the shape [rows, columns]
// are repeated to [rows, levels·columns], so that each level has columns of its own.
func (d normalMixtureNodes) Quantiles(levels []float64) graph.Nodes {
	b, n := d.b, len(levels)
	columns := normalMixtureNodes{
		b:          b,
		logWeights: repeatColumns(b, d.logWeights, n),
		means:      repeatColumns(b, d.means, n),
		stds:       repeatColumns(b, d.stds, n),
	}
	low, high := columns.quantileBounds(levels)
	return bisectQuantiles(b, levels, low, high, columns.stackedCDF())
}

// quantileBounds returns the smallest and the largest quantile of the components, between which the
// mixture's quantile lies. Each level has an equal number of neighbouring columns of the result.
func (d normalMixtureNodes) quantileBounds(levels []float64) (low, high *graph.Node) {
	b := d.b
	z := constantRow(b, standardQuantiles(levels), d.means[0].Shape()[1])
	var quantiles []*graph.Node
	for k := range d.means {
		quantiles = append(quantiles, b.Add(d.means[k], b.Mul(d.stds[k], z)))
	}
	return fold(b.Min, quantiles), fold(b.Max, quantiles)
}

// stackedCDF returns the CDF as a function. Unlike CDF, it computes the columns of all components as
// one matrix, so that every call adds few nodes to the graph: bisection calls it 40 times.
func (d normalMixtureNodes) stackedCDF() func(y *graph.Node) *graph.Node {
	b, n := d.b, len(d.means)
	components := normalNodes{b, b.Concat(d.means...), b.Concat(d.stds...)}
	weights := b.Exp(b.Concat(d.logWeights...))
	return func(y *graph.Node) *graph.Node {
		probabilities := components.CDF(b.Concat(slices.Repeat([]*graph.Node{y}, n)...))
		return fold(b.Add, b.Split(b.Mul(weights, probabilities), n))
	}
}

// CRPS returns the formula of normalMixture.CRPS.
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

// meanAbsNode returns the formula of meanAbs as a node.
func meanAbsNode(b *graph.Builder, m, s *graph.Node) *graph.Node {
	z := b.Div(m, s)
	return b.Add(b.Scale(2, b.Mul(s, b.NormalPDF(z))), b.Mul(m, b.Erf(b.Scale(1/math.Sqrt2, z))))
}
