package cmd

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"sml/cmd/internal/terminal"
	"sml/evaluation/measure"
	"sml/evaluation/paired"
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

// result returns the scores of all competitors for the target with an index, and their differences to the competitor with
// the name reference, or to the best one if reference is "". Declared competitors without predictions are left out.
func (k *comparison) result(target int, reference string) *comparisonResult {
	folds := k.foldsOf(target)
	r := newComparisonResult(k, folds)
	if k.targetCount > 1 {
		r.Target = k.table.Targets[target]
	}
	var losses []paired.Losses // of each competitor
	for _, c := range k.competitors {
		if len(c.losses) == 0 {
			continue
		}
		own := c.lossesOf(target, len(folds))
		losses = append(losses, own)
		r.Competitors = append(r.Competitors, competitorResult{
			Name:   c.name,
			Kind:   c.kind,
			Scores: paired.Scores(folds, own),
		})
	}
	chosen := slices.IndexFunc(r.Competitors, func(c competitorResult) bool { return c.Name == reference })
	if reference == "" {
		chosen = r.best()
	}
	r.Reference = r.Competitors[chosen].Name
	for i := range r.Competitors {
		if i != chosen {
			r.Competitors[i].Differences = newScoreDifferences(paired.Differences(folds, losses[i], losses[chosen]))
		}
	}
	return r
}

// foldsOf returns the folds for a target, by its index. They have only the rows with a known target.
func (k *comparison) foldsOf(target int) []paired.Fold {
	var folds []paired.Fold
	for _, fold := range k.folds {
		rows := k.table.KnownTargets(target, fold.rows)
		folds = append(folds, paired.Fold{
			Rows:      len(rows),
			KnownRows: fold.knownRows,
			Weights:   k.table.WeightsOf(rows),
			Groups:    k.groupsOf(rows),
		})
	}
	return folds
}

// newComparisonResult returns the result on folds of one target, without competitors.
func newComparisonResult(k *comparison, folds []paired.Fold) *comparisonResult {
	r := &comparisonResult{
		Data:      k.name,
		On:        k.rowsName,
		Folds:     len(folds),
		Seeds:     k.seeds,
		Intervals: overRows,
	}
	for _, fold := range folds {
		r.Rows += fold.Rows
	}
	switch {
	case len(folds) > 1:
		r.Intervals = overFolds
	case k.groups != nil:
		r.Intervals = overGroups
		r.Group = k.groupColumn
		groups := slices.Sorted(slices.Values(folds[0].Groups))
		r.Groups = len(slices.Compact(groups))
	}
	return r
}

// newScoreDifferences returns differences with the limits of their intervals.
func newScoreDifferences(differences []paired.MeasureDifference) []scoreDifference {
	var results []scoreDifference
	for _, d := range differences {
		results = append(results, scoreDifference{
			Measure: d.Measure,
			Mean:    strict.Number(d.Mean),
			Lower:   strict.Number(d.Mean - d.HalfWidth),
			Upper:   strict.Number(d.Mean + d.HalfWidth),
			paired:  d.Difference,
		})
	}
	return results
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

// print writes the scores and the differences for people.
func (r *comparisonResult) print(w io.Writer) {
	if r.Target != "" {
		fmt.Fprintf(w, "target %s: ", r.Target)
	}
	unit := ", in the target's unit"
	if r.predictsClasses() {
		unit = ""
	}
	fmt.Fprintf(w, "%d rows of %s (%s%s)%s\n%s\n", r.Rows, r.Data, r.On, r.describeMeans(), unit, r.renderScores())
	if len(r.Competitors) == 1 {
		return
	}
	sample := r.Intervals
	if r.Intervals == overGroups {
		sample = fmt.Sprintf("%s of %s", terminal.Count(r.Groups, "group"), r.Group)
	}
	fmt.Fprintf(w, "differences to %s, ± half their 95 %% interval over the %s; * significant\n%s\n", r.Reference, sample, r.renderDifferences())
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
	return renderCompetitors(r.Competitors, names, "", func(c competitorResult, m measure.Measure) string { return formatScore(c.Scores, m) })
}

// renderDifferences returns a table with a line for each competitor but the reference.
func (r *comparisonResult) renderDifferences() string {
	names := []string{"rmse", "crps", "interval-score90"}
	if r.predictsClasses() {
		names = classMeasures
	}
	isReference := func(c competitorResult) bool { return c.Name == r.Reference }
	others := slices.DeleteFunc(slices.Clone(r.Competitors), isReference)
	return renderCompetitors(others, names, " ", competitorResult.formatDifference) // a blank stands above the stars
}

// classMeasures are the measures of the tables if the competitors predict classes.
var classMeasures = []string{"log-loss", "brier", "accuracy"}

// renderCompetitors returns a table with a line for each competitor and a column for each measure, with suffix behind the
// measure's title. cell returns the text of a cell.
func renderCompetitors(competitors []competitorResult, names []string, suffix string, cell func(competitorResult, measure.Measure) string) string {
	measures := knownMeasures(names)
	header := []any{"competitor"}
	for _, m := range measures {
		header = append(header, m.Title+suffix)
	}
	const firstNumberColumn = 2 // from 1
	t := terminal.NewTable(firstNumberColumn, header...)
	for _, c := range competitors {
		row := table.Row{c.Name}
		for _, m := range measures {
			row = append(row, cell(c, m))
		}
		t.AppendRow(row)
	}
	return t.Render()
}

// formatDifference returns the difference by a measure as text, or a dash if there is none.
func (c competitorResult) formatDifference(m measure.Measure) string {
	i := slices.IndexFunc(c.Differences, func(d scoreDifference) bool { return d.Measure == m.Name })
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
