package report

import (
	"math"

	"sml/evaluation/measure"
)

// The tolerance is the larger of an absolute distance and a fraction of the reference's score. The
// fraction alone would be too strict for scores near 0.
const (
	absoluteTolerance = 0.1
	toleranceDivisor  = 5 // the fraction is a fifth
)

// Tolerance returns the largest distance from a reference's score at which our score still
// reproduces it: 0.1 or a fifth of the reference's score, whichever is larger.
func Tolerance(reference float64) float64 {
	return math.Max(absoluteTolerance, math.Abs(reference)/toleranceDivisor)
}

// Agreement counts the scores of a reference that our scores reproduce.
type Agreement struct {
	Reproduced    int             // number of the reference's scores that ours reproduce
	Compared      int             // number of scores that both sources have
	NotReproduced []measure.Score // our scores of the others that were compared, in the order given
}

// Percent returns the percentage of the compared scores that are reproduced, and 0 if no score was
// compared.
func (a Agreement) Percent() float64 {
	return 100 * float64(a.Reproduced) / float64(max(1, a.Compared))
}

// Agree compares the scores with the reference, and ignores scores that the reference does not
// have.
func Agree(scores []measure.Score, reference Reference) Agreement {
	var a Agreement
	for _, s := range scores {
		referenceScore := reference.score(s)
		if math.IsNaN(referenceScore) {
			continue
		}
		a.Compared++
		if reproduces(s, referenceScore) {
			a.Reproduced++
		} else {
			a.NotReproduced = append(a.NotReproduced, s)
		}
	}
	return a
}

// reproduces reports whether a score of ours is within the tolerance of the reference's score. A score
// with failed folds reproduces nothing, because its mean is over fewer folds than the reference's.
func reproduces(s measure.Score, reference float64) bool {
	return s.Failed == 0 && isWithinTolerance(s.Mean, reference)
}

// isWithinTolerance reports whether x is within the tolerance of the reference's score. It returns
// false if x is NaN or infinite.
func isWithinTolerance(x, reference float64) bool {
	return math.Abs(x-reference) <= Tolerance(reference)
}

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
