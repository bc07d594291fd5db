package study

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"sml/evaluation/measure"
)

// Directory is a plan and the directory of its study.
type Directory struct {
	Dir  string
	Plan *Plan
}

// SeedScores are the scores of one seed, combined over its folds. A score is left out if one of its planned trainings
// has not ended.
type SeedScores struct {
	Seed   uint64
	Scores []measure.Score
}

// Collect reads the results of one or several studies. It combines the results of a method on a
// data set over splits, folds and seeds, and returns them with the first of their studies. A
// training that several studies have counts once, and a note says so. If there are several seeds,
// Results.Seeds has the scores of each seed. Collect returns an error if the settings of a method or
// the table of a data set differ between studies.
//
// The summary of a study counts its cells without a result; each score counts the failed cells of its
// group. The measures come from the cells, and need not be registered. A method has no
// score by a measure if none of its cells has that measure on the rows of a split.
func Collect(studies []Directory) (results []Results, notes []string, err error) {
	if err := checkComparable(studies); err != nil {
		return nil, nil, err
	}
	merged := mergedStudies{studies: studies, results: make(map[trainingKey]mergedResult)}
	for index := range studies {
		summary, note := merged.addStudy(index)
		results = append(results, Results{Summary: summary})
		if note != "" {
			notes = append(notes, note)
		}
	}
	if len(studies) > 1 {
		merged.sort()
	}
	collected := newCollection()
	for _, key := range merged.order {
		collected.add(merged.results[key].cell, merged.results[key].outcome)
	}
	for i, s := range studies {
		collected.moveTo(&results[i], s.Plan)
	}
	merged.addSeeds(results)
	return results, notes, nil
}

// trainingKey identifies a training among several studies.
type trainingKey struct {
	dataset, method, split string
	fold, inner            int
	seed                   uint64
}

// newTrainingKey returns the key that identifies the training of a cell.
func newTrainingKey(c Cell) trainingKey {
	return trainingKey{
		dataset: c.datasetName(),
		method:  c.Label,
		split:   c.Training.Split,
		fold:    c.Training.Fold,
		inner:   c.Training.Inner.Fold,
		seed:    c.Training.Seed,
	}
}

// mergedStudies holds the best result of every training of several studies: a finished training
// counts more than a failed one, and a failed one more than a missing one.
type mergedStudies struct {
	studies []Directory
	results map[trainingKey]mergedResult
	order   []trainingKey // keys of results, in the order of summation
}

// mergedResult is the best result of a training so far.
type mergedResult struct {
	outcome
	cell  Cell // cell of the first study that plans the training
	study int  // index of the study with the result
}

// addStudy adds the results of the study with the given index. It returns the study's summary, and a note if an earlier
// study has a result of one of its trainings, or "".
func (m *mergedStudies) addStudy(index int) (summary Summary, note string) {
	s := m.studies[index]
	summary = newSummary()
	repeated := 0      // trainings with a result here and in an earlier study
	firstRepeated := 0 // index of the earlier study of the first of them
	for c, o := range loadCells(s.Dir, s.Plan, s.Plan.Cells) {
		summary.add(c, o)
		key := newTrainingKey(c.Cell)
		earlier, isKnown := m.results[key]
		if !isKnown {
			m.order = append(m.order, key)
			m.results[key] = mergedResult{outcome: o, cell: c.Cell, study: index}
			continue
		}
		if o.State.hasResult() && earlier.State.hasResult() {
			if repeated == 0 {
				firstRepeated = earlier.study
			}
			repeated++
		}
		if supersedes(o.State, earlier.State) {
			m.results[key] = mergedResult{outcome: o, cell: earlier.cell, study: index}
		}
	}
	if repeated > 0 {
		note = fmt.Sprintf("%s: %d of its trainings count once, since %s has them, too", s.Dir, repeated, m.studies[firstRepeated].Dir)
	}
	return summary, note
}

// supersedes reports whether a later study's result of a training takes the place of an earlier study's: scores take
// precedence over a failure, and a failure over no result. Of two equal states with a result, the earlier stays.
func supersedes(later, earlier State) bool {
	switch earlier {
	case Done:
		return false
	case Failed:
		return later == Done
	}
	return true
}

// sort orders the trainings by fold and seed, so that the rounding of sums does not depend on how the trainings
// are divided among studies.
func (m *mergedStudies) sort() {
	slices.SortStableFunc(m.order, func(a, b trainingKey) int {
		return cmp.Or(cmp.Compare(a.fold, b.fold), cmp.Compare(a.inner, b.inner), cmp.Compare(a.seed, b.seed))
	})
}

// addSeeds adds the scores of each seed to results, which has one element for each study. It does nothing unless there
// are several seeds.
func (m *mergedStudies) addSeeds(results []Results) {
	keysOfSeed := make(map[uint64][]trainingKey)
	for _, key := range m.order {
		keysOfSeed[key.seed] = append(keysOfSeed[key.seed], key)
	}
	if len(keysOfSeed) < 2 {
		return
	}
	for _, seed := range slices.Sorted(maps.Keys(keysOfSeed)) {
		collected, incomplete := m.collectSeed(keysOfSeed[seed])
		for i, s := range m.studies {
			var ofSeed Results
			collected.moveTo(&ofSeed, s.Plan)
			scores := slices.DeleteFunc(ofSeed.Scores, func(s measure.Score) bool {
				return incomplete[group{s.Dataset, s.Method, s.Split}]
			})
			if len(scores) > 0 {
				results[i].Seeds = append(results[i].Seeds, SeedScores{Seed: seed, Scores: scores})
			}
		}
	}
}

// collectSeed gathers the results of the trainings with the given keys, which have one seed. It also returns the groups
// with trainings that have not ended.
func (m *mergedStudies) collectSeed(keys []trainingKey) (collected *collection, incomplete map[group]bool) {
	collected = newCollection()
	incomplete = make(map[group]bool)
	for _, key := range keys {
		r := m.results[key]
		collected.add(r.cell, r.outcome)
		if r.State.hasResult() {
			continue
		}
		splits := reportedSplits(r.cell)
		incomplete[group{key.dataset, key.method, splits.test}] = true
		incomplete[group{key.dataset, key.method, splits.train}] = true // no score has the split ""
	}
	return collected, incomplete
}
