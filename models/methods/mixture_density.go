package methods

import (
	"slices"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

var mixtureDensity = models.Method{
	Name:      "mdn",
	Title:     "MDN",
	Summary:   "mixture density network: weights, means and standard deviations of several normal distributions",
	Source:    "Bishop 1994",
	Objective: MixtureDensity,
	Hyperparameters: []models.Hyperparameter{
		{Name: "components", Default: 3, Range: models.Range{Min: 1, Max: 100}, Whole: true, Help: "number of normal distributions in the mixture"},
	},
	Outputs: func(h models.Hyperparameters) int { return 3 * h.Int("components") },
	Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
		return models.PredictionNodes{Family: distribution.NormalMixture(m.Int("components")), Parameters: mixtureParameters(b, m.Full)}
	},
}

// mixtureParameters returns the parameters of a distribution.NormalMixture of k components in 3k
// outputs of a network: the log-softmax of the first k outputs as log weights, the next k as means,
// and SoftplusAtLeast of the last k as standard deviations.
func mixtureParameters(b *graph.Builder, outputs []*graph.Node) []*graph.Node {
	k := len(outputs) / 3
	parameters := slices.Clone(outputs)
	logSum := b.LogSumExpOf(outputs[:k]...)
	for i := range k {
		parameters[i] = b.Sub(outputs[i], logSum)
		parameters[2*k+i] = SoftplusAtLeast(b, outputs[2*k+i], MinStd)
	}
	return parameters
}

// MixtureDensity returns the mean negative log-likelihood of a mixture of normal distributions
// whose parameters the full network predicts, a scalar. Source: Bishop 1994.
func MixtureDensity(b *graph.Builder, t *models.Task) *graph.Node {
	components := t.Int("components")
	parameters := mixtureParameters(b, b.Split(t.Forward(graph.Full), 3*components))
	return t.Mean(distribution.NormalMixture(components).NLL(b, parameters, t.Y))
}
