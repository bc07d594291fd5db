package networks_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// copiedArchitecture is a small TabM of three copies.
var copiedArchitecture = models.Architecture{
	Network:    "tabm",
	Inputs:     2,
	Targets:    1,
	Outputs:    2,
	Hidden:     []int{4, 3},
	Activation: "relu",
	Drop:       models.NoLayers,
	Copies:     3,
}

// valuesByName returns the values of all float64 parameters.
func valuesByName(params *graph.Params) map[string][]float64 {
	values := make(map[string][]float64)
	for i, p := range params.List() {
		values[p.Name] = graph.ParamValues(params, params.Float64s(), i)
	}
	return values
}

// copyOutputs returns the outputs of a copy of TabM for one row, by loops over the formula of the package's
// comments.
func copyOutputs(a models.Architecture, values map[string][]float64, index int, row []float64) []float64 {
	h := row
	for layer, units := range a.Hidden {
		name := fmt.Sprintf("hidden%d", layer+1)
		next := make([]float64, units)
		for j := range next {
			sum := 0.0
			for i, x := range h {
				sum += x * values[name+".weight"][i*units+j]
			}
			own := index*units + j
			next[j] = math.Max(0, sum*values[name+".factor"][own]+values[name+".bias"][own])
		}
		h = next
	}
	outputs := make([]float64, a.Outputs)
	for o := range outputs {
		own := index*a.Outputs + o
		outputs[o] = values["output.bias"][own]
		for i, x := range h {
			outputs[o] += x * values["output.weight"][own*len(h)+i]
		}
	}
	return outputs
}

// TestTabMAgainstLoops compares each copy with the same network computed by loops: with common inputs, and with
// different inputs for each copy (Task.ForwardAt).
func TestTabMAgainstLoops(t *testing.T) {
	n := expect.Must(models.LookupNetwork("tabm"))
	const rows = 5
	for _, hidden := range [][]int{{4, 3}, {4}, {}} {
		for _, copies := range []int{1, 3} {
			for _, own := range []bool{false, true} {
				a := copiedArchitecture
				a.Hidden = hidden
				a.Copies = copies
				columns := a.Inputs
				if own {
					columns *= copies
				}
				params := new(graph.Params)
				b := graph.New(graph.Float64, params)
				forward := n.Build(b, b.Input("x", rows, columns), a)
				var outputs *graph.Node
				graph.Inspect(b).RunPass(func() { outputs = forward(graph.Full) })
				r := expect.Must(graph.NewRunner(graph.Compiled, b, outputs))
				params.Initialise(1)
				x := r.Input64("x")
				for i := range x {
					x[i] = number(i)
				}
				expect.NoError(t, r.Run())
				var want []float64
				for row := range rows {
					for i := range copies {
						inputs := x[row*columns : (row+1)*columns]
						if own {
							inputs = inputs[i*a.Inputs : (i+1)*a.Inputs]
						}
						want = append(want, copyOutputs(a, valuesByName(params), i, inputs)...)
					}
				}
				near(t, fmt.Sprint(hidden, copies, own), r.Output64(0), want)
				r.Close()
			}
		}
	}
}

// TestTabMLossIsTheMeanOfLosses compares the loss of three copies with the mean of the losses of three networks
// with the weights of one copy each, which are TabM with a single copy.
func TestTabMLossIsTheMeanOfLosses(t *testing.T) {
	for _, method := range []string{"de", "pu", "crps", "quantiles", "mdn", "adv-de", "classes"} {
		for _, weighted := range []bool{false, true} {
			params := new(graph.Params)
			loss := copiesLoss(t, method, 3, weighted, params, func(*graph.Params) { params.Initialise(1) })
			mean := 0.0
			for i := range 3 {
				single := new(graph.Params)
				mean += copiesLoss(t, method, 1, weighted, single, func(*graph.Params) { copyParameters(single, params, i, 3) }) / 3
			}
			if !(math.Abs(loss-mean) <= 1e-12*math.Abs(mean)) {
				t.Errorf("%s, weighted %v: the loss is %v, and the mean of the losses %v", method, weighted, loss, mean)
			}
		}
	}
}

// copiesLoss returns the loss of a method that trains TabM with a number of copies. initialise sets the weights.
func copiesLoss(t *testing.T, method string, copies int, weighted bool, params *graph.Params, initialise func(*graph.Params)) float64 {
	t.Helper()
	a := copiedArchitecture
	a.Copies = copies
	s := expect.Must(models.NewSpec(method, nil, a))
	s.Weighted = weighted
	b := graph.New(graph.Float64, params)
	r := expect.Must(graph.NewRunner(graph.Compiled, b, expect.Must(s.Loss(b, 4))))
	defer r.Close()
	initialise(params)
	for _, name := range r.Inputs() {
		input := r.Input64(name)
		for i := range input {
			input[i] = s.TypicalInput(name, i, number(i))
		}
	}
	expect.NoError(t, r.Run())
	return r.Output64(0)[0]
}

// copyParameters sets the parameters of a TabM with a single copy to the parameters of one of several copies.
func copyParameters(single, all *graph.Params, index, copies int) {
	values := valuesByName(all)
	for i, p := range single.List() {
		own := graph.ParamValues(single, single.Float64s(), i)
		shared := values[p.Name]
		if len(shared) == copies*len(own) {
			shared = shared[index*len(own):]
		}
		copy(own, shared)
	}
}

// TestTabMSubNetworksDiffer checks that copies with the same weights have other dropout masks.
func TestTabMSubNetworksDiffer(t *testing.T) {
	a := copiedArchitecture
	a.Outputs = 1
	a.Hidden = []int{20}
	a.Dropout = 0.5
	a.Drop = models.AllLayers
	n := expect.Must(models.LookupNetwork("tabm"))
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	forward := expect.Must(n.Forward(b, 2, a))
	r := expect.Must(graph.NewRunner(graph.Compiled, b, forward(graph.Drop(0))))
	defer r.Close()
	for i := range params.Float64s() {
		params.Float64s()[i] = 0.1
	}
	for i := range r.Input64(models.InputX) {
		r.Input64(models.InputX)[i] = 1
	}
	r.SampleMasks(graph.MaskKey{Seed: 1})
	expect.NoError(t, r.Run())
	outputs := slices.Clone(r.Output64(0))
	slices.Sort(outputs)
	if distinct := len(slices.Compact(outputs)); distinct < 4 {
		t.Errorf("the outputs of 3 copies for 2 rows are %v", outputs)
	}
}

// TestCopiesThatCannotBe lists choices of copies that are errors.
func TestCopiesThatCannotBe(t *testing.T) {
	models.Register(models.Method{Name: "copied", Source: "this test", Network: "mlp", Objective: methods.FullMSE, Predict: methods.PredictFullNetwork})
	models.Register(models.Method{Name: "after-training", Source: "this test", Network: "mlp", Objective: methods.FullMSE, Predict: methods.PredictFullNetwork,
		AfterTraining: func(context.Context, *models.TrainedNetwork) error { return nil }})
	for _, c := range []struct {
		method, network string
		copies          int
		want            string
	}{
		{"pu", "mlp", 2, "network mlp has no copies: want 1 copy instead of 2, or a network that has copies, such as tabm"},
		{"pu", "tabm", 257, "the number of copies is 257: want 1 to 256"},
		{"after-training", "tabm", 4, "method after-training computes with one network after its training (Method.AfterTraining), and network tabm has 4 copies: want 1 copy, or another network"},
	} {
		a := models.Architecture{Network: c.network, Inputs: 2, Targets: 1, Hidden: []int{4}, Copies: c.copies}
		_, err := models.NewSpec(c.method, nil, a)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s, %s: %v", c.method, c.network, err)
		}
	}
	s := expect.Must(models.NewSpec("copied", nil, models.Architecture{Network: "tabm", Inputs: 2, Targets: 1, Hidden: []int{4}, Copies: 1}))
	if err := s.Architecture.Check(3, 1); err != nil {
		t.Error(err)
	}
	s.Architecture.Copies = 100
	if err := s.Architecture.Check(11, 1); err == nil || err.Error() != "the number of members times copies is 1100: want 1 to 1000" {
		t.Error(err)
	}
}

// TestInputsOfSomeCopies checks the error for inputs without a row for each copy.
func TestInputsOfSomeCopies(t *testing.T) {
	models.Register(models.Method{Name: "some-copies", Source: "this test", Network: "tabm", Predict: methods.PredictFullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Mean(t.ForwardAt(b.Constant(4, 2, make([]float64, 8)), graph.Full))
		}})
	s := expect.Must(models.NewSpec("some-copies", nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{4}, Copies: 3}))
	_, err := s.Loss(graph.New(graph.Float64, new(graph.Params)), 5)
	expect.Error(t, err, "ForwardAt: there are 4 rows of inputs: want a row for each of 3 copies of the network, as Task.X has")
}
