package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"sml/cmd"
	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// newSpec is models.NewSpec that must not fail.
func newSpec(t *testing.T, method string, h models.Hyperparameters, a models.Architecture) models.Spec {
	t.Helper()
	s := expect.Must(models.NewSpec(method, h, a))
	return s
}

// spec returns a spec of two hidden layers with dropout.
func spec(t *testing.T, method, network string, inputs, targets int) models.Spec {
	t.Helper()
	return newSpec(t, method, nil, models.Architecture{Network: network, Inputs: inputs, Targets: targets, Hidden: []int{20, 20}, Activation: "relu", Dropout: 0.1})
}

// lossOf returns the loss of a batch as a function of the builder.
func lossOf(t *testing.T, s models.Spec, rows int) func(*graph.Builder) *graph.Node {
	return func(b *graph.Builder) *graph.Node {
		loss := expect.Must(s.Loss(b, rows))
		return loss
	}
}

// newRunner compiles a graph and closes it after the test.
func newRunner(t *testing.T, b *graph.Builder, outputs ...*graph.Node) *graph.Runner {
	t.Helper()
	r := expect.Must(graph.NewRunner(graph.Compiled, b, outputs...))
	t.Cleanup(func() { r.Close() })
	return r
}

// friedman returns rows of Friedman's function, and the scalers of the columns.
func friedman(rows int, seed uint64) (subset data.Subset, x, y data.Scalers) {
	table := data.Friedman(rows, seed)
	x, y = data.FitScalers(table.X, table.Columns, nil), data.FitScalers(table.Y, table.Targets, nil)
	return table.Subset(nil, x, y), x, y
}

// mustTrain is trainers.Train that must not fail.
func mustTrain(t *testing.T, s models.Spec, rows data.Subset, settings trainers.Settings, o trainers.Options) *trainers.Result {
	t.Helper()
	r := expect.Must(trainers.Train(t.Context(), s, rows, settings, o))
	return r
}

// saveAndLoad returns a model as it is read from its files.
func saveAndLoad(t *testing.T, m *models.Model) *models.Model {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	expect.NoError(t, m.Save(dir, false))
	return load(t, dir)
}

func load(t *testing.T, dir string) *models.Model {
	t.Helper()
	m := expect.Must(models.Load(dir))
	return m
}

func parameter(t *testing.T, params *graph.Params, name string) []float32 {
	t.Helper()
	m := expect.Must(models.FindParameter(params, name))
	return m.Values
}

func predictAll(t *testing.T, m *models.Model, rows data.Subset) *evaluation.Predictions {
	t.Helper()
	p := expect.Must(evaluation.Predict(t.Context(), m, rows, evaluation.Sampling{}))
	return p
}

func predict(t *testing.T, m *models.Model, rows data.Subset) []models.Prediction {
	t.Helper()
	return predictAll(t, m, rows).Values
}

// judge returns the scores of a model on rows of one target.
func judge(t *testing.T, m *models.Model, rows data.Subset) measure.Scores {
	t.Helper()
	e := expect.Must(evaluation.Evaluate(predictAll(t, m, rows), evaluation.Truth{Y: rows.Y, Columns: rows.YScale}, data.Sound, nil))
	return e.Standardised
}

// score returns the score of a column by a measure.
func score(t *testing.T, c *measure.Column, name string) float64 {
	t.Helper()
	m := expect.Must(measure.Lookup(name))
	return c.Score([]measure.Measure{m}).Get(name)
}

// run runs the program, and returns its output and its messages.
func run(t *testing.T, args ...string) (out, messages string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := cmd.Run(t.Context(), append([]string{"sml"}, args...), nil, &stdout, &stderr); code != 0 {
		t.Fatalf("%q: exit code %d\n%s", args, code, &stderr)
	}
	return stdout.String(), stderr.String()
}

// writeFile writes a file into a new folder and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text := expect.Must(os.ReadFile(path))
	return text
}
