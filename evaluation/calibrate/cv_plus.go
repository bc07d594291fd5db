package calibrate

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"sml/models"
	"sml/models/distribution"
)

var cvPlus = Kind{
	Name:    "cv-plus",
	Title:   "CV+",
	Summary: "after a cross-validation, an interval ends where enough of the calibration rows' errors end, each added to the prediction of the members that held the row out; otherwise like conformal",
	Source:  "Barber et al. (2021), Predictive inference with the jackknife+, section 3; with residuals in standard deviations. Members that hold out a row are combined as in Kim, Xu and Barber (2020), Predictive inference is free with the jackknife+-after-bootstrap",
	Fit:     fitScale,
	Score:   math.Abs,
	Shape:   func(sizes Scores) distribution.Shape { return symmetricShape{sizes} },
	FoldShape: func(folds []FoldScores) distribution.Shape {
		shape := foldShape{folds: folds}
		for _, f := range folds {
			shape.rows += f.Scores.Count
		}
		return shape
	},
	Rows: conformal.Rows,
}

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

// foldScores returns the scores of each fold with the prediction of a row by the members of the fold. The row has the
// predictions of all members.
func (f TargetFit) foldScores(p models.Prediction, memberFolds []int) []FoldScores {
	mean := p.Mean()
	std := f.calibrateStd(p.Std())
	copies := len(p.Members) / len(memberFolds)
	folds := make([]FoldScores, len(f.Folds))
	for k := range folds {
		var members []distribution.Distribution
		for i, member := range p.Members {
			if memberFolds[i/copies] == k {
				members = append(members, member)
			}
		}
		foldMean, foldStd := matchMoments(members)
		folds[k] = FoldScores{Scores: f.Folds[k], Mean: (foldMean - mean) / std, Std: f.calibrateStd(foldStd) / std}
	}
	return folds
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

// moments returns the mean and the standard deviation that a row is calibrated with: those of its prediction or, if
// folds matter, of the members of its fold.
func (r Rows) moments(p models.Prediction) (mean, std float64) {
	if r.Folds == nil {
		return p.Mean(), p.Std()
	}
	return matchMoments(p.Members)
}

// scoresByFold returns the order statistics of the scores of each fold. rows has the index of the row of each score.
func (r Rows) scoresByFold(scores []float64, rows []int) []OrderStatistics {
	byFold := make([][]float64, 1+slices.Max(r.MemberFolds))
	for fold := range byFold {
		byFold[fold] = []float64{} // not nil, which JSON would write as null
	}
	for i, row := range rows {
		fold := r.Folds[row]
		byFold[fold] = append(byFold[fold], scores[i])
	}
	var statistics []OrderStatistics
	for _, values := range byFold {
		statistics = append(statistics, newOrderStatistics(values))
	}
	return statistics
}

// isPartition reports whether folds are numbered from 0 without gaps.
func isPartition(folds []int) bool {
	if len(folds) == 0 {
		return false
	}
	for k := range 1 + slices.Max(folds) {
		if !slices.Contains(folds, k) {
			return false
		}
	}
	return slices.Min(folds) == 0
}

// checkFolds returns an error if the kind cannot have fitted the scores of the folds to this number of rows.
func (f TargetFit) checkFolds(kind Kind, rows int) error {
	if kind.FoldShape == nil {
		return fmt.Errorf("it has scores of folds, which calibration %s does not distinguish", kind.Name)
	}
	count := 0
	for _, s := range f.Folds {
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

// checkFoldCount returns an error unless each fit has the scores of as many folds as the members have, which have none
// if memberFolds is nil.
func (t targetCalibration) checkFoldCount(memberFolds []int) error {
	want := 0
	if memberFolds != nil {
		want = 1 + slices.Max(memberFolds)
	}
	_, fits := t.FitsByMean()
	for _, f := range fits {
		if len(f.Folds) != want {
			return fmt.Errorf("it has scores of %d folds; its members have %d", len(f.Folds), want)
		}
	}
	return nil
}

// CheckMembers returns an error if the calibration combines the folds of another number of members.
func (c *Calibration) CheckMembers(members int) error {
	if c.MemberFolds == nil || len(c.MemberFolds) == members {
		return nil
	}
	return fmt.Errorf("it has the folds of %d members; want %d", len(c.MemberFolds), members)
}
