package networks_test

import (
	"fmt"
	"math"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
	_ "sml/models/methods"
)

// tangentOutputs returns the outputs of RealMLP for one row, by loops over the formula of the package's comments.
func tangentOutputs(a models.Architecture, values map[string][]float64, row []float64, activation func(float64) float64) []float64 {
	h := make([]float64, len(row))
	for i, x := range row {
		h[i] = x * values["inputs.factor"][i]
	}
	layer := func(name string, units int) []float64 {
		next := make([]float64, units)
		for j := range next {
			for i, x := range h {
				next[j] += x * values[name+".weight"][i*units+j] / math.Sqrt(float64(len(h)))
			}
			next[j] += values[name+".bias"][j]
		}
		return next
	}
	for i, units := range a.Hidden {
		h = layer(fmt.Sprintf("hidden%d", i+1), units)
		for j := range h {
			h[j] = activation(h[j])
		}
	}
	return layer("output", a.Outputs)
}

// TestRealMLPAgainstLoops compares the network and its own activations with loops that use package math.
func TestRealMLPAgainstLoops(t *testing.T) {
	n := expect.Must(models.LookupNetwork("realmlp"))
	const rows = 5
	for name, activation := range map[string]func(float64) float64{
		"mish": func(x float64) float64 { return x * math.Tanh(math.Log1p(math.Exp(x))) },
		"selu": func(x float64) float64 {
			if x > 0 {
				return 1.0507009873554805 * x
			}
			return 1.0507009873554805 * 1.6732632423543772 * math.Expm1(x)
		},
	} {
		for _, hidden := range [][]int{{4, 3}, {}} {
			a := models.Architecture{Inputs: 3, Targets: 1, Outputs: 2, Hidden: hidden, Activation: name, Drop: models.NoLayers}
			params := new(graph.Params)
			b := graph.New(graph.Float64, params)
			forward := expect.Must(n.Forward(b, rows, a))
			r := expect.Must(graph.NewRunner(graph.Compiled, b, forward(graph.Full)))
			values := valuesByName(params)
			for name := range values {
				for i := range values[name] {
					values[name][i] = number(i + len(name))
				}
			}
			x := r.Input64(models.InputX)
			var want []float64
			for i := range x {
				x[i] = number(3 * i)
			}
			for row := range rows {
				want = append(want, tangentOutputs(a, values, x[3*row:][:3], activation)...)
			}
			expect.NoError(t, r.Run())
			near(t, fmt.Sprint(name, hidden), r.Output64(0), want)
			r.Close()
		}
	}
}

// TestRealMLPStart checks the distributions of the first weights: N(0, 1) in hidden layers, to three standard errors
// of 4000 draws, factors of 1, and 0 in the output layer.
func TestRealMLPStart(t *testing.T) {
	s := expect.Must(models.NewSpec("mc", nil, models.Architecture{Network: "realmlp", Inputs: 40, Targets: 1, Hidden: []int{100}}))
	if s.Architecture.Activation != "mish" {
		t.Errorf("the default activation is %s", s.Architecture.Activation)
	}
	params := expect.Must(s.NewParams(1))
	for i, p := range params.List() {
		values := graph.ParamValues(params, params.Float32s(), i)
		if p.Name == "hidden1.weight" {
			mean, squares := 0.0, 0.0
			for _, v := range values {
				mean += float64(v) / 4000
				squares += float64(v) * float64(v) / 4000
			}
			if math.Abs(mean) > 3/math.Sqrt(4000) || math.Abs(squares-1) > 3*math.Sqrt(2.0/4000) {
				t.Errorf("the weights have mean %v and mean square %v", mean, squares)
			}
		}
		want, isConstant := map[string]float32{"inputs.factor": 1, "output.weight": 0, "output.bias": 0}[p.Name]
		for _, v := range values {
			if isConstant && v != want {
				t.Errorf("%s starts at %v, want %v", p.Name, v, want)
			}
		}
	}
}

// TestGradientsOfLoss compares gradients with finite differences: in passes with dropout, for each copy's inputs in
// TabM, and for RealMLP's weights except the zeros of its output layer; with row weights, embeddings, periodic
// embeddings and bins in front of each network.
func TestGradientsOfLoss(t *testing.T) {
	for _, c := range []struct {
		network, activation string
		copies              int
	}{{"realmlp", "mish", 0}, {"realmlp", "selu", 0}, {"tabm", "tanh", 2}, {"mlp", "relu", 0}, {"bayes", "tanh", 0}, {"concrete", "tanh", 0}} {
		for _, method := range []string{"sml", "pu", "crps", "quantiles", "w-dropout", "adv-de"} {
			s := expect.Must(models.NewSpec(method, nil, models.Architecture{
				Network:        c.network,
				Inputs:         13,
				Targets:        1,
				Hidden:         []int{4, 3},
				Activation:     c.activation,
				Dropout:        0.3,
				Copies:         c.copies,
				Bins:           3,
				Periodic:       2,
				Indicators:     []int{12},
				EmbeddingWidth: 2,
				Embeddings:     []models.Embedding{{First: 1, Categories: 10}},
			}))
			s.Weighted = c.network == "tabm"
			name := fmt.Sprint(c.network, ", ", c.activation, ", ", method)
			moves := make(map[string]bool)
			for _, g := range checkGradients(t, name, lossOf(s, 4), gradcheck.Settings{Seed: 2, MaxElements: 8, Value: s.TypicalInput}, 1e-5) {
				moves[g.Name] = moves[g.Name] || g.Backward != 0
			}
			for _, parameter := range []string{"output.weight", "hidden1.weight", "embedding1.weight", "periodic.frequency", "periodic.weight", "periodic.bias"} {
				if !moves[parameter] {
					t.Errorf("%s: all gradients of %s are 0", name, parameter)
				}
			}
			if c.network == "realmlp" && !moves["inputs.factor"] {
				t.Errorf("%s: all gradients of the inputs' factors are 0", name)
			}
		}
	}
}

// The divergence of weights from the prior of Blundell et al. 2015, equation 7, computed from
// package math.
func TestPriorOfBayes(t *testing.T) {
	for _, chosen := range []models.Hyperparameters{nil, {"prior-std": 3, "prior-weight": 0.25}} {
		share, std := 0.5, 1.0
		if chosen != nil {
			share, std = 0.25, 3
		}
		n := expect.Must(models.LookupNetwork("bayes"))
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		f := expect.Must(n.Forward(b, 2, models.Architecture{Inputs: 3, Outputs: 1, Activation: "relu", Drop: models.AllLayers, Hyperparameters: chosen}))
		f(graph.Drop(0))
		i := graph.Inspect(b)
		outputs := graph.Nodes{i.Penalties[0].Value, i.Penalties[1].Value}
		draws := i.Draws()
		for _, d := range draws {
			outputs = append(outputs, d.Node)
		}
		r := expect.Must(graph.NewRunner(graph.Compiled, b, outputs...))
		params.Initialise(1)
		r.Input64(models.InputX)
		expect.NoError(t, r.Run())
		want := 0.0
		spread := math.Log1p(math.Exp(-4)) // softplus(initialSpread)
		for at, name := range []string{"output.weight", "output.bias"} {
			means := valuesByName(params)[name]
			for k, noise := range r.Output64(2 + at) {
				w := means[k] + spread*noise
				q := -noise*noise/2 - math.Log(spread)
				p := share/std*math.Exp(-w*w/(2*std*std)) + (1-share)*math.Exp(6)*math.Exp(-w*w/2*math.Exp(12))
				want += q - math.Log(p)
			}
		}
		if got := r.Output64(0)[0] + r.Output64(1)[0]; math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%v: the divergence is %v, want %v", chosen, got, want)
		}
		r.Close()
	}
}
