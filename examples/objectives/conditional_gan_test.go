package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sml/cmd"
	"sml/graph"
	"sml/graph/gradcheck"
	"sml/models"
	"sml/trainers/check"
)

// bimodal writes a table of 2000 rows with y = ±(1 + x/2) + 0.1 ε, either sign with probability ½.
func bimodal(t *testing.T) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	var rows strings.Builder
	rows.WriteString("x,y\n")
	for range 2000 {
		x, sign := 2*r.Float64()-1, float64(2*r.IntN(2)-1)
		fmt.Fprintf(&rows, "%v,%v\n", x, sign*(1+x/2)+0.1*r.NormFloat64())
	}
	path := filepath.Join(t.TempDir(), "bimodal.csv")
	if err := os.WriteFile(path, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// program runs the program and returns its output.
func program(t *testing.T, args ...string) string {
	t.Helper()
	var out, messages bytes.Buffer
	if code := cmd.Run(t.Context(), append([]string{"sml"}, args...), nil, &out, &messages); code != 0 {
		t.Fatalf("%q: exit code %d\n%s", args, code, &messages)
	}
	return out.String()
}

// The command line trains generator and critic, each by its own optimizer, until the generator's
// samples are at both modes, and few between: at least 30 % at each, at most 10 % between, and at most
// twice as far from the modes as the table's rows.
func TestConditionalGANLearnsTwoModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	program(t, "train", "--data", bimodal(t), "--method", "cgan", "--epochs", "200", "--batch", "100", "--average", "ema(0.99)", "--quiet", "--out", dir)
	m, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []float64{-0.8, 0, 0.8} {
		mode := 1 + x/2
		lower, upper, between := 0, 0, 0
		samples := samplesOf(t, m, x)
		distance := 0.0 // of the samples of a mode from it
		for _, y := range samples {
			switch {
			case y < -mode/2:
				lower++
				distance += math.Abs(y + mode)
			case y > mode/2:
				upper++
				distance += math.Abs(y - mode)
			default:
				between++
			}
		}
		// The table's rows have a mean distance of 0.1 √(2/π) = 0.08 from their mode.
		distance /= float64(lower + upper)
		if n := len(samples); lower < 3*n/10 || upper < 3*n/10 || between > n/10 || distance > 0.16 {
			t.Errorf("x = %v: of %d samples %d are at the lower mode, %d at the upper, %d between; their distance is %.2f", x, n, lower, upper, between, distance)
		}
	}
}

// samplesOf returns samples of the target at x.
func samplesOf(t *testing.T, m *models.Model, x float64) []float64 {
	t.Helper()
	b := graph.New(graph.Float32, m.Members[0])
	f, err := m.Forward(b, 1)
	if err != nil {
		t.Fatal(err)
	}
	outputs := make(graph.Nodes, 400)
	for i := range outputs {
		outputs[i] = f(graph.Drop(i))
	}
	r, err := graph.NewRunner(graph.Compiled, b, outputs...)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Input(models.InputX)[0] = float32((x - m.Inputs[0].Mean) / m.Inputs[0].Std)
	r.SampleMasks(graph.MaskKey{Seed: 5})
	if err := r.Run(); err != nil {
		t.Fatal(err)
	}
	var samples []float64
	for _, z := range r.Outputs(0, len(outputs)) {
		samples = append(samples, float64(z)*m.Targets[0].Std+m.Targets[0].Mean)
	}
	return samples
}

// Parameter groups are a setting like others: the user's values replace the method's, and the model records
// all values.
func TestConditionalGANGroupsAreASetting(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	program(t, "train", "--data", bimodal(t), "--method", "cgan", "--epochs", "1", "--batch", "100", "--quiet", "--out", dir,
		"--param-groups", "critic:optimizer=sgd,lr=1e-4,decay=0,every=2")
	text, err := os.ReadFile(filepath.Join(dir, "model.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := `"param_groups": "critic:optimizer=sgd,momentum=0.9,nesterov=0,lr=0.0001,decay=0,every=2;main:optimizer=adam,beta1=0.5,beta2=0.999,epsilon=1e-08,lr=0.001,decay=0,every=1"`
	if !strings.Contains(string(text), want) {
		t.Errorf("model.json has no %s:\n%s", want, text)
	}
}

// Gradients of both networks agree with finite differences of the terms that move them.
func TestConditionalGANGradients(t *testing.T) {
	for targets := 1; targets <= 2; targets++ {
		gradients, err := gradcheck.Check(func(b *graph.Builder) *graph.Node {
			loss, err := spec(t, "cgan", "", 3, targets).Loss(b, 6)
			if err != nil {
				t.Fatal(err)
			}
			return loss
		}, gradcheck.Settings{Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range gradients {
			if !(g.Error <= 1e-6) || g.Zero {
				t.Errorf("%d targets: gradient of %s is wrong by %.1e, or 0: %v", targets, g.Name, g.Error, g.Zero)
			}
		}
	}
}

func TestConditionalGANPassesItsChecks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	check.Test(t, "cgan", nil)
	check.TestNetwork(t, "generator")
}
