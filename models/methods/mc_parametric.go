package methods

import (
	"math"

	"sml/graph"
	"sml/models"
)

var mcParametric = models.Method{
	Name:         "mc-pu",
	Title:        "MC+PU",
	Summary:      "dropout sub-networks that put out mean and std, trained by Gaussian NLL",
	Source:       "Kendall and Gal 2017, equations 8 and 9, with σ = softplus in place of log σ²",
	Objective:    DropoutNLL,
	Outputs:      2,
	Drop:         models.AllLayers,
	Stochastic:   true,
	Draws:        true,
	Predict:      MixtureOfDraws,
	PredictGraph: MixtureOfDrawsGraph,
}

// DropoutNLL is GaussianNLL of a dropout sub-network.
func DropoutNLL(b *graph.Builder, t *models.Task) *graph.Node {
	mean, std := MeanAndStd(b, t.Forward(graph.Drop(0)))
	return t.Mean(b.ClampMin(RowNLL(b, mean, std, t.Y), nllFloor))
}

// MixtureOfDraws predicts the mean of the sub-networks' means and, with the mean of their
// variances, σ² = Var μ + E σ².
func MixtureOfDraws(d models.Moments) models.Prediction {
	variance := 0.0
	for _, draw := range d.Draws {
		std := PositiveOf(draw[1], MinStd)
		variance += float64(std*std) / float64(len(d.Draws))
	}
	return models.Prediction{Mean: d.Mean[0], Std: math.Sqrt(variance + float64(d.Std[0]*d.Std[0])), StdDrop: d.Std[0]}
}

// MixtureOfDrawsGraph is MixtureOfDraws as a graph.
func MixtureOfDrawsGraph(b *graph.Builder, d models.MomentNodes) models.PredictionNodes {
	variance := d.OverDraws(func(draw []*graph.Node) *graph.Node { return b.Square(Positive(b, draw[1], MinStd)) })
	return models.PredictionNodes{Mean: d.Mean[0], Std: b.Sqrt(b.Add(variance, b.Square(d.Std[0]))), StdDrop: d.Std[0]}
}
