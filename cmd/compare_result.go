package cmd

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"sml/cmd/internal/terminal"
	"sml/evaluation/measure"
	"sml/evaluation/paired"
	"sml/internal/statistics"
	"sml/internal/strict"
)

// comparisonResult is the result of "sml compare". Scores are in the target's own unit, and means over the folds.
type comparisonResult struct {
	Data        string             `json:"data"`
	Target      string             `json:"target,omitempty"` // "" if the table has one target
	On          string             `json:"on"`               // part of the table, such as test; with --methods, the kind of split
	Rows        int                `json:"rows"`             // number of test rows, in all folds
	Folds       int                `json:"folds"`            // number of folds; 1 for a single set of test rows
	Seeds       []uint64           `json:"seeds,omitempty"`
	Intervals   string             `json:"intervals_over"`   // overRows, overGroups or overFolds
	Group       string             `json:"group,omitempty"`  // column of the groups that intervals are over
	Groups      int                `json:"groups,omitempty"` // number of these groups
	Reference   string             `json:"reference"`        // competitor that the others are compared with
	Competitors []competitorResult `json:"competitors"`
}

// Values of comparisonResult.Intervals.
const (
	overRows   = "rows"
	overGroups = "groups"
	overFolds  = "folds"
)

// competitorResult has the scores of a competitor.
type competitorResult struct {
	Name        string            `json:"name"`
	Kind        string            `json:"kind"`
	Scores      measure.Scores    `json:"scores"`
	Differences []scoreDifference `json:"differences,omitempty"` // to the reference; nil for the reference itself
}

// scoreDifference is the score of a competitor minus the score of the reference, with its 95 % interval.
type scoreDifference struct {
	Measure string        `json:"measure"`
	Mean    strict.Number `json:"difference"`
	Lower   strict.Number `json:"lower"`
	Upper   strict.Number `json:"upper"`

	paired paired.Difference
}

// results returns a result for each target. See targetComparison.result.
func (k *comparison) results(reference string) (results []*comparisonResult) {
	for target := range k.targetCount {
		one := k.ofTarget(target)
		r := one.result(reference)
		if k.targetCount > 1 {
			r.Target = one.target
		}
		results = append(results, r)
	}
	return results
}

// result returns the scores of all competitors and their differences to the competitor with the name reference, or to
// the best one if reference is "".
func (k *targetComparison) result(reference string) *comparisonResult {
	r := &comparisonResult{Data: k.name, On: k.rowsName, Folds: len(k.folds), Seeds: k.seeds}
	for _, f := range k.folds {
		r.Rows += len(f.rows)
	}
	k.describeIntervals(r)
	for _, competitor := range k.competitors {
		r.Competitors = append(r.Competitors, competitorResult{
			Name:   competitor.name,
			Kind:   competitor.kind,
			Scores: k.meanScores(competitor),
		})
	}
	index := r.best()
	if reference != "" {
		index = slices.IndexFunc(r.Competitors, func(c competitorResult) bool { return c.Name == reference })
	}
	r.Reference = r.Competitors[index].Name
	for i, competitor := range k.competitors {
		if i != index {
			r.Competitors[i].Differences = k.differences(competitor, k.competitors[index])
		}
	}
	return r
}

// describeIntervals sets r.Intervals, and for intervals over groups their column and their number.
func (k *targetComparison) describeIntervals(r *comparisonResult) {
	switch {
	case len(k.folds) > 1:
		r.Intervals = overFolds
	case k.groups != nil:
		r.Intervals = overGroups
		r.Group = k.groupColumn
		groups := k.foldGroups(k.folds[0])
		slices.Sort(groups)
		r.Groups = len(slices.Compact(groups))
	default:
		r.Intervals = overRows
	}
}

// best returns the index of the competitor with the lowest CRPS, or else with the lowest RMSE; of classes, with the
// lowest log loss.
func (r *comparisonResult) best() int {
	best := 0
	for _, name := range []string{"log-loss", "rmse", "crps"} { // the choice by a later measure replaces an earlier one
		lowest := math.Inf(1)
		for i, c := range r.Competitors {
			if score := c.Scores.Get(name); score < lowest { // false for NaN
				lowest = score
				best = i
			}
		}
	}
	return best
}

// foldScores returns the score of a competitor on each fold, by the measure of the losses at an index.
func (k *targetComparison) foldScores(c targetCompetitor, index int) []float64 {
	var scores []float64
	for i, fold := range k.folds {
		scores = append(scores, paired.Score(c.byMean[i][index], k.weights(fold)))
	}
	return scores
}

// meanScores returns the scores of a competitor, as means over the folds.
func (k *targetComparison) meanScores(c targetCompetitor) measure.Scores {
	var scores measure.Scores
	for index, loss := range c.byMean[0] {
		mean := statistics.Mean(k.foldScores(c, index))
		scores = append(scores, measure.Value{Measure: loss.Measure, Score: mean})
	}
	return scores
}

// differences returns the differences of a competitor to the reference by all measures that both have. Their intervals
// are over the rows or groups of a single set of test rows, and over the folds if there are several.
func (k *targetComparison) differences(c, reference targetCompetitor) []scoreDifference {
	var differences []scoreDifference
	for index, loss := range c.byMean[0] {
		isSame := func(other measure.RowLoss) bool { return other.Measure == loss.Measure }
		referenceIndex := slices.IndexFunc(reference.byMean[0], isSame)
		if referenceIndex < 0 {
			continue
		}
		var d paired.Difference
		if len(k.folds) == 1 {
			d = k.rowDifference(loss, reference.byMean[0][referenceIndex])
		} else {
			scores := k.foldScores(c, index)
			for i, score := range k.foldScores(reference, referenceIndex) {
				scores[i] -= score
			}
			d = paired.OverFolds(scores, k.testRatio())
		}
		differences = append(differences, scoreDifference{
			Measure: loss.Measure,
			Mean:    strict.Number(d.Mean),
			Lower:   strict.Number(d.Mean - d.HalfWidth),
			Upper:   strict.Number(d.Mean + d.HalfWidth),
			paired:  d,
		})
	}
	return differences
}

// rowDifference returns the difference by the losses of a single set of test rows.
func (k *targetComparison) rowDifference(loss, other measure.RowLoss) paired.Difference {
	fold := k.folds[0]
	if k.groups == nil {
		return paired.OverRows(loss, other, k.weights(fold))
	}
	return paired.OverGroups(loss, other, k.weights(fold), k.foldGroups(fold))
}

// testRatio returns the number of test rows of all folds, divided by the number of rows that their trainings know.
func (k *targetComparison) testRatio() float64 {
	test := 0
	known := 0
	for _, f := range k.folds {
		test += len(f.rows)
		known += f.knownRows
	}
	return float64(test) / float64(known)
}

// print writes the scores and the differences for people.
func (r *comparisonResult) print(w io.Writer) error {
	if r.Target != "" {
		fmt.Fprintf(w, "target %s: ", r.Target)
	}
	unit := ", in the target's unit"
	if r.predictsClasses() {
		unit = ""
	}
	fmt.Fprintf(w, "%d rows of %s (%s%s)%s\n%s\n", r.Rows, r.Data, r.On, r.describeMeans(), unit, r.renderScores())
	if len(r.Competitors) == 1 {
		return nil
	}
	sample := r.Intervals
	if r.Intervals == overGroups {
		sample = fmt.Sprintf("%s of %s", terminal.Count(r.Groups, "group"), r.Group)
	}
	_, err := fmt.Fprintf(w, "differences to %s, ± half their 95 %% interval over the %s; * significant\n%s\n", r.Reference, sample, r.renderDifferences())
	return err
}

// describeMeans returns a text that says how the scores were averaged, such as ", means over 10 folds". It returns "" for
// scores of single models on a single set of rows.
func (r *comparisonResult) describeMeans() string {
	var parts []string
	if r.Folds > 1 {
		parts = append(parts, terminal.Count(r.Folds, "fold"))
	}
	if len(r.Seeds) > 1 {
		parts = append(parts, terminal.Count(len(r.Seeds), "seed"))
	}
	if len(parts) == 0 {
		return ""
	}
	return ", means over " + strings.Join(parts, " and ")
}

// predictsClasses reports whether the competitors predict classes.
func (r *comparisonResult) predictsClasses() bool {
	return slices.Contains(r.Competitors[0].Scores.Names(), "log-loss")
}

// renderScores returns a table with a line for each competitor and a column for each measure.
func (r *comparisonResult) renderScores() string {
	names := []string{"rmse", "crps", "interval-score90", "coverage90", "width90"}
	if r.predictsClasses() {
		names = classMeasures
	}
	var measures []measure.Measure
	var titles []string
	for _, name := range names {
		m, _ := measure.Lookup(name) // they are registered
		measures = append(measures, m)
		titles = append(titles, m.Title)
	}
	var rows []table.Row
	for _, c := range r.Competitors {
		cells := table.Row{c.Name}
		for _, m := range measures {
			cells = append(cells, formatScore(c.Scores, m))
		}
		rows = append(rows, cells)
	}
	return renderCompetitors(titles, rows)
}

// renderDifferences returns a table with a line for each competitor but the reference.
func (r *comparisonResult) renderDifferences() string {
	names := []string{"rmse", "crps", "interval-score90"}
	if r.predictsClasses() {
		names = classMeasures
	}
	var titles []string
	for _, name := range names {
		titles = append(titles, measure.Title(name)+" ") // the blank stands above the stars
	}
	var rows []table.Row
	for _, c := range r.Competitors {
		if c.Name == r.Reference {
			continue
		}
		cells := table.Row{c.Name}
		for _, name := range names {
			cells = append(cells, c.formatDifference(name))
		}
		rows = append(rows, cells)
	}
	return renderCompetitors(titles, rows)
}

// classMeasures are the measures of the tables if the competitors predict classes.
var classMeasures = []string{"log-loss", "brier", "accuracy"}

// renderCompetitors returns a table of competitors, whose columns of numbers have these titles.
func renderCompetitors(titles []string, rows []table.Row) string {
	header := []any{"competitor"}
	for _, title := range titles {
		header = append(header, title)
	}
	const firstNumberColumn = 2 // from 1
	t := terminal.NewTable(firstNumberColumn, header...)
	t.Style().Format.Header = text.FormatDefault // names keep their case
	t.AppendRows(rows)
	return t.Render()
}

// formatDifference returns the difference by a measure as text, or a dash if there is none.
func (c competitorResult) formatDifference(name string) string {
	i := slices.IndexFunc(c.Differences, func(d scoreDifference) bool { return d.Measure == name })
	if i < 0 {
		return "– "
	}
	d := c.Differences[i].paired
	mark := " "
	if d.IsSignificant() {
		mark = "*"
	}
	return fmt.Sprintf("%+.3g ± %.2g%s", d.Mean, d.HalfWidth, mark)
}
