package main

import (
	"context"
	"fmt"
	"math"

	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "swag", Title: "SWAG", Summary: "weights drawn from a normal distribution that is fitted to the weights along the end of the training",
		Source: "Maddox et al. 2019, algorithm 1 and equation 1; the networks put out mean and std, as for pu",
		Hyperparameters: []models.Hyperparameter{
			{Name: "start", Default: 0.5, Range: models.Range{Min: 0, Max: 0.99}, Help: "share of the training before weights are collected"},
			{Name: "collected", Default: 50.0, Whole: true, Range: models.Range{Min: 2, Max: 1e6}, Help: "number of times that weights are collected behind it"},
			{Name: "rank", Default: 20.0, Whole: true, Range: models.Range{Min: 2, Max: 1000}, Help: "deviations of the weights that are kept"},
			{Name: "networks", Default: 30.0, Whole: true, Range: models.Range{Min: 2, Max: 1000}, Help: "networks that are drawn"},
		},
		Objective: methods.GaussianNLL, Outputs: models.Outputs(2),
		AfterStep: collectWeights, AfterTraining: drawNetworks,
		UsesSubNetworks: true, UsesEachDraw: true, Predict: methods.PredictMixtureOfDraws, Combine: methods.CombineAsNormal,
	})
}

// collectWeights updates the mean of the weights at points of the training, the sum of their squared
// deviations (Welford 1962: a mean of squares would lose it in float32) and the last deviations
// from the mean.
func collectWeights(t *models.Trajectory) error {
	rank := t.Int("rank")
	weights := t.Parameters()
	size := len(weights)
	count := t.Keep("count", 1, 1)
	mean := t.Keep("mean", 1, size)
	squares := t.Keep("squares", 1, size)
	deviations := t.Keep("deviations", rank, size)
	first := int(float64(t.Float("start") * float64(t.Steps)))
	every := max(1, (t.Steps-first)/t.Int("collected"))
	if t.Step <= first || (t.Steps-t.Step)%every != 0 {
		return nil
	}
	last := deviations[int(count[0])%rank*size:][:size] // takes the place of the oldest
	count[0]++
	for i, w := range weights {
		before := w - mean[i]
		mean[i] += before / count[0]
		last[i] = w - mean[i]
		squares[i] += float32(before * last[i])
	}
	return nil
}

// drawNetworks adds networks with the weights θ̄ + σ·z₁/√2 + D·z₂/√(2(K−1)), where D has the K
// deviations as columns.
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
		diagonal := n.Normal(uint64(2*k), size)
		low := n.Normal(uint64(2*k+1), rank)
		weights := make([]float64, size)
		for i := range weights {
			std := math.Sqrt(max(0, float64(squares[i])) / count)
			weights[i] = float64(mean[i]) + float64(std*diagonal[i])/math.Sqrt2
			for j, z := range low {
				weights[i] += float64(float64(deviations[j*size+i])*z) / math.Sqrt(2*float64(rank-1))
			}
		}
		if err := n.AddSubNetwork(weights); err != nil {
			return err
		}
	}
	return nil
}
