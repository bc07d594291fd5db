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

// RecipeFor returns the recipe of a data set, or, where it has none, that of the
// paper's sets of its size.
func RecipeFor(dataset string, rows int) Recipe {
	if r, err := recipes.Lookup(dataset); err == nil {
		return r
	}
	r := Recipe{Dataset: dataset, Epochs: 150, Batch: min(100, max(1, rows/2)), Folds: []int{0, 3, 5, 7, 9}, Protocol: data.Paper}
	switch {
	case rows <= 2000:
		r.Epochs, r.Folds = 1000, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	case rows > 100_000:
		r.Batch = 500
	}
	r.Reason = fmt.Sprintf("as the paper trains data sets of %d rows", rows)
	return r
}
