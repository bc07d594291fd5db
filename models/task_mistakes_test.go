package models_test

import (
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// Mistakes with noise, further networks, frozen models and penalties are errors before a training.
func TestTaskMistakes(t *testing.T) {
	noisy := func(pass func(graph.Pass) graph.Pass) network {
		return dropping(func(b builder, h node, p graph.Pass) node {
			return b.Add(h, b.Normal(graph.Noise{Pass: pass(p)}, h.Shape()[0], 4))
		})
	}
	missing := t.TempDir()
	for _, m := range []mistake{
		{name: "noise of the full network", words: []string{"draws noise in the full network"},
			method: models.Method{Objective: squared}, network: noisy(func(p graph.Pass) graph.Pass { return p })},
		{name: "noise of another pass", words: []string{"uses the dropout masks of another pass"},
			method: models.Method{Objective: squared}, network: noisy(func(graph.Pass) graph.Pass { return graph.Drop(1) })},
		{name: "no penalty", words: []string{`no network added a penalty "kl"`, "call Task.Forward first"},
			method: models.Method{Objective: func(b builder, t task) node { return b.Add(squared(b, t), t.Penalty("kl")) }}},
		{name: "nameless network", words: []string{`network "": it needs a name`},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Add(squared(b, t), b.Mean(t.Network("", t.X, models.Architecture{Outputs: 1})(graph.Full)))
			}}},
		{name: "no outputs", words: []string{`network "critic": it has 0 outputs: set Architecture.Outputs (at task_mistakes_test.go`},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Add(squared(b, t), b.Mean(t.Network("critic", t.X, models.Architecture{})(graph.Full)))
			}}},
		{name: "unknown activation", words: []string{`network "critic": unknown activation "sine"; want one of relu, tanh`, "(at task_mistakes_test.go"},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Add(squared(b, t), b.Mean(t.Network("critic", t.X, models.Architecture{Outputs: 1, Activation: "sine"})(graph.Full)))
			}}},
		{name: "a nameless teacher", words: []string{"Frozen: the directory of the model is empty (at task_mistakes_test.go"},
			method: models.Method{Objective: func(b builder, t task) node {
				return b.Add(squared(b, t), t.MSE(t.Frozen("").Forward(0, graph.Full), t.Y))
			}}},
		{name: "a word as a weight", words: []string{`hyperparameter "which" is the word "one", not a number: read it by Text (at task_mistakes_test.go`},
			method: models.Method{Hyperparameters: []models.Hyperparameter{{Name: "which", Default: "one"}}, Objective: func(b builder, t task) node {
				return b.WeightedSum(t.Term("error", "which", squared(b, t)))
			}}},
		{name: "no teacher", words: []string{"no model in " + missing},
			method: models.Method{Objective: func(b builder, t task) node {
				f := t.Frozen(missing)
				return b.Add(squared(b, t), t.MSE(f.Mean(f.Forward(0, graph.Full)), t.Y))
			}}},
	} {
		expect.Error(t, m.find(t), m.words...)
	}
}

// Masks and noise without a row for each row of the batch are refused, unless they are for weights: a
// prediction would depend on the place of its row.
func TestNoiseOfOtherRows(t *testing.T) {
	for name, drop := range map[string]func(b builder, h node, p graph.Pass) node{
		"of weights": func(b builder, h node, p graph.Pass) node {
			return b.MatMul(h, b.Dropout(b.Param("w", 4, 4, graph.Uniform(1)), p, 1, 0.5))
		},
		"of as many weights as rows": func(b builder, h node, p graph.Pass) node {
			return b.MatMul(b.Columns(h, 0, 2), b.Dropout(b.Param("w", 2, 4, graph.Uniform(1)), p, 1, 0.5))
		},
		"of tokens": func(b builder, h node, p graph.Pass) node {
			rows := h.Shape()[0]
			if p == graph.Full {
				return h
			}
			return b.Reshape(b.Mul(b.Reshape(h, 2*rows, 2), b.Normal(graph.Noise{Pass: p}, 2*rows, 2)), rows, 4)
		},
	} {
		m := registered(t, mistake{
			name:    "noise " + name,
			method:  models.Method{Objective: squared, DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments, Predict: methods.PredictSubNetworks},
			network: dropping(drop),
		})
		expect.Error(t, spec(t, m.Name, nil).Examine(1), "predictions would depend on other rows")
	}
}

// A buffer that follows units which a pass drops is no mask of the next pass.
func TestBufferOfDroppedUnits(t *testing.T) {
	m := registered(t, mistake{
		name: "follows dropped units",
		method: models.Method{DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments, Predict: methods.PredictSubNetworks, Objective: func(b builder, t task) node {
			return t.MSE(b.MeanOf(t.SubNetworks(2)...), t.Y)
		}},
		network: dropping(func(b builder, h node, p graph.Pass) node {
			h = b.Dropout(h, p, 0, 0.3)
			centre := b.Buffer("centre", 1, 4, graph.Fill(0))
			b.Update("centre", b.MeanRows(h))
			return b.Sub(h, centre)
		}),
	})
	expect.NoError(t, spec(t, m.Name, nil).Examine(1))
}
