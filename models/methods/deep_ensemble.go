package methods

import (
	"sml/graph"
	"sml/models"
)

var deepEnsemble = models.Method{
	Name:      "de",
	Title:     "DE",
	Summary:   "deep ensemble: 5 networks trained by the squared error; the spread of their predictions is the uncertainty",
	Source:    "Lakshminarayanan et al. 2017, the ensemble trained by the squared error that it compares with",
	Objective: FullMSE,
	Predict:   PredictFullNetwork,
	Members:   5,
}

// FullMSE returns the mean squared error of the full network, a scalar.
func FullMSE(_ *graph.Builder, t *models.Task) *graph.Node {
	return t.MSE(t.Forward(graph.Full), t.Y)
}
