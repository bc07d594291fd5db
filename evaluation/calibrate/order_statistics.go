package calibrate

import (
	"cmp"
	"math"
	"slices"
)

// OrderStatistics has values in ascending order. Of more than 4096 values it keeps 4096, evenly spread
// over the ranks, so that a rank is wrong by less than 1/4096 of the number of values.
type OrderStatistics struct {
	Count  int       `json:"of,omitempty"`     // number of all values, kept or not
	Values []float64 `json:"values,omitempty"` // values that were kept, ascending

	// Ranks has the rank of each kept value if rows have different weights: the sum of the weights of the values up to
	// it. It is nil if all rows have the weight 1.
	Ranks []float64 `json:"ranks,omitempty"`
}

// maxKept is the largest number of values that OrderStatistics keeps.
const maxKept = 4096

// newOrderStatistics returns the order statistics of the values, which it may sort and keep. weights has the weight of
// each value, above 0; nil if all have the weight 1.
func newOrderStatistics(values, weights []float64) OrderStatistics {
	s := OrderStatistics{Count: len(values)}
	if weights == nil {
		slices.Sort(values)
		s.Values = selectKept(values)
		return s
	}
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	sorted := make([]float64, len(values))
	ranks := make([]float64, len(values))
	rank := 0.0
	for i, index := range order {
		rank += weights[index]
		sorted[i] = values[index]
		ranks[i] = rank
	}
	s.Values = selectKept(sorted)
	s.Ranks = selectKept(ranks)
	return s
}

// selectKept returns the values that are kept of all values in their order.
func selectKept(values []float64) []float64 {
	if len(values) <= maxKept {
		return values
	}
	kept := make([]float64, maxKept)
	for i := range kept {
		kept[i] = values[keptRank(i, len(values))-1]
	}
	return kept
}

// keptRank returns the rank, counted from 1, of the kept value with index i, if count values were given.
// The smallest and the largest value are always kept.
func keptRank(i, count int) int {
	if count <= maxKept {
		return i + 1
	}
	const gaps = maxKept - 1
	return 1 + int((int64(i)*int64(count-1)+maxKept/2)/gaps) // i·(count−1)/gaps, rounded
}

// rank returns the rank of the kept value with index i.
func (s OrderStatistics) rank(i int) float64 {
	if s.Ranks != nil {
		return s.Ranks[i]
	}
	return float64(keptRank(i, s.Count))
}

// known returns the sum of the weights of all values.
func (s OrderStatistics) known() float64 { return s.rank(len(s.Values) - 1) }

// weights returns the weight of each kept value, which also stands for the values near it that were not kept.
func (s OrderStatistics) weights() []float64 {
	weights := make([]float64, len(s.Values))
	before := 0.0
	for i := range weights {
		rank := s.rank(i)
		weights[i] = rank - before
		before = rank
	}
	return weights
}

// fractionBelow returns the rank of v divided by the weight of all values and one more of weight 1, from 0 to 1.
// Between kept values the rank is interpolated linearly. Beyond the first and the last value it approaches 0 and 1, so
// that the farther of two values has the more extreme fraction.
func (s OrderStatistics) fractionBelow(v float64) float64 {
	kept := len(s.Values)
	above, _ := slices.BinarySearch(s.Values, v) // index of the first kept value that is not below v
	total := s.known() + 1
	switch {
	case above == 0:
		return s.rank(0) / total / (1 + s.Values[0] - v)
	case above == kept:
		return 1 - 1/total/(1+v-s.Values[kept-1])
	}
	low := s.Values[above-1]
	high := s.Values[above]
	lowRank := s.rank(above - 1)
	highRank := s.rank(above)
	return (lowRank + float64((v-low)/(high-low)*(highRank-lowRank))) / total
}

// meanWeights returns the weights divided by their mean, or nil if all are equal.
func meanWeights(weights []float64) []float64 {
	if len(weights) == 0 || slices.Min(weights) == slices.Max(weights) {
		return nil
	}
	largest := slices.Max(weights) // divides the weights first, so that their sum is finite
	sum := 0.0
	for _, w := range weights {
		sum += w / largest
	}
	mean := sum / float64(len(weights))
	inMeans := make([]float64, len(weights))
	for i, w := range weights {
		inMeans[i] = max(w/largest/mean, math.SmallestNonzeroFloat64) // a tiny weight is no weight of 0
	}
	return inMeans
}
