package report

import (
	"strconv"

	"sml/data"
	"sml/evaluation/experiment"
)

// Table1 returns the paper's table of data sets, with its remarks and the
// training settings of each. The protocol decides how many rows there are.
func Table1(sets []data.Dataset, protocol data.Protocol) Table {
	t := Table{
		Caption: "Data sets (table 1 of the paper)", words: 5,
		header: []string{"data set", "target", "source", "licence", "remarks", "rows", "features", "epochs", "batch", "folds"},
	}
	for _, d := range sets {
		recipe := experiment.RecipeFor(d.Name, d.Rows)
		t.body = append(t.body, words(
			d.Name, d.TargetMeaning, d.Source, d.Licence, d.RemarksUnder(protocol),
			strconv.Itoa(d.RowsUnder(protocol)), strconv.Itoa(d.Features),
			strconv.Itoa(recipe.Epochs), strconv.Itoa(recipe.Batch), strconv.Itoa(len(recipe.Folds))))
	}
	return t
}
