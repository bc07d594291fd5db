package networks_test

import (
	"fmt"
	"math"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
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
	n, err := models.LookupNetwork("realmlp")
	if err != nil {
		t.Fatal(err)
	}
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
			forward, err := n.Forward(b, rows, a)
			if err != nil {
				t.Fatal(err)
			}
			r, err := graph.NewRunner(graph.Compiled, b, forward(graph.Full))
			if err != nil {
				t.Fatal(err)
			}
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
			if err := r.Run(); err != nil {
				t.Fatal(err)
			}
			near(t, fmt.Sprint(name, hidden), r.Output64(0), want)
			r.Close()
		}
	}
}

// TestRealMLPStart checks the distributions of the first weights: N(0, 1) in hidden layers, to three standard errors
// of 4000 draws, factors of 1, and 0 in the output layer.
func TestRealMLPStart(t *testing.T) {
	s, err := models.NewSpec("mc", nil, models.Architecture{Network: "realmlp", Inputs: 40, Targets: 1, Hidden: []int{100}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Architecture.Activation != "mish" {
		t.Errorf("the default activation is %s", s.Architecture.Activation)
	}
	params, err := s.NewParams(1)
	if err != nil {
		t.Fatal(err)
	}
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
		if p.Decay != (p.Name == "hidden1.weight" || p.Name == "output.weight") {
			t.Errorf("%s decays: %v", p.Name, p.Decay)
		}
	}
}

// TestRealMLPGradients compares gradients with finite differences: of passes with dropout, of weights that are not
// the output layer's zeros, with embeddings and bins.
func TestRealMLPGradients(t *testing.T) {
	for _, method := range []string{"sml", "pu", "crps", "quantiles", "w-dropout"} {
		for _, activation := range []string{"mish", "selu"} {
			a := models.Architecture{Network: "realmlp", Inputs: 13, Targets: 1, Hidden: []int{4, 3}, Activation: activation, Dropout: 0.3, Bins: 3,
				EmbeddingWidth: 2, Embeddings: []models.Embedding{{First: 1, Categories: 10}}}
			s, err := models.NewSpec(method, nil, a)
			if err != nil {
				t.Fatal(err)
			}
			gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
				loss, err := s.Loss(b, 4)
				if err != nil {
					t.Fatal(method, err)
				}
				return loss
			}, gradcheck.Settings{Seed: 2, MaxElements: 8, Value: func(name string, i int, drawn float64) float64 { return s.TypicalInput(name, i, drawn) }})
			if err != nil {
				t.Fatal(method, err)
			}
			moves := make(map[string]bool)
			for _, g := range gradients {
				moves[g.Name] = moves[g.Name] || g.Backward != 0
				if !(g.Error <= 1e-5) {
					t.Errorf("%s, %s: gradient of %s[%d] is %v, differences give %v", method, activation, g.Name, g.Index, g.Backward, g.Numeric)
				}
			}
			for _, name := range []string{"output.weight", "hidden1.weight", "inputs.factor"} {
				if !moves[name] {
					t.Errorf("%s, %s: all gradients of %s are 0", method, activation, name)
				}
			}
		}
	}
}
