package compare

import (
	"math"

	"sml/evaluation/measure"
)

// Reference is a source of scores that a report sets beside its own, such as a
// publication. The zero Reference has none.
type Reference struct {
	Name string // in a word: a column of CSV, a key of JSON, such as paper
	The  string // in a sentence, such as "the paper"

	// Of returns its score, and whether it has one.
	Of func(dataset, method, split, measure string) (score float64, ok bool)

	// Rounding, if set, is half a unit of the last digit that a score is given with.
	Rounding func(score float64) float64

	// Cause, if set, says what is known of why a score is off, nothing of others.
	Cause func(s measure.Score) string
}

// Score returns the reference's score for one of ours, NaN if there is none.
func (r Reference) Score(s measure.Score) float64 {
	if r.Of != nil {
		if x, ok := r.Of(s.Dataset, s.Method, s.Split, s.Measure); ok {
			return x
		}
	}
	return math.NaN()
}
