package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "two-moments", whose objective calls two sub-networks.
func init() {
	models.Register(models.Method{
		Name:    "two-moments",
		Title:   "2M",
		Summary: "two sub-networks: both fit the target, their distance fits twice the residual of their mean",
		Source:  "the notebook of Sicking et al. 2021",
		Hyperparameters: []models.Hyperparameter{
			{Name: "beta", Default: 0.5, Help: "weight of the distance"},
		},
		Objective:   twoMoments,
		DropLayers:  models.AllLayers,
		SubNetworks: models.SubNetworkMoments,
		Predict:     methods.PredictSubNetworks,
	})
}

// twoMoments returns ½ MSE(f, y) + ½ MSE(g, y) + β MSE(|f − g|, |y − m|), a scalar, for two sub-networks f and
// g and their mean m. No gradient flows through m, so the last term changes only their distance.
func twoMoments(b *graph.Builder, t *models.Task) *graph.Node {
	subNetworks := t.SubNetworks(2)
	f, g := subNetworks[0], subNetworks[1]
	mean := b.StopGradient(b.MeanOf(f, g))
	distance := b.Abs(b.Sub(f, g))
	absError := b.Abs(b.Sub(t.Y, mean))
	return b.WeightedSum(
		graph.Term{Name: "first", Weight: 0.5, Value: b.MSE(f, t.Y)},
		graph.Term{Name: "second", Weight: 0.5, Value: b.MSE(g, t.Y)},
		graph.Term{Name: "distance", Weight: t.Float("beta"), Value: b.MSE(distance, absError)},
	)
}
