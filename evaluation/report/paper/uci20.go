package paper

import (
	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
)

// uciDatasets are the data sets of the published benchmark, in the order of the publications. They lack kin8nm, which no archive
// serves in its published form, and YearPredictionMSD, which the publications divide in another way.
var uciDatasets = []string{"boston", "concrete", "energy", "naval", "power", "protein", "wine-red", "yacht"}

// uciRecipe returns the training of a data set as Gal and Ghahramani published it in 2018 (DropoutUncertaintyExps): one
// hidden layer of 50 units, or 100 for protein, batches of 128 rows, and a hundred times the 40 epochs, or 20 for
// protein, of Hernández-Lobato and Adams (2015).
func uciRecipe(dataset string, _ int) experiment.Recipe {
	r := experiment.Recipe{
		Dataset:  dataset,
		Method:   "mc",
		Epochs:   4000,
		Batch:    128,
		Hidden:   "50",
		Protocol: data.Sound,
		Folds:    []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, // of splits with ten folds
		Reason:   "as the benchmark trains " + dataset,
	}
	if dataset == "protein" {
		r.Epochs = 2000
		r.Hidden = "100"
	}
	return r
}

// uciMethods are the methods of the preset: all methods that predict numbers, except for ensembles that take longer than
// the other ensembles, and variants without correlations of Laplace approximations, which are for larger networks.
var uciMethods = []string{
	"mc", "mc-ll", "sml", "w-dropout", "mc-pu", "concrete", "bayes", "laplace-ll", "laplace-kron", "swag", "swag-pu",
	"pu", "beta-nll", "crps", "student-t", "evidential", "mdn", "quantiles",
	"de", "pu-de", "crps-de",
}

// init registers the presets that compare all methods.
func init() {
	study.RegisterPreset(study.Preset{
		Name:    "uci20",
		Summary: "the published benchmark on 20 random divisions of UCI data sets",
		Recipe:  uciRecipe,
		Config: study.Config{
			Datasets: uciDatasets,
			Methods:  uciMethods,
			Splits:   []string{uciSplit},
			Seeds:    []uint64{1},
			Protocol: string(data.Sound),
			Measures: []string{"rmse", "nll-full", "crps", "coverage90", "width90"},
			Settings: study.Settings{"dropout": {"0.05"}}, // of the rates that Gal and Ghahramani choose from
		},
	})
	study.RegisterPreset(beyond)
}

// uciSplit is the name of the divisions, and of their scores.
const uciSplit = "uci"
