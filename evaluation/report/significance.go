package report

import (
	"cmp"
	"maps"
	"slices"

	"sml/evaluation/paired"
	"sml/evaluation/study"
	"sml/internal/statistics"
)

// foldKey identifies the training of a method on a data set and a split.
type foldKey struct {
	fold, inner int
	seed        uint64
}

// groupFolds returns the scores of the trainings on a split, by data set and method.
func groupFolds(folds []study.FoldScores, split string) map[gridCell]map[foldKey]study.FoldScores {
	groups := make(map[gridCell]map[foldKey]study.FoldScores)
	for _, f := range folds {
		if f.Split != split {
			continue
		}
		cell := gridCell{dataset: f.Dataset, method: f.Method}
		if groups[cell] == nil {
			groups[cell] = make(map[foldKey]study.FoldScores)
		}
		groups[cell][foldKey{f.Fold, f.Inner, f.Seed}] = f
	}
	return groups
}

// hasSeveralFolds reports whether a method has scores of several trainings on a data set.
func (g grid) hasSeveralFolds() bool {
	isSeveral := func(folds map[foldKey]study.FoldScores) bool { return len(folds) > 1 }
	return slices.ContainsFunc(slices.Collect(maps.Values(g.folds)), isSeveral)
}

// markLevel sets Best in the cells of all methods that are not significantly worse than the best method on the data
// set. It compares with the best of the cells that markBest has marked, and does nothing if there are none.
func (g grid) markLevel(cells []Cell, dataset string) {
	best := -1 // index of the method with the least badness
	for i, method := range g.methods {
		if !cells[i].Best {
			continue
		}
		if best < 0 || g.badness(dataset, method) < g.badness(dataset, g.methods[best]) {
			best = i
		}
	}
	if best < 0 {
		return
	}
	for i, method := range g.methods {
		cells[i].Best = cells[i].Best || g.isLevel(dataset, method, g.methods[best])
	}
}

// isLevel reports whether a method is not significantly worse than the best method on a data set: the 95 % interval of the
// paired differences of their badness contains 0 or numbers below it. It returns false if they share fewer than two
// trainings, or if a score is not finite.
//
// Seeds count as further folds: with the random split, they divide the rows anew.
func (g grid) isLevel(dataset, method, best string) bool {
	bestFolds := g.folds[gridCell{dataset: dataset, method: best}]
	folds := g.folds[gridCell{dataset: dataset, method: method}]
	var differences []float64
	testRows := 0 // sum over the shared trainings
	trainRows := 0
	for _, key := range sortedKeys(folds) {
		bestFold, isShared := bestFolds[key]
		if !isShared {
			continue
		}
		score := folds[key].Scores.Get(g.measure.Name)
		bestScore := bestFold.Scores.Get(g.measure.Name)
		differences = append(differences, g.measure.Badness(score)-g.measure.Badness(bestScore))
		testRows += bestFold.TestRows
		trainRows += bestFold.TrainRows
	}
	if len(differences) < 2 || trainRows == 0 {
		return false
	}
	d := paired.OverFolds(differences, float64(testRows)/float64(trainRows))
	return statistics.IsFinite(d.HalfWidth) && d.Mean <= d.HalfWidth
}

// sortedKeys returns the keys of the trainings in the order of fold, inner fold and seed, so that sums over them have
// one order.
func sortedKeys(folds map[foldKey]study.FoldScores) []foldKey {
	return slices.SortedFunc(maps.Keys(folds), func(a, b foldKey) int {
		return cmp.Or(cmp.Compare(a.fold, b.fold), cmp.Compare(a.inner, b.inner), cmp.Compare(a.seed, b.seed))
	})
}
