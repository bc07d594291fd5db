package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
	"sml/models/distribution"
	"sml/models/networks"
)

// init registers the network "generator" and the method "cgan" that trains it against a second network, the
// critic. Each of the two has an optimizer of its own.
func init() {
	models.RegisterNetwork(models.Network{
		Name:        "generator",
		Title:       "Generator",
		Summary:     "hidden layers on the inputs and on noise: each sub-network is a sample",
		Source:      "Mirza and Osindero 2014, figure 1",
		Activations: networks.Activations(),
		Build:       generator,
	})
	groups, err := models.ParseParamGroups("critic:beta1=0.5,lr=0.002;main:beta1=0.5,lr=0.001") // β₁ as Radford et al. 2016
	if err != nil {
		panic(err)
	}
	models.Register(models.Method{
		Name:      "cgan",
		Title:     "cGAN",
		Summary:   "a generator of targets, trained against a critic that tells generated targets from targets of the table",
		Source:    "Mirza and Osindero 2014; loss of Goodfellow et al. 2014, section 3; penalty of Mescheder et al. 2018, equation 9",
		Objective: conditionalGAN,
		Hyperparameters: []models.Hyperparameter{
			{Name: "penalty", Default: 1.0, Range: models.Range{Min: 0, Max: 1e3}, Help: "weight γ of the critic's squared slope with respect to the target"},
		},
		Network:     "generator",
		ParamGroups: groups,
		SubNetworks: models.EachSubNetwork,
		Predict:     predictSamples,
	})
}

// conditionalGAN returns the loss of a critic D plus the loss of the generator G, which work against each
// other. With u = softplus they are the means of
//
//	critic:    u(−D(x, y)) + u(D(x, G(x, z))) + γ/2 ‖∂D(x, y)/∂y‖²
//	generator: u(−D(x, G(x, z)))
//
// The critic's output is large where it takes a target y for one of the table. The Group of a term says
// whose weights it moves; the generator's weights are all others.
func conditionalGAN(b *graph.Builder, t *models.Task) *graph.Node {
	critic := func(y *graph.Node) *graph.Node {
		return t.Network("critic", b.Concat(t.X, y), models.Architecture{Outputs: 1})(graph.Full)
	}
	onTable := critic(t.Y)
	onSample := critic(t.Forward(graph.Drop(0)))
	slope := b.Grad(b.Sum(onTable), t.Y)[0]

	criticLoss := b.Add(t.Mean(b.Softplus(b.Neg(onTable))), t.Mean(b.Softplus(onSample)))
	criticTerm := graph.Term{Name: "critic", Weight: 1, Value: criticLoss, Group: "critic"}
	slopeTerm := t.Term("slope", "penalty", b.Scale(0.5, t.Mean(b.SumColumns(b.Square(slope)))))
	slopeTerm.Group = "critic"
	generatorTerm := graph.Term{Name: "generator", Weight: 1, Value: t.Mean(b.Softplus(b.Neg(onSample)))}
	return b.WeightedSum(criticTerm, slopeTerm, generatorTerm)
}

// noiseColumns is the number of columns of noise beside the inputs.
const noiseColumns = 4

// generator returns a network on the inputs and on noise from N(0, 1). In the full network the noise is 0;
// each sub-network draws noise of its own.
func generator(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := networks.Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		rows := x.Shape()[0]
		noise := b.Repeat(b.Const(0), rows, noiseColumns)
		if pass != graph.Full {
			noise = b.Normal(graph.Noise{Pass: pass}, rows, noiseColumns)
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

// predictSamples returns the distribution that gives each sample, the output of a sub-network, the same
// probability.
func predictSamples(_ *graph.Builder, m models.Moments) models.PredictionNodes {
	samples := m.ForEachDraw(func(draw []*graph.Node) *graph.Node { return draw[0] })
	return models.PredictionNodes{Family: distribution.Empirical(len(samples)), Parameters: samples}
}
