package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// Quantiles returns the family of distributions with known quantiles at levels, which ascend between
// 0 and 1. The parameters are the quantiles. They are sorted first: the predicted quantiles of a
// network may cross, and sorting brings them closer to the true ones (Chernozhukov et al. 2010).
//
// Between two quantiles the density is constant. Beyond the outermost quantiles it falls
// exponentially, starting from the density on the other side. With a single level, the distribution
// has only a mean, which is the quantile. Source: Park et al. 2022, section 3.2 (incremental quantile
// functions with exponential tails).
func Quantiles(levels ...float64) Family {
	var names []string
	for _, level := range levels {
		names = append(names, fmt.Sprintf("quantile %v", level))
	}
	return Family{
		Name:       "quantiles",
		Parameters: names,
		HasStd:     len(levels) > 1,
		Levels:     levels,
		New: func(p []float64) Distribution {
			values := slices.Clone(p)
			slices.Sort(values)
			return quantiles{levels, values}
		},
		Nodes: func(b *graph.Builder, p []*graph.Node) Nodes {
			return quantilesNodes{b, levels, sortNodes(b, p)}
		},
	}
}

// quantiles is a distribution of the family Quantiles. Levels and values ascend. Segment i is
// between values[i] and values[i+1]; a tail is below the first or above the last value.
type quantiles struct{ levels, values []float64 }

// last returns the index of the highest level.
func (d quantiles) last() int { return len(d.levels) - 1 }

// hasOneLevel reports whether a single quantile is known. Then there is no segment, and the
// distribution has no spread, CDF or density.
func (d quantiles) hasOneLevel() bool { return len(d.levels) == 1 }

// lowerTail returns the mean distance from the lowest quantile of numbers below it: the probability
// there over the density of the first segment.
func (d quantiles) lowerTail() float64 {
	probability := d.levels[0]
	return probability * (d.values[1] - d.values[0]) / (d.levels[1] - d.levels[0])
}

// upperTail returns the mean distance from the highest quantile of numbers above it: the
// probability there over the density of the last segment.
func (d quantiles) upperTail() float64 {
	last := d.last()
	probability := 1 - d.levels[last]
	return probability * (d.values[last] - d.values[last-1]) / (d.levels[last] - d.levels[last-1])
}

// Mean returns the mean: over a segment the middle, over a tail its end plus its mean length. With one
// level it is the quantile.
func (d quantiles) Mean() float64 {
	if d.hasOneLevel() {
		return d.values[0]
	}
	return d.expectation(
		func(low, high float64) float64 { return (low + high) / 2 },
		func(end, tail float64) float64 { return end + tail })
}

// Std returns the standard deviation, the root of the expected value of (Y − mean)². It is NaN with
// one level. float64(…) rounds each product, so that no CPU fuses it with the sum.
func (d quantiles) Std() float64 {
	if d.hasOneLevel() {
		return math.NaN()
	}
	mean := d.Mean()
	variance := d.expectation(
		// E U² = (a² + ab + b²)/3 for U = Y − mean, uniform from a to b.
		func(low, high float64) float64 {
			a, b := low-mean, high-mean
			return (float64(a*a) + float64(a*b) + float64(b*b)) / 3
		},
		// E (a + X)² = a² + 2a E X + E X², with E X² = 2 (E X)² for an exponential X.
		func(end, tail float64) float64 {
			a := end - mean
			return float64(a*a) + float64(2*a*tail) + float64(2*tail*tail)
		})
	return math.Sqrt(variance)
}

// expectation returns the expected value of a function g of Y, where Y has the distribution d: the
// expected values over the segments and tails, weighted by their probabilities. The arguments return
// the expected value of g over one of these parts. uniform is for numbers spread evenly from low to
// high, and exponential for end + X, where X has an exponential distribution with the mean tail; a
// negative tail extends to the left. float64(…) rounds each product, so that no CPU fuses it with the sum.
func (d quantiles) expectation(uniform func(low, high float64) float64, exponential func(end, tail float64) float64) float64 {
	last := d.last()
	sum := float64(d.levels[0] * exponential(d.values[0], -d.lowerTail()))
	for i := range last {
		sum += float64((d.levels[i+1] - d.levels[i]) * uniform(d.values[i], d.values[i+1]))
	}
	return sum + float64((1-d.levels[last])*exponential(d.values[last], d.upperTail()))
}

// LogDensity returns the log density at y: in a segment, its probability over its width. It is NaN
// with one level.
func (d quantiles) LogDensity(y float64) float64 {
	last := d.last()
	switch {
	case d.hasOneLevel():
		return math.NaN()
	case y < d.values[0]:
		return tailLogDensity(d.levels[0], d.lowerTail(), d.values[0]-y)
	case y >= d.values[last]:
		return tailLogDensity(1-d.levels[last], d.upperTail(), y-d.values[last])
	}
	i := d.segment(y)
	return portable.Log((d.levels[i+1] - d.levels[i]) / (d.values[i+1] - d.values[i]))
}

// tailLogDensity returns the log density at a distance beyond an outermost quantile, the end of the
// tail. The tail has the given probability, and its numbers have the mean distance tail from the end.
func tailLogDensity(probability, tail, distance float64) float64 {
	if tail == 0 { // the two outermost quantiles are equal
		return pointLogDensity(distance, 0)
	}
	return portable.Log(probability/tail) - distance/tail
}

// segment returns the index of the last quantile that is at most y, for y between the outermost
// quantiles.
func (d quantiles) segment(y float64) int {
	i := 0
	for i+1 < d.last() && d.values[i+1] <= y {
		i++
	}
	return i
}

// CDF returns the probability of a number up to y: linear between the quantiles, exponential in the
// tails. It is NaN with one level.
func (d quantiles) CDF(y float64) float64 {
	last := d.last()
	switch {
	case d.hasOneLevel():
		return math.NaN()
	case y < d.values[0]:
		decay := portable.Exp((y - d.values[0]) / d.lowerTail()) // e^−∞ = 0 if the tail has no length
		return float64(d.levels[0] * decay)
	case y >= d.values[last]:
		if d.upperTail() == 0 {
			return 1 // at the end of the tail, 0/0 below would be NaN
		}
		decay := portable.Exp((d.values[last] - y) / d.upperTail())
		return 1 - float64((1-d.levels[last])*decay)
	}
	i := d.segment(y)
	fraction := (y - d.values[i]) / (d.values[i+1] - d.values[i])
	return d.levels[i] + float64((d.levels[i+1]-d.levels[i])*fraction)
}

// Quantile returns the known quantile if the level is one of d.levels, and otherwise the inverse of
// CDF. With one level all other quantiles are NaN.
func (d quantiles) Quantile(level float64) float64 {
	known := indexOfLevel(d.levels, level)
	if known >= 0 {
		return d.values[known]
	}
	last := d.last()
	switch {
	case d.hasOneLevel():
		return math.NaN()
	case level < d.levels[0]:
		return d.values[0] + float64(d.lowerTail()*portable.Log(level/d.levels[0]))
	case level > d.levels[last]:
		return d.values[last] - float64(d.upperTail()*portable.Log((1-level)/(1-d.levels[last])))
	}
	i, fraction := locateLevel(d.levels, level)
	return d.values[i] + float64(fraction*(d.values[i+1]-d.values[i]))
}

// indexOfLevel returns the index of a level in levels, or −1. Levels that differ only by rounding
// are the same.
func indexOfLevel(levels []float64, level float64) int {
	const tolerance = 1e-9
	return slices.IndexFunc(levels, func(l float64) bool { return math.Abs(l-level) < tolerance })
}

// locateLevel returns the segment that contains a level, and the fraction of the segment that is below
// the level. Segment i goes from levels[i] to levels[i+1]. The level must be between the outermost
// levels.
func locateLevel(levels []float64, level float64) (segment int, fraction float64) {
	i := 0
	for levels[i+1] < level {
		i++
	}
	return i, (level - levels[i]) / (levels[i+1] - levels[i])
}

// CRPS returns ∫ (F(x) − 1[x ≥ y])² dx with the CDF F, in closed form over each segment and tail. In a
// segment F is linear: the integrand is F² up to the target y, and (1 − F)² beyond it. CRPS is NaN with
// one level.
func (d quantiles) CRPS(y float64) float64 {
	if d.hasOneLevel() {
		return math.NaN()
	}
	last := d.last()
	lowerTail := tailCRPS(d.levels[0], d.lowerTail(), d.values[0]-y)
	upperTail := tailCRPS(1-d.levels[last], d.upperTail(), y-d.values[last])
	sum := lowerTail + upperTail
	for i := range last {
		low, high := d.values[i], d.values[i+1]
		lowLevel, highLevel := d.levels[i], d.levels[i+1]
		switch {
		case y <= low:
			sum += squaredRampIntegral(high-low, 1-lowLevel, 1-highLevel)
		case y >= high:
			sum += squaredRampIntegral(high-low, lowLevel, highLevel)
		default:
			levelOfY := d.CDF(y)
			upToTarget := squaredRampIntegral(y-low, lowLevel, levelOfY)
			beyondTarget := squaredRampIntegral(high-y, 1-levelOfY, 1-highLevel)
			sum += upToTarget + beyondTarget
		}
	}
	return sum
}

// squaredRampIntegral returns the integral of the square of a linear function that goes from first
// to last over an interval of the given width: width (first² + first·last + last²)/3.
func squaredRampIntegral(width, first, last float64) float64 {
	return float64(width*(float64(first*first)+float64(first*last)+float64(last*last))) / 3
}

// tailCRPS returns the part of the CRPS in the tail beyond an outermost quantile. The tail has the
// probability p and the mean distance tail. distance is the distance of the target beyond the
// quantile, negative if the target is on the other side. float64(…) rounds each product, so that no CPU
// fuses it with the sum.
func tailCRPS(p, tail, distance float64) float64 {
	full := float64(p*p) * tail / 2 // ∫ (p e^(−x/tail))² dx from 0 to infinity
	if distance <= 0 {
		return full
	}
	if tail == 0 {
		return distance // the tail has no length: up to the target the CDF is off by 1
	}
	// Up to the target the integrand is (1 − p e^(−x/tail))², beyond it (p e^(−x/tail))².
	decay := portable.Exp(-distance / tail)
	squaredDecay := float64(decay * decay)
	upToTarget := distance - float64(2*p*tail*(1-decay)) + float64(full*(1-squaredDecay))
	beyondTarget := float64(full * squaredDecay)
	return upToTarget + beyondTarget
}

func (d quantiles) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

// Affine returns the distribution with the quantiles scale·q + shift. They ascend too, as scale is
// positive.
func (d quantiles) Affine(scale, shift float64) Distribution {
	transformed := quantiles{d.levels, make([]float64, len(d.values))}
	for i, v := range d.values {
		transformed.values[i] = float64(v*scale) + shift
	}
	return transformed
}

// quantilesNodes holds distributions of the family Quantiles, with one node for each level. Levels
// and values ascend.
type quantilesNodes struct {
	b      *graph.Builder
	levels []float64
	values []*graph.Node
}

// last returns the index of the highest level.
func (d quantilesNodes) last() int { return len(d.levels) - 1 }

// hasOneLevel reports whether a single quantile is known. Then the distributions have no spread, CDF
// or density.
func (d quantilesNodes) hasOneLevel() bool { return len(d.levels) == 1 }

// lowerTail returns the formula of quantiles.lowerTail.
func (d quantilesNodes) lowerTail() *graph.Node {
	return d.b.Scale(d.levels[0]/(d.levels[1]-d.levels[0]), d.b.Sub(d.values[1], d.values[0]))
}

// upperTail returns the formula of quantiles.upperTail.
func (d quantilesNodes) upperTail() *graph.Node {
	last := d.last()
	return d.b.Scale((1-d.levels[last])/(d.levels[last]-d.levels[last-1]), d.b.Sub(d.values[last], d.values[last-1]))
}

// Mean returns the formula of quantiles.Mean.
func (d quantilesNodes) Mean() *graph.Node {
	if d.hasOneLevel() {
		return d.values[0]
	}
	return d.expectation(
		func(low, high *graph.Node) *graph.Node { return d.b.Scale(0.5, d.b.Add(low, high)) },
		func(end, tail *graph.Node) *graph.Node { return d.b.Add(end, tail) })
}

// Std returns the formula of quantiles.Std, or nil with one level.
func (d quantilesNodes) Std() *graph.Node {
	if d.hasOneLevel() {
		return nil
	}
	b := d.b
	mean := d.Mean()
	variance := d.expectation(
		// The mean square from x to y is (x² + xy + y²)/3 for numbers spread evenly.
		func(low, high *graph.Node) *graph.Node {
			x := b.Sub(low, mean)
			y := b.Sub(high, mean)
			return b.Scale(1.0/3, b.Add(b.Add(b.Square(x), b.Mul(x, y)), b.Square(y)))
		},
		// The mean square beyond x is x² + 2 tail (x + tail) for an exponential tail.
		func(end, tail *graph.Node) *graph.Node {
			x := b.Sub(end, mean)
			return b.Add(b.Square(x), b.Scale(2, b.Mul(tail, b.Add(x, tail))))
		})
	return b.Sqrt(variance)
}

// expectation returns the formula of quantiles.expectation.
func (d quantilesNodes) expectation(uniform func(low, high *graph.Node) *graph.Node, exponential func(end, tail *graph.Node) *graph.Node) *graph.Node {
	b, last := d.b, d.last()
	sum := b.Scale(d.levels[0], exponential(d.values[0], b.Neg(d.lowerTail())))
	for i := range last {
		sum = b.Add(sum, b.Scale(d.levels[i+1]-d.levels[i], uniform(d.values[i], d.values[i+1])))
	}
	return b.Add(sum, b.Scale(1-d.levels[last], exponential(d.values[last], d.upperTail())))
}

// LogDensity returns the formula of quantiles.LogDensity, or nil with one level. Each part has the
// density probability/length, where length is the width of a segment or the mean distance in a tail,
// and a tail falls exponentially with the distance from its end.
func (d quantilesNodes) LogDensity(y *graph.Node) *graph.Node {
	if d.hasOneLevel() {
		return nil
	}
	b := d.b
	return d.selectPart(y, quantileParts{
		lower: func(tail *graph.Node) *graph.Node {
			return b.Sub(b.Neg(b.Log(b.Scale(1/d.levels[0], tail))), b.Div(b.Sub(d.values[0], y), tail))
		},
		segment: func(i int) *graph.Node {
			width := b.Sub(d.values[i+1], d.values[i])
			return b.Neg(b.Log(b.Scale(1/(d.levels[i+1]-d.levels[i]), width)))
		},
		upper: func(tail *graph.Node) *graph.Node {
			last := d.last()
			return b.Sub(b.Neg(b.Log(b.Scale(1/(1-d.levels[last]), tail))), b.Div(b.Sub(y, d.values[last]), tail))
		},
	})
}

// CDF returns the formula of quantiles.CDF, or nil with one level. The exponents are at most 0: the
// formula of a tail is computed for every y, also where it is not selected, and must not overflow
// there.
func (d quantilesNodes) CDF(y *graph.Node) *graph.Node {
	if d.hasOneLevel() {
		return nil
	}
	b := d.b
	return d.selectPart(y, quantileParts{
		lower: func(tail *graph.Node) *graph.Node {
			return b.Scale(d.levels[0], b.Exp(b.Div(b.Min(b.Sub(y, d.values[0]), b.Const(0)), tail)))
		},
		segment: func(i int) *graph.Node {
			fraction := b.Div(b.Sub(y, d.values[i]), b.Sub(d.values[i+1], d.values[i]))
			return b.Shift(b.Scale(d.levels[i+1]-d.levels[i], fraction), d.levels[i])
		},
		upper: func(tail *graph.Node) *graph.Node {
			last := d.last()
			decay := b.Exp(b.Div(b.Min(b.Sub(d.values[last], y), b.Const(0)), tail))
			return b.Shift(b.Scale(d.levels[last]-1, decay), 1)
		},
	})
}

// quantileParts holds a formula for each part of a distribution of the family Quantiles. tail is the
// mean distance of the numbers in the tail from its quantile.
type quantileParts struct {
	lower   func(tail *graph.Node) *graph.Node
	segment func(i int) *graph.Node
	upper   func(tail *graph.Node) *graph.Node
}

// selectPart returns, for each element of y, the value of the part that y is in. It starts with the
// lower tail, and goes up: where y is at or above a quantile, the value of the part above it replaces
// the value so far.
func (d quantilesNodes) selectPart(y *graph.Node, parts quantileParts) *graph.Node {
	b := d.b
	value := parts.lower(d.lowerTail())
	for i, quantile := range d.values {
		valueAbove := parts.upper(d.upperTail())
		if i < d.last() {
			valueAbove = parts.segment(i)
		}
		isBelowQuantile := b.Greater(quantile, y)
		value = b.Where(isBelowQuantile, value, valueAbove)
	}
	return value
}

// Quantiles returns nil if the distributions have a single level and another is requested.
func (d quantilesNodes) Quantiles(levels []float64) graph.Nodes {
	isUnknown := func(level float64) bool { return indexOfLevel(d.levels, level) < 0 }
	if d.hasOneLevel() && slices.ContainsFunc(levels, isUnknown) {
		return nil
	}
	var quantiles graph.Nodes
	for _, level := range levels {
		quantiles = append(quantiles, d.quantile(level))
	}
	return quantiles
}

// quantile returns the formula of quantiles.Quantile.
func (d quantilesNodes) quantile(level float64) *graph.Node {
	known := indexOfLevel(d.levels, level)
	if known >= 0 {
		return d.values[known]
	}
	b, last := d.b, d.last()
	switch {
	case level < d.levels[0]:
		return b.Add(d.values[0], b.Scale(portable.Log(level/d.levels[0]), d.lowerTail()))
	case level > d.levels[last]:
		return b.Sub(d.values[last], b.Scale(portable.Log((1-level)/(1-d.levels[last])), d.upperTail()))
	}
	i, fraction := locateLevel(d.levels, level)
	return b.Add(d.values[i], b.Scale(fraction, b.Sub(d.values[i+1], d.values[i])))
}

// CRPS returns nil: networks with quantiles are trained by the pinball loss instead.
func (quantilesNodes) CRPS(*graph.Node) *graph.Node { return nil }
