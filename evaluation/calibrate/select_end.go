package calibrate

import (
	"math"
	"sort"
)

// candidates are the scores of a fold with the indices from ≤ i < to. The value that is sought may be the end of one of
// them; the ends of scores with smaller indices are below it, and the ends of scores with larger indices above it.
type candidates struct {
	fold     *FoldScores
	from, to int
	upTo     int // index of the first score whose end is above the pivot
}

// end returns the smallest value with at least the given rank among all side·mean_k + score_i·std_k, or +Inf if there is
// none.
//
// It is a selection, as in quickselect: the end of one candidate, the pivot, divides the candidates of each fold, and the
// part without the value is dropped. For folds of one row it takes linear time, and for few large folds some binary
// searches in each.
func (s foldShape) end(rank, side float64) float64 {
	found := math.Inf(1) // the smallest value so far with enough values up to it
	if rank > float64(s.rows) {
		return found
	}
	open := s.allCandidates()
	for len(open) > 0 {
		pivot := middleEnd(open, side)
		if math.IsNaN(pivot) { // a fold's standard deviation is infinite
			return math.Inf(1)
		}
		if divideAt(open, pivot, side) >= rank {
			found = pivot
			keepBelow(open, pivot, side)
		} else {
			keepAbove(open)
		}
		var settled float64
		open, settled = dropEmpty(open)
		rank -= settled
	}
	return found
}

// allCandidates returns all scores of the folds that have any.
func (s foldShape) allCandidates() []candidates {
	open := make([]candidates, 0, len(s.folds))
	for k := range s.folds {
		f := &s.folds[k]
		if f.Scores.Count > 0 {
			open = append(open, candidates{fold: f, to: len(f.Scores.Values)})
		}
	}
	return open
}

// divideAt finds the first score of each fold whose end is above the pivot, and returns the rank of the pivot among the
// ends of the calibration rows of these folds.
func divideAt(open []candidates, pivot, side float64) (rank float64) {
	for i := range open {
		c := &open[i]
		c.upTo = c.fold.searchEndAbove(c.from, c.to, pivot, side)
		rank += c.fold.rankOf(c.upTo)
	}
	return rank
}

// keepBelow drops the candidates whose ends are not below the pivot.
func keepBelow(open []candidates, pivot, side float64) {
	for i := range open {
		c := &open[i]
		c.to = c.fold.searchEnd(c.from, c.upTo, pivot, side)
	}
}

// keepAbove drops the candidates whose ends are not above the pivot, at which divideAt has divided them.
func keepAbove(open []candidates) {
	for i := range open {
		open[i].from = open[i].upTo
	}
}

// dropEmpty removes the folds without candidates. It returns the others, and the ranks that the calibration rows of the
// removed folds below the value that is sought take.
func dropEmpty(open []candidates) (kept []candidates, ranksBelow float64) {
	kept = open[:0]
	for _, c := range open {
		if c.from < c.to {
			kept = append(kept, c)
		} else {
			ranksBelow += c.fold.rankOf(c.from)
		}
	}
	return kept, ranksBelow
}

// middleEnd returns the end of the candidate in the middle of all candidates, in the order of the folds.
func middleEnd(open []candidates, side float64) float64 {
	total := 0
	for _, c := range open {
		total += c.to - c.from
	}
	middle := total / 2
	for _, c := range open {
		if middle < c.to-c.from {
			return c.fold.end(c.fold.Scores.Values[c.from+middle], side)
		}
		middle -= c.to - c.from
	}
	panic("calibrate: there are no candidates")
}

// end returns side·mean + score·std.
func (f *FoldScores) end(score, side float64) float64 {
	return float64(side*f.Mean) + float64(score*f.Std)
}

// searchEnd returns the index of the first score from from to to−1 whose end is at least v, or to if there is none.
func (f *FoldScores) searchEnd(from, to int, v, side float64) int {
	values := f.Scores.Values[from:to]
	return from + sort.Search(len(values), func(i int) bool { return f.end(values[i], side) >= v })
}

// searchEndAbove returns the index of the first score from from to to−1 whose end is above v, or to if there is none.
func (f *FoldScores) searchEndAbove(from, to int, v, side float64) int {
	values := f.Scores.Values[from:to]
	return from + sort.Search(len(values), func(i int) bool { return f.end(values[i], side) > v })
}

// rankOf returns the rank of the last of the given number of smallest kept scores, or 0 for no score.
func (f *FoldScores) rankOf(values int) float64 {
	if values == 0 {
		return 0
	}
	return f.Scores.rank(values - 1)
}
