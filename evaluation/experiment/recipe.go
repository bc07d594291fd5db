package experiment

import (
	"fmt"
	"math"

	"sml/data"
	"sml/internal/registry"
)

// Recipe is how a table is trained where its user does not say.
type Recipe struct {
	Dataset  string // that it is for
	Epochs   int
	Batch    int
	Protocol data.Protocol
	Folds    []int  // that are run of a split of ten. Not to be changed
	Reason   string // why so, a clause such as "as published"
}

var recipes = registry.New("recipe", func(r Recipe) string { return r.Dataset }, "")

// RegisterRecipe adds the recipe of a data set. It panics if there is one already,
// which is a mistake in the program.
func RegisterRecipe(r Recipe) { recipes.Add(r) }

// FoldsOf returns the folds that are run of a split with so many (SplitKind.FoldsOf).
func (r Recipe) FoldsOf(folds int) []int {
	if folds == 10 {
		return r.Folds
	}
	all := make([]int, folds)
	for i := range all {
		all[i] = i
	}
	return all
}

// The rule for tables that have no recipe lies between the paper's two classes, of
// some 800 rows with 1000 epochs and of some 15,000 with 150.
const (
	epochsOfOneRow = 18_000
	fewestEpochs   = 30
	mostEpochs     = 1000

	ruleBatch      = 100
	largestBatch   = 500
	rowsOfOneBatch = 1000 // above 100,000 rows a batch is a thousandth of them
)

// RecipeFor returns the recipe of a data set, or, where it has none, one that
// follows from the number of rows n without a jump: 18,000/√n epochs, 30 to 1000, of
// batches of 100, which grow to 500 from 100,000 to 500,000 rows, two batches at
// least; all folds; the sound protocol.
func RecipeFor(dataset string, rows int) Recipe {
	if r, err := recipes.Lookup(dataset); err == nil {
		return r
	}
	rows = max(1, rows)
	r := Recipe{
		Dataset: dataset, Protocol: data.Sound, Folds: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		Epochs: min(max(fewestEpochs, int(math.Round(epochsOfOneRow/math.Sqrt(float64(rows))))), mostEpochs),
		Batch:  min(max(ruleBatch, rows/rowsOfOneBatch), largestBatch, max(1, rows/2)),
	}
	r.Reason = fmt.Sprintf("the rule for a table of %d rows (%d/√rows epochs, %d to %d)", rows, epochsOfOneRow, fewestEpochs, mostEpochs)
	return r
}
