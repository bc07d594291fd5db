package compare

import (
	"math"

	"sml/evaluation/measure"
)

// Tolerance returns the largest distance at which a score of ours still meets the reference's
// score: the larger of 0.1 and a fifth of the reference's score.
func Tolerance(reference float64) float64 { return math.Max(0.1, math.Abs(reference)/5) }

// Agreement counts the scores of a reference that ours meet.
type Agreement struct {
	Met      int             // number of the reference's scores that ours meet
	Compared int             // number of scores that both have
	Misses   []measure.Score // our scores that do not meet the reference, in the order given
}

// Percent returns the percentage of the compared scores that ours meet.
func (a Agreement) Percent() float64 { return 100 * float64(a.Met) / float64(max(1, a.Compared)) }

// Agree compares the scores with the reference, and ignores scores that the reference does not
// have. A score with failed folds and a score of NaN or ∞ do not meet the reference.
func Agree(scores []measure.Score, reference Reference) Agreement {
	var a Agreement
	for _, s := range scores {
		x := reference.Score(s)
		if math.IsNaN(x) {
			continue
		}
		a.Compared++
		if Meets(s, x) {
			a.Met++
		} else {
			a.Misses = append(a.Misses, s)
		}
	}
	return a
}

// Meets reports whether a score has no failed folds and its distance to the reference's score is
// within the tolerance.
func Meets(s measure.Score, reference float64) bool {
	return s.Failed == 0 && meets(s.Mean, reference)
}

// meets reports whether x is within the tolerance of the reference's score; false for NaN and ∞.
func meets(x, reference float64) bool { return math.Abs(x-reference) <= Tolerance(reference) }
