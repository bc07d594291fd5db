// Package paper holds what belongs to one paper, "A Novel Regression Loss for
// Non-Parametric Uncertainty Optimization".
package paper

import "sml/data/registry"

// Recipe is how the paper trains on one data set. The learning rate is 0.001
// throughout, the trainers' default.
type Recipe struct {
	Dataset string
	Epochs  int
	Batch   int
	Folds   []int // that are reported, of 10; not to be changed
}

var recipes = registry.New("recipe", func(r Recipe) string { return r.Dataset }, "")

// The paper's appendix, "Technical details", in the order of its table of data sets.
func init() {
	for _, name := range []string{"yacht", "diabetes", "boston", "energy", "concrete", "wine-red"} {
		recipes.Add(small(name))
	}
	for _, name := range []string{"abalone", "power", "naval", "california", "superconduct", "protein"} {
		recipes.Add(large(name))
	}
	recipes.Add(veryLarge("year"))
}

// The paper's three classes of size.

func small(name string) Recipe {
	return Recipe{name, 1000, 100, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}
}

func large(name string) Recipe { return Recipe{name, 150, 100, []int{0, 3, 5, 7, 9}} }

func veryLarge(name string) Recipe { return Recipe{name, 150, 500, []int{0, 3, 5, 7, 9}} }

// Recipes returns the recipes of the paper's data sets, in its order.
func Recipes() []Recipe { return recipes.All() }

// Datasets returns the names of the paper's data sets, in its order.
func Datasets() []string { return recipes.Names() }

// LookupRecipe returns the recipe of a data set of the paper.
func LookupRecipe(dataset string) (Recipe, error) { return recipes.Lookup(dataset) }

// FoldsOf returns the folds that are reported of a split with so many: of ten those
// of the recipe, else all.
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

// RecipeFor returns the recipe of a data set of the paper, and for any other table
// that of the paper's sets of its size.
func RecipeFor(name string, rows int) Recipe {
	if r, err := recipes.Lookup(name); err == nil {
		return r
	}
	switch {
	case rows <= 2000: // wine-red, the largest of the small sets, has 1599
		return small(name)
	case rows <= 100_000: // protein, the largest of the large sets, has 45730
		return large(name)
	default:
		return veryLarge(name)
	}
}
