package methods_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
)

var update = flag.Bool("update", false, "write testdata/drawn.json, for bench/objectives.py")

// pytorch are losses and gradients by PyTorch's autograd, for each method, which
// bench/objectives.py wrote.
func pytorch(t *testing.T) map[string]gradcheck.Reference {
	t.Helper()
	var file struct {
		Cases map[string]gradcheck.Reference
	}
	expect.NoError(t, json.Unmarshal(expect.Must(os.ReadFile("testdata/pytorch.json")), &file))
	return file.Cases
}

// agree holds loss and gradients to 1e-10 of the largest number of each, on both engines.
func agree(t *testing.T, what string, f gradcheck.Function, want gradcheck.Reference, seed uint64) {
	t.Helper()
	for _, engine := range graph.Engines() {
		found, err := gradcheck.CheckReference(f, want, gradcheck.Settings{Engine: engine, Seed: seed})
		if err != nil {
			t.Errorf("%s, %s engine: %v", what, engine, err)
		}
		for _, g := range found {
			if !(g.Error <= 1e-10) {
				t.Errorf("%s, %s engine: %s[%d] is %v, and %v in PyTorch", what, engine, g.Name, g.Index, g.Backward, g.Numeric)
			}
		}
	}
}

// Rows of the references.
const pytorchRows = 7

// Losses of what a network puts out, and their gradients, are those of PyTorch: of each
// method but the paper's.
func TestObjectivesOfPyTorch(t *testing.T) {
	references := pytorch(t)
	for _, m := range models.Methods() {
		want, ok := references[m.Name]
		if !ok {
			want, ok = references[m.MemberMethod] // an ensemble of a method has its objective
		}
		isAfterTraining := m.AfterTraining != nil // these have the objectives of de and pu
		if !ok && !isAfterTraining && !slices.Contains([]string{"mc", "mc-ll", "sml", "pu", "pu-de", "de", "sml-de"}, m.Name) {
			t.Errorf("%s has no reference", m.Name)
		}
		if _, ok := want.Parameters["output 0"]; !ok {
			continue // it has a network
		}
		h := expect.Must(m.Choose(nil))
		columns := func(values []float64) int { return len(values) / pytorchRows }
		agree(t, m.Name, func(b *graph.Builder) *graph.Node {
			var outputs graph.Nodes
			for i := range len(want.Parameters) {
				pass := fmt.Sprint("output ", i)
				outputs = append(outputs, b.Param(pass, pytorchRows, columns(want.Parameters[pass]), graph.Fill(0)))
			}
			y := b.Input(models.InputY, pytorchRows, columns(want.Inputs[models.InputY]))
			return m.Objective(b, models.NewTask(b, func(pass graph.Pass) *graph.Node {
				if pass == graph.Full {
					return outputs[0]
				}
				return outputs[pass-graph.Drop(0)]
			}, y, h))
		}, want, 0)
	}
}

// pytorchTabM is a TabM of three copies.
var pytorchTabM = models.Architecture{Network: "tabm", Inputs: 3, Hidden: []int{5, 4}, Copies: 3}

// stepsOfPyTorch lists the training steps that bench/objectives.py computes with the weights of a network.
var stepsOfPyTorch = []struct {
	name         string
	method       string
	chosen       models.Hyperparameters // so large that each term of the loss counts
	architecture models.Architecture
	seed         uint64 // seed of masks and noise
}{
	{"adv-de", "adv-de", nil, models.Architecture{Inputs: 3}, 0},
	{"bayes", "bayes", nil, models.Architecture{Inputs: 3, Hidden: []int{5, 4}}, 0},
	// The tape machine rounds the sigmoid of numbers above 19 to 1; with this seed there are none.
	{"concrete", "concrete", models.Hyperparameters{"length-scale": 0.5}, models.Architecture{Inputs: 3, Hidden: []int{5, 4}}, 56},
	{"pu tabm", "pu", nil, pytorchTabM, 0},
	{"sml tabm", "sml", nil, pytorchTabM, 0},
	{"pu embeddings", "pu", nil, models.Architecture{
		Inputs:         9,
		Hidden:         []int{5, 4},
		EmbeddingWidth: 2,
		Embeddings:     []models.Embedding{{First: 1, Categories: 3}, {First: 5, Categories: 4}},
	}, 0},
	{"pu bins", "pu", nil, models.Architecture{Inputs: 3, Hidden: []int{5, 4}, Bins: 4, Indicators: []int{1}}, 0},
	{"adv-de tabm embeddings bins", "adv-de", nil, models.Architecture{
		Network:        "tabm",
		Inputs:         5,
		Hidden:         []int{5, 4},
		Copies:         3,
		EmbeddingWidth: 2,
		Embeddings:     []models.Embedding{{First: 1, Categories: 3}},
		Bins:           4,
	}, 0},
}

// TestStepsOfPyTorch compares losses and gradients with PyTorch's by the weights of a network: of methods that look
// at inputs or weights or draw numbers, and of TabM, embeddings and bins. After a change of the masks or the noise,
// go test -run PyTorch -update writes the numbers for the script.
func TestStepsOfPyTorch(t *testing.T) {
	references := pytorch(t)
	drawn := make(map[string]map[string][]float64)
	for _, c := range stepsOfPyTorch {
		a := c.architecture
		a.Targets = 2
		a.Activation = "tanh"
		a.Dropout = 0.3
		s := expect.Must(models.NewSpec(c.method, c.chosen, a))
		f := lossOf(s, pytorchRows)
		drawn[c.name] = expect.Must(gradcheck.DrawMasks(f, gradcheck.Settings{Seed: c.seed}))
		agree(t, c.name, f, references[c.name], c.seed)
	}
	given(t, drawn)
}

// given holds testdata/drawn.json, which the script reads, to what is drawn.
func given(t *testing.T, drawn map[string]map[string][]float64) {
	t.Helper()
	const file = "testdata/drawn.json"
	want := expect.Must(json.Marshal(drawn))
	if *update {
		expect.NoError(t, os.WriteFile(file, want, 0o644))
	}
	if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, want) {
		t.Errorf("%s is not what is drawn: after go test -run PyTorch -update, the script is to be run again (%v)", file, err)
	}
}
