package methods

import (
	"sml/graph"
	"sml/models"
)

// lossWeight is the range of the weight of a loss term. With a weight below 0 the loss would have
// no minimum; with a weight above a million, float32 would round the other terms away.
var lossWeight = models.Range{Min: 0, Max: 1e6}

var secondMoment = models.Method{
	Name:      "sml",
	Title:     "SML",
	Summary:   "second-moment loss: the full network learns the mean, and the sub-networks learn to deviate from it by the size of the error",
	Source:    "Sicking et al. 2021, equation 1",
	Objective: SecondMoment,
	Hyperparameters: []models.Hyperparameter{
		{Name: "alpha", Default: 1, Range: lossWeight, Help: "weight of the regression loss"},
		{Name: "beta", Default: 0.5, Range: lossWeight, Help: "weight of the second-moment loss"},
		{Name: "gamma", Default: 0, Range: lossWeight, Help: "weight of the squared error of the sub-network"},
		{Name: "through", Default: false, Help: "let the gradient of the second-moment loss reach the full network too"},
	},
	DropLayers:  models.AllLayers,
	SubNetworks: models.SubNetworkMoments,
	Predict:     PredictFullWithShift,
	Combine:     models.CombineAsNormal,
}

// SecondMoment returns the second-moment loss, a scalar: the mean over rows and targets of
//
//	α (f − y)² + β (|g − stopgrad(f)| − |stopgrad(f) − y|)² + γ (g − y)²
//
// for the full network f and one dropout sub-network g. In the second term only g learns, unless
// the hyperparameter "through" is on. Source: Sicking et al. 2021, equation 1; the term with γ is
// from the authors' notebook.
func SecondMoment(b *graph.Builder, t *models.Task) *graph.Node {
	full := t.Forward(graph.Full)
	sub := t.Forward(graph.Drop(0))
	center := full // f in the second term
	if !t.IsOn("through") {
		center = b.StopGradient(full)
	}
	regression := t.Term("regression", "alpha", t.MSE(full, t.Y))
	spread := b.Abs(b.Sub(sub, center))
	absError := b.Abs(b.Sub(t.Y, center))
	return b.WeightedSum(
		regression,
		t.Term("second moment", "beta", t.MSE(spread, absError)),
		t.Term("sub-network", "gamma", t.MSE(sub, t.Y)),
	)
}
