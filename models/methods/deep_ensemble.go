package methods

import (
	"math"

	"sml/graph"
	"sml/models"
)

var deepEnsemble = models.Method{
	Name:      "de",
	Title:     "DE",
	Summary:   "deep ensemble: 5 networks trained by squared error, their spread is the uncertainty",
	Source:    "Lakshminarayanan et al. 2017",
	Objective: FullMSE,
	Predict:   FullNetwork,
	Members:   5,
	Combine:   Ensemble,
}

// FullMSE is the mean squared error of the full network.
func FullMSE(_ *graph.Builder, t *models.Task) *graph.Node {
	return t.MSE(t.Forward(graph.Full), t.Y)
}

// FullNetwork predicts the full network's output, without uncertainty of
// its own.
func FullNetwork(d models.Moments) models.Prediction { return models.Prediction{Mean: d.Full[0]} }

// Ensemble combines by the mean of the means and their sample standard
// deviation (n−1); a single member has none and keeps its own prediction.
func Ensemble(members []models.Prediction) models.Prediction {
	if len(members) == 1 {
		return members[0]
	}
	n := float64(len(members))
	var p models.Prediction
	for _, m := range members {
		p.Mean += m.Mean / n
	}
	for _, m := range members {
		p.Std += float64((m.Mean-p.Mean)*(m.Mean-p.Mean)) / (n - 1) // no fused multiply-add: the same bits on every CPU
	}
	p.Std = math.Sqrt(p.Std)
	return p
}
