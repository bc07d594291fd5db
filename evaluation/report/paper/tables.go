package paper

import (
	"slices"
	"strconv"

	"sml/data"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/study"
)

// table1 returns the paper's table of data sets, with remarks and training settings. The number of rows
// depends on the protocol.
func table1(protocol data.Protocol) report.Table {
	t := report.Table{
		Caption: "Data sets (table 1 of the paper)",
		Words:   5,
		Header:  []string{"data set", "target", "source", "licence", "remarks", "rows", "features", "epochs", "batch", "folds"},
	}
	for _, r := range recipes() {
		d, err := data.Lookup(r.Dataset)
		if err != nil {
			continue // the data set is not registered
		}
		t.Body = append(t.Body, report.TextCells(
			d.Name,
			d.Meaning,
			d.Source,
			d.Licence,
			d.RemarksUnder(protocol),
			strconv.Itoa(d.RowsUnder(protocol)),
			strconv.Itoa(d.Features),
			strconv.Itoa(r.Epochs),
			strconv.Itoa(r.Batch),
			strconv.Itoa(len(r.Folds)),
		))
	}
	return t
}

// table2 returns the paper's second table: our scores beside the paper's scores, on the test rows of the random
// folds. It returns nil if the paper has none of the scores.
func table2(scores []measure.Score, folds []study.FoldScores) []report.Table {
	if report.Agree(scores, reference).Compared == 0 {
		return nil // the table would have only our scores
	}
	scores = report.FilterScores(scores, func(s measure.Score) bool { return slices.Contains(publishedMeasures, s.Measure) })
	shown := report.Report{Shown: scores, Folds: folds, Reference: reference, MethodTitle: methodTitle}
	tables := shown.ScoreTables("test")
	for i := range tables {
		tables[i].Caption += " (table 2 of the paper)"
	}
	return tables
}
