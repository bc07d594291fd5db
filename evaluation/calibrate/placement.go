package calibrate

import (
	"math"
	"slices"
	"sort"

	"sml/evaluation"
	"sml/models"
	"sml/models/distribution"
)

// Placement scales the residuals of rows by a power of the predicted standard deviation σ, relative to the median m:
// m·max(σ/m, 0.02)^power. Power 1 is σ itself. Standard deviations that say little about the sizes of errors are better
// weakened.
type Placement struct {
	Median float64 `json:"median,omitempty"` // of the predicted standard deviations of the calibration rows
	Power  float64 `json:"power,omitempty"`
}

// SmallestRatio is the smallest σ/m that counts: one row with σ near 0 would have a huge residual, and would widen
// all intervals because of it.
const SmallestRatio = 0.02

// powers are the powers that fitPlacement compares. The first, which changes nothing, is taken unless another is clearly
// better. Power 0 is not among them: it would give all rows the same width, even rows unlike all calibration rows.
var powers = []float64{1, 0.75, 0.5, 0.25}

// scaleOf returns the scale of a row's residual, given the predicted standard deviation.
func (p Placement) scaleOf(std float64) float64 {
	ratio := max(std/p.Median, SmallestRatio)
	switch p.Power {
	case 1:
		return p.Median * ratio
	case 0.75:
		return p.Median * math.Sqrt(float64(ratio*math.Sqrt(ratio)))
	case 0.5:
		return p.Median * math.Sqrt(ratio)
	}
	return p.Median * math.Sqrt(math.Sqrt(ratio))
}

// Numbers of the comparison of powers.
const (
	powerFolds   = 5    // folds of the calibration rows, each scored by the shape of the others
	minPowerRows = 200  // fewer rows take power 1
	maxPowerRows = 2000 // of more rows, so many are compared, evenly spread over them
)

// fitPlacement returns the Placement of the rows of a sample. The power has the smallest CRPS of rows in folds of the
// calibration rows, in the target's unit, where it is better than power 1 by more than the standard error of the
// difference.
func (k Kind) fitPlacement(s sample) Placement {
	p := Placement{Median: max(s.medianStd(), minStd), Power: powers[0]}
	if !k.adapts || len(s.Y) < minPowerRows {
		return p
	}
	s = s.thinned(maxPowerRows)
	scores := k.foldScores(s, p)
	best := 0.0 // largest gain
	for _, power := range powers[1:] {
		other := Placement{p.Median, power}
		gain, standardError := s.meanDifference(scores, k.foldScores(s, other))
		if gain > best && gain > standardError {
			best = gain
			p = other
		}
	}
	return p
}

// foldScores returns the CRPS of each row under the shape of the rows of the other folds.
func (k Kind) foldScores(s sample, p Placement) []float64 {
	residuals := s.residuals(p.scaleOf)
	scores := make([]float64, len(s.Y))
	for fold := range powerFolds {
		var others, weights []float64
		for row, r := range residuals {
			if row%powerFolds == fold {
				continue
			}
			others = append(others, r)
			if s.Weights != nil {
				weights = append(weights, s.Weights[row])
			}
		}
		shape := k.shape(newOrderStatistics(others, meanWeights(weights)))
		for row := fold; row < len(s.Y); row += powerFolds {
			d := distribution.WithShape(distribution.NewNormal(s.Mean[row], s.Std[row]), s.Mean[row], p.scaleOf(s.Std[row]), shape)
			scores[row] = s.Unit.Convert(models.Prediction{Distribution: d}).CRPS(s.inUnit(row))
		}
	}
	return scores
}

// inUnit returns the target of a row in the target's own unit.
func (s sample) inUnit(row int) float64 {
	y := float64(s.Y[row]*s.Unit.Scaler.Std) + s.Unit.Scaler.Mean
	if s.Unit.Transform != nil {
		return s.Unit.Transform.Invert(y)
	}
	return y
}

// meanDifference returns by how much the second scores are smaller than the first, as a mean over the rows by their
// weights, and its standard error.
func (s sample) meanDifference(first, second []float64) (mean, standardError float64) {
	total, squaredWeights := 0.0, 0.0
	for row := range first {
		total += s.weight(row)
	}
	for row := range first {
		mean += float64(s.weight(row) / total * (first[row] - second[row]))
	}
	variance := 0.0
	for row := range first {
		fraction := s.weight(row) / total
		deviation := first[row] - second[row] - mean
		variance += float64(fraction * float64(deviation*deviation))
		squaredWeights += float64(fraction * fraction)
	}
	return mean, math.Sqrt(variance * squaredWeights)
}

// standardUnit is the unit of standardised targets.
func standardUnit() evaluation.Unit {
	var u evaluation.Unit
	u.Scaler.Std = 1
	return u
}

// medianStd returns the median of the predicted standard deviations, by the rows' weights.
func (s sample) medianStd() float64 {
	sorted := newOrderStatistics(slices.Clone(s.Std), s.Weights)
	middle := sorted.known() / 2
	return sorted.Values[sort.Search(len(sorted.Values)-1, func(i int) bool { return sorted.rank(i) >= middle })]
}
