package cmd

import (
	"sml/evaluation/measure"
)

// targetComparison is the comparison of one target.
type targetComparison struct {
	*comparisonRows
	target      string         // name of the target
	folds       []comparedFold // each with the known rows of the target
	competitors []targetCompetitor
}

// targetCompetitor predicts one target.
type targetCompetitor struct {
	name   string
	kind   string
	byMean [][]measure.RowLoss // losses of the rows, by fold, as means over the seeds
}

// ofTarget returns the comparison of the target with an index. It leaves out declared competitors without predictions.
func (k *comparison) ofTarget(target int) *targetComparison {
	one := &targetComparison{comparisonRows: &k.comparisonRows, target: k.table.Targets[target]}
	for _, fold := range k.folds {
		fold.rows = k.table.KnownTargets(target, fold.rows)
		one.folds = append(one.folds, fold)
	}
	for _, c := range k.competitors {
		if c.byTarget == nil {
			continue
		}
		competitor := targetCompetitor{name: c.name, kind: c.kind}
		for _, losses := range c.byTarget[target] {
			competitor.byMean = append(competitor.byMean, meanLosses(losses))
		}
		one.competitors = append(one.competitors, competitor)
	}
	return one
}
