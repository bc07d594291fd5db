package compare

import (
	"math"

	"sml/evaluation/measure"
)

// Tolerance is how far from a reference ours may be and still meet it: 0.1 or a
// fifth of the reference, whichever is more.
func Tolerance(reference float64) float64 { return math.Max(0.1, math.Abs(reference)/5) }

// Agreement says how many scores of a reference are met.
type Agreement struct {
	Met, Of int
	Misses  []measure.Score // in the order given
}

// Percent is the share that is met.
func (a Agreement) Percent() float64 { return 100 * float64(a.Met) / float64(max(1, a.Of)) }

// Agree compares all scores that the reference has. A score with failed folds,
// or one that is not finite, meets nothing.
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

// Met reports whether a score without failed folds is within the tolerance of a reference.
func Met(s measure.Score, reference float64) bool {
	return s.Failed == 0 && meets(s.Mean, reference)
}

func meets(x, reference float64) bool { return math.Abs(x-reference) <= Tolerance(reference) }
