package models_test

import (
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
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
