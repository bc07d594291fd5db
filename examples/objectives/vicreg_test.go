package main

import (
	"math"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
)

// The loss is that of Bardes et al. 2022, equations 1 to 6, written as loops over plain
// numbers, beside the squared error of the first output. The network is linear.
func TestVICRegIsItsFormula(t *testing.T) {
	const rows, inputs, outputs, seed, weight = 7, 3, 4, 2, 0.3
	s := newSpec(t, "vicreg", models.Hyperparameters{"weight": weight}, models.Architecture{Inputs: inputs, Targets: 1, Activation: "tanh"})
	build := lossOf(t, s, rows)
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	r := newRunner(t, b, build(b))
	x, y := r.Input64(models.InputX), r.Input64(models.InputY)
	for i := range x {
		x[i] = math.Sin(float64(3 * i))
	}
	for i := range y {
		y[i] = math.Cos(float64(5 * i))
	}
	params.Initialise(seed)
	r.SampleMasks(graph.MaskKey{Seed: seed})
	expect.NoError(t, r.Run())
	drawn := expect.Must(gradcheck.DrawMasks(build, gradcheck.Settings{Seed: seed}))
	noise := drawn["normal noise of stream 0"]
	if len(noise) != rows*inputs {
		t.Fatalf("%d numbers of noise, want %d", len(noise), rows*inputs)
	}

	values := params.Float64s() // the weight matrix, then the bias
	embed := func(noiseScale float64) (z [rows][outputs]float64) {
		for i := range rows {
			for j := range outputs {
				z[i][j] = values[inputs*outputs+j]
				for k := range inputs {
					z[i][j] += (x[i*inputs+k] + noiseScale*noise[i*inputs+k]) * values[k*outputs+j]
				}
			}
		}
		return z
	}
	clean, noisy := embed(0), embed(0.1)
	fit, invariance := 0.0, 0.0
	for i := range rows {
		fit += (clean[i][0] - y[i]) * (clean[i][0] - y[i]) / rows
		for j := range outputs {
			invariance += (clean[i][j] - noisy[i][j]) * (clean[i][j] - noisy[i][j]) / rows // equation 5
		}
	}
	want := fit + weight*25*invariance
	for _, z := range [][rows][outputs]float64{clean, noisy} {
		var covariance [outputs][outputs]float64 // equation 3
		for j := range outputs {
			for k := range outputs {
				meanJ, meanK := 0.0, 0.0
				for i := range rows {
					meanJ += z[i][j] / rows
					meanK += z[i][k] / rows
				}
				for i := range rows {
					covariance[j][k] += (z[i][j] - meanJ) * (z[i][k] - meanK) / (rows - 1)
				}
			}
		}
		for j := range outputs {
			want += weight * 25 / outputs * math.Max(0, 1-math.Sqrt(covariance[j][j]+1e-4)) // equations 1 and 2
			for k := range outputs {
				if j != k {
					want += weight / outputs * covariance[j][k] * covariance[j][k] // equation 4
				}
			}
		}
	}
	if got := r.Output64(0)[0]; !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("the loss is %.17g, and by its formula %.17g", got, want)
	}
}
