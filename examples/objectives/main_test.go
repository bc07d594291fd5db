package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"sml/cmd"
	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	_ "sml/examples/plain"
	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
	"sml/trainers"
	"sml/trainers/check"
)

// choices lists methods of this program, and the second-moment loss on its networks.
var choices = []struct{ method, network string }{{"median", ""}, {"two-moments", ""}, {"sml", "residual"}, {"sml", "layer-norm"}, {"sml", "conv1d"}}

func spec(t *testing.T, method, network string, inputs, targets int) models.Spec {
	t.Helper()
	s, err := models.NewSpec(method, nil, models.Architecture{Network: network, Inputs: inputs, Targets: targets, Hidden: []int{20, 20}, Activation: "relu", Dropout: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, c := range choices {
		for targets := 1; targets <= 2; targets++ {
			gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
				s := spec(t, c.method, c.network, 3, targets)
				loss, err := s.Loss(b, 6)
				if err != nil {
					t.Fatal(err)
				}
				return loss
			}, gradcheck.Settings{Seed: 2})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range gradients {
				if !(g.Error <= 1e-6) {
					t.Errorf("%s, %d targets: gradient of %s is wrong by %.1e", c, targets, g.Name, g.Error)
				}
			}
		}
	}
}

// The methods and networks of this program pass the checks of "sml check".
func TestChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, network := range []string{"residual", "layer-norm", "conv1d", "attention"} {
		check.TestNetwork(t, network)
	}
	for _, method := range []string{"median", "two-moments", "poisson", "negative-binomial", "zero-inflated", "weibull", "gamma", "faithful", "laplace"} {
		check.Test(t, method, nil)
	}
}

// The program trains any method on the network, and its files say so.
func TestProgram(t *testing.T) {
	defer func(args []string) { os.Args = args }(os.Args)
	dir := filepath.Join(t.TempDir(), "model")
	os.Args = []string{"sml", "train", "--data", "friedman", "--method", "mc", "--network", "residual", "--hidden", "8,8", "--dropout-layers", "last", "--epochs", "1", "--quiet", "--out", dir}
	if code := cmd.Main(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	m, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if a := m.Architecture; a.Network != "residual" || a.Drop != models.LastLayer || m.Members[0].List()[0].Name != "block1.weight" {
		t.Errorf("%+v", a)
	}
	for what, flags := range map[string][]string{
		"starts from another network's weights":                   {"--init-from", dir},
		"chooses the activation of a network that has one itself": {"--method", "plain", "--activation", "tanh"},
	} {
		os.Args = append([]string{"sml", "train", "--data", "friedman", "--hidden", "8,8", "--epochs", "1", "--quiet", "--out", dir + "-no"}, flags...)
		if code := cmd.Main(); code != 2 {
			t.Errorf("exit code %d of a training that %s", code, what)
		}
	}
}

// Trained on Friedman's function each is far better than the mean, and its
// uncertainty is of the size of its error.
func TestTheyLearn(t *testing.T) {
	table := data.Friedman(500, 1)
	x, y := data.FitScalers(table.X, table.Columns, nil), data.FitScalers(table.Y, table.Targets, nil)
	rows := table.Subset(nil, x, y)
	for _, c := range choices {
		s := spec(t, c.method, c.network, 10, 1)
		r, err := trainers.Train(t.Context(), s, rows, trainers.Settings{Epochs: 60, Batch: 50, LearningRate: 0.005}, trainers.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := &models.Model{Spec: s, Members: r.Members}
		p, err := evaluation.Predict(t.Context(), m, rows, evaluation.Sampling{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := evaluation.Evaluate(p, evaluation.Truth{Y: table.Y, Columns: data.Scalers{{Mean: y[0].Mean, Std: y[0].Std}}}, data.Sound, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sc := e.Standardised; !(sc.Get("r2") > 0.8) || !(sc.Get("nll") < 1) || math.IsInf(sc.Get("ws"), 0) {
			t.Errorf("%s: %+v", c, sc)
		}
	}
}

// The paper's variant that lets the second term reach the full network too:
// the same objective with a switch. It learns as well, and other weights.
func TestThrough(t *testing.T) {
	table := data.Friedman(300, 4)
	x, y := data.FitScalers(table.X, table.Columns, nil), data.FitScalers(table.Y, table.Targets, nil)
	rows := table.Subset(nil, x, y)
	var last []float64
	for through := range 2 {
		s, err := models.NewSpec("sml", models.Hyperparameters{"through": float64(through)}, models.Architecture{
			Inputs: 10, Targets: 1, Hidden: []int{20, 20}, Activation: "relu", Dropout: 0.1,
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := trainers.Train(t.Context(), s, rows, trainers.Settings{Epochs: 60, Batch: 50, LearningRate: 0.005}, trainers.Options{})
		if err != nil {
			t.Fatal(err)
		}
		last = append(last, r.History.Rows[59].Values[1])
		if regression := last[through]; regression > 0.15 {
			t.Errorf("through = %d: regression loss %v after training", through, regression)
		}
	}
	if last[0] == last[1] {
		t.Error("the switch makes no difference")
	}
}

// The paper's outlook: an MC network that is trained further with the second-moment loss is better
// calibrated than before.
func TestPostTraining(t *testing.T) {
	table := data.Friedman(500, 2)
	x, y := data.FitScalers(table.X, table.Columns, nil), data.FitScalers(table.Y, table.Targets, nil)
	rows := table.Subset(nil, x, y)
	test := data.Friedman(500, 3)
	judge := func(method string, members []*graph.Params) measure.Scores {
		m := &models.Model{Spec: spec(t, method, "", 10, 1), Members: members}
		p, err := evaluation.Predict(t.Context(), m, test.Subset(nil, x, y), evaluation.Sampling{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := evaluation.Evaluate(p, evaluation.Truth{Y: test.Y, Columns: data.Scalers{{Mean: y[0].Mean, Std: y[0].Std}}}, data.Sound, nil)
		if err != nil {
			t.Fatal(err)
		}
		return e.Standardised
	}
	settings := trainers.Settings{Epochs: 200, Batch: 50, LearningRate: 0.002}
	mc, err := trainers.Train(t.Context(), spec(t, "mc", "", 10, 1), rows, settings, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before := judge("mc", mc.Members)
	settings.Epochs = 40
	post, err := trainers.Train(t.Context(), spec(t, "sml", "", 10, 1), rows, settings, trainers.Options{Initial: mc.Members})
	if err != nil {
		t.Fatal(err)
	}
	if after := judge("sml", post.Members); !(after.Get("ws") < before.Get("ws")) {
		t.Errorf("WS %v with MC, %v after 40 epochs of SML", before.Get("ws"), after.Get("ws"))
	}
}
