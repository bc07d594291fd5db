package methods

import (
	"math"

	"sml/graph"
	"sml/models"
)

var deepEnsemble = models.Method{
	Name:         "de",
	Title:        "DE",
	Summary:      "deep ensemble: 5 networks trained by squared error, their spread is the uncertainty",
	Source:       "Lakshminarayanan et al. 2017, with the squared error that it compares with",
	Objective:    FullMSE,
	Predict:      FullNetwork,
	PredictGraph: FullNetworkGraph,
	Members:      5,
	Combine:      Ensemble,
	CombineGraph: EnsembleGraph,
}

// FullMSE is the mean squared error of the full network.
func FullMSE(_ *graph.Builder, t *models.Task) *graph.Node {
	return t.MSE(t.Forward(graph.Full), t.Y)
}

// FullNetwork predicts the full network's output, without uncertainty of
// its own.
func FullNetwork(d models.Moments) models.Prediction {
	return models.Prediction{Mean: d.Full[0], NoStd: true}
}

// Ensemble combines by the mean of the means and their sample standard
// deviation (n−1); a single member keeps its own prediction. Members with quantiles
// are combined by the mean of each quantile (Ratcliff 1979), members with probabilities
// by the mean of each probability (Lakshminarayanan et al. 2017, section 2.4), and have
// no standard deviation: the spread of their means is the smaller part of the
// uncertainty that they speak of.
func Ensemble(members []models.Prediction) models.Prediction {
	if len(members) == 1 {
		return members[0]
	}
	n := float64(len(members))
	var p models.Prediction
	for _, m := range members {
		p.Mean += m.Mean / n
	}
	if len(members[0].Quantiles)+len(members[0].Probabilities) > 0 {
		p.NoStd = true
		p.Quantiles = meanOf(members, func(m models.Prediction) []float64 { return m.Quantiles })
		p.Probabilities = meanOf(members, func(m models.Prediction) []float64 { return m.Probabilities })
		return p
	}
	for _, m := range members {
		p.Std += float64((m.Mean-p.Mean)*(m.Mean-p.Mean)) / (n - 1) // no fused multiply-add: the same bits on every CPU
	}
	p.Std = math.Sqrt(p.Std)
	return p
}

// meanOf is the mean over the members of what of says of each, one by one.
func meanOf(members []models.Prediction, of func(models.Prediction) []float64) []float64 {
	mean := make([]float64, len(of(members[0])))
	for _, m := range members {
		for i, v := range of(m) {
			mean[i] += v / float64(len(members))
		}
	}
	return mean
}

// FullNetworkGraph is FullNetwork as a graph.
func FullNetworkGraph(_ *graph.Builder, d models.MomentNodes) models.PredictionNodes {
	return models.PredictionNodes{Mean: d.Full[0]}
}

// EnsembleGraph is Ensemble as a graph.
func EnsembleGraph(b *graph.Builder, members []models.PredictionNodes) models.PredictionNodes {
	mean := func(of func(models.PredictionNodes) *graph.Node) *graph.Node {
		parts := make([]*graph.Node, len(members))
		for i, m := range members {
			parts[i] = of(m)
		}
		return b.MeanOf(parts...)
	}
	p := models.PredictionNodes{Mean: mean(func(m models.PredictionNodes) *graph.Node { return m.Mean })}
	for i := range members[0].Quantiles {
		p.Quantiles = append(p.Quantiles, mean(func(m models.PredictionNodes) *graph.Node { return m.Quantiles[i] }))
	}
	for i := range members[0].Probabilities {
		p.Probabilities = append(p.Probabilities, mean(func(m models.PredictionNodes) *graph.Node { return m.Probabilities[i] }))
	}
	if len(p.Quantiles)+len(p.Probabilities) > 0 {
		return p
	}
	n := float64(len(members))
	p.Std = b.Sqrt(b.Scale(n/(n-1), mean(func(m models.PredictionNodes) *graph.Node { return b.Square(b.Sub(m.Mean, p.Mean)) })))
	return p
}
