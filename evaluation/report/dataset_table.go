package report

import (
	"strconv"

	"sml/data"
)

// Table1 returns the paper's first table, the data sets, with the training
// settings of each. The mode decides how many rows there are.
func Table1(sets []data.Dataset, mode data.Mode) Table {
	t := Table{
		Caption: "Data sets (table 1 of the paper)", words: 4,
		header: []string{"data set", "target", "source", "licence", "rows", "features", "epochs", "batch", "folds"},
	}
	for _, d := range sets {
		t.body = append(t.body, words(
			d.Name, d.TargetMeaning, d.Source, d.Licence,
			strconv.Itoa(d.RowsIn(mode)), strconv.Itoa(d.Features),
			strconv.Itoa(d.Epochs), strconv.Itoa(d.Batch), strconv.Itoa(len(d.Folds))))
	}
	return t
}
