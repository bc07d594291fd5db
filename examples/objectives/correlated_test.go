package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"sml/data"
	"sml/evaluation/export/onnx/ort"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// correlatedModel returns a trained model of method "correlated", its 2000 rows of two targets, and the correlation of the
// targets' noise in the rows.
func correlatedModel(t *testing.T, members int) (m *models.Model, rows data.Subset, correlation float64) {
	t.Helper()
	const count, want = 2000, 0.8
	r := rand.New(rand.NewPCG(1, 1))
	var products, first, second float64
	for range count {
		x, noise := 2*r.Float64()-1, r.NormFloat64()
		other := want*noise + math.Sqrt(1-want*want)*r.NormFloat64()
		rows.X = append(rows.X, x)
		rows.Y = append(rows.Y, math.Sin(2*x)+0.5*noise, x+0.3*other)
		products, first, second = products+noise*other, first+noise*noise, second+other*other
	}
	s := spec(t, "correlated", "", 1, 2)
	settings := trainers.Settings{Epochs: 40, Batch: 50, LearningRate: 0.005, Members: members}
	trained := mustTrain(t, s, rows, settings, trainers.Options{})
	return trained.Model(s, nil, nil), rows, products / math.Sqrt(first*second)
}

// A training finds the correlation of the noise, here its sample correlation in the rows, and predictions have it.
func TestCorrelatedLearnsCorrelation(t *testing.T) {
	m, rows, want := correlatedModel(t, 1)
	p := predict(t, m, rows)
	for i := 0; i < len(p); i += 2 {
		const rounding = 1e-12
		a, b := p[i].Correlations, p[i+1].Correlations
		isMatrix := math.Abs(a[0]-1) < rounding && math.Abs(b[1]-1) < rounding && math.Abs(a[1]-b[0]) < rounding
		if !isMatrix || !(math.Abs(a[1]-want) <= 0.03) {
			t.Fatalf("row %d has the correlations %v and %v; want %v", i/2, a, b, want)
		}
	}
}

// An ensemble has the correlations of the mixture of its members.
func TestCorrelatedEnsemble(t *testing.T) {
	m, rows, _ := correlatedModel(t, 2)
	rows.X, rows.Y = rows.X[:20], rows.Y[:40]
	combined := predict(t, m, rows)
	var members [2][]models.Prediction
	for k := range members {
		single := *m
		single.Members = m.Members[k : k+1]
		members[k] = predict(t, &single, rows)
	}
	for i := 0; i < len(combined); i += 2 {
		covariance, variances := 0.0, [2]float64{}
		means := [2]float64{combined[i].Mean(), combined[i+1].Mean()}
		for _, member := range members {
			first, second := member[i], member[i+1]
			between := (first.Mean() - means[0]) * (second.Mean() - means[1])
			covariance += (first.Correlations[1]*first.Std()*second.Std() + between) / 2
			for target, d := range []models.Prediction{first, second} {
				deviation := d.Mean() - means[target]
				variances[target] += (d.Std()*d.Std() + deviation*deviation) / 2
			}
		}
		want := covariance / math.Sqrt(variances[0]*variances[1])
		if got := combined[i].Correlations[1]; math.Abs(got-want) > 1e-9 {
			t.Errorf("row %d has the correlation %v; want %v", i/2, got, want)
		}
	}
}

// The files of predict and of evaluate and an ONNX file have a column with the correlations, with the same numbers.
func TestCorrelatedProgram(t *testing.T) {
	dir := t.TempDir()
	text := "x,first,second\n"
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		x, noise := r.Float64(), r.NormFloat64()
		text += fmt.Sprintf("%.6f,%.6f,%.6f\n", x, x+noise, 2*x-noise+r.NormFloat64())
	}
	table := writeFile(t, "table.csv", text)
	model := filepath.Join(dir, "model")
	predictions := filepath.Join(dir, "p.csv")
	judged := filepath.Join(dir, "judged.csv")
	file := filepath.Join(dir, "model.onnx")
	run(t, "train", table, "--target", "first", "--target", "second", "--method", "correlated", "--members", "2", "--epochs", "5", "--quiet", "--calibrate", "0.2", "--out", model)
	run(t, "predict", model, "--in", table, "--out", predictions)
	run(t, "evaluate", model, "--on", "all", "--predictions", judged)
	run(t, "export", model, "--out", file)
	const name = "correlation_first_second"
	inputs := ort.Tensor{Type: "float64", Dims: []int{200}, Numbers: readColumns(t, readFile(t, table))["x"]}
	exported := ort.Run(t, []byte(readFile(t, file)), map[string]ort.Tensor{"x": inputs})[name].Numbers
	inJudged := readColumns(t, readFile(t, judged))[name]
	for row, want := range readColumns(t, readFile(t, predictions))[name] {
		if inJudged[row] != want || math.Abs(exported[row]-want) > 1e-6 || !(want > -1 && want < 1) {
			t.Fatalf("row %d has the correlation %v, %v with true values and %v in ONNX Runtime", row, want, inJudged[row], exported[row])
		}
	}
}

// With one target the method has the loss of method pu.
func TestCorrelatedOfOneTarget(t *testing.T) {
	lossOf := func(method string) float32 {
		params := new(graph.Params)
		step := expect.Must(spec(t, method, "", 3, 1).NewEvaluation(graph.Compiled, params, 6))
		defer step.Close()
		params.Initialise(1)
		for i := range step.X {
			step.X[i] = float32(math.Sin(float64(3 * i)))
		}
		for i := range step.Y {
			step.Y[i] = float32(math.Cos(float64(5 * i)))
		}
		expect.NoError(t, step.Run(models.Position{}))
		return step.Loss()
	}
	if got, want := lossOf("correlated"), lossOf("pu"); math.Abs(float64(got-want)) > 1e-6 {
		t.Errorf("loss %v, want %v", got, want)
	}
}
