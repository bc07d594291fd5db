package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/methods"
)

func init() {
	models.Register(models.Method{
		Name:      "my-loss",
		Summary:   "the network puts out mean and standard deviation of a normal distribution",
		Source:    "Nix and Weigend 1994",
		Outputs:   models.Outputs(2), // for each target
		Objective: objective,
		Predict:   predict,
	})
}

// parameters reads the outputs of the network as the parameters of N(μ, σ²): the first output is
// μ, and σ = softplus of the second, which is above 0. Objective and predictor share it.
func parameters(b *graph.Builder, outputs []*graph.Node) []*graph.Node {
	return []*graph.Node{outputs[0], methods.SoftplusAtLeast(b, outputs[1], methods.MinStd)}
}

// objective is the loss of a batch, the mean over its rows of
//
//	−log p(y) = log σ + (y − μ)²/(2σ²) + ½ log 2π
func objective(b *graph.Builder, t *models.Task) *graph.Node {
	outputs := b.Split(t.Forward(graph.Full), 2)
	return t.Mean(distribution.Normal.NLL(b, parameters(b, outputs), t.Y))
}

// predict returns the distribution of the target: scores, intervals and plots follow from it.
func predict(b *graph.Builder, m models.Moments) models.PredictionNodes {
	return models.PredictionNodes{Family: distribution.Normal, Parameters: parameters(b, m.Full)}
}
