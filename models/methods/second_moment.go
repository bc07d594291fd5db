package methods

import (
	"sml/graph"
	"sml/models"
)

// lossWeight is the range of the weights of the loss's terms. A negative one
// rewards what the term punishes: the loss has no minimum. Above a million,
// float32 leaves the other terms no digit.
var lossWeight = models.Range{Min: 0, Max: 1e6}

var secondMoment = models.Method{
	Name:      "sml",
	Title:     "SML",
	Summary:   "second-moment loss: the full network learns the mean, sub-networks the residual",
	Source:    "Sicking et al. 2021, equation 1",
	Objective: SecondMoment,
	Hyperparameters: []models.Hyperparameter{
		{Name: "alpha", Default: 1, Range: lossWeight, Help: "weight of the regression loss"},
		{Name: "beta", Default: 0.5, Range: lossWeight, Help: "weight of the second-moment loss"},
		{Name: "gamma", Default: 0, Range: lossWeight, Help: "weight of the sub-network's own squared error"},
		{Name: "through", Default: false, Help: "let the second-moment loss reach the full network too"},
	},
	Drop:       models.AllLayers,
	Stochastic: true,
	Predict:    FullWithShift,
}

// SecondMoment is the second-moment loss
//
//	mean of α (f − y)² + β (|f~ − sg f| − |sg f − y|)² + γ (f~ − y)²
//
// of the full network f and one dropout sub-network f~, where sg stops the
// gradient: in the second term only f~ learns, unless "through" is on. Source:
// Sicking et al. 2021, equation 1; γ is from the authors' notebook.
func SecondMoment(b *graph.Builder, t *models.Task) *graph.Node {
	full, sub := t.Forward(graph.Full), t.Forward(graph.Drop(0))
	center := full
	if !t.On("through") {
		center = b.StopGradient(full)
	}
	return b.WeightedSum(
		t.Term("regression", "alpha", t.MSE(full, t.Y)),
		t.Term("second moment", "beta", t.MSE(b.Abs(b.Sub(sub, center)), b.Abs(b.Sub(t.Y, center)))),
		t.Term("sub-network", "gamma", t.MSE(sub, t.Y)),
	)
}
