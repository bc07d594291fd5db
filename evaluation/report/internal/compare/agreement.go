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
	Met    int             // number of scores that ours meet
	Of     int             // number of compared scores
	Misses []measure.Score // our scores that do not meet the reference, in the order given
}

// Percent returns the percentage of the compared scores that ours meet.
func (a Agreement) Percent() float64 { return 100 * float64(a.Met) / float64(max(1, a.Of)) }

// Agree compares the scores with the reference, and ignores scores that the reference does not
// have. A score with failed folds and a score of NaN or ∞ do not meet the reference.
func Agree(scores []measure.Score, reference Reference) Agreement {
	var a Agreement
	for _, s := range scores {
		switch x := reference.Score(s); {
		case math.IsNaN(x):
			continue
		case Met(s, x):
			a.Met++
		default:
			a.Misses = append(a.Misses, s)
		}
		a.Of++
	}
	return a
}

// Met reports whether a score has no failed folds and its distance to the reference's score is
// within the tolerance.
func Met(s measure.Score, reference float64) bool {
	return s.Failed == 0 && meets(s.Mean, reference)
}

func meets(x, reference float64) bool { return math.Abs(x-reference) <= Tolerance(reference) }
