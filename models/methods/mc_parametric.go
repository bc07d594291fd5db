package methods

import (
	"sml/graph"
	"sml/models"
)

var mcParametric = models.Method{
	Name:       "mc-pu",
	Title:      "MC+PU",
	Summary:    "dropout sub-networks that put out mean and std, trained by Gaussian NLL",
	Source:     "Kendall and Gal 2017, equations 8 and 9, with σ = softplus in place of log σ²",
	Objective:  DropoutNLL,
	Outputs:    models.Outputs(2),
	Drop:       models.AllLayers,
	Stochastic: true,
	Draws:      true,
	Predict:    MixtureOfDraws,
}

// DropoutNLL is GaussianNLL of a dropout sub-network.
func DropoutNLL(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := MeanAndStd(b, t.Forward(graph.Drop(0)))
	return t.Mean(b.ClampMin(RowNLL(b, mean, std, t.Y), nllFloor))
}
