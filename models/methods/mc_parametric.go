package methods

import (
	"sml/graph"
	"sml/models"
)

var mcParametric = models.Method{
	Name:        "mc-pu",
	Title:       "MC+PU",
	Summary:     "dropout sub-networks that predict mean and standard deviation, trained by the Gaussian NLL",
	Source:      "Kendall and Gal 2017, equations 8 and 9, with σ = softplus in place of log σ²",
	Objective:   DropoutNLL,
	Outputs:     models.Outputs(2),
	DropLayers:  models.AllLayers,
	SubNetworks: models.EachSubNetwork,
	Predict:     PredictMixtureOfDraws,
	Combine:     models.CombineAsNormal,
}

// DropoutNLL returns the Gaussian negative log-likelihood of one dropout sub-network, a scalar: the
// mean of RowNLL, each value at least −100.
func DropoutNLL(b *graph.Builder, t *models.Task) *graph.Node {
	return meanRowNLL(b, t, t.Forward(graph.Drop(0)))
}
