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
