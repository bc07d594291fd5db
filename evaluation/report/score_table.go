package report

import (
	"fmt"
	"math"
)

// missMark follows a score of the paper that ours does not meet.
const missMark = " †"

// publishedMeasures are those that the paper's table has.
var publishedMeasures = []string{"rmse", "nll", "ece", "ws"}

// Table2 returns the paper's second table, in one table for each of its
// measures: RMSE, NLL, ECE and WS on the test rows of the random folds, data
// sets by methods, in the order of first appearance. Below each of our scores
// stand the paper's and the difference, ours − paper; below the data sets
// their mean, their median and the mean rank of each method. A measure
// without scores has no table. The title of a method is what title makes of
// its label; nil leaves the label.
func Table2(scores []Score, title func(label string) string) []Table {
	var tables []Table
	for _, measure := range publishedMeasures {
		if t := ScoreTable(scores, "test", measure, title); len(t.body) > 0 {
			t.Caption += " (table 2 of the paper)"
			tables = append(tables, t)
		}
	}
	return tables
}

// ScoreTable is one table of Table2, for any split and measure.
func ScoreTable(scores []Score, split, measure string, title func(label string) string) Table {
	g := newGrid(scores, split, measure)
	t := Table{Caption: measureTitle(measure) + ": " + splitTitle(split), words: 1, header: append([]string{"data set"}, titles(g.methods, title)...)}
	var compared, missed, failed, infinite, absent bool
	for _, dataset := range g.datasets {
		row := words(dataset)
		var values []float64
		for _, method := range g.methods {
			s, ok := g.at(dataset, method)
			if !ok {
				row, values = append(row, cell{text: "not run"}), append(values, math.NaN())
				continue
			}
			row, values = append(row, scoreCell(s)), append(values, s.Mean)
			compared = compared || !math.IsNaN(s.Paper)
			missed = missed || !math.IsNaN(s.Paper) && !met(s)
			failed = failed || s.Failed > 0
			infinite = infinite || math.IsInf(s.Mean, 0)
			absent = absent || math.IsNaN(s.Mean)
		}
		markBest(row[1:], values, g.higherBetter)
		t.body = append(t.body, row)
	}
	common := g.common()
	if len(common.datasets) > 0 {
		t.foot = [][]cell{common.summary("mean", mean), common.summary("median", median), common.ranks()}
	}
	t = t.noted(true, "Mean ± standard deviation over folds; the best of each row is bold.")
	t = t.noted(compared, "Below it: the paper’s score, and ours − paper in brackets.")
	t = t.noted(missed, "†: not met. Ours is further from the paper’s than 0.1 and than a fifth of it, or folds failed.")
	t = t.noted(failed, "A mean leaves out the folds that failed.")
	t = t.noted(infinite, "∞: infinite in at least one fold.")
	t = t.noted(absent, "–: no number, because every fold failed or one of them gave none.")
	return t.noted(len(common.datasets) < len(g.datasets), fmt.Sprintf(
		"Mean, median and mean rank are over the %d of %d data sets that all methods were run on.", len(common.datasets), len(g.datasets)))
}

func scoreCell(s Score) cell {
	c := cell{text: spread(s)}
	if !math.IsNaN(s.Paper) {
		c.below = append(c.below, besidePaper(s.Mean, s.Paper))
		if !met(s) {
			c.below[0] += missMark
		}
	}
	if s.Failed > 0 {
		c.below = append(c.below, failures(s))
	}
	return c
}

func besidePaper(ours, paper float64) string {
	return printed(paper) + " (" + difference(ours, paper) + ")"
}

// summary is a row of what sum makes of the data sets' scores, ours and the
// paper's.
func (g grid) summary(name string, sum func([]float64) float64) []cell {
	row := words(name)
	var values []float64
	for _, method := range g.methods {
		ours, paper := sum(g.over(method, ours)), sum(g.over(method, papers))
		c := cell{text: printed(ours)}
		if !math.IsNaN(paper) {
			c.below = []string{besidePaper(ours, paper)}
		}
		row, values = append(row, c), append(values, ours)
	}
	markBest(row[1:], values, g.higherBetter)
	return row
}

func (g grid) ranks() []cell {
	row := words("mean rank")
	var values []float64
	for _, method := range g.methods {
		rank := g.meanRank(method)
		row, values = append(row, cell{text: printed(rank)}), append(values, rank)
	}
	markBest(row[1:], values, false)
	return row
}
