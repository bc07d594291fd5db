package paper

import (
	"slices"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
)

// beyond is the preset of the comparison of all methods: on the paper's data sets, but trained as the user's own tables
// are.
var beyond = study.Preset{
	Name:    "beyond",
	Summary: "all methods with the defaults for your own table",
	Recipe:  tableRecipe,
	Config: study.Config{
		Datasets: slices.Clone(datasets),
		Methods:  slices.Concat(uciMethods, []string{"mc calibrate=0.2", "sml calibrate=0.2", "crps calibrate=0.2", "quantiles calibrate=0.2"}),
		Splits:   []string{"random"},
		Seeds:    []uint64{1},
		Protocol: string(data.Sound),
		Measures: []string{"rmse", "crps", "nll", "coverage90", "width90", "interval-score90"},
	},
}

// tableRecipe returns the recipe of a user's table with this number of rows, also for data sets that have recipes of
// their own. Of splits with ten folds it runs two, or one on larger tables, whose scores vary less.
func tableRecipe(_ string, rows int) experiment.Recipe {
	const (
		anyTable        = ""
		maxWithTwoFolds = 5000 // rows
	)
	r := experiment.RecipeFor(anyTable, rows)
	r.Folds = []int{0, 5}
	if rows >= maxWithTwoFolds {
		r.Folds = []int{0}
	}
	return r
}
