package report

import "math"

// Tolerance is how far from the paper's score ours may be and still meet it:
// 0.1 or a fifth of the paper's, whichever is more.
func Tolerance(paper float64) float64 { return math.Max(0.1, math.Abs(paper)/5) }

// Agreement says how many of the paper's scores are met.
type Agreement struct {
	Met, Of int
	Misses  []Score // in the order given
}

// Agree compares all scores that have one of the paper beside them. A score
// with failed folds, or one that is not finite, meets nothing.
func Agree(scores []Score) Agreement {
	var a Agreement
	for _, s := range scores {
		switch {
		case math.IsNaN(s.Paper):
			continue
		case met(s):
			a.Met++
		default:
			a.Misses = append(a.Misses, s)
		}
		a.Of++
	}
	return a
}

func met(s Score) bool {
	return s.Failed == 0 && math.Abs(s.Mean-s.Paper) <= Tolerance(s.Paper)
}
