package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// spec returns a spec of two hidden layers with dropout.
func spec(t *testing.T, method, network string, inputs, targets int) models.Spec {
	t.Helper()
	return expect.Must(models.NewSpec(method, nil, models.Architecture{Network: network, Inputs: inputs, Targets: targets, Hidden: []int{20, 20}, Activation: "relu", Dropout: 0.1}))
}

// lossOf returns the loss of a batch as a function of the builder.
func lossOf(t *testing.T, s models.Spec, rows int) func(*graph.Builder) *graph.Node {
	return func(b *graph.Builder) *graph.Node {
		return expect.Must(s.Loss(b, rows))
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
	return expect.Must(trainers.Train(t.Context(), s, rows, settings, o))
}

// saveAndLoad returns a model as it is read from its files.
func saveAndLoad(t *testing.T, m *models.Model) *models.Model {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "model")
	expect.NoError(t, m.Save(dir, false))
	return expect.Must(models.Load(dir))
}

func predict(t *testing.T, m *models.Model, rows data.Subset) []models.Prediction {
	t.Helper()
	return expect.Must(evaluation.Predict(t.Context(), m, rows, evaluation.Sampling{})).Values
}

// judge returns the scores of a model on rows of one target.
func judge(t *testing.T, m *models.Model, rows data.Subset) measure.Scores {
	t.Helper()
	p := expect.Must(evaluation.Predict(t.Context(), m, rows, evaluation.Sampling{}))
	return expect.Must(evaluation.Evaluate(p, evaluation.Truth{Y: rows.Y, Columns: rows.YScale}, data.Sound, nil)).Standardised
}

// score returns the score of a column by a measure.
func score(t *testing.T, c *measure.Column, name string) float64 {
	t.Helper()
	return c.Score([]measure.Measure{expect.Must(measure.Lookup(name))}).Get(name)
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

// writeFriedman writes a table of Friedman's function in which every so many rows have a target, and returns its path.
func writeFriedman(t *testing.T, rows, every int) string {
	t.Helper()
	table := data.Friedman(rows, 2)
	var text strings.Builder
	text.WriteString("x0,x1,x2,x3,x4,x5,x6,x7,x8,x9,y\n")
	for row, y := range table.Y {
		for _, x := range table.X[row*10:][:10] {
			fmt.Fprint(&text, x, ",")
		}
		if row%every == 0 {
			fmt.Fprint(&text, y)
		}
		fmt.Fprintln(&text)
	}
	return writeFile(t, "f.csv", text.String())
}

// readColumns returns the numbers of the columns of a CSV text, by their names. They are NaN where a cell is no number.
func readColumns(t *testing.T, text string) map[string][]float64 {
	t.Helper()
	lines := expect.Must(csv.NewReader(strings.NewReader(text)).ReadAll())
	columns := make(map[string][]float64)
	for _, line := range lines[1:] {
		for i, name := range lines[0] {
			v, err := strconv.ParseFloat(line[i], 64)
			if err != nil {
				v = math.NaN()
			}
			columns[name] = append(columns[name], v)
		}
	}
	return columns
}

// readFile returns the content of a file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	return string(expect.Must(os.ReadFile(path)))
}
