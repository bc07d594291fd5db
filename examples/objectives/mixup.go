package main

import (
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers "mixup", which trains on mixtures of two rows of a batch.
func init() {
	models.Register(models.Method{
		Name:      "mixup",
		Title:     "Mixup",
		Summary:   "Gaussian NLL of mixtures of two rows",
		Source:    "Zhang et al. 2018, equation 1, with α = 0.4",
		Objective: mixup,
		Outputs:   models.Outputs(2),
		Predict:   methods.PredictNormal,
		Combine:   models.CombineAsNormal,
	})
}

// mixupShape is the shape α of the beta distribution of the fractions. Most of them are near 0 or 1.
const mixupShape = 0.4

// mixup returns the mean of RowNLL over the rows λ(x, y) + (1 − λ)(x′, y′), a scalar. (x′, y′) is another row of the
// batch, and λ is drawn from the distribution Beta(α, α), for each row. Copies of the network mix their own rows. A
// mixture has the product of the weights of its rows.
func mixup(b *graph.Builder, t *models.Task) *graph.Node {
	shape := b.Repeat(b.Const(mixupShape), t.X.Shape()[0], 1)
	fraction := b.Beta(graph.Noise{}, shape, shape)
	mix := func(x *graph.Node) *graph.Node {
		other := t.ShiftRows(x, 1)
		return b.Add(other, b.Mul(fraction, b.Sub(x, other)))
	}
	mean, std := methods.MeanAndStd(b, t.ForwardAt(mix(t.X), graph.Full))
	return t.Mean(b.Mul(t.ShiftRows(t.Weight(), 1), methods.RowNLL(b, mean, std, mix(t.Y))))
}
