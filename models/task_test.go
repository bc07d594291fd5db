package models_test

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
)

// Of mean 5 and standard deviation 2 in the first target's unit, −1 and 10 in the second's:
// x·std + mean by hand.
func TestUnstandardised(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	y := b.Input("y", 2, 2)
	r := expect.Must(graph.NewRunner(graph.Compiled, b, models.NewTask(b, nil, y, nil).Unstandardised(y)))
	defer r.Close()
	copy(r.Input("y"), []float32{1, 2, -0.5, 0})
	copy(r.Input("y mean"), []float32{5, -1})
	copy(r.Input("y std"), []float32{2, 10})
	expect.NoError(t, r.Run())
	if got := r.Output(0); !slices.Equal(got, []float32{7, 19, 4, -1}) {
		t.Errorf("got %v", got)
	}
}

// Rows move up within their copy, by hand: of three rows in two copies, each row is in the batch twice in succession.
func TestShiftRows(t *testing.T) {
	by := 0
	models.Register(models.Method{
		Name: "shifts", Predict: methods.PredictFullNetwork, Combine: models.CombineByFamily,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			b.Watch("shifted", t.ShiftRows(t.X, by))
			return t.MSE(t.Forward(graph.Full), t.Y)
		},
	})
	for _, c := range []struct {
		network    string
		copies, by int
		want       []float32
	}{
		{"mlp", 0, 1, []float32{3, 4, 5, 6, 1, 2}},
		{"mlp", 0, -1, []float32{5, 6, 1, 2, 3, 4}},
		{"mlp", 0, 3, []float32{1, 2, 3, 4, 5, 6}},
		{"tabm", 2, 1, []float32{3, 4, 3, 4, 5, 6, 5, 6, 1, 2, 1, 2}},
		{"tabm", 2, -4, []float32{5, 6, 5, 6, 1, 2, 1, 2, 3, 4, 3, 4}},
	} {
		by = c.by
		spec := expect.Must(models.NewSpec("shifts", nil, models.Architecture{Network: c.network, Copies: c.copies, Inputs: 2, Targets: 1, Hidden: []int{2}}))
		step := expect.Must(spec.NewStep(graph.Compiled, new(graph.Params), 3))
		defer step.Close()
		copy(step.X, []float32{1, 2, 3, 4, 5, 6})
		clear(step.Y)
		expect.NoError(t, step.Run(models.Position{}))
		if got := step.WatchedValues(0); !slices.Equal(got, c.want) {
			t.Errorf("%s, by %d: %v, want %v", c.network, c.by, got, c.want)
		}
	}
}

// A term with a minus before the name of its weight has the weight with the other sign, a number or a schedule.
func TestSubtractedTerm(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	y := b.Input("y", 1, 1)
	task := models.NewTask(b, nil, y, models.Hyperparameters{"bonus": 0.5, "warm": "linear(0,1,0.2)"})
	for _, c := range []struct {
		weight string
		want   float64
	}{{"bonus", 0.5}, {"-bonus", -0.5}, {"warm", 1}, {"-warm", -1}} {
		term := task.Term("entropy", c.weight, b.Sum(y))
		if term.Weight != c.want {
			t.Errorf("%s has the weight %v, want %v", c.weight, term.Weight, c.want)
		}
		if isScheduled := term.Factor != nil; isScheduled != (c.weight == "warm" || c.weight == "-warm") {
			t.Errorf("%s has the factor %v", c.weight, term.Factor)
		}
	}
}

// Rows without weights weigh 1, however many there are and whatever their targets say.
func TestWeightOfRowsWithoutWeights(t *testing.T) {
	for _, rows := range []int{1, 5} {
		b := graph.New(graph.Float32, new(graph.Params))
		y := b.Input(models.InputY, rows, 2)
		w := models.NewTask(b, func(graph.Pass) *graph.Node { return y }, y, nil).Weight()
		r := expect.Must(graph.NewRunner(graph.Compiled, b, w, b.Mean(y)))
		for i := range r.Input(models.InputY) {
			r.Input(models.InputY)[i] = float32(math.NaN())
		}
		expect.NoError(t, r.Run())
		if got := r.Output(0); !slices.Equal(got, slices.Repeat([]float32{1}, rows)) {
			t.Errorf("%d rows weigh %v, want 1 each", rows, got)
		}
		expect.NoError(t, r.Close())
	}
}

// A support and classes allow some targets and refuse others. A typical target is always allowed, so that
// checks of an objective stay within its support.
func TestTargetsInTheirSupport(t *testing.T) {
	for _, c := range []struct {
		name     string
		method   models.Method
		in, out  []float64
		refusing string
	}{
		{"real", models.Method{}, []float64{-1, 0, 2.5}, nil, ""},
		{"positive", models.Method{Support: models.Positive}, []float64{1e-9, 3}, []float64{0, -1, math.NaN()}, "method support-positive is for numbers above 0"},
		{"non-negative", models.Method{Support: models.NonNegative}, []float64{0, 3.5}, []float64{-1e-9}, "method support-non-negative is for numbers of 0 or above"},
		{"counts", models.Method{Support: models.Counts}, []float64{0, 1, 1000}, []float64{-1, 0.5}, "method support-counts is for counts, 0, 1, 2, …"},
		{"unit", models.Method{Support: models.UnitInterval}, []float64{1e-9, 0.5}, []float64{0, 1}, "method support-unit is for numbers above 0 and below 1"},
		{"classes", models.Method{Classes: models.Range{Min: 3, Max: 3}}, []float64{0, 2}, []float64{-1, 1.5, 3}, "method support-classes is for classes from 0 to 2"},
	} {
		m := c.method
		m.Name = "support-" + c.name
		m.Objective = func(b *graph.Builder, t *models.Task) *graph.Node { return t.MSE(t.Forward(graph.Full), t.Y) }
		m.Predict = methods.PredictFullNetwork
		models.Register(m)
		s := expect.Must(models.NewSpec(m.Name, nil, models.Architecture{Inputs: 1, Targets: 1}))
		for _, y := range c.in {
			if err := s.CheckTarget(y); err != nil {
				t.Error(err)
			}
		}
		for _, y := range c.out {
			expect.Error(t, s.CheckTarget(y), c.refusing)
		}
		for _, drawn := range []float64{-2000, -100, -1, -1e-30, 0, 1e-30, 0.5, 3, 100, 2000} {
			y, scale := float32(s.TypicalInput(models.InputY, 0, drawn)), s.TypicalTarget()
			if err := s.CheckTarget(float64(y)*scale.Std + scale.Mean); err != nil {
				t.Errorf("%s, in the place of %v: %v", c.name, drawn, err)
			}
		}
	}
}

// changedLoss returns the error of a pass that continues from change(h) in place of the last hidden layer h.
func changedLoss(name string, change func(b *graph.Builder, h *graph.Node) *graph.Node) models.Objective {
	return func(b *graph.Builder, t *models.Task) *graph.Node {
		return t.MSE(t.ForwardChanging(name, func(h *graph.Node) *graph.Node { return change(b, h) }, graph.Full), t.Y)
	}
}

// lossOf returns the loss of an objective, with initial weights and inputs, by a network of one hidden layer.
func lossOf(t *testing.T, name string, objective models.Objective) float64 {
	t.Helper()
	s := register(t, models.Method{Name: name, Objective: objective, Predict: methods.PredictFullNetwork})
	const rows = 4
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	loss := expect.Must(s.Loss(b, rows))
	r := expect.Must(graph.NewRunner(graph.Compiled, b, loss))
	defer r.Close()
	params.Initialise(3)
	for _, input := range r.Inputs() {
		values := r.Input64(input)
		for i := range values {
			values[i] = float64(i%3) - 0.7
		}
	}
	expect.NoError(t, r.Run())
	return r.Output64(0)[0]
}

// A pass continues from what takes the place of a layer: from the layer itself as without a change, and from another row's
// layer to the outputs of the other row.
func TestForwardChanging(t *testing.T) {
	plain := lossOf(t, "unchanged", squared)
	for _, name := range []string{"", "hidden1"} {
		same := lossOf(t, "same-layer-"+name, changedLoss(name, func(_ *graph.Builder, h *graph.Node) *graph.Node { return h }))
		if same != plain {
			t.Errorf("with the layer %q itself, the loss is %v; want %v", name, same, plain)
		}
	}
	shifted := lossOf(t, "shifted-layer", func(b *graph.Builder, t *models.Task) *graph.Node {
		shift := func(x *graph.Node) *graph.Node { return t.ShiftRows(x, 1) }
		return t.MSE(t.ForwardChanging("", shift, graph.Full), shift(t.Y))
	})
	if d := shifted - plain; d > 1e-12 || d < -1e-12 {
		t.Errorf("with the layers and targets of other rows, the loss is %v; want %v", shifted, plain)
	}
	zero := lossOf(t, "zero-layer", changedLoss("", func(b *graph.Builder, h *graph.Node) *graph.Node { return b.Scale(0, h) }))
	bias := lossOf(t, "bias-alone", func(b *graph.Builder, t *models.Task) *graph.Node {
		out := t.Forward(graph.Full)
		i := slices.IndexFunc(b.ParametersOf(out), func(n *graph.Node) bool { return n.Name() == "output.bias" })
		return t.MSE(b.Add(b.Scale(0, out), b.ParametersOf(out)[i]), t.Y)
	})
	if zero != bias {
		t.Errorf("from a layer of zeros, the loss is %v; want %v, that of the last bias alone", zero, bias)
	}
}

func TestForwardChangingMistakes(t *testing.T) {
	double := func(b *graph.Builder, h *graph.Node) *graph.Node { return b.Scale(2, h) }
	ignoring := func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(graph.Pass) *graph.Node {
			h := b.Tanh(networks.Dense(b, "hidden1", x, 4))
			b.Layer("hidden1", h)
			return networks.Dense(b, "output", h, a.Outputs)
		}
	}
	models.RegisterNetwork(models.Network{Name: "ignoring", Build: ignoring})
	for name, c := range map[string]struct {
		network   string
		objective models.Objective
		want      string
	}{
		"unknown":  {"", changedLoss("last", double), `no hidden layer "last"`},
		"shape":    {"", changedLoss("", func(b *graph.Builder, h *graph.Node) *graph.Node { return b.MeanRows(h) }), "and what takes its place [1 3]"},
		"ignoring": {"ignoring", changedLoss("", double), "network ignoring of method changing-ignoring does not continue from the result of Builder.Layer"},
		"copies":   {"tabm", changedLoss("", double), "which share hidden layers: want 1 copy"},
	} {
		m := models.Method{Name: "changing-" + name, Objective: c.objective, Network: c.network, Predict: methods.PredictFullNetwork}
		err := register(t, m).Examine(1)
		expect.Error(t, err, c.want)
	}
}
