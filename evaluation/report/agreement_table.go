package report

import (
	"fmt"
	"math"

	"sml/evaluation/measure"
)

// agreementTables returns the tables that compare r.Shown with the reference, or nil if the reference has none of the
// scores.
func (r *Report) agreementTables() []Table {
	if Agree(r.Shown, r.Reference).Compared == 0 {
		return nil
	}
	return []Table{r.agreementTable(), r.notReproducedTable()}
}

// agreementTable returns a table with the number of the reference's scores that ours reproduce, by
// measure and method. Tolerance says how close a score must be.
func (r *Report) agreementTable() Table {
	scores := FilterScores(r.Shown, func(s measure.Score) bool { return !math.IsNaN(r.Reference.score(s)) })
	methods := DistinctNames(scores, methodOf)
	header := append([]string{"measure"}, r.methodTitles(methods)...)
	t := Table{
		Caption: "Scores of " + r.Reference.InText + " that are reproduced",
		Words:   1,
		Header:  append(header, "all methods"),
	}
	for _, m := range measuresOf(scores) {
		ofMeasure := FilterScores(scores, func(s measure.Score) bool { return s.Measure == m })
		t.Body = append(t.Body, agreementRow(measure.Title(m), ofMeasure, methods, r.Reference))
	}
	t.Foot = [][]Cell{agreementRow("all measures", scores, methods, r.Reference)}
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
func (r *Report) notReproducedTable() Table {
	t := Table{
		Caption: "Scores of " + r.Reference.InText + " that are not reproduced",
		Words:   3,
		Header:  []string{"data set", "measure", "method", "ours", r.Reference.Name, "ours − " + r.Reference.Name},
	}
	for _, s := range Agree(r.Shown, r.Reference).NotReproduced {
		referenceScore := r.Reference.score(s)
		ours := Cell{Text: formatMeanStd(s)}
		if s.Failed > 0 {
			ours.Below = []string{describeFailures(s)}
		}
		row := TextCells(s.Dataset, measure.Title(s.Measure), r.MethodTitle(s.Method))
		row = append(row, ours)
		row = append(row, TextCells(formatScore(referenceScore), formatDifference(s.Mean, referenceScore))...)
		t.Body = append(t.Body, row)
	}
	return t
}
