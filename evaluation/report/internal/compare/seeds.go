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
	Values        []float64 // value of each seed; NaN if folds failed
	Reference     float64
	Rounding      float64 // half a unit of the reference's last digit; 0 if unknown
}

// NewSeeds compares the scores of seeds with a reference. The result has no spreads if the
// reference has no scores, or if fewer than two seeds are complete.
func NewSeeds(seeds []study.SeedScores, reference Reference) Seeds {
	compared := make([][]measure.Score, len(seeds)) // scores of each seed that the reference has, too
	maxScores := 0
	for i, s := range seeds {
		compared[i] = Filter(s.Scores, func(s measure.Score) bool { return !math.IsNaN(reference.Score(s)) })
		maxScores = max(maxScores, len(compared[i]))
	}
	var all Seeds
	var values []map[scoreKey]float64 // of each complete seed
	var first []measure.Score         // of the first complete seed
	for i, s := range seeds {
		switch {
		case 10*len(compared[i]) < 9*maxScores:
			all.Partial = append(all.Partial, s.Seed)
		case maxScores > 0:
			if first == nil {
				first = compared[i]
			}
			all.Seeds = append(all.Seeds, s.Seed)
			values = append(values, valuesByKey(compared[i]))
		}
	}
	if len(values) >= 2 {
		all.Spreads = newSpreads(first, values, reference)
	}
	return all
}

// scoreKey identifies a score among the scores of one seed.
type scoreKey struct{ dataset, method, split, measure string }

func keyOf(s measure.Score) scoreKey { return scoreKey{s.Dataset, s.Method, s.Split, s.Measure} }

// valuesByKey returns the values of the scores, NaN if folds failed.
func valuesByKey(scores []measure.Score) map[scoreKey]float64 {
	values := make(map[scoreKey]float64)
	for _, s := range scores {
		values[keyOf(s)] = s.Mean
		if s.Failed > 0 {
			values[keyOf(s)] = math.NaN()
		}
	}
	return values
}

// newSpreads returns a spread for each of the scores that all seeds have. values has the values of
// each seed.
func newSpreads(scores []measure.Score, values []map[scoreKey]float64, reference Reference) []Spread {
	var spreads []Spread
	for _, score := range scores {
		s := Spread{Score: score, Reference: reference.Score(score)}
		if reference.Rounding != nil {
			s.Rounding = reference.Rounding(s.Reference)
		}
		for _, seedValues := range values {
			if value, ok := seedValues[keyOf(score)]; ok {
				s.Values = append(s.Values, value)
			}
		}
		if len(s.Values) == len(values) {
			spreads = append(spreads, s)
		}
	}
	return spreads
}

// MeanStd returns the mean and the sample standard deviation of the seeds' values.
func (s Spread) MeanStd() (mean, std float64) { return statistics.MeanStd(s.Values) }

// Coverage is the probability with which an Interval holds one more draw.
const Coverage = 0.95

// Interval returns the interval that holds one more draw with the probability Coverage, if draws
// are normal: mean ± t·s·√(1 + 1/n). Here n is the number of seeds, s their sample standard
// deviation, and t the quantile of Student's distribution with n − 1 degrees of freedom.
func (s Spread) Interval() (low, high float64) { return predictionInterval(s.Values) }

// predictionInterval returns the interval of Spread.Interval for the values of some seeds. Here and
// in T, float64(x*y) keeps the compiler from fusing a product and a sum, which would round
// differently on some CPUs.
func predictionInterval(values []float64) (low, high float64) {
	n := float64(len(values))
	mean, std := statistics.MeanStd(values)
	t := portable.StudentQuantile((1+Coverage)/2, n-1)
	half := float64(t * float64(std*math.Sqrt(1+1/n)))
	return mean - half, mean + half
}

// T returns the distance of the reference from the mean of the seeds, in standard deviations of one
// more draw, s·√(1 + 1/n). If draws are normal, T has Student's distribution with n − 1 degrees of
// freedom. T first reduces the distance by the reference's rounding, to 0 at least.
func (s Spread) T() float64 {
	mean, std := s.MeanStd()
	difference := s.Reference - mean
	difference = math.Copysign(max(0, math.Abs(difference)-s.Rounding), difference)
	if difference == 0 {
		return 0
	}
	return difference / float64(std*math.Sqrt(1+1/float64(len(s.Values))))
}

// HoldsReference reports whether the reference, with its rounding allowed for, is in the interval of the
// seeds. ok is false if a seed's value is not finite, so that there is no interval.
func (s Spread) HoldsReference() (inside, ok bool) {
	low, high := s.Interval()
	inside = low-s.Rounding <= s.Reference && s.Reference <= high+s.Rounding
	return inside, statistics.IsFinite(low) && statistics.IsFinite(high)
}

// IsFar reports whether |T| is beyond the quantile at 1 − 0.025/scores, where scores is the number of
// compared scores. If all draws are normal, one experiment in twenty has such a score.
func (s Spread) IsFar(scores int) bool {
	bound := portable.StudentQuantile(1-(1-Coverage)/2/float64(scores), float64(len(s.Values)-1))
	return math.Abs(s.T()) > bound
}

// SeedAgreement counts, over spreads, how well the seeds agree with the reference and with one
// another.
type SeedAgreement struct {
	Compared int // number of spreads

	Met      []int // number of the reference's scores that a seed meets, by seed
	MetOther []int // number of one seed's scores that another seed meets, for all ordered pairs of seeds

	Inside    int // number of the reference's scores inside the interval of the seeds
	Intervals int // number of intervals

	SeedsInside   int // number of seeds' scores inside the interval of the other seeds
	SeedIntervals int // number of seeds' scores with such an interval; 0 for fewer than three seeds
}

// Agreement returns the counts over the spreads that keep accepts.
func (all Seeds) Agreement(keep func(Spread) bool) SeedAgreement {
	n := len(all.Seeds)
	a := SeedAgreement{Met: make([]int, n), MetOther: make([]int, n*(n-1))}
	for _, s := range all.Spreads {
		if keep(s) {
			a.add(s)
		}
	}
	return a
}

// add adds the counts of one spread.
func (a *SeedAgreement) add(s Spread) {
	a.Compared++
	pair := 0 // index in MetOther: the pairs of the first seed, of the second and so on
	for i, value := range s.Values {
		if meets(value, s.Reference) {
			a.Met[i]++
		}
		for j, other := range s.Values {
			if i == j {
				continue
			}
			if meets(value, other) {
				a.MetOther[pair]++
			}
			pair++
		}
	}
	if inside, ok := s.HoldsReference(); ok {
		a.Intervals++
		if inside {
			a.Inside++
		}
	}
	if len(s.Values) < 3 {
		return // a single other seed has no interval
	}
	for i, value := range s.Values {
		others := slices.Delete(slices.Clone(s.Values), i, i+1)
		low, high := predictionInterval(others)
		if !statistics.IsFinite(low) || !statistics.IsFinite(high) || !statistics.IsFinite(value) {
			continue
		}
		a.SeedIntervals++
		if low <= value && value <= high {
			a.SeedsInside++
		}
	}
}
