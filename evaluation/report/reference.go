package report

import (
	"math"

	"sml/evaluation/measure"
)

// Reference is a source of scores, such as a publication, with which a report compares its own. The
// zero Reference has no scores.
type Reference struct {
	Name   string // one word, such as "paper", for columns of CSV files and keys of JSON objects
	InText string // name within a sentence, such as "the paper"

	// Lookup returns the reference's score; ok is false if it has none. Lookup is nil if the
	// reference has no scores.
	Lookup func(dataset, method, split, measure string) (score float64, ok bool)

	// Rounding returns how far the printed score may be from the exact one: half a unit of its last digit.
	Rounding func(score float64) float64

	// Cause returns a known reason why our score differs from the reference's, or "".
	Cause func(s measure.Score) string
}

// score returns the reference's score for the data set, method, split and measure of s, or NaN if
// the reference does not have it.
func (r Reference) score(s measure.Score) float64 {
	if r.Lookup == nil {
		return math.NaN()
	}
	score, ok := r.Lookup(s.Dataset, s.Method, s.Split, s.Measure)
	if !ok {
		return math.NaN()
	}
	return score
}
