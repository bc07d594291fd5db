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
	copies := len(p.Members) / countMembers(foldMembers)
	members := momentsOf(p.Members)
	folds := make([]FoldScores, len(f.Folds))
	var ofFold []moments
	for k := range folds {
		ofFold = appendMembersOfFold(ofFold[:0], members, foldMembers[k], copies)
		foldMean, foldStd := matchMoments(ofFold)
		folds[k] = FoldScores{Scores: f.Folds[k], Mean: (foldMean - mean) / std, Std: f.calibrateStd(foldStd) / std}
	}
	return folds
}

// moveQuantiles returns the prediction with the quantile of each level moved outwards: to the value with the rank of
// fitQuantileShifts among the quantiles of each row's fold plus, or below the median minus, the row's distance. The row
// has the predictions of all members.
func (f TargetFit) moveQuantiles(p models.Prediction, family distribution.Family, foldMembers [][]int) models.Prediction {
	quantiles := quantilesAt(p, family.Levels)
	copies := len(p.Members) / countMembers(foldMembers)
	members := memberQuantiles(p.Members, family.Levels)
	ofFold := make([][]float64, len(f.LevelFolds[0]))
	for k := range ofFold {
		ofFold[k] = meanQuantiles(appendMembersOfFold(nil, members, foldMembers[k], copies))
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
		rank := leastRank(float64(coverage * float64(shape.rows+1)))
		side := math.Copysign(1, level-0.5)
		quantiles[i] = side * shape.end(rank, side)
	}
	return p.WithDistribution(family.New(quantiles))
}

// memberQuantiles returns the quantiles of each distribution at levels.
func memberQuantiles(members []distribution.Distribution, levels []float64) [][]float64 {
	quantiles := make([][]float64, len(members))
	for i, m := range members {
		for _, level := range levels {
			quantiles[i] = append(quantiles[i], m.Quantile(level))
		}
	}
	return quantiles
}

// meanQuantiles returns the means of the members' quantiles, by level.
func meanQuantiles(members [][]float64) []float64 {
	means := make([]float64, len(members[0]))
	for _, quantiles := range members {
		for i, q := range quantiles {
			means[i] += q / float64(len(members))
		}
	}
	return means
}
