package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name: "two-moments", Title: "2M", Summary: "two sub-networks: both fit the target, their distance fits twice the residual of their mean",
		Source: "the notebook of Sicking et al. 2021",
		Hyperparameters: []models.Hyperparameter{
			{Name: "beta", Default: 0.5, Help: "weight of the distance"},
		},
		Objective:       twoMoments,
		DropLayers:      models.AllLayers,
		UsesSubNetworks: true,
		Predict:         methods.PredictSubNetworks,
	})
}

// twoMoments is ½ Σᵢ MSE(f~ᵢ, y) + β·MSE(|f~₁ − f~₂|, |y − mean|) for two
// sub-networks and their mean, through which no gradient flows in the second term.
func twoMoments(b *graph.Builder, t *models.Task) *graph.Node {
	f := t.SubNetworks(2)
	mean := b.StopGradient(b.MeanOf(f...))
	return b.WeightedSum(
		graph.Term{Name: "first", Weight: 0.5, Value: b.MSE(f[0], t.Y)},
		graph.Term{Name: "second", Weight: 0.5, Value: b.MSE(f[1], t.Y)},
		graph.Term{Name: "distance", Weight: t.Float("beta"), Value: b.MSE(b.Abs(b.Sub(f[0], f[1])), b.Abs(b.Sub(t.Y, mean)))},
	)
}
