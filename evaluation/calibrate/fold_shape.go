package calibrate

import (
	"fmt"
	"math"
	"slices"

	"sml/models/distribution"
)

// FoldScores has the scores of the rows of a fold, and the prediction of a new row by the members that were not
// trained on the fold.
type FoldScores struct {
	Scores OrderStatistics // scores of the rows; it may be empty
	Mean   float64         // predicted mean minus the mean of all members, in calibrated standard deviations of all members
	Std    float64         // calibrated standard deviation, divided by the calibrated standard deviation of all members
}

// lazyShape makes a shape anew for each quantile and level, so that the prediction of a row keeps the predictions of its
// members in memory, and not the predictions of all folds.
type lazyShape func() distribution.Shape

// Quantile returns the residual at a level.
func (s lazyShape) Quantile(level float64) float64 { return s().Quantile(level) }

// Level returns the level of a residual.
func (s lazyShape) Level(z float64) float64 { return s().Level(z) }

// foldShape is the distribution of residuals whose central intervals are the intervals of CV+ or, if each fold has the
// rows that the same members of a bootstrap did not draw, of the jackknife+-after-bootstrap. With the n calibration rows
// i in the folds k(i), an interval ends at the ⌈(n + 1)·coverage⌉-th smallest mean_k + score_i·std_k, and begins
// likewise. There is no table of calibration rows by rows to predict: the time of a row grows with the number of
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
	rank := leastRank(float64(coverage * float64(s.rows+1)))
	return float64(side * max(0, s.end(rank, side)))
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
	lowRank := 0.0
	rowsAtHigh := 0.0 // number of ranks at high
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
	return (lowRank + float64((v-low)/(high-low)*rowsAtHigh)) / total
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

// appendMembersOfFold appends the values of the members of a fold, and of their copies, to dst. all has the values of all
// members.
func appendMembersOfFold[T any](dst, all []T, members []int, copies int) []T {
	for _, member := range members {
		dst = append(dst, all[member*copies:(member+1)*copies]...)
	}
	return dst
}

// countMembers returns the number of members. Each of them belongs to a fold.
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
