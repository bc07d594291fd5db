package calibrate

import (
	"math"

	"sml/models"
	"sml/models/distribution"
)

// foldScores returns the scores of each fold with the prediction of a row by the members of the fold. The row has the
// predictions of all members.
func (f TargetFit) foldScores(p models.Prediction, foldMembers [][]int) []FoldScores {
	mean := p.Mean()
	std := f.calibrateStd(p.Std())
	folds := make([]FoldScores, len(f.Folds))
	for k := range folds {
		foldMean, foldStd := matchMoments(membersOfFold(p, foldMembers, k))
		folds[k] = FoldScores{Scores: f.Folds[k], Mean: (foldMean - mean) / std, Std: f.calibrateStd(foldStd) / std}
	}
	return folds
}

// moveQuantiles returns the prediction with the quantile of each level moved outwards: to the value with the rank of
// fitQuantileShifts among the quantiles of each row's fold plus, or below the median minus, the row's distance. The row
// has the predictions of all members.
func (f TargetFit) moveQuantiles(p models.Prediction, family distribution.Family, foldMembers [][]int) models.Prediction {
	quantiles := quantilesAt(p, family.Levels)
	ofFold := make([][]float64, len(f.LevelFolds[0]))
	for k := range ofFold {
		ofFold[k] = meanQuantiles(membersOfFold(p, foldMembers, k), family.Levels)
	}
	for i, level := range family.Levels {
		if isMedian(level) {
			continue
		}
		folds := make([]FoldScores, len(ofFold))
		for k := range folds {
			folds[k] = FoldScores{Scores: f.LevelFolds[i][k], Mean: ofFold[k][i], Std: 1}
		}
		shape := newFoldShape(folds)
		coverage, _ := pairOf(family.Levels, i)
		rank := ceilTolerant(float64(coverage * float64(shape.rows+1)))
		side := math.Copysign(1, level-0.5)
		quantiles[i] = side * shape.end(max(1, min(rank, shape.rows)), side)
	}
	return p.WithDistribution(family.New(quantiles))
}
