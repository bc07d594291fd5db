package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "manifold-mixup", which trains on mixtures of the hidden units of two rows.
func init() {
	models.Register(models.Method{
		Name:      "manifold-mixup",
		Summary:   "Gaussian NLL of mixtures of two rows in the last hidden layer",
		Source:    "Verma et al. 2019, equation 1, with α = 1 and one layer",
		Objective: manifoldMixup,
		Outputs:   models.Outputs(2),
		Predict:   methods.PredictNormal,
	})
}

// manifoldMixup returns the mean of RowNLL of the outputs that follow from λh + (1 − λ)h′ against λy + (1 − λ)y′, a
// scalar. h is the last hidden layer, (h′, y′) is of another row of the batch, and λ is drawn from the uniform
// distribution, for each row. A mixture has the product of the weights of its rows.
func manifoldMixup(b *graph.Builder, t *models.Task) *graph.Node {
	fraction := b.Uniform(graph.Noise{}, t.X.Shape()[0], 1)
	mix := func(x *graph.Node) *graph.Node {
		other := t.ShiftRows(x, 1)
		return b.Add(other, b.Mul(fraction, b.Sub(x, other)))
	}
	mean, std := methods.MeanAndStd(b, t.ForwardChanging("", mix, graph.Full))
	return t.Mean(b.Mul(t.ShiftRows(t.Weight(), 1), methods.RowNLL(b, mean, std, mix(t.Y))))
}
