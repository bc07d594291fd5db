package study

import (
	"slices"

	"sml/data/split"
	"sml/evaluation/measure"
	"sml/internal/statistics"
	"sml/internal/strict"
)

// Results holds the results of a study.
type Results struct {
	Scores           []measure.Score
	Folds            []FoldScores // scores of each finished training, in the order of Scores
	DropoutFractions []DropoutFraction
	Summary          Summary

	Seeds []SeedScores // scores of each seed; nil unless the studies have several seeds
}

// FoldScores has the scores of one training on its test rows or training rows.
type FoldScores struct {
	Dataset, Method, Split string // as in measure.Score

	Fold  int // index of the held-out fold
	Inner int // index of the inner fold; 0 without an inner cross-validation
	Seed  uint64

	TestRows  int // number of test rows of the training
	TrainRows int // number of its training rows

	Scores    measure.Scores // of the standardised target
	TargetStd float64        // standard deviation of the first target on the training rows, which standardises it
}

// DropoutFraction is the mean fraction of σ_drop in σ_total: of the standard deviation due to dropout in the
// predicted standard deviation.
type DropoutFraction struct {
	Dataset, Method, Split string
	Fraction               float64
	Trainings              int // number of trainings that Fraction is the mean over
}

// group identifies the trainings whose scores are reported as one mean. Its split is the name under which scores are
// reported, such as "train" or "pca-interpolate".
type group struct{ dataset, method, split string }

// groupResults holds the results of a group's trainings.
type groupResults struct {
	folds            []FoldScores // scores of each finished training
	dropoutFractions []float64    // fraction of σ_drop of each finished training whose method drops units
	failed           int          // number of failed trainings
}

// methodSplit identifies the trainings of a method on a split, on all data sets. The split "" stands for all splits.
type methodSplit struct{ method, split string }

// collection gathers the results of cells by group.
type collection struct {
	groups     map[group]*groupResults
	measures   []string                 // measures of all finished cells, in the order of their first appearance
	measuresOf map[methodSplit][]string // measures of the finished cells of a method on a split, and of a method on all splits
}

func newCollection() *collection {
	return &collection{
		groups:     make(map[group]*groupResults),
		measuresOf: make(map[methodSplit][]string),
	}
}

// add adds the result of a cell to the group of its test rows and, if the training rows are scored, too, to their
// group.
func (c *collection) add(cell Cell, o outcome) {
	splits := reportedSplits(cell)
	training := FoldScores{
		Dataset:   cell.datasetName(),
		Method:    cell.Label,
		Fold:      cell.Training.Fold,
		Inner:     cell.Training.Inner.Fold,
		Seed:      cell.Training.Seed,
		TrainRows: o.TrainRows,
		TargetStd: float64(o.TargetStd),
	}
	if o.Test != nil {
		training.TestRows = o.Test.Rows
	}
	training.Split = splits.test
	c.addRows(training, o.State, o.Test)
	if splits.train != "" {
		training.Split = splits.train
		c.addRows(training, o.State, o.Train)
	}
}

// addRows adds the scores of a training's test rows or training rows to their group, or counts the training if it
// failed. It does nothing for a training without a result. rows is nil unless the training is done.
func (c *collection) addRows(training FoldScores, state State, rows *rowScores) {
	switch {
	case state == Failed:
		c.group(training.group()).failed++
	case state == Done && rows != nil:
		training.Scores = rows.Scores
		c.addScores(training, rows.DropoutFraction)
	}
}

// group returns the group of the training.
func (f FoldScores) group() group { return group{f.Dataset, f.Method, f.Split} }

// addScores adds the scores of a finished training to its group. dropoutFraction is nil if the method does not drop
// units.
func (c *collection) addScores(training FoldScores, dropoutFraction *strict.Number) {
	results := c.group(training.group())
	results.folds = append(results.folds, training)
	if dropoutFraction != nil {
		results.dropoutFractions = append(results.dropoutFractions, float64(*dropoutFraction))
	}
	onSplit := methodSplit{training.Method, training.Split}
	onAllSplits := methodSplit{method: training.Method}
	for _, name := range training.Scores.Names() {
		c.measures = appendUnique(c.measures, name)
		c.measuresOf[onSplit] = appendUnique(c.measuresOf[onSplit], name)
		c.measuresOf[onAllSplits] = appendUnique(c.measuresOf[onAllSplits], name)
	}
}

// group returns the results of a group, to be changed. It adds an unknown group without results.
func (c *collection) group(g group) *groupResults {
	if c.groups[g] == nil {
		c.groups[g] = new(groupResults)
	}
	return c.groups[g]
}

// appendUnique returns the names with one more at their end, unless they have it already.
func appendUnique(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// moveTo appends the scores of the plan's data sets and methods to the results, in the plan's order, and removes them
// from the collection: if several studies have the same group, only the first study to call moveTo reports it.
func (c *collection) moveTo(results *Results, p *Plan) {
	measures := c.measures
	if measures == nil { // every cell failed: the failures are reported under the measures that the plan asks for
		planned, _ := measure.Select(p.Config.Measures) // NewPlan has checked the names
		for _, m := range planned {
			measures = append(measures, m.Name)
		}
	}
	datasets := distinct(p.Cells, func(cell PlannedCell) string { return cell.datasetName() })
	methods := distinct(p.Cells, func(cell PlannedCell) string { return cell.Label })
	for _, dataset := range datasets {
		for _, method := range methods {
			for _, splitName := range split.ScoreNames() {
				c.moveGroup(results, group{dataset, method, splitName}, measures)
			}
		}
	}
}

// moveGroup appends the scores of a group to the results and removes the group from the collection. Of the measures it
// uses the measures that a finished cell of the method has on the group's split. If every cell of the split failed, it
// uses the method's measures on other splits, and all measures if every cell of the method failed.
func (c *collection) moveGroup(results *Results, g group, measures []string) {
	collected := c.groups[g]
	if collected == nil {
		return
	}
	available := c.measuresOf[methodSplit{g.method, g.split}]
	if available == nil {
		available = c.measuresOf[methodSplit{method: g.method}]
	}
	for _, name := range measures {
		if available == nil || slices.Contains(available, name) {
			results.Scores = append(results.Scores, collected.score(g, name))
		}
	}
	results.Folds = append(results.Folds, collected.folds...)
	if len(collected.dropoutFractions) > 0 {
		mean, _ := statistics.MeanStd(collected.dropoutFractions)
		results.DropoutFractions = append(results.DropoutFractions, DropoutFraction{
			Dataset:   g.dataset,
			Method:    g.method,
			Split:     g.split,
			Fraction:  mean,
			Trainings: len(collected.dropoutFractions),
		})
	}
	delete(c.groups, g)
}

// score returns the group's mean score by the measure with the given name. g identifies the group.
func (r *groupResults) score(g group, measureName string) measure.Score {
	var values []float64 // by training
	for _, fold := range r.folds {
		values = append(values, fold.Scores.Get(measureName))
	}
	mean, std := statistics.MeanStd(values)
	return measure.Score{
		Dataset: g.dataset,
		Method:  g.method,
		Split:   g.split,
		Measure: measureName,
		Mean:    mean,
		Std:     std,
		Folds:   len(values) + r.failed,
		Failed:  r.failed,
	}
}

// distinct returns the different values of a function of cells, in the order of their first
// appearance.
func distinct(cells []PlannedCell, value func(PlannedCell) string) []string {
	seen := make(map[string]bool)
	var values []string
	for _, c := range cells {
		v := value(c)
		if !seen[v] {
			seen[v] = true
			values = append(values, v)
		}
	}
	return values
}

// splitNames holds the names under which a cell's scores are reported.
type splitNames struct {
	test  string // name for the test rows
	train string // name for the training rows; "" if they are not scored
}

// reportedSplits returns the names under which the scores of a cell's test rows and training rows are reported.
func reportedSplits(c Cell) splitNames {
	kind := splitKind(c.Training.Split)
	names := splitNames{test: kind.ScoreName(c.Training.Fold)}
	if c.scoresTrainingRows() {
		names.train = kind.Train
	}
	return names
}
