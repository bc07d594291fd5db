package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/study"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/trainers"
)

// mainWithColumns is the program with methods that look at a further column, and at
// no weights.
func mainWithColumns() {
	models.Register(models.Method{
		Name: "censored", Predict: methods.FullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			r, c := b.Sub(t.Y, t.Forward(graph.Full)), t.Column("censored")
			seen := b.Mul(b.AddConst(b.Scale(-1, c), 1), b.Square(r))
			return t.Mean(b.Add(seen, b.Mul(c, b.Square(b.ClampMin(r, 0)))))
		},
	})
	models.Register(models.Method{
		Name: "unweighted", Predict: methods.FullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node { return b.MSE(t.Forward(graph.Full), t.Y) },
	})
	os.Exit(Main())
}

// A training with further columns and weights has the same weights and scores,
// bit for bit, by the train command and from the settings of a cell as its file has
// them; weights change both.
func TestTrainIsCellWithWeights(t *testing.T) {
	dir := t.TempDir()
	table := data.Friedman(120, 1)
	table.Extras, table.Weight = []string{"group"}, "count"
	for i := range 120 {
		table.E, table.W = append(table.E, float64(i/10)), append(table.W, float64(i%3))
	}
	var text bytes.Buffer
	if err := table.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	train := func(method, out string, columns ...string) (*experiment.Model, evaluation.Evaluation) {
		t.Helper()
		var printed, errOut bytes.Buffer
		args := append([]string{"sml", "train", "--data", path, "--target", "y", "--method", method, "--split", "random", "--fold", "2", "--epochs", "2",
			"--val", "0.2", "--quiet", "--json", "--out", filepath.Join(dir, out)}, columns...)
		if code := Run(context.Background(), args, nil, &printed, &errOut); code != 0 {
			t.Fatalf("%v ends with %d: %s", args, code, errOut.String())
		}
		var trained struct{ Test evaluation.Evaluation }
		if err := json.Unmarshal(printed.Bytes(), &trained); err != nil {
			t.Fatal(err)
		}
		m, err := experiment.Open(filepath.Join(dir, out))
		if err != nil {
			t.Fatal(err)
		}
		return m, trained.Test
	}
	for _, method := range []string{"sml", "pu"} {
		m, scores := train(method, method, "--extra", "group", "--weight", "count")
		other, otherScores := train(method, method+"-alike", "--drop", "group", "--drop", "count")
		if slices.Equal(m.Members[0].Float32s(), other.Members[0].Float32s()) || bytes.Equal(mustJSON(scores), mustJSON(otherScores)) {
			t.Errorf("%s: weights change nothing", method)
		}
		settings := m.Settings
		var c study.Cell
		if err := json.Unmarshal(mustJSON(study.Cell{Label: method, Settings: settings}), &c); err != nil {
			t.Fatal(err)
		}
		read, err := c.Table.Read(t.Context(), "", c.Training.Protocol)
		if err != nil {
			t.Fatal(err)
		}
		e, err := experiment.Prepare(t.Context(), c.Settings, experiment.Share(read))
		if err != nil {
			t.Fatal(err)
		}
		again, err := e.Train(t.Context(), trainers.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again.Members[0].Float32s(), m.Members[0].Float32s()) {
			t.Errorf("%s: other weights", method)
		}
		found, _, err := e.Judge(t.Context(), again.Model, e.Rows.Test, e.Sampling())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := mustJSON(found), mustJSON(scores); !bytes.Equal(got, want) {
			t.Errorf("%s: the cell scores\n%s\nand train\n%s", method, got, want)
		}
	}
}
