package calibrate

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"sml/models/distribution"
)

// FoldScores has the scores of the rows of a fold, and the prediction of a new row by the members that were not
// trained on the fold.
type FoldScores struct {
	Scores OrderStatistics // scores of the rows; it may be empty
	Mean   float64         // predicted mean, minus the mean of all members, in their calibrated standard deviations
	Std    float64         // calibrated standard deviation, divided by that of all members
}

// lazyShape makes a shape anew for each quantile and level, so that the prediction of a row keeps the predictions of its
// members in memory, and not those of all folds.
type lazyShape func() distribution.Shape

// Quantile returns the residual at a level.
func (s lazyShape) Quantile(level float64) float64 { return s().Quantile(level) }

// Level returns the level of a residual.
func (s lazyShape) Level(z float64) float64 { return s().Level(z) }

// foldShape is the distribution of residuals whose central interval of a coverage is that of CV+ or, if each fold has
// the rows that the same members of a bootstrap did not draw, of the jackknife+-after-bootstrap: with the n
// calibration rows i in the folds k(i), it ends at the ⌈(n + 1)·coverage⌉-th smallest mean_k + score_i·std_k, and
// begins likewise. There is no table of calibration rows by rows to predict: the time of a row grows with the number of
// folds times their members, and its memory with the number of members (lazyShape).
type foldShape struct {
	folds []FoldScores
	rows  int // number of rows in all folds
}

// newFoldShape returns the shape of the folds.
func newFoldShape(folds []FoldScores) foldShape {
	s := foldShape{folds: folds}
	for _, f := range folds {
		s.rows += f.Scores.Count
	}
	return s
}

// Quantile returns the residual at a level. The end of an interval stays on its side of the mean of all members, which
// makes intervals wider, if anything.
func (s foldShape) Quantile(level float64) float64 {
	side := math.Copysign(1, level-0.5)
	coverage := math.Abs(float64(2*level) - 1)
	if coverage < rankTolerance {
		return 0
	}
	rank := ceilTolerant(float64(coverage * float64(s.rows+1)))
	return float64(side * max(0, s.end(rank, side)))
}

// candidates are the scores of a fold, with the indices from ≤ i < to, among which a value is still sought. The values
// of smaller indices are below the value that is sought, and those of larger indices are above it.
type candidates struct {
	fold     *FoldScores
	from, to int
	upTo     int // index of the first score whose end is above the pivot
}

// end returns the value with the given rank among all side·mean_k + score_i·std_k, or +Inf if there are fewer.
//
// It is a selection, as in quickselect: the end of one candidate, the pivot, divides the candidates of each fold, and the
// part without the value is dropped. For folds of one row it takes linear time, and for few large folds some binary
// searches in each.
func (s foldShape) end(rank int, side float64) float64 {
	found := math.Inf(1) // the smallest value so far with enough values up to it
	if rank > s.rows {
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
		var settled int
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

// divideAt finds the first score of each fold whose end is above the pivot, and returns the number of calibration rows of
// these folds with ends up to the pivot.
func divideAt(open []candidates, pivot, side float64) (rowsUpTo int) {
	for i := range open {
		c := &open[i]
		c.upTo = c.fold.searchEndAbove(c.from, c.to, pivot, side)
		rowsUpTo += c.fold.rankOf(c.upTo)
	}
	return rowsUpTo
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

// dropEmpty removes the folds without candidates. It returns the others, and the number of calibration rows of the
// removed folds below the value that is sought.
func dropEmpty(open []candidates) (kept []candidates, rowsBelow int) {
	kept = open[:0]
	for _, c := range open {
		if c.from < c.to {
			kept = append(kept, c)
		} else {
			rowsBelow += c.fold.rankOf(c.from)
		}
	}
	return kept, rowsBelow
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
func (f *FoldScores) rankOf(values int) int {
	if values == 0 {
		return 0
	}
	return keptRank(values-1, f.Scores.Count)
}

// Level returns the level of a residual z: the inverse of Quantile. Between the ends of all rows the rank is
// interpolated linearly, and beyond them the level approaches 0 and 1, as OrderStatistics.FractionBelow does.
func (s foldShape) Level(z float64) float64 {
	side := math.Copysign(1, z)
	return 0.5 + float64(side*s.fractionBelow(math.Abs(z), side)/2)
}

// fractionBelow returns the rank of v ≥ 0 among all side·mean_k + score_i·std_k, divided by the number of rows and one.
func (s foldShape) fractionBelow(v, side float64) float64 {
	low, high := math.Inf(-1), math.Inf(1) // nearest ends below v, and from v on
	lowRank := 0
	rowsAtHigh := 0 // number of ranks at high
	for k := range s.folds {
		f := &s.folds[k]
		values := f.Scores.Values
		below := f.searchEnd(0, len(values), v, side)
		lowRank += f.rankOf(below)
		if below > 0 {
			low = max(low, f.end(values[below-1], side))
		}
		if below == len(values) {
			continue
		}
		end := f.end(values[below], side)
		if end < high {
			high = end
			rowsAtHigh = 0
		}
		if end == high {
			rowsAtHigh += f.rankOf(below+1) - f.rankOf(below)
		}
	}
	total := float64(s.rows + 1)
	switch {
	case math.IsInf(low, -1) && high > 0: // linear from the mean on, as in symmetricShape
		return 1 / total * (v / high)
	case math.IsInf(low, -1):
		return 1 / total
	case math.IsInf(high, 1):
		return 1 - 1/total/(1+v-low)
	}
	return (float64(lowRank) + float64((v-low)/(high-low)*float64(rowsAtHigh))) / total
}

// moments are the mean and the standard deviation of a distribution.
type moments struct{ mean, std float64 }

// momentsOf returns the moments of distributions. A distribution without a standard deviation counts as its mean.
func momentsOf(members []distribution.Distribution) []moments {
	all := make([]moments, len(members))
	for i, m := range members {
		all[i] = moments{mean: m.Mean(), std: m.Std()}
		if math.IsNaN(all[i].std) {
			all[i].std = 0
		}
	}
	return all
}

// appendMembersOfFold appends to dst those of the values of all members, and all their copies, that belong to the
// members of a fold.
func appendMembersOfFold[T any](dst, all []T, members []int, copies int) []T {
	for _, member := range members {
		dst = append(dst, all[member*copies:(member+1)*copies]...)
	}
	return dst
}

// countMembers returns the number of members, each of which belongs to a fold.
func countMembers(foldMembers [][]int) int {
	last := 0
	for _, members := range foldMembers {
		last = max(last, members[len(members)-1]) // they ascend
	}
	return last + 1
}

// matchMoments returns the mean and the standard deviation of a mixture of distributions in equal parts.
func matchMoments(members []moments) (mean, std float64) {
	count := float64(len(members))
	for _, m := range members {
		mean += m.mean / count
	}
	variance := 0.0
	for _, m := range members {
		deviation := m.mean - mean
		variance += float64(deviation*deviation) / count
		variance += float64(m.std*m.std) / count
	}
	return mean, math.Sqrt(variance)
}

// MaxFolds is the largest number of folds. The time that a prediction takes grows with the number of folds times their
// members.
const MaxFolds = 1024

// checkFoldMembers returns an error unless there are 1 to MaxFolds folds, every fold has members, ascending, and the members
// of all folds are numbered from 0 without gaps.
func checkFoldMembers(foldMembers [][]int) error {
	if len(foldMembers) == 0 || len(foldMembers) > MaxFolds {
		return fmt.Errorf("it has %d folds; want 1 to %d", len(foldMembers), MaxFolds)
	}
	var all []int
	for fold, members := range foldMembers {
		isAscending := slices.IsSorted(members) && len(slices.Compact(slices.Clone(members))) == len(members)
		if len(members) == 0 || !isAscending {
			return fmt.Errorf("the members %v of its fold %d are not ascending", members, fold)
		}
		all = append(all, members...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if all[0] != 0 || all[len(all)-1] != len(all)-1 {
		return fmt.Errorf("the %d members of its folds are not numbered from 0, without gaps", len(all))
	}
	return nil
}

// checkFoldScores returns an error unless the scores of the folds are valid, and of this number of rows together.
func checkFoldScores(folds []OrderStatistics, rows int) error {
	count := 0
	for _, s := range folds {
		if s.Count == 0 && len(s.Values) == 0 {
			continue
		}
		if err := s.check(); err != nil {
			return err
		}
		count += s.Count
	}
	if count != rows {
		return fmt.Errorf("its folds have scores of %d rows; want %d", count, rows)
	}
	return nil
}
