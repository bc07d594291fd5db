package calibrate

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"sml/models"
	"sml/models/distribution"
)

// FoldScores has the scores of the rows of a fold, and the prediction of a new row by the members that were not
// trained on the fold.
type FoldScores struct {
	Scores OrderStatistics // scores of the rows; it may be empty
	Mean   float64         // predicted mean, minus the mean of all members, in their calibrated standard deviations
	Std    float64         // calibrated standard deviation, divided by that of all members
}

// foldShape is the distribution of residuals whose central interval of a coverage is that of CV+: with the n
// calibration rows i in the folds k(i), it ends at the ⌈(n + 1)·coverage⌉-th smallest mean_k + score_i·std_k, and
// begins likewise. Only the sorted scores of each fold are in memory, however many rows are predicted.
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

// end returns the value with the given rank among all side·mean_k + score_i·std_k, or +Inf if there are fewer. It
// bisects until no number lies between those with too few values up to them and those with enough.
func (s foldShape) end(rank int, side float64) float64 {
	if rank > s.rows {
		return math.Inf(1)
	}
	low, high := math.Inf(1), math.Inf(-1) // the value lies between the smallest of all values and the largest
	for _, f := range s.folds {
		if f.Scores.Count > 0 {
			low = min(low, f.end(f.Scores.Values[0], side))
			high = max(high, f.end(f.Scores.Values[len(f.Scores.Values)-1], side))
		}
	}
	if s.countUpTo(low, side) >= rank {
		return low
	}
	for {
		middle := float64(low/2) + float64(high/2)
		if middle <= low || middle >= high {
			return high
		}
		if s.countUpTo(middle, side) >= rank {
			high = middle
		} else {
			low = middle
		}
	}
}

// end returns side·mean + score·std.
func (f FoldScores) end(score, side float64) float64 {
	return float64(side*f.Mean) + float64(score*f.Std)
}

// countUpTo returns the number of rows whose side·mean_k + score_i·std_k is at most v.
func (s foldShape) countUpTo(v, side float64) int {
	count := 0
	for _, f := range s.folds {
		values := f.Scores.Values
		i := sort.Search(len(values), func(i int) bool { return f.end(values[i], side) > v })
		if i > 0 {
			count += keptRank(i-1, f.Scores.Count)
		}
	}
	return count
}

// Level returns the level of a residual z: the inverse of Quantile, interpolated within each fold as
// OrderStatistics.FractionBelow is.
func (s foldShape) Level(z float64) float64 {
	side := math.Copysign(1, z)
	size := math.Abs(z)
	rank := 0.0
	for _, f := range s.folds {
		if f.Scores.Count == 0 {
			continue
		}
		score := (size - float64(side*f.Mean)) / f.Std
		fraction := f.Scores.FractionBelow(score)
		rank += float64(fraction * float64(f.Scores.Count+1))
	}
	coverage := rank / float64(s.rows+len(s.folds))
	return 0.5 + float64(side*coverage/2)
}

// membersOfFold returns the predictions of a row by the members of a fold, and by all their copies.
func membersOfFold(p models.Prediction, foldMembers [][]int, fold int) []distribution.Distribution {
	copies := len(p.Members) / countMembers(foldMembers)
	var members []distribution.Distribution
	for _, member := range foldMembers[fold] {
		members = append(members, p.Members[member*copies:(member+1)*copies]...)
	}
	return members
}

// countMembers returns the number of members, each of which belongs to a fold.
func countMembers(foldMembers [][]int) int {
	last := 0
	for _, members := range foldMembers {
		last = max(last, slices.Max(members))
	}
	return last + 1
}

// meanQuantiles returns the mean over distributions of the quantile at each level.
func meanQuantiles(members []distribution.Distribution, levels []float64) []float64 {
	means := make([]float64, len(levels))
	for i, level := range levels {
		for _, m := range members {
			means[i] += m.Quantile(level) / float64(len(members))
		}
	}
	return means
}

// matchMoments returns the mean and the standard deviation of a mixture of distributions in equal parts. A distribution
// without a standard deviation counts as its mean.
func matchMoments(members []distribution.Distribution) (mean, std float64) {
	count := float64(len(members))
	for _, m := range members {
		mean += m.Mean() / count
	}
	variance := 0.0
	for _, m := range members {
		deviation := m.Mean() - mean
		variance += float64(deviation*deviation) / count
		if std := m.Std(); !math.IsNaN(std) {
			variance += float64(std*std) / count
		}
	}
	return mean, math.Sqrt(variance)
}

// areFolds reports whether there is a fold, every fold has members, ascending, and the members of all folds are
// numbered from 0 without gaps.
func areFolds(foldMembers [][]int) bool {
	var all []int
	for _, members := range foldMembers {
		isAscending := slices.IsSorted(members) && len(slices.Compact(slices.Clone(members))) == len(members)
		if len(members) == 0 || !isAscending {
			return false
		}
		all = append(all, members...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return len(all) > 0 && all[0] == 0 && all[len(all)-1] == len(all)-1
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
