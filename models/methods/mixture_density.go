package methods

import (
	"math"

	"sml/data/portable"
	"sml/graph"
	"sml/models"
)

var mixtureDensity = models.Method{
	Name:      "mdn",
	Title:     "MDN",
	Summary:   "mixture density network: weights, means and stds of three normal distributions",
	Source:    "Bishop 1994",
	Objective: MixtureDensity,
	Outputs:   3 * components,
	Predict:   mixture,
}

const components = 3

// MixtureDensity is the mean of −log Σ πₖ N(y; μₖ, σₖ) without its ½ log 2π, for
// outputs that are first the logarithms of the weights πₖ up to a constant, then the
// means, then s with σ = max(softplus(s), MinStd).
func MixtureDensity(b *graph.Builder, t *models.Task) *graph.Node {
	out := Outputs(b, t)
	joint := make([]*graph.Node, components)
	for k := range joint {
		std := b.ClampMin(b.Softplus(out[2*components+k]), MinStd)
		joint[k] = b.Sub(out[k], RowNLL(b, out[components+k], std, t.Y))
	}
	return t.Mean(b.Sub(logSumExp(b, out[:components]), logSumExp(b, joint)))
}

// logSumExp is log Σ eˣ, element by element over several nodes of one shape.
func logSumExp(b *graph.Builder, x []*graph.Node) *graph.Node {
	largest := x[0]
	for _, v := range x[1:] {
		largest = b.Max(largest, v)
	}
	largest = b.StopGradient(largest)
	sum := b.Exp(b.Sub(x[0], largest))
	for _, v := range x[1:] {
		sum = b.Add(sum, b.Exp(b.Sub(v, largest)))
	}
	return b.Add(b.Log(sum), largest)
}

// mixture is the mean and the standard deviation of the mixture that is put out.
func mixture(d models.Moments) models.Prediction {
	largest := max(d.Full[0], d.Full[1], d.Full[2])
	var total float64
	var parts []models.Prediction
	var weights []float64
	for k := range components {
		w := portable.Exp(d.Full[k] - largest)
		weights = append(weights, w)
		total += w
		parts = append(parts, models.Prediction{Mean: d.Full[components+k], Std: max(portable.Softplus(d.Full[2*components+k]), MinStd)})
	}
	var p models.Prediction
	for k, part := range parts {
		p.Mean += float64(weights[k] / total * part.Mean)
	}
	variance := 0.0
	for k, part := range parts {
		off := part.Mean - p.Mean
		variance += float64(weights[k] / total * (float64(part.Std*part.Std) + float64(off*off)))
	}
	p.Std = math.Sqrt(variance)
	return p
}
