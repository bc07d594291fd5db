package report

import (
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/study"
	"sml/internal/portable"
	"sml/internal/statistics"
)

// SeedComparison compares the scores of a study's seeds with a reference, such as a publication. If the
// reference ran the same random experiment once, its scores are one more draw, and their distance
// from ours should be like the distance between two seeds. SeedComparison has only the scores that the
// reference and all complete seeds have.
type SeedComparison struct {
	Seeds   []uint64     // complete seeds: they have at least nine tenths of the largest number of scores
	Partial []uint64     // seeds with fewer scores, which are left out: most of their trainings are still to be run
	Spreads []SeedSpread // one for each score
}

// SeedSpread has the values of one score: one for each seed, and the reference's.
type SeedSpread struct {
	measure.Score           // score of the first seed, with data set, method, split and measure
	Values        []float64 // value of each seed; NaN if folds failed
	Reference     float64   // the reference's score
	Rounding      float64   // half a unit of the last digit of Reference; 0 if unknown
}

// CompareSeeds compares the scores of seeds with a reference. It leaves out seeds that lack more than a tenth
// of the scores: a spread needs the score of every seed, so one unfinished seed would hide most scores.
// The result has no spreads if the reference has no scores, or if fewer than two seeds are complete.
func CompareSeeds(seeds []study.SeedScores, reference Reference) SeedComparison {
	compared := make([][]measure.Score, len(seeds)) // scores of each seed that the reference has, too
	maxScores := 0
	for i, seed := range seeds {
		compared[i] = FilterScores(seed.Scores, func(s measure.Score) bool { return !math.IsNaN(reference.score(s)) })
		maxScores = max(maxScores, len(compared[i]))
	}
	if maxScores == 0 {
		return SeedComparison{}
	}
	var comparison SeedComparison
	var complete [][]measure.Score // compared scores of each complete seed
	for i, seed := range seeds {
		isComplete := 10*len(compared[i]) >= 9*maxScores // nine tenths, without rounding
		if !isComplete {
			comparison.Partial = append(comparison.Partial, seed.Seed)
			continue
		}
		comparison.Seeds = append(comparison.Seeds, seed.Seed)
		complete = append(complete, compared[i])
	}
	if len(complete) >= 2 { // one seed has no spread
		comparison.Spreads = newSpreads(complete, reference)
	}
	return comparison
}

// newSpreads returns a spread for each score that all seeds have, in the order of the first seed's
// scores. seeds has the scores of each seed.
func newSpreads(seeds [][]measure.Score, reference Reference) []SeedSpread {
	var spreads []SeedSpread
	for _, score := range seeds[0] {
		s := SeedSpread{Score: score, Reference: reference.score(score)}
		s.Rounding = reference.Rounding(s.Reference)
		for _, scores := range seeds {
			value, ok := findValue(scores, score)
			if ok {
				s.Values = append(s.Values, value)
			}
		}
		if len(s.Values) == len(seeds) { // otherwise a seed lacks the score
			spreads = append(spreads, s)
		}
	}
	return spreads
}

// findValue returns the value of the score with the names of s, NaN if folds failed. It returns false if there is none.
func findValue(scores []measure.Score, s measure.Score) (value float64, ok bool) {
	i := slices.IndexFunc(scores, func(other measure.Score) bool {
		return other.Dataset == s.Dataset && other.Method == s.Method && other.Split == s.Split && other.Measure == s.Measure
	})
	switch {
	case i < 0:
		return 0, false
	case scores[i].Failed > 0:
		return math.NaN(), true
	}
	return scores[i].Mean, true
}

// SeedCoverage is the probability that an Interval contains one more draw.
const SeedCoverage = 0.95

// Interval returns the interval that contains one more draw with probability SeedCoverage, if the draws
// are normal: mean ± t·s·√(1 + 1/n). Here n is the number of seeds, s their sample standard
// deviation, and t the quantile of Student's distribution with n − 1 degrees of freedom. The limits
// are NaN if a value is.
//
// Here and in distance, float64(x*y) keeps the compiler from fusing a product and a sum, which would round
// differently on some CPUs.
func (s SeedSpread) Interval() (low, high float64) {
	n := float64(len(s.Values))
	mean, std := statistics.MeanStd(s.Values)
	t := portable.StudentQuantile((1+SeedCoverage)/2, n-1) // half of the draws outside are above the interval
	halfWidth := float64(t * float64(std*math.Sqrt(1+1/n)))
	return mean - halfWidth, mean + halfWidth
}

// distance returns the distance of the reference's score from the mean of the seeds' values, negative if the
// score is below the mean. Its unit is the standard deviation of that distance for one more draw,
// s·√(1 + 1/n). If the draws are normal, it has Student's distribution with n − 1 degrees of freedom. The
// exact score may be nearer than the printed one by the rounding, so the distance is first reduced by it,
// to 0 at least.
func (s SeedSpread) distance() float64 {
	mean, std := statistics.MeanStd(s.Values)
	difference := s.Reference - mean
	distance := max(0, math.Abs(difference)-s.Rounding)
	if distance == 0 { // even if std is 0, too
		return 0
	}
	n := float64(len(s.Values))
	return math.Copysign(distance, difference) / float64(std*math.Sqrt(1+1/n))
}

// HoldsReference reports whether the reference's score is inside the interval of the seeds, or at most
// its rounding outside. ok is false if there is no interval, because a seed's value is not finite.
func (s SeedSpread) HoldsReference() (inside, ok bool) {
	low, high := s.Interval()
	inside = low-s.Rounding <= s.Reference && s.Reference <= high+s.Rounding
	return inside, statistics.IsFinite(low) && statistics.IsFinite(high)
}

// isFar reports whether the reference's score is too far from the seeds' values for a chance find
// among the given number of compared scores: |distance| is above Student's quantile at 1 − 0.025/scores, which
// is Bonferroni's correction. If all draws are normal, at most one experiment in twenty has such a
// score.
func (s SeedSpread) isFar(scores int) bool {
	level := 1 - (1-SeedCoverage)/2/float64(scores) // half of the tail for each sign of the distance
	degreesOfFreedom := float64(len(s.Values) - 1)
	return math.Abs(s.distance()) > portable.StudentQuantile(level, degreesOfFreedom)
}

// seedAgreement counts how well the scores of the seeds agree with the reference's scores and with one
// another.
type seedAgreement struct {
	Compared int // number of scores that were compared

	ReproducedBySeed []int // number of the reference's scores that a seed reproduces, by seed

	// ReproducedByPair has the number of one seed's scores that another seed reproduces, for all
	// ordered pairs of seeds: the pairs of the first seed, of the second and so on.
	ReproducedByPair []int

	Inside    int // number of the reference's scores inside the interval of the seeds
	Intervals int // number of the reference's scores with such an interval

	SeedsInside   int // number of seeds' scores inside the interval of the other seeds
	SeedIntervals int // number of seeds' scores with such an interval; 0 for fewer than three seeds
}

// totalAgreement returns the counts over all spreads.
func (all SeedComparison) totalAgreement() seedAgreement {
	return all.Agreement(func(SeedSpread) bool { return true })
}

// Agreement returns the counts over the spreads for which isWanted returns true.
func (all SeedComparison) Agreement(isWanted func(SeedSpread) bool) seedAgreement {
	seeds := len(all.Seeds)
	a := seedAgreement{
		ReproducedBySeed: make([]int, seeds),
		ReproducedByPair: make([]int, seeds*(seeds-1)), // each seed with each other one
	}
	for _, s := range all.Spreads {
		if !isWanted(s) {
			continue
		}
		a.Compared++
		a.countReproduced(s)
		a.countReferenceInside(s)
		a.countSeedsInside(s)
	}
	return a
}

// countReproduced counts the seeds whose value reproduces the reference's score, and the ordered pairs
// of seeds where one seed reproduces the other.
func (a *seedAgreement) countReproduced(s SeedSpread) {
	pair := 0 // index in ReproducedByPair, which has the pairs in the order of these loops
	for i, value := range s.Values {
		if isWithinTolerance(value, s.Reference) {
			a.ReproducedBySeed[i]++
		}
		for j, other := range s.Values {
			if i == j {
				continue
			}
			if isWithinTolerance(value, other) {
				a.ReproducedByPair[pair]++
			}
			pair++
		}
	}
}

// countReferenceInside counts the reference's score if it is inside the interval of the seeds.
func (a *seedAgreement) countReferenceInside(s SeedSpread) {
	inside, ok := s.HoldsReference()
	if !ok {
		return
	}
	a.Intervals++
	if inside {
		a.Inside++
	}
}

// countSeedsInside counts the seeds whose value is inside the interval of the other seeds. For normal
// draws that is the fraction SeedCoverage of them.
func (a *seedAgreement) countSeedsInside(s SeedSpread) {
	const minSeeds = 3 // one to test, and two others, the fewest with a standard deviation
	if len(s.Values) < minSeeds {
		return
	}
	for i, value := range s.Values {
		others := SeedSpread{Values: slices.Delete(slices.Clone(s.Values), i, i+1)}
		low, high := others.Interval()
		if !statistics.IsFinite(low) || !statistics.IsFinite(high) || !statistics.IsFinite(value) {
			continue
		}
		a.SeedIntervals++
		if low <= value && value <= high {
			a.SeedsInside++
		}
	}
}
