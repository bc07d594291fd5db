package evaluation

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
	"sml/models/networks"
)

// everyMethod predicts with untrained networks of every method, in layers of
// several widths, on more rows than a block holds.
func everyMethod(t *testing.T, engine graph.Engine) map[string]*Predictions {
	t.Helper()
	all := make(map[string]*Predictions)
	for _, m := range models.Methods() {
		for _, activation := range networks.Activations() {
			model := untrained(t, m.Name, min(m.Members, 2), func(a *models.Architecture) {
				a.Hidden, a.Activation = []int{50, 33}, activation
			})
			rows := 40
			if activation == "relu" {
				rows = maxBlockRows + 40
			}
			name := m.Name + ", " + activation
			all[name] = predict(t, model, points(rows), Sampling{Samples: 12, Seed: 9, Engine: engine})
			if m.UsesSubNetworks() && AnalyticMoments.Check(model.Spec) == nil {
				all[name+", analytic"] = predict(t, model, points(rows), Sampling{Moments: AnalyticMoments, Engine: engine})
			}
		}
	}
	return all
}

// Predictions of the compiled engine are those of the tape machine, to 1e-5 of
// the largest: a float32 network's rounding.
func TestPredictionsOnBothEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("predicts by every method on both engines: 8 s")
	}
	compiled, tape := everyMethod(t, graph.Compiled), everyMethod(t, graph.Tape)
	for name, want := range tape {
		largest := 0.0
		for _, p := range want.Values {
			for _, v := range numbersIn(p) {
				largest = math.Max(largest, math.Abs(v))
			}
		}
		for i, p := range want.Values {
			got, d := numbersIn(compiled[name].Values[i]), 0.0
			for k, v := range numbersIn(p) {
				d = math.Max(d, math.Abs(got[k]-v))
			}
			if !(d <= 1e-5*largest) {
				t.Errorf("%s: row %d is %v, on tape %v", name, i, got, p)
				break
			}
		}
	}
}

// numbersIn returns the probabilities of classes, or mean, standard deviation and its parts.
func numbersIn(p models.Prediction) []float64 {
	if classes, ok := p.Distribution.(distribution.Classes); ok {
		return classes
	}
	if math.IsNaN(p.Std()) {
		return []float64{p.Mean()}
	}
	return append([]float64{p.Mean(), p.Std()}, p.Components...)
}

// childResult is set for a child process: the file to write predictions to.
const childResult = "SML_TEST_RESULT"

func predictionBytes(t *testing.T) []byte {
	t.Helper()
	all := everyMethod(t, graph.Compiled)
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, v := range all[name].Values {
			expect.NoError(t, binary.Write(&b, binary.LittleEndian, numbersIn(v)))
		}
	}
	return b.Bytes()
}

// Predictions under every path of the kernels are the same bytes. The path is
// chosen at start, so each takes a process of its own.
func TestEveryKernelPathPredictsTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each kernel path, which predicts by every method: 15 s")
	}
	if path := os.Getenv(childResult); path != "" {
		expect.NoError(t, os.WriteFile(path, predictionBytes(t), 0o600))
		return
	}
	want := predictionBytes(t)
	for _, kernels := range []string{"portable", "neon", "avx2", "avx512"} {
		t.Run(kernels, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "result")
			child := exec.Command(os.Args[0], "-test.run=^TestEveryKernelPathPredictsTheSameBytes$")
			child.Env = append(os.Environ(), "SML_KERNELS="+kernels, childResult+"="+file)
			out, err := child.CombinedOutput()
			if strings.Contains(string(out), "this CPU cannot run the kernels") {
				t.Skipf("this CPU cannot run the %s kernels", kernels)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := expect.Must(os.ReadFile(file))
			if len(want) == 0 || !bytes.Equal(got, want) {
				t.Error("predictions differ from those of the kernels that this CPU chooses")
			}
		})
	}
}
