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

// missMark follows a score of the reference that ours does not meet.
const missMark = " †"

// ScoreTables returns a table for each measure that there are scores of on a
// split.
func ScoreTables(scores []measure.Score, reference compare.Reference, split string, title func(label string) string) []tabular.Table {
	var tables []tabular.Table
	for _, name := range measuresOf(scores) {
		if t := scoreTable(scores, reference, split, name, title); len(t.Body) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// measuresOf lists the measures of scores: the registered ones in their order,
// then the others.
func measuresOf(scores []measure.Score) []string {
	there := compare.DistinctNames(scores, func(s measure.Score) string { return s.Measure })
	var names []string
	for _, name := range append(measure.Names(), there...) {
		if slices.Contains(there, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// scoreTable returns the table of one measure on one split. It has a row for each data set and a
// column for each method, in the order of their first appearance. If the reference has a score, it
// stands below ours, with the difference, ours − the reference's. Below the data sets follow the
// mean and the median of each method and, if the measure has a best value, its mean rank. A method
// without a score by the measure has no column and no rank; a note names it. title returns the
// title of a method's label; if title is nil, the label is the title.
func scoreTable(scores []measure.Score, reference compare.Reference, split, name string, title func(label string) string) tabular.Table {
	g := newGrid(scores, split, name)
	t := tabular.Table{Caption: measure.Title(name) + ": " + splitTitle(split), Words: 1, Header: append([]string{"data set"}, titles(g.methods, title)...)}
	var compared, missed, failed, infinite, absent bool
	for _, dataset := range g.datasets {
		row := tabular.Words(dataset)
		var values []float64
		for _, method := range g.methods {
			s, ok := g.at(dataset, method)
			if !ok {
				row, values = append(row, tabular.Cell{Text: "not run"}), append(values, math.NaN())
				continue
			}
			other := reference.Score(s)
			row, values = append(row, scoreCell(s, other)), append(values, s.Mean)
			compared = compared || !math.IsNaN(other)
			missed = missed || !math.IsNaN(other) && !compare.Meets(s, other)
			failed = failed || s.Failed > 0
			infinite = infinite || math.IsInf(s.Mean, 0)
			absent = absent || math.IsNaN(s.Mean)
		}
		markBest(row[1:], values, g.measure.Badness)
		t.Body = append(t.Body, row)
	}
	common := g.common()
	if len(common.datasets) > 0 {
		t.Foot = [][]tabular.Cell{common.summary("mean", statistics.Mean, reference), common.summary("median", statistics.Median, reference)}
		if !g.measure.Undirected {
			t.Foot = append(t.Foot, common.ranks())
		}
	}
	t = t.WithNote(g.measure.Undirected, "Mean ± standard deviation over folds; none is the best by this alone.")
	t = t.WithNote(g.measure.Nominal != 0, fmt.Sprintf("Mean ± standard deviation over folds; the one nearest to %v of each row is bold.", g.measure.Nominal))
	t = t.WithNote(!g.measure.Undirected && g.measure.Nominal == 0, "Mean ± standard deviation over folds; the best of each row is bold.")
	t = t.WithNote(compared, "Below it: "+reference.InText+"’s score, and ours − "+reference.Name+" in brackets.")
	t = t.WithNote(missed, "†: not met. Ours is further from "+reference.InText+"’s than 0.1 and than a fifth of it, or folds failed.")
	t = t.WithNote(failed, "A mean leaves out the folds that failed.")
	t = t.WithNote(infinite, "∞: infinite in at least one fold.")
	without := slices.DeleteFunc(compare.DistinctNames(compare.Filter(scores, func(s measure.Score) bool { return s.Split == split }), methodOf), func(m string) bool { return slices.Contains(g.methods, m) })
	t = t.WithNote(len(without) > 0 && len(g.methods) > 0, "Without such a score, which needs what their predictions do not have: "+strings.Join(titles(without, title), ", ")+".")
	t = t.WithNote(absent, "–: no number, because every fold failed or one of them gave none.")
	return t.WithNote(len(common.datasets) < len(g.datasets), fmt.Sprintf(
		"Mean, median and mean rank are over the %d of %d data sets that all methods were run on.", len(common.datasets), len(g.datasets)))
}

func scoreCell(s measure.Score, reference float64) tabular.Cell {
	c := tabular.Cell{Text: spread(s)}
	if !math.IsNaN(reference) {
		c.Below = append(c.Below, beside(s.Mean, reference))
		if !compare.Meets(s, reference) {
			c.Below[0] += missMark
		}
	}
	if s.Failed > 0 {
		c.Below = append(c.Below, failures(s))
	}
	return c
}

func beside(ours, reference float64) string {
	return printed(reference) + " (" + difference(ours, reference) + ")"
}

// summary is a row of what sum makes of the data sets' scores, ours and the
// reference's.
func (g grid) summary(name string, sum func([]float64) float64, reference compare.Reference) []tabular.Cell {
	row := tabular.Words(name)
	var values []float64
	for _, method := range g.methods {
		ours, other := sum(g.over(method, ours)), sum(g.over(method, reference.Score))
		c := tabular.Cell{Text: printed(ours)}
		if !math.IsNaN(other) {
			c.Below = []string{beside(ours, other)}
		}
		row, values = append(row, c), append(values, ours)
	}
	markBest(row[1:], values, g.measure.Badness)
	return row
}

func (g grid) ranks() []tabular.Cell {
	row := tabular.Words("mean rank")
	var values []float64
	for _, method := range g.methods {
		rank := g.meanRank(method)
		row, values = append(row, tabular.Cell{Text: printed(rank)}), append(values, rank)
	}
	markBest(row[1:], values, measure.Measure{}.Badness)
	return row
}
