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

func init() {
	paper := study.Config{
		Datasets: slices.Clone(datasets), Methods: Methods(), Splits: []string{"random", "pca", "label"}, Seeds: []uint64{1},
		Protocol: string(data.Paper), Settings: study.Settings{"width": {"50"}, "samples": {strconv.Itoa(evaluation.DefaultSamples)}},
	}
	study.RegisterPreset(study.Preset{Name: "paper", Summary: "the paper's evaluation", Config: paper})

	beta := paper
	beta.Methods = []string{"sml beta=0.1", "sml beta=0.25", "sml beta=0.5", "sml beta=0.75", "sml beta=0.9"}
	study.RegisterPreset(study.Preset{Name: "beta", Summary: "the paper's study of β", Config: beta, PredictBy: betaPrediction})

	// What the paper's text says beyond its scores: one variant of SML beside another, each
	// with dropout after all layers and after the last alone.
	claims := paper
	claims.Datasets = []string{"yacht", "energy", "concrete", "wine-red", "abalone", "naval"}
	claims.Methods, claims.Splits = []string{"sml", "sml through=true", "sml beta=10"}, []string{"random"}
	claims = claims.WithOverrides(study.Config{Settings: study.Settings{"dropout-layers": {"all", "last"}}})
	study.RegisterPreset(study.Preset{Name: claimsPreset, Summary: "variants of SML in the paper's text", Config: claims})

	quick := paper
	quick.Datasets, quick.Splits, quick.Fold = []string{"toy", "friedman"}, []string{"random"}, []int{0, 1}
	quick = quick.WithOverrides(study.Config{Settings: study.Settings{"epochs": {"50"}}})
	study.RegisterPreset(study.Preset{Name: "quick", Summary: "the paper's methods on two toy sets, in seconds", Config: quick})
}

const claimsPreset = "claims"

// betaPrediction returns Prediction.By for a spec of the notebook's study of β: the notebook
// predicts by the full network and σ_total if β is 0.5, and by the sub-networks otherwise.
func betaPrediction(spec models.Spec, protocol data.Protocol) string {
	if protocol == data.Paper && spec.Hyperparameters["beta"] != 0.5 {
		return experiment.SubNetworkMode
	}
	return ""
}
