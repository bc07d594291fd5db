package calibrate

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// weightedScores are the scores of calibration rows with weights, and the weight of a new row. They implement Scores.
type weightedScores struct {
	values []float64 // scores, ascending
	ranks  []float64 // rank of each score: the sum of the weights up to it; 1, 2, 3, … if all weights are 1
	own    float64   // weight of the new row
}

// newWeightedScores returns the scores with their weights, all above 0, and with a new row of weight 0.
func newWeightedScores(scores, weights []float64) weightedScores {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	var sorted weightedScores
	rank := 0.0
	for _, i := range order {
		rank += weights[i]
		sorted.values = append(sorted.values, scores[i])
		sorted.ranks = append(sorted.ranks, rank)
	}
	return sorted
}

// withOwn returns the same scores with a new row of the given weight.
func (s weightedScores) withOwn(weight float64) weightedScores {
	s.own = weight
	return s
}

// known returns the sum of the weights of the calibration rows.
func (s weightedScores) known() float64 { return s.ranks[len(s.ranks)-1] }

// total returns the sum of all weights, the new row's included.
func (s weightedScores) total() float64 { return s.known() + s.own }

// AtOrAbove returns the smallest score whose rank, divided by the total weight, is at least the fraction, up to rounding.
// It returns +Inf if there is none.
func (s weightedScores) AtOrAbove(fraction float64) float64 {
	rank := float64(fraction * float64(s.total()*(1-rankTolerance)))
	i := sort.SearchFloat64s(s.ranks, rank)
	if i == len(s.values) {
		return math.Inf(1)
	}
	return s.values[i]
}

// AtOrBelow returns the largest score for which the smaller scores and the new row have at most the fraction of the total
// weight, up to rounding. It returns −Inf if the new row alone has more.
func (s weightedScores) AtOrBelow(fraction float64) float64 {
	smaller := float64(s.total()*(fraction+rankTolerance)) - s.own // largest weight of smaller scores
	if smaller < 0 {
		return math.Inf(-1)
	}
	i := sort.Search(len(s.ranks), func(i int) bool { return s.ranks[i] > smaller })
	return s.values[min(i, len(s.values)-1)]
}

// FractionBelow returns the rank of a value divided by the total weight. It interpolates between scores and extends
// beyond them as OrderStatistics.FractionBelow does.
func (s weightedScores) FractionBelow(value float64) float64 {
	last := len(s.values) - 1
	above, _ := slices.BinarySearch(s.values, value) // index of the first score at or above value
	total := s.total()
	switch {
	case above == 0:
		return s.ranks[0] / total / (1 + s.values[0] - value)
	case above > last:
		return 1 - s.own/total/(1+value-s.values[last])
	}
	low := s.values[above-1]
	high := s.values[above]
	lowRank := s.ranks[above-1]
	highRank := s.ranks[above]
	return (lowRank + float64((value-low)/(high-low)*(highRank-lowRank))) / total
}

// Smallest returns the smallest score, and the fraction up to it.
func (s weightedScores) Smallest() (score, fraction float64) {
	return s.values[0], s.ranks[0] / s.total()
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
