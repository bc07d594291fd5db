package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// Quantiles returns the family of distributions with known quantiles at levels, which
// ascend between 0 and 1. The parameters are the quantiles, in any order:
// networks may let quantiles cross, and to rearrange them brings them closer to the true
// ones (Chernozhukov et al. 2010).
//
// Between two levels the density is constant. Beyond the outermost levels it falls
// exponentially, continuing the outermost density. Source: Park et al. 2022, section 3.2
// (incremental quantile functions with exponential tails). One level alone has its quantile
// as the mean, and nothing else.
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

// quantiles holds levels and quantiles in ascending order.
type quantiles struct{ levels, values []float64 }

func (d quantiles) last() int { return len(d.levels) - 1 }

// lowerTail and upperTail return the mean distance of a number beyond the outermost
// quantile from it: the probability there over the outermost density.
func (d quantiles) lowerTail() float64 {
	return d.levels[0] * (d.values[1] - d.values[0]) / (d.levels[1] - d.levels[0])
}

func (d quantiles) upperTail() float64 {
	k := d.last()
	return (1 - d.levels[k]) * (d.values[k] - d.values[k-1]) / (d.levels[k] - d.levels[k-1])
}

func (d quantiles) Mean() float64 {
	if d.last() == 0 {
		return d.values[0]
	}
	return d.moment(
		func(low, high float64) float64 { return (low + high) / 2 },
		func(end, tail float64) float64 { return end + tail })
}

func (d quantiles) Std() float64 {
	if d.last() == 0 {
		return math.NaN()
	}
	mean := d.Mean()
	return math.Sqrt(d.moment(
		func(low, high float64) float64 {
			low, high = low-mean, high-mean
			return (float64(low*low) + float64(low*high) + float64(high*high)) / 3
		},
		func(end, tail float64) float64 {
			end -= mean
			return float64(end*end) + float64(2*end*tail) + float64(2*tail*tail)
		}))
}

// moment returns an expected value. Its arguments compute the value of a uniform distribution
// from low to high, and of end + X, where X has an exponential distribution with mean tail;
// a negative tail runs to the left.
func (d quantiles) moment(uniform func(low, high float64) float64, exponential func(end, tail float64) float64) float64 {
	k := d.last()
	sum := float64(d.levels[0] * exponential(d.values[0], -d.lowerTail()))
	for i := range k {
		sum += float64((d.levels[i+1] - d.levels[i]) * uniform(d.values[i], d.values[i+1]))
	}
	return sum + float64((1-d.levels[k])*exponential(d.values[k], d.upperTail()))
}

func (d quantiles) LogDensity(y float64) float64 {
	k := d.last()
	switch {
	case k == 0:
		return math.NaN()
	case y < d.values[0]:
		return tailLogDensity(d.levels[0], d.lowerTail(), d.values[0]-y)
	case y >= d.values[k]:
		return tailLogDensity(1-d.levels[k], d.upperTail(), y-d.values[k])
	}
	i := d.segment(y)
	return portable.Log((d.levels[i+1] - d.levels[i]) / (d.values[i+1] - d.values[i]))
}

// tailLogDensity returns the log density at a distance beyond an outermost quantile, where
// the probability p falls exponentially with the mean distance tail.
func tailLogDensity(p, tail, distance float64) float64 {
	if tail == 0 {
		return pointLogDensity(distance, 0)
	}
	return portable.Log(p/tail) - distance/tail
}

// segment returns the last i with values[i] ≤ y, for y between the outermost quantiles.
func (d quantiles) segment(y float64) int {
	i := 0
	for i+1 < d.last() && d.values[i+1] <= y {
		i++
	}
	return i
}

func (d quantiles) CDF(y float64) float64 {
	k := d.last()
	switch {
	case k == 0:
		return math.NaN()
	case y < d.values[0]:
		return float64(d.levels[0] * portable.Exp((y-d.values[0])/d.lowerTail()))
	case y >= d.values[k]:
		if d.upperTail() == 0 {
			return 1
		}
		return 1 - float64((1-d.levels[k])*portable.Exp((d.values[k]-y)/d.upperTail()))
	}
	i := d.segment(y)
	share := (y - d.values[i]) / (d.values[i+1] - d.values[i])
	return d.levels[i] + float64((d.levels[i+1]-d.levels[i])*share)
}

func (d quantiles) Quantile(level float64) float64 {
	if i := indexOfLevel(d.levels, level); i >= 0 {
		return d.values[i]
	}
	k := d.last()
	switch {
	case k == 0:
		return math.NaN()
	case level < d.levels[0]:
		return d.values[0] + float64(d.lowerTail()*portable.Log(level/d.levels[0]))
	case level > d.levels[k]:
		return d.values[k] - float64(d.upperTail()*portable.Log((1-level)/(1-d.levels[k])))
	}
	i := 0
	for d.levels[i+1] < level {
		i++
	}
	share := (level - d.levels[i]) / (d.levels[i+1] - d.levels[i])
	return d.values[i] + float64(share*(d.values[i+1]-d.values[i]))
}

// indexOfLevel returns the index of a level, or −1.
func indexOfLevel(levels []float64, level float64) int {
	return slices.IndexFunc(levels, func(l float64) bool { return math.Abs(l-level) < 1e-9 })
}

// CRPS returns ∫ (F(x) − 1[x ≥ y])² dx, in closed form over each segment.
func (d quantiles) CRPS(y float64) float64 {
	k := d.last()
	if k == 0 {
		return math.NaN()
	}
	sum := tailCRPS(d.levels[0], d.lowerTail(), d.values[0]-y) + tailCRPS(1-d.levels[k], d.upperTail(), y-d.values[k])
	for i := range k {
		low, high := d.values[i], d.values[i+1]
		from, to := d.levels[i], d.levels[i+1]
		switch {
		case y <= low:
			sum += squaredRamp(high-low, 1-from, 1-to)
		case y >= high:
			sum += squaredRamp(high-low, from, to)
		default:
			at := d.CDF(y)
			sum += squaredRamp(y-low, from, at) + squaredRamp(high-y, 1-at, 1-to)
		}
	}
	return sum
}

// squaredRamp returns the integral of the square of a function that goes from one value to
// another over a width in a straight line.
func squaredRamp(width, from, to float64) float64 {
	return float64(width*(float64(from*from)+float64(from*to)+float64(to*to))) / 3
}

// tailCRPS returns the part of the CRPS beyond an outermost quantile, where the
// probability p falls exponentially with the mean distance tail, and the target is beyond
// the quantile by that much (negative: on the other side).
func tailCRPS(p, tail, beyond float64) float64 {
	whole := float64(p*p) * tail / 2
	if beyond <= 0 {
		return whole
	}
	if tail == 0 {
		return beyond // the CDF is at its end behind the quantile
	}
	// Up to the target it is ∫ (1 − p e^(−x/tail))² dx, behind it ∫ (p e^(−x/tail))² dx.
	fallen := portable.Exp(-beyond / tail)
	inside := beyond - float64(2*p*tail*(1-fallen)) + float64(whole*(1-float64(fallen*fallen)))
	return inside + float64(whole*float64(fallen*fallen))
}

func (d quantiles) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

func (d quantiles) Affine(scale, shift float64) Distribution {
	moved := quantiles{d.levels, make([]float64, len(d.values))}
	for i, v := range d.values {
		moved.values[i] = float64(v*scale) + shift
	}
	return moved
}

type quantilesNodes struct {
	b      *graph.Builder
	levels []float64
	values []*graph.Node
}

// sortNodes returns nodes in ascending order, element by element.
func sortNodes(b *graph.Builder, nodes []*graph.Node) []*graph.Node {
	sorted := slices.Clone(nodes)
	for _, pair := range sortingNetwork(len(nodes)) {
		low, high := sorted[pair.low], sorted[pair.high]
		sorted[pair.low], sorted[pair.high] = b.Min(low, high), b.Max(low, high)
	}
	return sorted
}

// comparator is a pair of places of a list: the smaller of the two numbers goes to low, the
// larger to high.
type comparator struct{ low, high int }

// sortingNetwork returns comparators that sort any list of n numbers, n (log n)²/4 or so: Batcher's
// odd-even merges. Source: Knuth 1998, section 5.2.2, algorithm M.
func sortingNetwork(n int) []comparator {
	var network []comparator
	for run := 1; run < n; run *= 2 { // sorted runs of this length are merged in pairs
		for distance := run; distance > 0; distance /= 2 {
			for start := distance % run; start+distance < n; start += 2 * distance {
				for low := start; low < min(start+distance, n-distance); low++ {
					if low/(2*run) == (low+distance)/(2*run) {
						network = append(network, comparator{low, low + distance})
					}
				}
			}
		}
	}
	return network
}

func (d quantilesNodes) last() int { return len(d.levels) - 1 }

func (d quantilesNodes) lowerTail() *graph.Node {
	return d.b.Scale(d.levels[0]/(d.levels[1]-d.levels[0]), d.b.Sub(d.values[1], d.values[0]))
}

func (d quantilesNodes) upperTail() *graph.Node {
	k := d.last()
	return d.b.Scale((1-d.levels[k])/(d.levels[k]-d.levels[k-1]), d.b.Sub(d.values[k], d.values[k-1]))
}

func (d quantilesNodes) Mean() *graph.Node {
	if d.last() == 0 {
		return d.values[0]
	}
	return d.moment(
		func(low, high *graph.Node) *graph.Node { return d.b.Scale(0.5, d.b.Add(low, high)) },
		func(end, tail *graph.Node) *graph.Node { return d.b.Add(end, tail) })
}

func (d quantilesNodes) Std() *graph.Node {
	if d.last() == 0 {
		return nil
	}
	b, mean := d.b, d.Mean()
	return b.Sqrt(d.moment(
		func(low, high *graph.Node) *graph.Node {
			low, high = b.Sub(low, mean), b.Sub(high, mean)
			return b.Scale(1.0/3, b.Add(b.Add(b.Square(low), b.Mul(low, high)), b.Square(high)))
		},
		func(end, tail *graph.Node) *graph.Node {
			end = b.Sub(end, mean)
			return b.Add(b.Square(end), b.Scale(2, b.Mul(tail, b.Add(end, tail))))
		}))
}

// moment is quantiles.moment as nodes.
func (d quantilesNodes) moment(uniform, exponential func(x, y *graph.Node) *graph.Node) *graph.Node {
	b, k := d.b, d.last()
	sum := b.Scale(d.levels[0], exponential(d.values[0], b.Neg(d.lowerTail())))
	for i := range k {
		sum = b.Add(sum, b.Scale(d.levels[i+1]-d.levels[i], uniform(d.values[i], d.values[i+1])))
	}
	return b.Add(sum, b.Scale(1-d.levels[k], exponential(d.values[k], d.upperTail())))
}

func (d quantilesNodes) LogDensity(y *graph.Node) *graph.Node {
	if d.last() == 0 {
		return nil
	}
	b := d.b
	return d.choose(y,
		func(tail *graph.Node) *graph.Node {
			return b.Sub(b.Neg(b.Log(b.Scale(1/d.levels[0], tail))), b.Div(b.Sub(d.values[0], y), tail))
		},
		func(i int) *graph.Node {
			width := b.Sub(d.values[i+1], d.values[i])
			return b.Neg(b.Log(b.Scale(1/(d.levels[i+1]-d.levels[i]), width)))
		},
		func(tail *graph.Node) *graph.Node {
			k := d.last()
			return b.Sub(b.Neg(b.Log(b.Scale(1/(1-d.levels[k]), tail))), b.Div(b.Sub(y, d.values[k]), tail))
		})
}

func (d quantilesNodes) CDF(y *graph.Node) *graph.Node {
	if d.last() == 0 {
		return nil
	}
	b := d.b
	return d.choose(y,
		func(tail *graph.Node) *graph.Node {
			return b.Scale(d.levels[0], b.Exp(b.Div(b.Min(b.Sub(y, d.values[0]), b.Const(0)), tail)))
		},
		func(i int) *graph.Node {
			share := b.Div(b.Sub(y, d.values[i]), b.Sub(d.values[i+1], d.values[i]))
			return b.AddConst(b.Scale(d.levels[i+1]-d.levels[i], share), d.levels[i])
		},
		func(tail *graph.Node) *graph.Node {
			k := d.last()
			beyond := b.Exp(b.Div(b.Min(b.Sub(d.values[k], y), b.Const(0)), tail))
			return b.AddConst(b.Scale(d.levels[k]-1, beyond), 1)
		})
}

// choose returns, element by element, the value of the tail or of the segment that y is in.
func (d quantilesNodes) choose(y *graph.Node, lower func(tail *graph.Node) *graph.Node, segment func(i int) *graph.Node, upper func(tail *graph.Node) *graph.Node) *graph.Node {
	b := d.b
	value := lower(d.lowerTail())
	for i, from := range d.values {
		part := upper(d.upperTail())
		if i < d.last() {
			part = segment(i)
		}
		value = b.Where(b.Greater(from, y), value, part)
	}
	return value
}

func (d quantilesNodes) Quantiles(levels []float64) graph.Nodes {
	if d.last() == 0 && slices.ContainsFunc(levels, func(level float64) bool { return indexOfLevel(d.levels, level) < 0 }) {
		return nil
	}
	var quantiles graph.Nodes
	for _, level := range levels {
		quantiles = append(quantiles, d.quantile(level))
	}
	return quantiles
}

func (d quantilesNodes) quantile(level float64) *graph.Node {
	if i := indexOfLevel(d.levels, level); i >= 0 {
		return d.values[i]
	}
	b, k := d.b, d.last()
	switch {
	case level < d.levels[0]:
		return b.Add(d.values[0], b.Scale(portable.Log(level/d.levels[0]), d.lowerTail()))
	case level > d.levels[k]:
		return b.Sub(d.values[k], b.Scale(portable.Log((1-level)/(1-d.levels[k])), d.upperTail()))
	}
	i := 0
	for d.levels[i+1] < level {
		i++
	}
	share := (level - d.levels[i]) / (d.levels[i+1] - d.levels[i])
	return b.Add(d.values[i], b.Scale(share, b.Sub(d.values[i+1], d.values[i])))
}

// CRPS returns nil: a network with quantiles is trained by their pinball loss.
func (quantilesNodes) CRPS(*graph.Node) *graph.Node { return nil }
