package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// Mixture returns the family of mixtures of n parts with equal weights, such as the predictions of an ensemble. Each part has
// a distribution of f, which must have a standard deviation. The parameters list all parameters of the first part, then of
// the second, and so on. NormalMixture has exact scores, and weights.
func Mixture(f Family, n int) Family {
	var names []string
	for k := range n {
		for _, name := range f.Parameters {
			names = append(names, fmt.Sprintf("%s of part %d", name, k+1))
		}
	}
	return Family{
		Name:       "mixture of " + f.Name,
		Parameters: names,
		HasStd:     true,
		Counts:     f.Counts,
		New: func(p []float64) Distribution {
			var d mixture
			for part := range slices.Chunk(p, len(f.Parameters)) {
				d = append(d, f.New(part))
			}
			if f.Counts {
				return mixCounts(d)
			}
			return d
		},
		Check: func(p []float64) error {
			for part := range slices.Chunk(p, len(f.Parameters)) {
				if f.Check == nil {
					continue
				}
				if err := f.Check(part); err != nil {
					return err
				}
			}
			return nil
		},
		Nodes: func(b *graph.Builder, p []*graph.Node) Nodes {
			var parts []Nodes
			for part := range slices.Chunk(p, len(f.Parameters)) {
				parts = append(parts, f.Nodes(b, part))
			}
			return mixtureNodes{b, f, p, parts}
		},
	}
}

// mixture is the equally weighted mixture of its elements.
type mixture []Distribution

// average returns the mean of a value of the parts.
func (d mixture) average(value func(part Distribution) float64) float64 {
	sum := 0.0
	for _, part := range d {
		sum += value(part)
	}
	return sum / float64(len(d))
}

func (d mixture) Mean() float64 { return d.average(Distribution.Mean) }

// Std returns the root of the mean of σ² + (μ − mean)².
func (d mixture) Std() float64 {
	mean := d.Mean()
	variance := d.average(func(part Distribution) float64 {
		std, deviation := part.Std(), part.Mean()-mean
		return float64(std*std) + float64(deviation*deviation)
	})
	return math.Sqrt(variance)
}

// LogDensity returns the logarithm of the mean density.
func (d mixture) LogDensity(y float64) float64 {
	var logs []float64
	for _, part := range d {
		logs = append(logs, part.LogDensity(y))
	}
	return logMeanExp(logs)
}

func (d mixture) CDF(y float64) float64 {
	return d.average(func(part Distribution) float64 { return part.CDF(y) })
}

// cdfs returns the CDF at each y.
func (d mixture) cdfs(y []float64) []float64 {
	sums := make([]float64, len(y))
	for _, part := range d {
		for i, probability := range cdfsOf(part, y) {
			sums[i] += probability
		}
	}
	for i := range sums {
		sums[i] /= float64(len(d))
	}
	return sums
}

// Quantile returns the y with CDF(y) = level. It lies between the smallest and the largest quantile of the parts: below
// the smallest the CDF of each part is below the level, and so is their mean.
func (d mixture) Quantile(level float64) float64 {
	var quantiles []float64
	for _, part := range d {
		quantiles = append(quantiles, part.Quantile(level))
	}
	bounds := bracket{slices.Min(quantiles), slices.Max(quantiles)}
	if bounds.low == bounds.high || math.IsInf(bounds.low, 0) || math.IsInf(bounds.high, 0) {
		return bounds.low
	}
	return solveQuantile(d, level, bounds, bounds.low+float64((bounds.high-bounds.low)/2))
}

func (d mixture) CRPS(y float64) float64 { return integrateCRPS(d, y) }

// Sample returns a random number from a random part.
func (d mixture) Sample(r *rand.Rand) float64 { return d[portable.UintN(r, uint64(len(d)))].Sample(r) }

func (d mixture) Affine(scale, shift float64) Distribution {
	transformed := make(mixture, len(d))
	for k, part := range d {
		transformed[k] = part.Affine(scale, shift)
	}
	return transformed
}

// mixedCounts is the equally weighted mixture of distributions of counts.
type mixedCounts []counts

// mixCounts returns the mixture of distributions of counts, which have the same offset and scale.
func mixCounts(parts []Distribution) discrete {
	var mixed mixedCounts
	for _, part := range parts {
		mixed = append(mixed, part.(discrete).counts)
	}
	first := parts[0].(discrete)
	return newDiscrete(mixed, first.offset, first.scale)
}

// moments returns the mean and the standard deviation.
func (c mixedCounts) moments() (mean, std float64) {
	parts := make(mixture, len(c))
	for k, part := range c {
		parts[k] = normal{part.mean(), part.std()}
	}
	return parts.Mean(), parts.Std()
}

func (c mixedCounts) mean() float64 {
	mean, _ := c.moments()
	return mean
}

func (c mixedCounts) std() float64 {
	_, std := c.moments()
	return std
}

// logProbabilities returns the logarithm of the mean probability of each number.
func (c mixedCounts) logProbabilities(numbers []float64) []float64 {
	byNumber := make([][]float64, len(numbers)) // logarithms by the parts
	for _, part := range c {
		for i, log := range part.logProbabilities(numbers) {
			byNumber[i] = append(byNumber[i], log)
		}
	}
	means := make([]float64, len(numbers))
	for i, logs := range byNumber {
		means[i] = logMeanExp(logs)
	}
	return means
}

// logMeanExp returns the logarithm of the mean of exp(x) over some logarithms. It divides by the largest exp(x), so that not
// all of them underflow. It is NaN if one of them is.
func logMeanExp(logs []float64) float64 {
	largest := slices.Max(logs)
	if math.IsInf(largest, 0) {
		return largest // −∞ minus −∞ below would be NaN
	}
	sum := 0.0
	for _, x := range logs {
		sum += portable.Exp(x - largest)
	}
	return largest + portable.Log(sum/float64(len(logs)))
}

// mixtureNodes holds mixtures of distributions of a family.
type mixtureNodes struct {
	b          *graph.Builder
	family     Family
	parameters []*graph.Node // of all parts
	parts      []Nodes
}

// each returns a node of each part.
func (d mixtureNodes) each(node func(part Nodes) *graph.Node) (nodes []*graph.Node) {
	for _, part := range d.parts {
		nodes = append(nodes, node(part))
	}
	return nodes
}

// Mean returns nil if the parts have no nodes of it.
func (d mixtureNodes) Mean() *graph.Node {
	means := d.each(Nodes.Mean)
	if means[0] == nil {
		return nil
	}
	return d.b.MeanOf(means...)
}

// Std returns the formula of mixture.Std, or nil if the parts have no nodes of it.
func (d mixtureNodes) Std() *graph.Node {
	b, mean := d.b, d.Mean()
	if mean == nil || d.parts[0].Std() == nil {
		return nil
	}
	squares := d.each(func(part Nodes) *graph.Node {
		return b.Add(b.Square(part.Std()), b.Square(b.Sub(part.Mean(), mean)))
	})
	return b.Sqrt(b.MeanOf(squares...))
}

// LogDensity returns the formula of mixture.LogDensity.
func (d mixtureNodes) LogDensity(y *graph.Node) *graph.Node {
	logs := d.each(func(part Nodes) *graph.Node { return part.LogDensity(y) })
	return d.b.Shift(d.b.LogSumExpOf(logs...), -portable.Log(float64(len(logs))))
}

// CDF returns nil if the parts have no nodes of it.
func (d mixtureNodes) CDF(y *graph.Node) *graph.Node {
	probabilities := d.each(func(part Nodes) *graph.Node { return part.CDF(y) })
	if probabilities[0] == nil {
		return nil
	}
	return d.b.MeanOf(probabilities...)
}

// Quantiles returns the quantile at each level, by bisection between the smallest and the largest quantile of the parts, and
// nil if the parts have none.
func (d mixtureNodes) Quantiles(levels []float64) graph.Nodes {
	b := d.b
	var quantiles []*graph.Node // of each part, with columns for each level
	for _, part := range d.parts {
		list := part.Quantiles(levels)
		if list == nil {
			return nil
		}
		quantiles = append(quantiles, b.Concat(list...))
	}
	low, high := fold(b.Min, quantiles), fold(b.Max, quantiles)
	columns := Mixture(d.family, len(d.parts)).Nodes(b, repeatColumns(b, d.parameters, len(levels)))
	return bisectQuantiles(b, levels, low, high, columns.CDF)
}

// CRPS returns nil: the score has no formula.
func (mixtureNodes) CRPS(*graph.Node) *graph.Node { return nil }
