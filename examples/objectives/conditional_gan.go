package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/networks"
)

func init() {
	models.RegisterNetwork(models.Network{
		Name: "generator", Title: "Generator", Summary: "hidden layers on the inputs and on noise: each sub-network is a sample",
		Source:      "Mirza and Osindero 2014, figure 1",
		Activations: networks.Activations(),
		Build:       generator,
	})
	groups, err := models.ParseParamGroups("critic:beta1=0.5,lr=0.002;main:beta1=0.5,lr=0.001") // β₁ as Radford et al. 2016
	if err != nil {
		panic(err)
	}
	models.Register(models.Method{
		Name: "cgan", Title: "cGAN", Summary: "a generator of targets, trained against a critic that tells them from the table's",
		Source: "Mirza and Osindero 2014; loss of Goodfellow et al. 2014, section 3; penalty of Mescheder et al. 2018, equation 9",
		Hyperparameters: []models.Hyperparameter{
			{Name: "penalty", Default: 1.0, Range: models.Range{Min: 0, Max: 1e3}, Help: "weight γ of the critic's squared slope by the target"},
		},
		Network: "generator", Objective: conditionalGAN, ParamGroups: groups,
		UsesSubNetworks: true, UsesEachDraw: true, Predict: fromSamples,
	})
}

// conditionalGAN trains a critic D and the generator G against each other. With u = softplus, the
// critic lowers the mean of u(−D(x, y)) + u(D(x, G(x, z))) + γ/2 ‖∂D(x, y)/∂y‖², and the generator
// lowers the mean of u(−D(x, G(x, z))).
func conditionalGAN(b *graph.Builder, t *models.Task) *graph.Node {
	critic := func(y *graph.Node) *graph.Node {
		return t.Network("critic", b.Concat(t.X, y), models.Architecture{Outputs: 1})(graph.Full)
	}
	onTable := critic(t.Y)
	onSample := critic(t.Forward(graph.Drop(0)))
	slope := b.Grad(b.Sum(onTable), t.Y)[0]

	tells := graph.Term{Name: "critic", Weight: 1, Value: b.Add(t.Mean(b.Softplus(b.Neg(onTable))), t.Mean(b.Softplus(onSample)))}
	smooth := t.Term("slope", "penalty", b.Scale(0.5, t.Mean(b.SumColumns(b.Square(slope)))))
	tells.Group = "critic"
	smooth.Group = "critic"
	deceives := graph.Term{Name: "generator", Weight: 1, Value: t.Mean(b.Softplus(b.Neg(onSample)))}
	return b.WeightedSum(tells, smooth, deceives)
}

// noiseColumns is the number of columns of noise added to the inputs.
const noiseColumns = 4

// generator is a network on the inputs and on noise, which is 0 in the full network.
func generator(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		rows := x.Shape()[0]
		noise := b.Repeat(b.Const(0), rows, noiseColumns)
		if pass != graph.Full {
			noise = b.Normal(graph.Noise{Pass: pass, Stream: 0}, rows, noiseColumns)
		}
		h := b.Concat(x, noise)
		for i, width := range a.Hidden {
			h = activation(networks.Dense(b, fmt.Sprintf("hidden%d", i+1), h, width))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
		}
		return networks.Dense(b, "output", h, a.Outputs)
	}
}

// fromSamples predicts the distribution of the samples.
func fromSamples(_ *graph.Builder, m models.Moments) models.PredictionNodes {
	samples := m.ForEachDraw(func(draw []*graph.Node) *graph.Node { return draw[0] })
	return models.PredictionNodes{Family: distribution.Empirical(len(samples)), Parameters: samples}
}
