// Package paper adds to reports the tables, figures and claims of one paper, "A Novel Regression Loss
// for Non-Parametric Uncertainty Optimization", and registers its recipes and studies. Start with Add.
// It also registers two studies that compare all methods, uci20 on a published benchmark and beyond on
// the paper's data sets; AddBenchmark adds published scores beside the first one's.
// The package does not train the paper's studies, except for the two small networks of figure 1.
package paper

import (
	"sml/data"
	"sml/evaluation/experiment"
)

// datasets are the data sets of the paper, in the order of its table.
var datasets = []string{
	"yacht", "diabetes", "boston", "energy", "concrete", "wine-red",
	"abalone", "power", "naval", "california", "superconduct", "protein",
	"year",
}

// smallDatasets is the number of small data sets, which are the first of datasets. The paper trains them for
// more epochs, and on all folds.
const smallDatasets = 6

// recipes returns the recipes of the paper's data sets, in its order. They follow the paper's appendix,
// "Technical details", which distinguishes large data sets, small ones, and year. The learning rate is
// always 0.001, the trainers' default.
func recipes() []experiment.Recipe {
	var recipes []experiment.Recipe
	for i, name := range datasets {
		recipe := experiment.Recipe{
			Dataset:  name,
			Method:   "sml",
			Epochs:   150,
			Batch:    100,
			Folds:    []int{0, 3, 5, 7, 9},
			Protocol: data.Paper,
			Reason:   "as the paper trains " + name,
		}
		isSmall := i < smallDatasets
		if isSmall {
			recipe.Epochs = 1000
			recipe.Folds = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
		}
		if name == "year" {
			recipe.Batch = 500
		}
		recipes = append(recipes, recipe)
	}
	return recipes
}

// init registers the recipes, by which trainings on the paper's data sets find their default settings.
func init() {
	for _, r := range recipes() {
		experiment.RegisterRecipe(r)
	}
}

// Methods returns the methods that the paper compares, in the order of its table 2.
func Methods() []string { return []string{"mc", "mc-ll", "sml", "pu", "pu-de", "de"} }
