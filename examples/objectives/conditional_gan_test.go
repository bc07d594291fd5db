package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
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
	return writeFile(t, "bimodal.csv", rows.String())
}

// The command line trains generator and critic, each by its own optimizer, until the generator's
// samples are at both modes, and few between: at least 30 % at each, at most 10 % between, and at most
// twice as far from the modes as the table's rows.
func TestConditionalGANLearnsTwoModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "model")
	run(t, "train", "--data", bimodal(t), "--method", "cgan", "--epochs", "200", "--batch", "100", "--average", "ema(0.99)", "--quiet", "--out", dir)
	m := expect.Must(models.Load(dir))
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
	f := expect.Must(m.Forward(b, 1))
	outputs := make(graph.Nodes, 400)
	for i := range outputs {
		outputs[i] = f(graph.Drop(i))
	}
	r := newRunner(t, b, outputs...)
	r.Input(models.InputX)[0] = float32((x - m.Inputs[0].Mean) / m.Inputs[0].Std)
	r.SampleMasks(graph.MaskKey{Seed: 5})
	expect.NoError(t, r.Run())
	var samples []float64
	for _, z := range r.Outputs(0, len(outputs)) {
		samples = append(samples, float64(z)*m.Targets[0].Std+m.Targets[0].Mean)
	}
	return samples
}
