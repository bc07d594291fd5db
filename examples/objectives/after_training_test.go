package main

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation/export/onnx/ort"
	"sml/graph"
	"sml/internal/expect"
	"sml/internal/linear"
	"sml/internal/portable"
	"sml/models"
	"sml/trainers"
)

// afterTraining lists the methods with a function after the training.
var afterTraining = []string{"leave-one-out", "laplace-ll", "laplace-kron", "laplace-diag", "swag", "swag-pu"}

// fitted is a short training on Friedman's function.
type fitted struct {
	spec     models.Spec
	settings trainers.Settings
	rows     data.Subset
	x, y     data.Scalers
}

func newFitted(t *testing.T, method string, members int) fitted {
	t.Helper()
	f := fitted{settings: trainers.Settings{Epochs: 4, Batch: 50, Members: members, Seed: 5, LearningRate: 0.005}}
	f.rows, f.x, f.y = friedman(700, 3) // three blocks of rows
	for i := range 700 {
		f.rows.W = append(f.rows.W, float64(1+i%3))
	}
	f.spec = expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 10, Targets: 1, Hidden: []int{8, 6}}))
	f.spec.Weighted = true
	return f
}

func (f fitted) train(t *testing.T, o trainers.Options) *models.Model {
	t.Helper()
	return mustTrain(t, f.spec, f.rows, f.settings, o).Model(f.spec, f.x, f.y)
}

// forward computes the last hidden layer, with a 1 behind it, and the output of a network for a row, in plain Go.
func (f fitted) forward(p *graph.Params, row int) (features []float64, out float64) {
	h := make([]float64, 10)
	for i := range h {
		h[i] = (f.rows.X[row*10+i] - f.x[i].Mean) / f.x[i].Std
	}
	for layer := range 3 {
		weight, bias := graph.ParamValues(p, p.Float32s(), 2*layer), graph.ParamValues(p, p.Float32s(), 2*layer+1)
		next := make([]float64, len(bias))
		for j := range next {
			next[j] = float64(bias[j])
			for i, v := range h {
				next[j] += v * float64(weight[i*len(bias)+j])
			}
			if layer < 2 {
				next[j] = max(0, next[j])
			}
		}
		if layer == 2 {
			return append(h, 1), next[0]
		}
		h = next
	}
	return nil, 0
}

// The gradient of the output by the last layer's parameters is its features and a 1, so that the
// leave-one-out residuals come from linear regression on the features.
func TestLeaveOneOutIsOfLinearRegression(t *testing.T) {
	f := newFitted(t, "leave-one-out", 1)
	m := f.train(t, trainers.Options{})
	const meanWeight = 1399.0 / 700
	gram := linear.NewMatrix(7, 7)
	for i := range gram {
		gram[i][i] = 1e-3
	}
	for row := range 700 {
		features, _ := f.forward(m.Members[0], row)
		for i, v := range features {
			linear.AddScaled(gram[i], f.rows.W[row]/meanWeight*v, features)
		}
	}
	factor := linear.NewCholesky(gram)
	want := 0.0
	for row := range 700 {
		features, out := f.forward(m.Members[0], row)
		w := f.rows.W[row] / meanWeight
		left := (out - (f.rows.Y[row]-f.y[0].Mean)/f.y[0].Std) / (1 - w*linear.Dot(features, factor.Solve(features)))
		want += w * left * left / 700
	}
	if got := predict(t, m, f.rows)[0].Std(); math.Abs(got-math.Sqrt(want)) > 1e-5*got {
		t.Errorf("standard deviation %v, want %v", got, math.Sqrt(want))
	}
}

// Predictions and matrices are the same to the bit for any number of goroutines, and after the
// model is saved and loaded.
func TestAfterTrainingKeepsBytes(t *testing.T) {
	for _, method := range afterTraining {
		for _, members := range []int{1, 3} {
			f := newFitted(t, method, members)
			m := f.train(t, trainers.Options{Workers: 1, Threads: 1})
			other := f.train(t, trainers.Options{Workers: 2, Threads: 3})
			if len(m.Stored) != members || !slices.EqualFunc(m.Stored, other.Stored, models.EqualMatrices) {
				t.Errorf("%s, %d members: other matrices with other numbers of goroutines", method, members)
			}
			if !slices.EqualFunc(predict(t, m, f.rows), predict(t, saveAndLoad(t, m), f.rows), models.Prediction.Equal) {
				t.Errorf("%s, %d members: a loaded model predicts something else", method, members)
			}
		}
	}
}

// A training interrupted between two epochs, or in AfterTraining, resumes to the same parameters and matrices.
func TestAfterTrainingResumes(t *testing.T) {
	for _, method := range append(afterTraining, "global-noise") {
		f := newFitted(t, method, 2)
		want := f.train(t, trainers.Options{})
		for _, when := range []string{"in an epoch", "after the training"} {
			if (method == "swag-pu" || method == "global-noise") && when == "after the training" {
				continue // no pass over the rows to interrupt
			}
			dir := filepath.Join(t.TempDir(), "checkpoint")
			ctx, stop := context.WithCancel(t.Context())
			o := trainers.Options{Checkpoint: dir, Program: "p"}
			if when == "in an epoch" {
				o.Progress = func(p trainers.Progress) {
					if p.Epoch == 2 {
						stop()
					}
				}
			} else {
				o.AfterTrainingProgress = func(trainers.AfterTrainingProgress) { stop() }
			}
			_, err := trainers.Train(ctx, f.spec, f.rows, f.settings, o)
			stop()
			var interrupted *trainers.InterruptedError
			if !errors.As(err, &interrupted) {
				t.Fatalf("%s %s: %v", method, when, err)
			}
			_, states, err := trainers.ReadCheckpoint(dir, "p")
			expect.NoError(t, err)
			got := f.train(t, trainers.Options{Resume: states})
			if !slices.EqualFunc(got.Stored, want.Stored, models.EqualMatrices) || !slices.EqualFunc(got.Members, want.Members, func(a, b *graph.Params) bool { return slices.Equal(a.Float32s(), b.Float32s()) }) {
				t.Errorf("%s, interrupted %s: other weights or matrices", method, when)
			}
		}
	}
}

// An ONNX file and the program predict the same, for one network and an ensemble.
func TestAfterTrainingONNX(t *testing.T) {
	ort.RequireRuntime(t)
	for _, method := range afterTraining {
		for _, members := range []string{"1", "3"} {
			t.Run(method+" "+members, func(t *testing.T) {
				t.Parallel()
				compareONNX(t, method, "--members", members)
			})
		}
	}
}

// compareONNX trains a model with further flags, and compares the predictions of its ONNX file with the program's.
func compareONNX(t *testing.T, method string, flags ...string) {
	t.Helper()
	dir := t.TempDir()
	table, model, file := writeFriedman(t, 120, 1), filepath.Join(dir, "model"), filepath.Join(dir, "m.onnx")
	run(t, append([]string{"train", "--data", table, "--method", method, "--epochs", "3", "--hidden", "8,6", "--quiet", "--out", model}, flags...)...)
	run(t, "export", model, "--onnx", file)
	predictions, _ := run(t, "predict", model, "--in", table)
	feeds := make(map[string]ort.Tensor)
	for name, values := range readColumns(t, readFile(t, table)) {
		if name != "y" {
			feeds[name] = ort.Tensor{Type: "float64", Dims: []int{len(values)}, Numbers: values}
		}
	}
	outputs := ort.Run(t, []byte(readFile(t, file)), feeds)
	for name, column := range readColumns(t, predictions) {
		for row, want := range column {
			if got := outputs[name].Numbers[row]; !(math.Abs(got-want) <= 1e-6*max(1, math.Abs(want))) {
				t.Fatalf("%s %v, row %d: %s is %v in ONNX Runtime, want %v", method, flags, row, name, got, want)
			}
		}
	}
}

// The predicted standard deviation of every row is the trained parameter of its network, also in a loaded model.
func TestGlobalNoiseIsTheParameter(t *testing.T) {
	f := newFitted(t, "global-noise", 1)
	m := f.train(t, trainers.Options{})
	want := portable.Exp(float64(expect.Must(models.FindParameter(m.Members[0], logNoise)).Values[0]))
	if !(want < 0.9) {
		t.Errorf("the trained standard deviation is %v; a training lowers it from 1", want)
	}
	for _, model := range []*models.Model{m, saveAndLoad(t, m)} {
		for row, p := range predict(t, model, f.rows) {
			if !(math.Abs(p.Std()-want) <= 1e-12) {
				t.Fatalf("row %d: standard deviation %v; want %v", row, p.Std(), want)
			}
		}
	}
}

// The members of an ensemble, and the copies of one network, each have a mean of their own; members have a noise of
// their own, and copies share one. The variance of a mixture is the mean variance plus the variance of the means.
func TestGlobalNoiseOfSeveralNetworks(t *testing.T) {
	f := newFitted(t, "global-noise", 3)
	m := f.train(t, trainers.Options{})
	variance := 0.0
	for _, params := range m.Members {
		variance += portable.Exp(float64(2*expect.Must(models.FindParameter(params, logNoise)).Values[0])) / 3
	}
	for _, p := range predict(t, m, f.rows)[:20] {
		if !(p.Std()*p.Std() > variance) {
			t.Fatalf("the variance %v is below the mean variance of the members, %v", p.Std()*p.Std(), variance)
		}
	}
}

// An ONNX file has the noise of each member, and of a network with copies.
func TestGlobalNoiseONNX(t *testing.T) {
	ort.RequireRuntime(t)
	compareONNX(t, "global-noise", "--members", "2")
	compareONNX(t, "global-noise", "--network", "tabm")
}
