package experiment

import (
	"cmp"
	"fmt"
	"math"

	"sml/data"
	"sml/internal/registry"
)

// Recipe holds the defaults of the trainings on one table. A registered recipe trains a data set
// as published; RecipeFor returns the recipe of any other table. Recipe.Complete applies it.
type Recipe struct {
	Dataset  string // name of the data set
	Method   string // method of a training that chooses none; default crps-de
	Epochs   int
	Batch    int    // rows of a batch
	Hidden   string // widths of the hidden layers, such as "50,50"; "" for the widths of any other training
	Protocol data.Protocol
	Folds    []int  // folds that a study runs of a split with ten folds; must not be modified
	Reason   string // reason for the values, a clause such as "as published"

	isForTable bool // whether RecipeFor made it for a table without a recipe of its own
}

var recipes = registry.New("recipe", func(r Recipe) string { return r.Dataset }, "")

// RegisterRecipe adds the recipe of a data set. It panics if the data set has one already.
func RegisterRecipe(r Recipe) {
	r.Method = cmp.Or(r.Method, tableMethod)
	recipes.Add(r)
}

// publishedFolds is the number of folds of the paper's splits. Recipes choose among these folds.
const publishedFolds = 10

// StudyFolds returns the folds that a study runs of a split with this number of folds: the
// recipe's for ten folds, and all for any other number.
func (r Recipe) StudyFolds(folds int) []int {
	if folds == publishedFolds {
		return r.Folds
	}
	all := make([]int, folds)
	for i := range all {
		all[i] = i
	}
	return all
}

// tableMethod is the method of a table without a registered recipe. A comparison with gradient
// boosting chose it: see docs/explanation/accuracy.md.
const tableMethod = "crps-de"

// Numbers of the rule for tables without a registered recipe.
const (
	// An epoch on n rows takes a time in proportion to n. Fewer epochs on large tables keep the
	// training of 100,000 rows with 50 inputs below three minutes on two cores.
	epochsTimesRootRows = 7600 // epochs times the square root of the number of rows
	minEpochs           = 10
	maxEpochs           = 400

	minBatch     = 100
	maxBatch     = 500
	rowsPerBatch = 1000 // above 100,000 rows a batch has a thousandth of them
)

// RecipeFor returns the recipe of a data set. For other tables it returns a recipe that depends
// on the number of rows n: 7600/√n epochs, at least 10 and at most 400; batches of 100 rows
// up to n = 100,000 and of n/1000 rows beyond, at most 500 and at most n/2; all folds; the sound
// protocol.
func RecipeFor(dataset string, rows int) Recipe {
	if recipe, err := recipes.Lookup(dataset); err == nil {
		return recipe
	}
	rows = max(1, rows)
	epochs := int(math.Round(epochsTimesRootRows / math.Sqrt(float64(rows))))
	return Recipe{
		Dataset:  dataset,
		Method:   tableMethod,
		Protocol: data.Sound,
		Folds:    []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		Epochs:   min(max(minEpochs, epochs), maxEpochs),
		Batch:    min(max(minBatch, rows/rowsPerBatch), maxBatch, max(1, rows/2)),
		Reason:   fmt.Sprintf("the defaults for a table of %d rows", rows),

		isForTable: true,
	}
}
