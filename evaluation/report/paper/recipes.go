// Package paper adds to reports the tables, figures and claims of one paper, "A Novel Regression Loss
// for Non-Parametric Uncertainty Optimization", and registers its recipes and studies. Start with Add.
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

// recipes returns the recipes of the paper's data sets, in its order. The recipes are from the
// paper's appendix, "Technical details", which has three classes of size. The learning rate is
// always 0.001, the trainers' default.
func recipes() []experiment.Recipe {
	list := make([]experiment.Recipe, len(datasets))
	for i, name := range datasets {
		list[i] = experiment.Recipe{
			Dataset: name, Epochs: 150, Batch: 100, Folds: []int{0, 3, 5, 7, 9},
			Protocol: data.Paper, Reason: "as the paper trains " + name,
		}
		switch {
		case i < 6:
			list[i].Epochs, list[i].Folds = 1000, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
		case name == "year":
			list[i].Batch = 500
		}
	}
	return list
}

func init() {
	for _, r := range recipes() {
		experiment.RegisterRecipe(r)
	}
}

// Methods returns the methods that the paper compares, in the order of its table 2.
func Methods() []string { return []string{"mc", "mc-ll", "sml", "pu", "pu-de", "de"} }
