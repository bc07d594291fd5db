package compare

import (
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// Seeds compares the scores of several seeds with a reference, which is one more draw of the same
// random experiment. It has only scores that the reference and all of Seeds have.
type Seeds struct {
	Seeds   []uint64 // seeds with at least nine tenths of the scores of the most complete seed
	Partial []uint64 // seeds with fewer scores, which are left out: most of their trainings are still to be run
	Spreads []Spread
}

// Spread has the values of one score: one for each seed, and the reference's.
type Spread struct {
	measure.Score           // score of the first seed, with data set, method, split and measure
	Values        []float64 // by seed; NaN if folds failed
	Reference     float64
	Rounding      float64 // half a unit of the reference's last digit
}

// NewSeeds compares the scores of seeds with a reference. The result has no spreads if the
// reference has no scores, or if fewer than two seeds are left.
func NewSeeds(seeds []study.SeedScores, reference Reference) Seeds {
	type key struct{ dataset, method, split, measure string }
	keyOf := func(s measure.Score) key { return key{s.Dataset, s.Method, s.Split, s.Measure} }
	maxScores := 0
	var own [][]measure.Score
	for _, s := range seeds {
		own = append(own, Filter(s.Scores, func(s measure.Score) bool { return !math.IsNaN(reference.Score(s)) }))
		maxScores = max(maxScores, len(own[len(own)-1]))
	}
	var all Seeds
	var values []map[key]float64
	var first []measure.Score
	for i, s := range seeds {
		if 10*len(own[i]) < 9*maxScores {
			all.Partial = append(all.Partial, s.Seed)
			continue
		}
		seedValues := make(map[key]float64)
		for _, score := range own[i] {
			seedValues[keyOf(score)] = score.Mean
			if score.Failed > 0 {
				seedValues[keyOf(score)] = math.NaN()
			}
		}
		if maxScores > 0 {
			all.Seeds, values = append(all.Seeds, s.Seed), append(values, seedValues)
		}
		if len(values) == 1 {
			first = own[i]
		}
	}
	if len(values) < 2 {
		return all
	}
	for _, score := range first {
		s := Spread{Score: score, Reference: reference.Score(score)}
		if reference.Rounding != nil {
			s.Rounding = reference.Rounding(s.Reference)
		}
		for _, seedValues := range values {
			x, ok := seedValues[keyOf(score)]
			if !ok {
				break
			}
			s.Values = append(s.Values, x)
		}
		if len(s.Values) == len(values) {
			all.Spreads = append(all.Spreads, s)
		}
	}
	return all
}

// MeanStd returns the mean and the sample standard deviation of the seeds' values.
func (s Spread) MeanStd() (mean, std float64) { return statistics.MeanStd(s.Values) }

// Coverage is the probability with which an Interval holds one more draw.
const Coverage = 0.95

// Interval returns the interval that holds one more draw with the probability Coverage, if draws
// are normal: mean ± t·s·√(1 + 1/n). Here n is the number of seeds, s their sample standard
// deviation, and t the quantile of Student's distribution with n − 1 degrees of freedom.
func (s Spread) Interval() (low, high float64) { return expectedInterval(s.Values) }

// expectedInterval returns Spread.Interval for a list of values.
func expectedInterval(values []float64) (low, high float64) {
	mean, std := statistics.MeanStd(values)
	half := float64(portable.StudentQuantile((1+Coverage)/2, float64(len(values)-1)) * float64(std*math.Sqrt(1+1/float64(len(values)))))
	return mean - half, mean + half
}

// T returns the distance of the reference from the mean of the seeds, in standard deviations of one
// more draw, s·√(1 + 1/n). If draws are normal, T has Student's distribution with n − 1 degrees of
// freedom. T first reduces the distance by the reference's rounding, to 0 at least.
func (s Spread) T() float64 {
	mean, std := s.MeanStd()
	off := s.Reference - mean
	off = math.Copysign(max(0, math.Abs(off)-s.Rounding), off)
	if off == 0 {
		return 0
	}
	return off / float64(std*math.Sqrt(1+1/float64(len(s.Values))))
}

// Inside reports whether the reference, with its rounding allowed for, is in the interval of the
// seeds. ok is false if a seed's value is not finite, so that there is no interval.
func (s Spread) Inside() (inside, ok bool) {
	low, high := s.Interval()
	return low-s.Rounding <= s.Reference && s.Reference <= high+s.Rounding, statistics.Finite(low) && statistics.Finite(high)
}

// Far reports whether |T| is beyond the quantile at 1 − 0.025/scores, where scores is the number of
// compared scores. If all draws are normal, one experiment in twenty has such a score.
func (s Spread) Far(scores int) bool {
	return math.Abs(s.T()) > portable.StudentQuantile(1-(1-Coverage)/2/float64(scores), float64(len(s.Values)-1))
}

// SeedAgreement has counts, over spreads, of the agreement among the seeds and with the reference.
type SeedAgreement struct {
	Of int // number of spreads

	Met  []int // number of the reference's scores that a seed meets, by seed
	Self []int // number of one seed's scores that another seed meets, for all ordered pairs of seeds

	Inside      int // number of the reference's scores inside the interval of the seeds
	Intervals   int // number of intervals
	SeedsInside int // number of seeds' scores inside the interval of the other seeds
	SeedsOf     int // number of seeds' scores with such an interval; 0 for fewer than three seeds
}

// Agreement returns the counts over all spreads s with keep(s).
func (all Seeds) Agreement(keep func(Spread) bool) SeedAgreement {
	n := len(all.Seeds)
	a := SeedAgreement{Met: make([]int, n)}
	self := make([]int, n*n)
	for _, s := range all.Spreads {
		if !keep(s) {
			continue
		}
		a.Of++
		for i, x := range s.Values {
			if meets(x, s.Reference) {
				a.Met[i]++
			}
			for j, other := range s.Values {
				if i != j && meets(x, other) {
					self[i*n+j]++
				}
			}
		}
		if inside, ok := s.Inside(); ok {
			a.Intervals++
			if inside {
				a.Inside++
			}
		}
		for i, x := range s.Values {
			low, high := expectedInterval(slices.Delete(slices.Clone(s.Values), i, i+1))
			if n > 2 && statistics.Finite(low) && statistics.Finite(high) && statistics.Finite(x) {
				a.SeedsOf++
				if low <= x && x <= high {
					a.SeedsInside++
				}
			}
		}
	}
	for i := range n {
		for j := range n {
			if i != j {
				a.Self = append(a.Self, self[i*n+j])
			}
		}
	}
	return a
}
