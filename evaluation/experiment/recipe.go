package experiment

import (
	"fmt"

	"sml/data"
	"sml/data/registry"
)

// Recipe is how a table is trained where its user does not say.
type Recipe struct {
	Dataset  string // that it is for
	Epochs   int
	Batch    int
	Protocol data.Protocol
	Folds    []int  // of a split with folds; not to be changed
	Reason   string // why so, a clause such as "as published"
}

var recipes = registry.New("recipe", func(r Recipe) string { return r.Dataset }, "")

// RegisterRecipe adds the recipe of a data set. It panics if there is one already,
// which is a mistake in the program.
func RegisterRecipe(r Recipe) { recipes.Add(r) }

// Recipes lists the registered recipes.
func Recipes() []Recipe { return recipes.All() }

// The rule for tables that have no recipe. Small networks need some ten thousand
// steps, whatever the size of the table: the paper's sets get 3,000 to 150,000, most
// of them 5,000 to 30,000. Bounds keep a tiny table from being seen more often than
// the paper's are, and a huge one from being seen too seldom.
const (
	ruleSteps      = 20_000
	fewestEpochs   = 30
	mostEpochs     = 1000
	ruleBatch      = 100
	largestBatch   = 500
	rowsOfOneBatch = 1000 // above 100,000 rows a batch is a thousandth of them
)

// RecipeFor returns the recipe of a data set, or, where it has none, one that
// follows from the number of rows without a jump: 20,000 steps in 30 to 1000 epochs,
// of batches of 100, from 100,000 to 500,000 rows growing to 500; two batches at
// least; all folds; the sound protocol.
func RecipeFor(dataset string, rows int) Recipe {
	if r, err := recipes.Lookup(dataset); err == nil {
		return r
	}
	rows = max(1, rows)
	batch := min(max(ruleBatch, rows/rowsOfOneBatch), largestBatch, max(1, rows/2))
	epochs := min(max(fewestEpochs, (ruleSteps*batch+rows/2)/rows), mostEpochs)
	r := Recipe{Dataset: dataset, Epochs: epochs, Batch: batch, Protocol: data.Sound}
	for fold := range data.Folds {
		r.Folds = append(r.Folds, fold)
	}
	r.Reason = fmt.Sprintf("about %d steps are made of a table of %d rows, in %d to %d epochs", ruleSteps, rows, fewestEpochs, mostEpochs)
	return r
}
