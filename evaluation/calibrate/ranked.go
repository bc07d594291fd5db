package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"sml/internal/statistics"
)

// Scores are the scores of calibration rows, with which the score of a new row is compared. A fraction of rows is the sum of
// their weights divided by the weight of all rows, the new row included. Without weights, every row has the weight 1.
type Scores interface {
	// AtOrAbove returns the smallest score s such that the calibration rows with scores up to s are at least the
	// given fraction. It returns +Inf if all calibration rows together are less.
	AtOrAbove(fraction float64) float64

	// AtOrBelow returns the largest score s such that the calibration rows with scores from s on are at least the
	// fraction 1 − fraction. It returns −Inf if all calibration rows together are less.
	AtOrBelow(fraction float64) float64

	// FractionBelow returns the fraction of rows with scores up to a value, from 0 to 1. It is interpolated between
	// scores, and approaches 0 and 1 beyond them.
	FractionBelow(value float64) float64

	// Smallest returns the smallest score, and the fraction of rows with it.
	Smallest() (score, fraction float64)
}

// OrderStatistics has values in ascending order. Of more than 4096 values it keeps 4096, evenly spread
// over the ranks, so that a rank is wrong by less than 1/4096 of the number of values.
type OrderStatistics struct {
	Count  int       `json:"of,omitempty"`     // number of values, also of those that were not kept
	Values []float64 `json:"values,omitempty"` // values that were kept, ascending

	// Ranks has the rank of each kept value if rows have different weights: the sum of the weights of the values up to
	// it, where the mean weight is 1. It is nil if all rows have the same weight.
	Ranks []float64 `json:"ranks,omitempty"`
}

// maxKept is the largest number of values that OrderStatistics keeps.
const maxKept = 4096

// newOrderStatistics returns the order statistics of the values, which it may sort and keep. weights has the weight of
// each value in mean weights; nil if all have the same.
func newOrderStatistics(values, weights []float64) OrderStatistics {
	s := OrderStatistics{Count: len(values)}
	if weights == nil {
		slices.Sort(values)
		s.Values = selectKept(values)
		return s
	}
	sorted := newWeightedScores(values, weights)
	s.Values = selectKept(sorted.values)
	s.Ranks = selectKept(sorted.ranks)
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

// weighted returns the same values with their ranks and a new row of the mean weight.
func (s OrderStatistics) weighted() weightedScores {
	return weightedScores{values: s.Values, ranks: s.Ranks, own: 1}
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

// AtOrAbove returns the value with the rank (Count + 1)·fraction, rounded up.
func (s OrderStatistics) AtOrAbove(fraction float64) float64 {
	if s.Ranks != nil {
		return s.weighted().AtOrAbove(fraction)
	}
	return s.valueAtOrAbove(ceilTolerant(float64(fraction * float64(s.Count+1))))
}

// AtOrBelow returns the value with the rank (Count + 1)·fraction, rounded down.
func (s OrderStatistics) AtOrBelow(fraction float64) float64 {
	if s.Ranks != nil {
		return s.weighted().AtOrBelow(fraction)
	}
	return s.valueAtOrBelow(floorTolerant(float64(fraction * float64(s.Count+1))))
}

// Smallest returns the smallest value, and the fraction 1/(Count + 1).
func (s OrderStatistics) Smallest() (value, fraction float64) {
	if s.Ranks != nil {
		return s.weighted().Smallest()
	}
	return s.Values[0], 1 / float64(s.Count+1)
}

// valueAtOrAbove returns the value with the given rank, counted from 1, or the next larger value that
// was kept. It returns +Inf if the rank is above Count.
func (s OrderStatistics) valueAtOrAbove(rank int) float64 {
	i := s.indexOfRank(rank)
	if i == len(s.Values) {
		return math.Inf(1)
	}
	return s.Values[i]
}

// valueAtOrBelow returns the value with the given rank, counted from 1, or the next smaller value that
// was kept. It returns −Inf if the rank is 0.
func (s OrderStatistics) valueAtOrBelow(rank int) float64 {
	i := s.indexOfRank(rank)
	if i == len(s.Values) || keptRank(i, s.Count) > rank {
		i--
	}
	if i < 0 {
		return math.Inf(-1)
	}
	return s.Values[i]
}

// indexOfRank returns the index of the first kept value with at least the given rank, or the number of
// kept values if there is none.
func (s OrderStatistics) indexOfRank(rank int) int {
	return sort.Search(len(s.Values), func(i int) bool { return keptRank(i, s.Count) >= rank })
}

// FractionBelow returns the rank of v divided by Count + 1, from 0 to 1. Between kept values the
// rank is interpolated linearly. Beyond the first and the last value it approaches 0 and 1, so that
// the farther of two values has the more extreme fraction.
func (s OrderStatistics) FractionBelow(v float64) float64 {
	if s.Ranks != nil {
		return s.weighted().FractionBelow(v)
	}
	kept := len(s.Values)
	above, _ := slices.BinarySearch(s.Values, v) // index of the first kept value that is not below v
	total := float64(s.Count + 1)
	switch {
	case above == 0:
		return 1 / total / (1 + s.Values[0] - v)
	case above == kept:
		return 1 - 1/total/(1+v-s.Values[kept-1])
	}
	low := s.Values[above-1]
	high := s.Values[above]
	lowRank := float64(keptRank(above-1, s.Count))
	highRank := float64(keptRank(above, s.Count))
	return (lowRank + float64((v-low)/(high-low)*(highRank-lowRank))) / total
}

// check returns an error if order statistics that were read from a file are not valid.
func (s OrderStatistics) check() error {
	if len(s.Values) != min(s.Count, maxKept) || s.Count < 1 || s.Count > math.MaxInt32 {
		return fmt.Errorf("it keeps %d of %d residuals or standard deviations; want all, or %d of more", len(s.Values), s.Count, maxKept)
	}
	for i, v := range s.Values {
		if !statistics.IsFinite(v) || i > 0 && v < s.Values[i-1] {
			return errors.New("its residuals or standard deviations are not finite numbers in ascending order")
		}
	}
	if s.Ranks == nil {
		return nil
	}
	isPositive := len(s.Ranks) == len(s.Values) && s.Ranks[0] > 0
	if !isPositive || !slices.IsSorted(s.Ranks) || !statistics.IsFinite(s.Ranks[len(s.Ranks)-1]) {
		return fmt.Errorf("it has %d ranks of %d residuals or standard deviations; want a finite number above 0 for each, in ascending order", len(s.Ranks), len(s.Values))
	}
	return nil
}

// rank returns the rank of the kept value with index i.
func (s OrderStatistics) rank(i int) float64 {
	if s.Ranks != nil {
		return s.Ranks[i]
	}
	return float64(keptRank(i, s.Count))
}

// rankTolerance is the largest rounding error of a rank, relative to the rank or, below 1, absolute.
const rankTolerance = 1e-9

// leastRank returns the smallest rank that counts as rank x or above, up to rounding.
func leastRank(x float64) float64 { return x - float64(rankTolerance*math.Max(1, x)) }

// ceilTolerant returns ⌈x⌉, or the whole number below x if x exceeds it only by a rounding error.
func ceilTolerant(x float64) int { return int(math.Ceil(leastRank(x))) }

// floorTolerant returns ⌊x⌋, or the whole number above x if x falls short of it only by a rounding error.
func floorTolerant(x float64) int {
	return int(math.Floor(x + float64(rankTolerance*math.Max(1, x))))
}
