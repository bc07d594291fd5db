package calibrate

import (
	"math"
	"slices"
	"sort"

	"sml/internal/portable"
	"sml/models/distribution"
)

// residualShape is the distribution of the residual of a new row, given those of calibration rows. Its quantile at a
// level p is a mean, with the weights signed and 1 − signed, of two:
//
//   - The signed residuals have the quantile with the rank p·(n + 1).
//   - The sizes of residuals have the quantile with the rank |2p − 1|·(n + 1), with the sign of p − ½.
//
// The first has the skewness of the residuals, the second less noise. Beyond the last rank both are exponential
// (rankQuantiles). Source: Vovk et al. (2019), Nonparametric predictive distributions based on conformal prediction.
type residualShape struct {
	above   rankQuantiles // of the residuals
	below   rankQuantiles // of the residuals with the opposite sign
	sizes   rankQuantiles // of the residuals' absolute values
	signed  float64       // weight of the signed residuals
	outward bool          // whether ranks are rounded away from the median and not interpolated
}

// newResidualShape returns the shape of calibration rows' residuals, which are in ascending order. The fields of residualShape
// say what signed and outward mean.
func newResidualShape(residuals OrderStatistics, signed float64, outward bool) residualShape {
	n := len(residuals.Values)
	weights := residuals.weights()
	isThinned := residuals.Count > n
	opposite := make([]float64, n) // ascending
	sizes := make([]float64, n)
	for i, r := range residuals.Values {
		opposite[n-1-i] = -r
		sizes[i] = math.Abs(r)
	}
	oppositeWeights := slices.Clone(weights)
	slices.Reverse(oppositeWeights)
	bySize := newOrderStatistics(sizes, weights)
	s := residualShape{
		above:   newRankQuantiles(residuals.Values, weights, isThinned),
		below:   newRankQuantiles(opposite, oppositeWeights, isThinned),
		sizes:   newRankQuantiles(bySize.Values, bySize.weights(), isThinned),
		signed:  signed,
		outward: outward,
	}
	s.sizes.startsAtZero = true
	return s
}

// quantile returns the residual at a level, for a new row with a weight; calibration rows have a mean weight of 1.
func (s residualShape) quantile(level, weight float64) float64 {
	half := s.above
	side := 1.0
	if level < 0.5 {
		half = s.below
		side = -1
		level = 1 - level
	}
	z := 0.0
	if s.signed > 0 {
		z = s.signed * half.at(level, weight, s.outward)
	}
	if s.signed < 1 {
		z += float64((1 - s.signed) * s.sizes.at(float64(2*level)-1, weight, s.outward))
	}
	return side * z
}

// shapeOf returns the shape that residuals give. signed is the weight of their signs.
func (k Kind) shapeOf(residuals OrderStatistics, signed float64) residualShape {
	return newResidualShape(residuals, signed, !k.adapts)
}

// shape returns the distribution of residuals for a new row of the mean weight.
func (k Kind) shape(residuals OrderStatistics) *distribution.Shape {
	s := k.shapeOf(residuals, k.signed(residuals.Count))
	return distribution.NewShape(func(level float64) float64 { return s.quantile(level, 1) })
}

// rankQuantiles is a function from ranks to values.
type rankQuantiles struct {
	values    []float64 // ascending
	ranks     []float64 // sum of the weights up to each value
	low, high []float64 // ranks between which each value is the quantile, less half of the weight of a new row

	// excess is the mean distance of the outermost values from the next inner one: beyond the last rank, the values are
	// taken to be exponential with this mean.
	excess float64

	startsAtZero bool // whether rank 0 has the value 0
}

// newRankQuantiles returns the function for ascending values with weights. A value of the weight 2 counts like two equal
// values of the weight 1. Where isThinned, the weight of a value stands for others near it, that were not kept.
func newRankQuantiles(values, weights []float64, isThinned bool) rankQuantiles {
	q := rankQuantiles{values: values}
	rank := 0.0
	for _, weight := range weights {
		half := float64(min(weight, 1) / 2)
		low, high := rank+half, rank+weight-half
		if isThinned {
			low = high
		}
		rank += weight
		q.ranks = append(q.ranks, rank)
		q.low = append(q.low, low)
		q.high = append(q.high, high)
	}
	q.excess = meanExcess(values)
	return q
}

// known returns the weight of all values.
func (q rankQuantiles) known() float64 { return q.ranks[len(q.ranks)-1] }

// maxTailValues is the largest number of outer values that meanExcess uses; it uses a tenth of fewer values.
const maxTailValues = 10

// meanExcess returns the mean distance of the outer values from the next inner one.
func meanExcess(values []float64) float64 {
	n := len(values)
	outer := min(maxTailValues, max(1, n/10), n-1)
	if outer == 0 {
		return 0
	}
	threshold := values[n-1-outer]
	excess := 0.0
	for _, v := range values[n-outer:] {
		excess += (v - threshold) / float64(outer)
	}
	return excess
}

// at returns the value with a rank, which is given as a fraction of the weight of all values and a new row with a
// weight.
func (q rankQuantiles) at(fraction, weight float64, outward bool) float64 {
	last := len(q.values) - 1
	total := q.known() + weight
	rank := float64(fraction * total)
	lastRank := q.high[last] + float64(weight/2)
	if outward {
		lastRank = q.known()
		rank = leastRank(rank)
	}
	switch {
	case rank <= 0 && q.startsAtZero:
		return 0
	case rank > lastRank && q.excess == 0:
		return q.values[last]
	case rank > lastRank:
		return q.values[last] + float64(q.excess*portable.Log((total-lastRank)/float64(total*(1-fraction))))
	case outward:
		return q.values[sort.SearchFloat64s(q.ranks, rank)]
	}
	return q.interpolate(rank, float64(weight/2))
}

// interpolate returns the value with a rank up to the last, linearly between the ranks of two values. ownHalf is half of
// the weight of a new row.
func (q rankQuantiles) interpolate(rank, ownHalf float64) float64 {
	rank -= ownHalf
	i := sort.SearchFloat64s(q.high, rank)
	if i == len(q.values) { // by rounding
		return q.values[i-1]
	}
	if rank >= q.low[i] {
		return q.values[i]
	}
	before, value := 0.0, 0.0 // rank and value below the i-th
	switch {
	case i > 0:
		before, value = q.high[i-1], q.values[i-1]
	case q.startsAtZero:
		before = -ownHalf
	default:
		return q.values[0]
	}
	return value + float64((rank-before)/(q.low[i]-before)*(q.values[i]-value))
}

// rankTolerance is the largest rounding error of a rank, relative to the rank or, below 1, absolute.
const rankTolerance = 1e-9

// leastRank returns the smallest rank that counts as rank x or above, up to rounding.
func leastRank(x float64) float64 { return x - float64(rankTolerance*math.Max(1, x)) }

// ceilTolerant returns ⌈x⌉, or the whole number below x if x exceeds it only by a rounding error.
func ceilTolerant(x float64) int { return int(math.Ceil(leastRank(x))) }
