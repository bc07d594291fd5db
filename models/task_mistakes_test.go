package models_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
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

// predicting returns a predictor of a family, with functions of the first output as its
// parameters.
func predicting(f distribution.Family, parameters ...func(b builder, x node) node) models.Predictor {
	return func(b builder, m models.Moments) nodes {
		p := nodes{Family: f}
		for _, parameter := range parameters {
			p.Parameters = append(p.Parameters, parameter(b, m.Full[0]))
		}
		return p
	}
}

// times returns a function that multiplies, and then adds.
func times(factor, shift float64) func(b builder, x node) node {
	return func(b builder, x node) node { return b.Shift(b.Scale(factor, x), shift) }
}

// TestMistakesInParts tries predictors and combiners whose nodes are not the parameters of
// their family. The error comes before a training, with the method and the line.
func TestMistakesInParts(t *testing.T) {
	same := times(1, 0)
	logOf := func(p float64) func(b builder, x node) node { return times(0, math.Log(p)) }
	three := distribution.Quantiles(0.1, 0.5, 0.9)
	two := distribution.Categorical(2)
	line := regexp.MustCompile(`\(at [a-z_]+\.go:\d+\)`)
	for want, m := range map[string]models.Method{
		"predictor of method M gives 2 parameters; want the 3 of the family quantiles, [quantile 0.1 quantile 0.5 quantile 0.9]": {Predict: predicting(three, same, same)},
		"predictor of method M gives no family of distributions: want one, such as distribution.Normal":                          {Predict: predicting(distribution.Family{})},
		"predictor of method M gives nil for std":                                      {Predict: predicting(distribution.Normal, same, func(builder, node) node { return nil })},
		"predictor of method M gives std of shape (); want [rows targets], here [3 1]": {Predict: predicting(distribution.Normal, same, func(b builder, _ node) node { return b.Const(1) })},
		"predictor of method M gives mean of shape (3, 2); want [rows targets], here [3 1]": {
			Predict: predicting(distribution.Point, func(b builder, x node) node { return b.Concat(x, x) })},
		"predictor of method M gives correlations of shape (3, 2); want [rows targets·targets], here [3 1]": {Predict: func(b builder, m models.Moments) nodes {
			p := methods.Normal(m.Full[0], b.Exp(m.Full[0]))
			p.Correlations = b.Concat(m.Full[0], m.Full[0])
			return p
		}},
		"predictor of method M gives nil for aleatoric": {Predict: func(b builder, m models.Moments) nodes {
			return methods.Normal(m.Full[0], b.Exp(m.Full[0]), models.Component{Name: models.Aleatoric})
		}},
		"predictor of method M gives probabilities of 2 classes; want 0, as a target has":                                      {Predict: predicting(two, logOf(0.5), logOf(0.5))},
		"predictor of method M gives probabilities of 3 classes; want 2":                                                       {Classes: models.Range{Min: 2, Max: 2}, Predict: predicting(distribution.Categorical(3), logOf(0.5), logOf(0.25), logOf(0.25))},
		"predictor of method M gives probabilities of 0 classes; want 2":                                                       {Classes: models.Range{Min: 2, Max: 2}, Predict: methods.PredictFullNetwork},
		"predictor of method M gives probabilities with the sum 0.9, log probability 1 to 2 in the family categorical: want 1": {Classes: models.Range{Min: 2, Max: 2}, Predict: predicting(two, logOf(0.5), logOf(0.4))},
		"predictor of method M gives [quantile 0.1 quantile 0.5 quantile 0.9] [NaN 1 2] for ordin":                             {Predict: predicting(three, func(b builder, x node) node { return b.Div(b.Scale(0, x), b.Scale(0, x)) }, times(0, 1), times(0, 2))},
		"predictor of method M gives quantiles at the levels [0.5 0.5]; want them above 0, below 1 and ascending": {
			Predict: func(_ builder, m models.Moments) nodes {
				return methods.Quantiles([]float64{0.5, 0.5}, []node{m.Full[0], m.Full[0]})
			}},
		`predictor of method M: hyperparameter "tail" is not declared`: {Predict: func(b builder, m models.Moments) nodes {
			return methods.Point(b.Scale(m.Float("tail"), m.Full[0]))
		}},
		"predictor of method M: runtime error: index out of range [2] with length 2": {SubNetworks: models.EachSubNetwork, DropLayers: models.AllLayers, Predict: func(b builder, m models.Moments) nodes {
			return methods.Point(m.ForEachDraw(func(draw []node) node { return draw[0] })[2])
		}},
		"and without SubNetworks: models.EachSubNetwork there is no MeanOverDraws and no ForEachDraw": {SubNetworks: models.SubNetworkMoments, DropLayers: models.AllLayers, Predict: methods.PredictMixtureOfDraws},
		"combiner of method M: CombineAsNormal needs members that predict a standard deviation; the family point has none": {
			Members: 2, Predict: methods.PredictFullNetwork, Combine: models.CombineAsNormal},
		"combiner of method M gives 0 parameters; want the 3 of the family quantiles": {Members: 2,
			Predict: predicting(three, same, same, same),
			Combine: func(builder, []nodes) nodes { return nodes{Family: three} }},
		"combiner of method M gives [mean] [NaN] for ordinary": {Members: 2, Predict: methods.PredictFullNetwork, Combine: func(b builder, members []nodes) nodes {
			none := b.Scale(0, members[0].Parameters[0])
			return methods.Point(b.Div(none, none))
		}},
	} {
		m.Objective = squared
		method := registered(t, mistake{name: "part", method: m})
		err := spec(t, method.Name, nil).Examine(method.Members)
		expect.Error(t, err, strings.Replace(want, "method M", "method "+method.Name, 1))
		if !line.MatchString(fmt.Sprint(err)) {
			t.Errorf("%v names no line", err)
		}
		models.Forget(method.Name)
	}
}
