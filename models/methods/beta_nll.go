package methods

import (
	"sml/graph"
	"sml/models"
)

var betaNLL = models.Method{
	Name:      "beta-nll",
	Title:     "β-NLL",
	Summary:   "mean and standard deviation σ, trained by the Gaussian NLL with rows weighted by σ^2β, so that noisy rows count too",
	Source:    "Seitzer et al. 2022, equation 5",
	Objective: BetaNLL,
	Hyperparameters: []models.Hyperparameter{
		{Name: "beta", Default: 0.5, Range: models.Range{Min: 0, Max: 1}, Help: "0 is the Gaussian NLL; 1 weights the rows as the squared error does"},
	},
	Outputs: models.Outputs(2),
	Predict: PredictNormal,
	Combine: models.CombineAsNormal,
}

// BetaNLL returns the mean of stopgrad(σ^2β) · RowNLL, a scalar. The full network predicts the
// mean and the standard deviation σ, as MeanAndStd reads them. Source: Seitzer et al. 2022,
// equation 5.
func BetaNLL(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := MeanAndStd(b, t.Forward(graph.Full))
	weight := b.StopGradient(b.Pow(std, 2*t.Float("beta")))
	return t.Mean(b.Mul(weight, RowNLL(b, mean, std, t.Y)))
}
