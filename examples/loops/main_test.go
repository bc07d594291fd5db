package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sml/cmd"
	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
)

// Each loop trains a network far better than a constant, whose R² is 0 and whose NLL is
// ½ log 2πe = 1.42, and the stock program predicts with the saved model.
func TestLoops(t *testing.T) {
	defer func(args []string) { os.Args = args }(os.Args)
	dir := t.TempDir()
	sml := func(args ...string) {
		t.Helper()
		os.Args = append([]string{"sml"}, args...)
		if code := cmd.Main(); code != 0 {
			t.Fatalf("sml %s: exit code %d", strings.Join(args, " "), code)
		}
	}
	rows := filepath.Join(dir, "rows.csv")
	sml("data", "toy", "friedman", "--out", rows)
	p := expect.Must(newProblem())
	for name, train := range loops {
		model := expect.Must(train(p))
		scores := expect.Must(p.score(model))
		if r2, nll := scores.Get("r2"), scores.Get("nll"); !(r2 > 0.85) || !(nll < 0.5) {
			t.Errorf("%s: R² %.3f and NLL %.3f", name, r2, nll)
		}
		saved := filepath.Join(dir, name)
		expect.NoError(t, model.Save(saved, false))
		sml("predict", saved, "--in", rows, "--quiet", "--out", filepath.Join(dir, name+".csv"))
	}
}

// lossOf returns the loss of a turn on 6 rows.
func lossOf(t *testing.T, b *graph.Builder, method string) *graph.Node {
	t.Helper()
	spec := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{4}, Activation: "tanh"}))
	loss := expect.Must(spec.Loss(b, 6))
	return loss
}

func TestTurnGradients(t *testing.T) {
	for _, method := range []string{"turn-mean", "turn-std"} {
		gradients := expect.Must(gradcheck.Check(func(b *graph.Builder) *graph.Node { return lossOf(t, b, method) }, gradcheck.Settings{Seed: 2}))
		for _, g := range gradients {
			if !(g.Error <= 1e-6) {
				t.Errorf("%s: the gradient of %s is wrong by %.1e", method, g.Name, g.Error)
			}
		}
	}
}

// The turn of the standard deviation leaves the bias of the mean alone, and the turn of the mean
// the bias of the standard deviation.
func TestTurnsAreSeparate(t *testing.T) {
	for method, still := range map[string]int{"turn-mean": 1, "turn-std": 0} {
		spec := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{4}}))
		params := expect.Must(spec.NewParams(1))
		step := expect.Must(spec.NewStep(graph.Compiled, params, 2))
		defer step.Close()
		clear(step.X)
		copy(step.Y, []float32{1, 2})
		expect.NoError(t, step.Run(models.Position{}))
		bias := graph.ParamValues(params, step.Gradient(), len(params.List())-1)
		if len(bias) != 2 || bias[still] != 0 || bias[1-still] == 0 {
			t.Errorf("%s: the gradient of the output's bias is %v; want 0 at %d alone", method, bias, still)
		}
	}
}

// Means of the weights of three networks, by hand.
func TestAverage(t *testing.T) {
	p := expect.Must(newProblem())
	var networks []*graph.Params
	for _, first := range []float32{1, 2, 6} {
		params := expect.Must(p.spec.NewParams(1))
		params.Float32s()[0] = first
		networks = append(networks, params)
	}
	same := networks[0].Float32s()[1]
	mean := average(networks).Float32s()
	if mean[0] != 3 || mean[1] != same {
		t.Errorf("the means are %v and %v; want 3 and %v", mean[0], mean[1], same)
	}
}
