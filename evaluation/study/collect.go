package study

import (
	"slices"

	"sml/data/split"
	"sml/evaluation/measure"
	"sml/internal/statistics"
)

// Results holds the results of a study.
type Results struct {
	Scores           []measure.Score
	DropoutFractions []DropoutFraction
	Summary          Summary

	Seeds []SeedScores // scores of each seed; nil unless the studies have several seeds
}

// DropoutFraction is the mean fraction of σ_drop in σ_total.
type DropoutFraction struct {
	Dataset, Method, Split string
	Fraction               float64
	Trainings              int // over which Fraction is the mean
}

// group identifies trainings reported as one score.
type group struct{ dataset, method, split string }

// collection gathers the results of cells by group.
type collection struct {
	scores   map[group][]measure.Scores // of each training
	shares   map[group][]float64
	failed   map[group]int
	measures []string           // of all cells
	has      map[group][]string // measures by method and split, and by method alone
}

func newCollection() *collection {
	return &collection{
		scores: make(map[group][]measure.Scores),
		shares: make(map[group][]float64),
		failed: make(map[group]int),
		has:    make(map[group][]string),
	}
}

// add adds the result of a cell to its groups: test rows, and training rows if they are
// judged.
func (f *collection) add(c Cell, o outcome) {
	splits := reportedSplits(c)
	f.addRows(group{c.datasetName(), c.Label, splits[0]}, o.State, o.Test)
	if len(splits) > 1 {
		f.addRows(group{c.datasetName(), c.Label, splits[1]}, o.State, o.Train)
	}
}

func (f *collection) addRows(g group, state State, rows *rowScores) {
	if state == Failed {
		f.failed[g]++
	}
	if state != Done || rows == nil {
		return
	}
	f.scores[g] = append(f.scores[g], rows.Scores)
	for _, name := range rows.Scores.Names() {
		f.measures = appendUnique(f.measures, name)
		for _, g := range []group{{method: g.method, split: g.split}, {method: g.method}} {
			f.has[g] = appendUnique(f.has[g], name)
		}
	}
	if rows.DropoutFraction != nil {
		f.shares[g] = append(f.shares[g], float64(*rows.DropoutFraction))
	}
}

func appendUnique(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// moveTo appends the scores and shares of the data sets and methods of a plan, in the plan's
// order, and removes them from the collection.
func (f *collection) moveTo(to *Results, p *Plan) {
	measures := f.measures
	if measures == nil { // every cell failed
		named, _ := measure.Select(p.Config.Measures) // NewPlan has checked the names
		for _, m := range named {
			measures = append(measures, m.Name)
		}
	}
	datasets := distinct(p.Cells, func(c PlannedCell) string { return c.datasetName() })
	methods := distinct(p.Cells, func(c PlannedCell) string { return c.Label })
	for _, dataset := range datasets {
		for _, method := range methods {
			for _, name := range split.ScoreNames() {
				f.moveGroup(to, group{dataset, method, name}, measures)
			}
		}
	}
}

func (f *collection) moveGroup(to *Results, g group, measures []string) {
	if len(f.scores[g])+f.failed[g] == 0 {
		return
	}
	has := f.has[group{method: g.method, split: g.split}]
	if has == nil { // every cell of the split failed
		has = f.has[group{method: g.method}]
	}
	for _, m := range measures {
		if has == nil || slices.Contains(has, m) {
			to.Scores = append(to.Scores, f.score(g, m))
		}
	}
	if shares := f.shares[g]; len(shares) > 0 {
		mean, _ := statistics.MeanStd(shares)
		to.DropoutFractions = append(to.DropoutFractions, DropoutFraction{
			Dataset:   g.dataset,
			Method:    g.method,
			Split:     g.split,
			Fraction:  mean,
			Trainings: len(shares),
		})
	}
	delete(f.scores, g)
	delete(f.failed, g)
	delete(f.shares, g)
}

// score returns the score of a group by one measure.
func (f *collection) score(g group, m string) measure.Score {
	var values []float64
	for _, s := range f.scores[g] {
		values = append(values, s.Get(m))
	}
	mean, std := statistics.MeanStd(values)
	return measure.Score{
		Dataset: g.dataset,
		Method:  g.method,
		Split:   g.split,
		Measure: m,
		Mean:    mean,
		Std:     std,
		Folds:   len(values) + f.failed[g],
		Failed:  f.failed[g],
	}
}

// distinct returns the different values of a function of cells, in the order of their first
// appearance.
func distinct(cells []PlannedCell, value func(PlannedCell) string) []string {
	seen := make(map[string]bool)
	var names []string
	for _, c := range cells {
		if name := value(c); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// reportedSplits names the splits under which a cell's scores are reported: the test
// rows, then the training rows if they are judged.
func reportedSplits(c Cell) []string {
	kind := splitKind(c.Training.Split)
	if c.scoresTrainingRows() {
		return []string{kind.ScoreName(c.Training.Fold), kind.Train}
	}
	return []string{kind.ScoreName(c.Training.Fold)}
}
