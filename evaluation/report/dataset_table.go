package report

import (
	"strconv"

	"sml/data"
	"sml/evaluation/experiment"
)

// Table1 returns the paper's table of data sets, with its remarks and the
// training settings of each. The protocol decides how many rows there are.
func Table1(recipes []experiment.Recipe, protocol data.Protocol) Table {
	t := Table{
		Caption: "Data sets (table 1 of the paper)", words: 5,
		header: []string{"data set", "target", "source", "licence", "remarks", "rows", "features", "epochs", "batch", "folds"},
	}
	for _, r := range recipes {
		d, err := data.Lookup(r.Dataset)
		if err != nil {
			continue // it is none of this program's
		}
		t.body = append(t.body, words(
			d.Name, d.Meaning, d.Source, d.Licence, d.RemarksUnder(protocol),
			strconv.Itoa(d.RowsUnder(protocol)), strconv.Itoa(d.Features),
			strconv.Itoa(r.Epochs), strconv.Itoa(r.Batch), strconv.Itoa(len(r.Folds))))
	}
	return t
}
