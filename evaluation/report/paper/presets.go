package paper

import (
	"slices"
	"strconv"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
	"sml/models"
)

// init registers the presets of the paper's studies. The other presets change a few settings of the first.
func init() {
	paper := study.Config{
		Datasets: slices.Clone(datasets),
		Methods:  Methods(),
		Splits:   []string{"random", "pca", "label"},
		Seeds:    []uint64{1},
		Protocol: string(data.Paper),
		Settings: study.Settings{"width": {"50"}, "samples": {strconv.Itoa(evaluation.DefaultSamples)}},
	}
	study.RegisterPreset(study.Preset{Name: "paper", Summary: "the paper's evaluation", Config: paper})

	beta := paper
	beta.Methods = []string{"sml beta=0.1", "sml beta=0.25", "sml beta=0.5", "sml beta=0.75", "sml beta=0.9"}
	study.RegisterPreset(study.Preset{Name: "beta", Summary: "the paper's study of β", Config: beta, PredictBy: betaPrediction})

	// The paper's text also compares variants of SML, without printing their scores. Each is trained with
	// dropout after all layers, and after the last layer only.
	claims := paper
	claims.Datasets = []string{"yacht", "energy", "concrete", "wine-red", "abalone", "naval"}
	claims.Methods = []string{"sml", "sml through=true", "sml beta=10"}
	claims.Splits = []string{"random"}
	claims = claims.WithOverrides(study.Config{Settings: study.Settings{"dropout-layers": {"all", "last"}}})
	study.RegisterPreset(study.Preset{Name: claimsPreset, Summary: "variants of SML in the paper's text", Config: claims})

	quick := paper
	quick.Datasets = []string{"toy", "friedman"}
	quick.Splits = []string{"random"}
	quick.Fold = []int{0, 1}
	quick = quick.WithOverrides(study.Config{Settings: study.Settings{"epochs": {"50"}}})
	study.RegisterPreset(study.Preset{Name: "quick", Summary: "the paper's methods on two toy sets, in seconds", Config: quick})
}

// claimsPreset is the name of the preset whose scores only serve to check claims.
const claimsPreset = "claims"

// betaPrediction returns the prediction mode of a spec in the study of β. Under the paper protocol it is the
// notebook's: the full network and σ_total, which is the default mode "", if β is 0.5, and the mean and the
// spread of the sub-networks for every other β.
func betaPrediction(spec models.Spec, protocol data.Protocol) string {
	if protocol == data.Paper && spec.Hyperparameters["beta"] != 0.5 {
		return experiment.SubNetworkMode
	}
	return ""
}

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
