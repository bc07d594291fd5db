package networks_test

import (
	"math"
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

// TestTabMLossIsTheMeanOfLosses compares the loss of three copies with the mean of the losses of three networks
// with the weights of one copy each, which are TabM with a single copy. Without hidden layers, the output layer has the
// common inputs of all copies.
func TestTabMLossIsTheMeanOfLosses(t *testing.T) {
	for _, method := range []string{"de", "pu", "crps", "quantiles", "mdn", "adv-de", "classes"} {
		for _, weighted := range []bool{false, true} {
			for _, hidden := range [][]int{{4, 3}, {}} {
				a := copiedArchitecture
				a.Hidden = hidden
				params := new(graph.Params)
				loss := copiesLoss(t, method, a, weighted, params, func(*graph.Params) { params.Initialise(1) })
				a.Copies = 1
				mean := 0.0
				for i := range 3 {
					single := new(graph.Params)
					mean += copiesLoss(t, method, a, weighted, single, func(*graph.Params) { copyParameters(single, params, i, 3) }) / 3
				}
				if !(math.Abs(loss-mean) <= 1e-12*math.Abs(mean)) {
					t.Errorf("%s, hidden layers %v, weighted %v: the loss is %v, and the mean of the losses %v", method, hidden, weighted, loss, mean)
				}
			}
		}
	}
}

// copiesLoss returns the loss of a method that trains TabM. initialise sets the weights.
func copiesLoss(t *testing.T, method string, a models.Architecture, weighted bool, params *graph.Params, initialise func(*graph.Params)) float64 {
	t.Helper()
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

// TestCopiesThatCannotBe lists choices of copies that are errors.
func TestCopiesThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		method, network string
		copies          int
		want            string
	}{
		{"pu", "tabm", 257, "the number of copies is 257: want 1 to 256"},
		{"laplace-ll", "tabm", 4, "method laplace-ll computes with one network after its training (Method.AfterTraining), and network tabm has 4 copies: want 1 copy, or another network"},
	} {
		a := models.Architecture{Network: c.network, Inputs: 2, Targets: 1, Hidden: []int{4}, Copies: c.copies}
		expect.ErrorText(t, expect.ErrorOf(models.NewSpec(c.method, nil, a)), c.want)
	}
	s := expect.Must(models.NewSpec("pu-de", nil, models.Architecture{Network: "tabm", Inputs: 2, Targets: 1, Hidden: []int{4}, Copies: 1}))
	expect.NoError(t, s.Architecture.Check(3, 1))
	s.Architecture.Copies = 100
	expect.ErrorText(t, s.Architecture.Check(11, 1), "the number of members times copies is 1100: want 1 to 1000")
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
