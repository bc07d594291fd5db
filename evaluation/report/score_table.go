package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/evaluation/measure"
	"sml/internal/statistics"
)

// ScoreTables returns a table for each measure by which r.Shown has scores on the named split. It marks the best methods
// by the scores of their trainings, r.Folds.
func (r *Report) ScoreTables(split string) []Table {
	var tables []Table
	for _, name := range measuresOf(r.Shown) {
		g := newGrid(r.Shown, split, name)
		g.folds = groupFolds(r.Folds, split)
		if len(g.datasets) > 0 {
			tables = append(tables, r.scoreTable(g, split))
		}
	}
	return tables
}

// measuresOf returns the names of the scores' measures, each once: the registered ones in the order of
// registration, then the others.
func measuresOf(scores []measure.Score) []string {
	present := DistinctNames(scores, func(s measure.Score) string { return s.Measure })
	var names []string
	for _, name := range append(measure.Names(), present...) {
		if slices.Contains(present, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// scoreTable returns the table of the grid's measure on its split.
//
// The table has a row for each data set and a column for each method, in the order of their first appearance. A score of
// the reference stands below ours, with the difference, ours − the reference's. Below the data sets follow the mean and the
// median of each method and, if the measure has a best value, its mean rank. A method without a score by the measure has
// no column and no rank; a note names it.
func (r *Report) scoreTable(g grid, split string) Table {
	t := Table{
		Caption: g.measure.Title + ": " + splitTitle(split),
		Words:   1,
		Header:  append([]string{"data set"}, r.methodTitles(g.methods)...),
	}
	for _, dataset := range g.datasets {
		t.Body = append(t.Body, g.scoreRow(dataset, r.Reference))
	}
	common := g.common()
	if len(common.datasets) > 0 {
		t.Foot = [][]Cell{
			common.summaryRow("mean", statistics.Mean, r.Reference),
			common.summaryRow("median", statistics.Median, r.Reference),
		}
		if !g.measure.Undirected {
			t.Foot = append(t.Foot, common.rankRow())
		}
	}
	t = g.withReadingNote(t)
	t = common.withRankNote(t)
	t = g.withMarkNotes(t, r.Reference)
	absent := r.methodTitles(methodsWithout(r.Shown, split, g.methods))
	return g.withAbsenceNotes(t, absent, len(common.datasets))
}

// withAbsenceNotes returns the table with notes on methods, numbers and data sets that the table or its foot lacks. absent
// has the methods that ran on the split, but have no score by the measure, and common is the number of data sets on which
// all others have one.
func (g grid) withAbsenceNotes(t Table, absent []string, common int) Table {
	t = t.withNote(len(g.methods) > 0 && len(absent) > 0,
		"No score, because the predictions lack what the measure needs: "+strings.Join(absent, ", ")+".")
	hasNoNumber := func(s measure.Score) bool { return math.IsNaN(s.Mean) }
	t = t.withNote(g.hasScore(hasNoNumber), "–: no number, because every fold failed or a fold has no score.")
	return t.withNote(common < len(g.datasets), fmt.Sprintf(
		"Mean, median and mean rank are over the %d of %d data sets on which all methods were run.", common, len(g.datasets)))
}

// methodsWithout returns the methods that have scores on the split, but are not among the given methods.
func methodsWithout(scores []measure.Score, split string, methods []string) []string {
	onSplit := FilterScores(scores, func(s measure.Score) bool { return s.Split == split })
	isGiven := func(method string) bool { return slices.Contains(methods, method) }
	return slices.DeleteFunc(DistinctNames(onSplit, methodOf), isGiven)
}

// scoreRow returns the row of a data set, with the best score marked. A cell without a score says "not
// run".
func (g grid) scoreRow(dataset string, reference Reference) []Cell {
	row := TextCells(dataset)
	var values []float64 // means, NaN where there is no score
	for _, method := range g.methods {
		s, ok := g.score(dataset, method)
		if !ok {
			row = append(row, Cell{Text: "not run"})
			values = append(values, math.NaN())
			continue
		}
		row = append(row, scoreCell(s, reference.score(s)))
		values = append(values, s.Mean)
	}
	markBest(row[1:], values, g.measure.Badness)
	g.markLevel(row[1:], dataset)
	return row
}

// withReadingNote returns the table with a note that says what the cells contain and which ones are bold.
func (g grid) withReadingNote(t Table) Table {
	note := "Mean ± standard deviation over folds; "
	switch {
	case g.measure.Undirected:
		return t.withNote(true, note+"no score is bold, because this measure alone does not say which is best.")
	case g.measure.Nominal != 0:
		note += fmt.Sprintf("the score nearest to %v in each row is bold", g.measure.Nominal)
	default:
		note += "the best score in each row is bold"
	}
	if g.hasSeveralFolds() {
		note += ", with all scores that are not significantly worse: the 95 % interval of their differences to it, paired over the folds, contains 0 (Nadeau and Bengio, 2003)"
	}
	return t.withNote(true, note+".")
}

// withRankNote returns the table with a note on the mean ranks that differ significantly. The grid must be common.
func (g grid) withRankNote(t Table) Table {
	if g.measure.Undirected || len(g.methods) < minRanked || len(g.datasets) < minRanked {
		return t
	}
	r := g.ranking()
	return t.withNote(true, fmt.Sprintf("Mean ranks that differ by %s or more differ significantly at 5 %% (Nemenyi test). The hypothesis that all methods are equally good has a p-value of %s (Friedman test).",
		formatScore(r.CriticalDifference), formatPValue(r.PValue)))
}

// formatPValue formats a p-value for a sentence. Tiny ones are not computed precisely.
func formatPValue(p float64) string {
	if p < 0.0001 {
		return "less than 0.0001"
	}
	return strconv.FormatFloat(p, 'g', 2, 64)
}

// minRanked is the number of methods, and of data sets, from which on mean ranks are tested.
const minRanked = 3

// withMarkNotes returns the table with notes on the marks and second lines that occur in its cells.
func (g grid) withMarkNotes(t Table, reference Reference) Table {
	isCompared := func(s measure.Score) bool { return !math.IsNaN(reference.score(s)) }
	isNotReproduced := func(s measure.Score) bool {
		return isCompared(s) && !reproduces(s, reference.score(s))
	}
	hasFailures := func(s measure.Score) bool { return s.Failed > 0 }
	isInfinite := func(s measure.Score) bool { return math.IsInf(s.Mean, 0) }
	t = t.withNote(g.hasScore(isCompared), "Second line: "+reference.InText+"’s score and, in brackets, ours − "+reference.Name+".")
	t = t.withNote(g.hasScore(isNotReproduced), "†: not reproduced, because ours differs from "+reference.InText+"’s by more than 0.1 and by more than a fifth of it, or because folds failed.")
	t = t.withNote(g.hasScore(hasFailures), "Means leave out folds that failed.")
	return t.withNote(g.hasScore(isInfinite), "∞: infinite in at least one fold.")
}

// hasScore reports whether the grid has a score that matches.
func (g grid) hasScore(matches func(measure.Score) bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(g.scores)), matches)
}

// notReproducedMark follows a score of the reference that ours does not reproduce.
const notReproducedMark = " †"

// scoreCell returns the cell of a score, with the reference's score and the number of failed folds below
// it. reference is NaN if the reference has no such score.
func scoreCell(s measure.Score, reference float64) Cell {
	cell := Cell{Text: formatMeanStd(s)}
	if !math.IsNaN(reference) {
		text := formatReference(s.Mean, reference)
		if !reproduces(s, reference) {
			text += notReproducedMark
		}
		cell.Below = append(cell.Below, text)
	}
	if s.Failed > 0 {
		cell.Below = append(cell.Below, describeFailures(s))
	}
	return cell
}

// formatReference returns the reference's score and, in brackets, ours − the reference's.
func formatReference(ours, reference float64) string {
	return formatScore(reference) + " (" + formatDifference(ours, reference) + ")"
}

// summaryRow returns a row with a summary over the data sets, such as the mean, of each method's scores
// and, below it, of the reference's scores. The grid must be common. The reference has no summary unless
// it has a score on each data set.
func (g grid) summaryRow(name string, summarize func([]float64) float64, reference Reference) []Cell {
	row := TextCells(name)
	var values []float64
	for _, method := range g.methods {
		ours := summarize(g.column(method, scoreMean))
		referenceSummary := summarize(g.column(method, reference.score)) // NaN if a score is missing
		cell := Cell{Text: formatScore(ours)}
		if !math.IsNaN(referenceSummary) {
			cell.Below = []string{formatReference(ours, referenceSummary)}
		}
		row = append(row, cell)
		values = append(values, ours)
	}
	markBest(row[1:], values, g.measure.Badness)
	return row
}

// rankRow returns a row with the mean rank of each method. The grid must be common.
func (g grid) rankRow() []Cell {
	row := TextCells("mean rank")
	ranks := g.ranking().MeanRanks
	for _, rank := range ranks {
		row = append(row, Cell{Text: formatScore(rank)})
	}
	lowerIsBetter := measure.Measure{}.Badness // ranks are best low, whatever the grid's measure is
	markBest(row[1:], ranks, lowerIsBetter)
	return row
}

// otherTables returns tables of the scores on splits other than the standard ones in Splits, such
// as the single split or a table's own.
func (r *Report) otherTables() []Table {
	var tables []Table
	for _, split := range DistinctNames(r.Shown, func(s measure.Score) string { return s.Split }) {
		if SplitIndex(split) < 0 {
			tables = append(tables, r.ScoreTables(split)...)
		}
	}
	return tables
}
