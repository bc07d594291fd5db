package models_test

import (
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
)

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
