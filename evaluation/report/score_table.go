package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/evaluation/measure"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/tabular"
	"sml/internal/statistics"
)

// ScoreTables returns a table for each measure of the scores on a split. title returns the title of a
// method's label; if title is nil, the label is the title.
func ScoreTables(scores []measure.Score, reference compare.Reference, split string, title func(label string) string) []tabular.Table {
	var tables []tabular.Table
	for _, name := range measuresOf(scores) {
		t := scoreTable(scores, reference, split, name, title)
		if len(t.Body) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// measuresOf returns the measures of scores: the registered ones in their order, then the others.
func measuresOf(scores []measure.Score) []string {
	present := compare.DistinctNames(scores, func(s measure.Score) string { return s.Measure })
	var names []string
	for _, name := range append(measure.Names(), present...) {
		if slices.Contains(present, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// scoreTable returns the table of one measure on one split. It has a row for each data set and a
// column for each method, in the order of their first appearance. If the reference has a score, it
// stands below ours, with the difference, ours − the reference's. Below the data sets follow the
// mean and the median of each method and, if the measure has a best value, its mean rank. A method
// without a score by the measure has no column and no rank; a note names it.
func scoreTable(scores []measure.Score, reference compare.Reference, split, name string, title func(label string) string) tabular.Table {
	g := newGrid(scores, split, name)
	t := tabular.Table{
		Caption: measure.Title(name) + ": " + splitTitle(split),
		Words:   1,
		Header:  append([]string{"data set"}, titles(g.methods, title)...),
	}
	for _, dataset := range g.datasets {
		t.Body = append(t.Body, g.scoreRow(dataset, reference))
	}
	common := g.common()
	if len(common.datasets) > 0 {
		t.Foot = [][]tabular.Cell{
			common.summaryRow("mean", statistics.Mean, reference),
			common.summaryRow("median", statistics.Median, reference),
		}
		if !g.measure.Undirected {
			t.Foot = append(t.Foot, common.rankRow())
		}
	}
	t = withReadingNote(t, g.measure)
	t = g.withScoreNotes(t, reference)
	if without := methodsWithout(scores, split, g.methods); len(g.methods) > 0 && len(without) > 0 {
		t = t.WithNote(true, "Without such a score, which needs what their predictions do not have: "+strings.Join(titles(without, title), ", ")+".")
	}
	t = t.WithNote(g.hasScore(func(s measure.Score) bool { return math.IsNaN(s.Mean) }), "–: no number, because every fold failed or one of them gave none.")
	return t.WithNote(len(common.datasets) < len(g.datasets), fmt.Sprintf(
		"Mean, median and mean rank are over the %d of %d data sets that all methods were run on.", len(common.datasets), len(g.datasets)))
}

// methodsWithout returns the methods that have scores on the split, but are not among the given ones.
func methodsWithout(scores []measure.Score, split string, methods []string) []string {
	onSplit := compare.Filter(scores, func(s measure.Score) bool { return s.Split == split })
	return slices.DeleteFunc(compare.DistinctNames(onSplit, methodOf), func(m string) bool { return slices.Contains(methods, m) })
}

// scoreRow returns the row of a data set, with the best score marked.
func (g grid) scoreRow(dataset string, reference compare.Reference) []tabular.Cell {
	row := tabular.Words(dataset)
	var values []float64
	for _, method := range g.methods {
		s, ok := g.score(dataset, method)
		if !ok {
			row = append(row, tabular.Cell{Text: "not run"})
			values = append(values, math.NaN())
			continue
		}
		row = append(row, scoreCell(s, reference.Score(s)))
		values = append(values, s.Mean)
	}
	markBest(row[1:], values, g.measure.Badness)
	return row
}

// withReadingNote adds a note on which scores are bold.
func withReadingNote(t tabular.Table, m measure.Measure) tabular.Table {
	note := "Mean ± standard deviation over folds; "
	switch {
	case m.Undirected:
		note += "none is the best by this alone."
	case m.Nominal != 0:
		note += fmt.Sprintf("the one nearest to %v of each row is bold.", m.Nominal)
	default:
		note += "the best of each row is bold."
	}
	return t.WithNote(true, note)
}

// withScoreNotes adds notes that explain the marks that occur in the cells.
func (g grid) withScoreNotes(t tabular.Table, reference compare.Reference) tabular.Table {
	isCompared := func(s measure.Score) bool { return !math.IsNaN(reference.Score(s)) }
	isMissed := func(s measure.Score) bool { return isCompared(s) && !compare.Meets(s, reference.Score(s)) }
	hasFailed := func(s measure.Score) bool { return s.Failed > 0 }
	isInfinite := func(s measure.Score) bool { return math.IsInf(s.Mean, 0) }
	t = t.WithNote(g.hasScore(isCompared), "Below it: "+reference.InText+"’s score, and ours − "+reference.Name+" in brackets.")
	t = t.WithNote(g.hasScore(isMissed), "†: not met. Ours is further from "+reference.InText+"’s than 0.1 and than a fifth of it, or folds failed.")
	t = t.WithNote(g.hasScore(hasFailed), "A mean leaves out the folds that failed.")
	return t.WithNote(g.hasScore(isInfinite), "∞: infinite in at least one fold.")
}

// hasScore reports whether the grid has a score for which is returns true.
func (g grid) hasScore(is func(measure.Score) bool) bool {
	for _, s := range g.scores {
		if is(s) {
			return true
		}
	}
	return false
}

// missMark follows a score of the reference that ours does not meet.
const missMark = " †"

// scoreCell returns the cell of a score, with the reference's score and failed folds below it.
// reference is NaN if the reference has no such score.
func scoreCell(s measure.Score, reference float64) tabular.Cell {
	c := tabular.Cell{Text: formatMeanStd(s)}
	if !math.IsNaN(reference) {
		text := formatReference(s.Mean, reference)
		if !compare.Meets(s, reference) {
			text += missMark
		}
		c.Below = append(c.Below, text)
	}
	if s.Failed > 0 {
		c.Below = append(c.Below, describeFailures(s))
	}
	return c
}

// formatReference returns the reference's score and, in brackets, ours − the reference's.
func formatReference(ours, reference float64) string {
	return formatScore(reference) + " (" + formatDifference(ours, reference) + ")"
}

// summaryRow returns a row with a summary over the data sets, such as the mean, of each method's
// scores and of the reference's.
func (g grid) summaryRow(name string, summarize func([]float64) float64, reference compare.Reference) []tabular.Cell {
	row := tabular.Words(name)
	var values []float64
	for _, method := range g.methods {
		ours := summarize(g.column(method, scoreMean))
		other := summarize(g.column(method, reference.Score))
		c := tabular.Cell{Text: formatScore(ours)}
		if !math.IsNaN(other) {
			c.Below = []string{formatReference(ours, other)}
		}
		row = append(row, c)
		values = append(values, ours)
	}
	markBest(row[1:], values, g.measure.Badness)
	return row
}

// rankRow returns a row with the mean rank of each method.
func (g grid) rankRow() []tabular.Cell {
	row := tabular.Words("mean rank")
	var values []float64
	for _, method := range g.methods {
		rank := g.meanRank(method)
		row = append(row, tabular.Cell{Text: formatScore(rank)})
		values = append(values, rank)
	}
	lowerIsBetter := measure.Measure{}.Badness
	markBest(row[1:], values, lowerIsBetter)
	return row
}
