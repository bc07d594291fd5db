package methods

import (
	"sml/graph"
	"sml/models"
)

var betaNLL = models.Method{
	Name:          "beta-nll",
	Title:         "β-NLL",
	Summary:       "parametric uncertainty whose rows are weighted by σ^2β, so that none is neglected",
	Source:        "Seitzer et al. 2022, equation 5",
	Objective:     BetaNLL,
	EarlyStopping: true,
	Hyperparameters: []models.Hyperparameter{
		{Name: "beta", Default: 0.5, Range: models.Range{Min: 0, Max: 1}, Help: "0 is the likelihood, 1 weights rows as the squared error does"},
	},
	Outputs: models.Outputs(2),
	Predict: Gaussian,
}

// BetaNLL is the mean of sg(σ^2β)·RowNLL, where sg stops the gradient, for a network
// with outputs as MeanAndStd reads them.
func BetaNLL(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := MeanAndStd(b, t.Forward(graph.Full))
	weight := b.StopGradient(b.Pow(std, 2*t.Float("beta")))
	return t.Mean(b.Mul(weight, RowNLL(b, mean, std, t.Y)))
}
