package main

import (
	"context"
	"fmt"
	"math"

	"sml/models"
	"sml/models/methods"
)

// init registers "swag". AfterStep collects weights during the training, AfterTraining draws networks from their
// distribution, and Predict averages over these networks.
func init() {
	models.Register(models.Method{
		Name:      "swag",
		Title:     "SWAG",
		Summary:   "weights drawn from a normal distribution that is fitted to the weights along the end of the training",
		Source:    "Maddox et al. 2019, algorithm 1 and equation 1; the networks put out mean and std, as for pu",
		Objective: methods.GaussianNLL,
		Hyperparameters: []models.Hyperparameter{
			{Name: "start", Default: 0.5, Range: models.Range{Min: 0, Max: 0.99}, Help: "fraction of the training before weights are collected"},
			{Name: "collected", Default: 50.0, Whole: true, Range: models.Range{Min: 2, Max: 1e6}, Help: "number of times that weights are collected after it"},
			{Name: "rank", Default: 20.0, Whole: true, Range: models.Range{Min: 2, Max: 1000}, Help: "number of deviations of the weights from their mean that are kept"},
			{Name: "networks", Default: 30.0, Whole: true, Range: models.Range{Min: 2, Max: 1000}, Help: "number of networks that are drawn"},
		},
		Outputs:         models.Outputs(2),
		AfterStep:       collectWeights,
		AfterTraining:   drawNetworks,
		UsesSubNetworks: true,
		UsesEachDraw:    true,
		Predict:         methods.PredictMixtureOfDraws,
		Combine:         methods.CombineAsNormal,
	})
}

// collectWeights updates, at evenly spaced steps of the training, the mean of the weights, the sum of their
// squared deviations from it, and the latest deviations. t.Keep returns the same numbers in every step, also
// after an interruption. Source of the update: Welford 1962; a mean of squares would lose the small
// deviations in float32.
func collectWeights(t *models.Trajectory) error {
	rank := t.Int("rank")
	weights := t.Parameters()
	size := len(weights)
	count := t.Keep("count", 1, 1)
	mean := t.Keep("mean", 1, size)
	squares := t.Keep("squares", 1, size)
	deviations := t.Keep("deviations", rank, size)
	stepsBefore := int(float64(t.Float("start") * float64(t.Steps)))
	interval := max(1, (t.Steps-stepsBefore)/t.Int("collected")) // in steps
	isCollected := t.Step > stepsBefore && (t.Steps-t.Step)%interval == 0
	if !isCollected {
		return nil
	}
	oldest := int(count[0]) % rank
	latest := deviations[oldest*size:][:size] // the latest deviations take the place of the oldest
	count[0]++
	for i, w := range weights {
		fromOldMean := w - mean[i]
		mean[i] += fromOldMean / count[0]
		latest[i] = w - mean[i]
		squares[i] += float32(fromOldMean * latest[i])
	}
	return nil
}

// drawNetworks adds networks with the weights
//
//	θ̄ + σ·z₁/√2 + D·z₂/√(2(K−1))
//
// to the model. θ̄ and σ are mean and standard deviation of each weight, D has the K latest deviations as
// columns, and z₁ and z₂ are standard normal numbers. Source: Maddox et al. 2019, equation 1.
func drawNetworks(_ context.Context, n *models.TrainedNetwork) error {
	mean := n.KeptValues("mean")
	squares := n.KeptValues("squares")
	deviations := n.KeptValues("deviations")
	count := float64(n.KeptValues("count")[0])
	size := len(mean)
	rank := min(n.Int("rank"), int(count))
	if rank < 2 {
		return fmt.Errorf("SWAG needs weights of 2 steps, and has %v: train longer, or lower start", count)
	}
	for k := range n.Int("networks") {
		z1 := n.Normal(uint64(2*k), size) // each draw has a random stream of its own
		z2 := n.Normal(uint64(2*k+1), rank)
		weights := make([]float64, size)
		for i := range weights {
			std := math.Sqrt(max(0, float64(squares[i])) / count)
			weights[i] = float64(mean[i]) + float64(std*z1[i])/math.Sqrt2
			for j, z := range z2 {
				deviation := float64(deviations[j*size+i])
				weights[i] += float64(deviation*z) / math.Sqrt(2*float64(rank-1))
			}
		}
		if err := n.AddSubNetwork(weights); err != nil {
			return err
		}
	}
	return nil
}
