package report

import (
	"fmt"
	"math"

	"sml/evaluation/measure"
)

// agreementTable returns a table with the number of the reference's scores that ours reproduce, by
// measure and method. Tolerance says how close a score must be. title returns the title of a
// method's label; nil keeps the labels.
func agreementTable(scores []measure.Score, reference Reference, title func(label string) string) Table {
	scores = FilterScores(scores, func(s measure.Score) bool { return !math.IsNaN(reference.Score(s)) })
	methods := DistinctNames(scores, methodOf)
	header := append([]string{"measure"}, titles(methods, title)...)
	t := Table{
		Caption: "Scores of " + reference.InText + " that are reproduced",
		Words:   1,
		Header:  append(header, "all methods"),
	}
	for _, m := range measuresOf(scores) {
		ofMeasure := FilterScores(scores, func(s measure.Score) bool { return s.Measure == m })
		t.Body = append(t.Body, agreementRow(measure.Title(m), ofMeasure, methods, reference))
	}
	t.Foot = [][]Cell{agreementRow("all measures", scores, methods, reference)}
	return t
}

// agreementRow returns a row with the agreement of each method's scores and, in the last cell, of all
// scores.
func agreementRow(name string, scores []measure.Score, methods []string, reference Reference) []Cell {
	row := TextCells(name)
	for _, method := range methods {
		ofMethod := FilterScores(scores, func(s measure.Score) bool { return s.Method == method })
		row = append(row, agreementCell(Agree(ofMethod, reference)))
	}
	return append(row, agreementCell(Agree(scores, reference)))
}

// agreementCell returns a cell such as "8 of 11", or a dash if no scores were compared.
func agreementCell(a Agreement) Cell {
	if a.Compared == 0 {
		return Cell{Text: formatScore(math.NaN())}
	}
	return Cell{Text: fmt.Sprintf("%d of %d", a.Reproduced, a.Compared)}
}

// notReproducedTable returns a table of the reference's scores that ours do not reproduce, with ours
// beside them.
func notReproducedTable(scores []measure.Score, reference Reference, title func(label string) string) Table {
	t := Table{
		Caption: "Scores of " + reference.InText + " that are not reproduced",
		Words:   3,
		Header:  []string{"data set", "measure", "method", "ours", reference.Name, "ours − " + reference.Name},
	}
	for _, s := range Agree(scores, reference).NotReproduced {
		referenceScore := reference.Score(s)
		ours := Cell{Text: formatMeanStd(s)}
		if s.Failed > 0 {
			ours.Below = []string{describeFailures(s)}
		}
		row := TextCells(s.Dataset, measure.Title(s.Measure), titleOf(s.Method, title))
		row = append(row, ours)
		row = append(row, TextCells(formatScore(referenceScore), formatDifference(s.Mean, referenceScore))...)
		t.Body = append(t.Body, row)
	}
	return t
}
