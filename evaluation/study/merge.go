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

// SeedScores are the scores of one seed, combined over its folds. They leave out a score if one
// of its planned trainings has not ended.
type SeedScores struct {
	Seed   uint64
	Scores []measure.Score
}

// Collect reads the results of one or several studies. It combines the results of a method on a
// data set over splits, folds and seeds, and returns them with the first of their studies. A
// training that several studies have counts once, and a note says so. If there are several seeds,
// Collected.Seeds has the scores of each seed. Collect returns an error if a method or data set
// differs between studies.
//
// The summary counts the cells without a result; each score counts the failed cells of its
// group. The measures come from the cells, and need not be registered. A method has no
// score by a measure if none of its cells has that measure on the rows of a split.
func Collect(studies []Directory) (list []Results, notes []string, err error) {
	if err := checkComparable(studies); err != nil {
		return nil, nil, err
	}
	m := mergedStudies{results: make(map[trainingKey]mergedResult)}
	for i, s := range studies {
		summary, note := m.addStudy(i, s, studies)
		list = append(list, Results{Summary: summary})
		if note != "" {
			notes = append(notes, note)
		}
	}
	if len(studies) > 1 {
		m.sort()
	}
	all := newCollection()
	for _, k := range m.order {
		all.add(m.results[k].cell, m.results[k].outcome)
	}
	for i, s := range studies {
		all.moveTo(&list[i], s.Plan)
	}
	m.addSeeds(list, studies)
	return list, notes, nil
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

// mergedStudies holds, for every training of several studies, the best of its results: a finished training
// counts more than a failed one, and a failed one more than a missing one.
type mergedStudies struct {
	results map[trainingKey]mergedResult
	order   []trainingKey
}

type mergedResult struct {
	outcome
	cell  Cell // cell of the first study with the training
	study int  // index of the study with the result
}

// addStudy adds the results of a study, and returns its summary and a note if an earlier study
// has some of its trainings.
func (m *mergedStudies) addStudy(index int, s Directory, studies []Directory) (summary Summary, note string) {
	summary = newSummary()
	repeated, first := 0, ""
	for c, o := range loadCells(s.Dir, s.Plan, s.Plan.Cells) {
		summary.add(c, o)
		k := newTrainingKey(c.Cell)
		before, isRepeated := m.results[k]
		if !isRepeated {
			m.order = append(m.order, k)
			m.results[k] = mergedResult{outcome: o, cell: c.Cell, study: index}
			continue
		}
		if o.State.hasResult() && before.State.hasResult() {
			repeated++
			if first == "" {
				first = studies[before.study].Dir
			}
		}
		if before.State != Done && (o.State == Done || before.State != Failed) {
			m.results[k] = mergedResult{outcome: o, cell: before.cell, study: index}
		}
	}
	if repeated > 0 {
		note = fmt.Sprintf("%s: %d of its trainings count once, since %s has them, too", s.Dir, repeated, first)
	}
	return summary, note
}

// sort orders the trainings by fold and seed, so that sums do not depend on how the trainings
// are divided among studies.
func (m *mergedStudies) sort() {
	slices.SortStableFunc(m.order, func(a, b trainingKey) int {
		return cmp.Or(cmp.Compare(a.fold, b.fold), cmp.Compare(a.inner, b.inner), cmp.Compare(a.seed, b.seed))
	})
}

// addSeeds adds the scores of each seed to the lists of the studies if there are several seeds.
func (m *mergedStudies) addSeeds(list []Results, studies []Directory) {
	bySeed := make(map[uint64][]trainingKey)
	for _, k := range m.order {
		bySeed[k.seed] = append(bySeed[k.seed], k)
	}
	if len(bySeed) < 2 {
		return
	}
	for _, seed := range slices.Sorted(maps.Keys(bySeed)) {
		results, partial := m.collectSeed(bySeed[seed])
		for i, s := range studies {
			var own Results
			results.moveTo(&own, s.Plan)
			own.Scores = slices.DeleteFunc(own.Scores, func(s measure.Score) bool {
				return partial[group{s.Dataset, s.Method, s.Split}]
			})
			if len(own.Scores) > 0 {
				list[i].Seeds = append(list[i].Seeds, SeedScores{Seed: seed, Scores: own.Scores})
			}
		}
	}
}

// collectSeed gathers the results of one seed. It also returns the groups with trainings that
// have not ended.
func (m *mergedStudies) collectSeed(keys []trainingKey) (results *collection, partial map[group]bool) {
	results, partial = newCollection(), make(map[group]bool)
	for _, k := range keys {
		r := m.results[k]
		results.add(r.cell, r.outcome)
		if r.State.hasResult() {
			continue
		}
		for _, split := range reportedSplits(r.cell) {
			partial[group{k.dataset, k.method, split}] = true
		}
	}
	return results, partial
}
