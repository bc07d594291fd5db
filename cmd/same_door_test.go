package cmd

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/evaluation/predicted"
	"sml/evaluation/study"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// shipped lists the methods of this module that predict numbers: tests register others.
var shipped = slices.DeleteFunc(models.Methods(), models.Method.PredictsClasses)

// The train command and the cell of a study with the same settings have the same
// weights, predictions and scores, bit for bit, by every method.
func TestTrainIsCell(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	names := ""
	for i, m := range shipped {
		if i > 0 {
			names += ","
		}
		names += m.Name
	}
	runSML(t, nil, "study", "plan", at("s"), "--datasets", "friedman", "--methods", names, "--splits", "random", "--fold", "3", "--epochs", "2",
		"--width", "10", "--protocol", "paper", "--save-predictions", "csv")
	runSML(t, nil, "study", "run", at("s"), "--quiet")
	p := expect.Must(study.ReadPlan(at("s")))
	if len(p.Cells) != len(shipped) {
		t.Fatalf("%d cells of %d methods", len(p.Cells), len(shipped))
	}
	collected, _, err := study.Collect([]study.Directory{{Dir: at("s"), Plan: p}})
	expect.NoError(t, err)
	scores := 0
	for _, c := range p.Cells {
		var trained struct {
			Test evaluation.Evaluation
		}
		text := runSML(t, nil, "train", "--data", "friedman", "--method", c.Label, "--split", "random", "--fold", "3", "--seed", "1", "--epochs", "2",
			"--hidden", "10,10", "--protocol", "paper", "--quiet", "--json", "--out", at(c.Label))
		unmarshal(t, text, &trained)
		m := expect.Must(experiment.Open(at(c.Label)))

		settings := m.Settings
		settings.Prediction = c.Prediction
		settings.Table.Layout = nil // a study names its data sets alone
		settings.Table.Header = ""
		if got, want := mustJSON(settings), mustJSON(c.Settings); !bytes.Equal(got, want) {
			t.Errorf("%s: train has the settings\n%s\nand the cell\n%s", c.Label, got, want)
		}

		table := expect.Must(c.Table.Read(t.Context(), "", c.Training.Protocol))
		e := expect.Must(experiment.Prepare(t.Context(), c.Settings, experiment.NewTable(table)))
		again := expect.Must(e.Train(t.Context(), trainers.Options{Workers: 1})) // as the cell does
		if len(again.Members) != len(m.Members) {
			t.Fatalf("%s: %d and %d members", c.Label, len(again.Members), len(m.Members))
		}
		for i := range m.Members {
			if !slices.Equal(again.Members[i].Float32s(), m.Members[i].Float32s()) {
				t.Errorf("%s: member %d has other weights", c.Label, i)
			}
		}

		kept := expect.Must(study.ReadPredictions(at("s"), p, c))
		found, values, err := e.Evaluate(t.Context(), m.Model, e.Rows.Test, e.Sampling())
		expect.NoError(t, err)
		scores += 2 * len(found.Standardised)
		if found.Standardised.Has("nll") {
			scores++ // ece_isotonic, of the test rows
		}
		if kept.Len != len(values.Values) {
			t.Fatalf("%s: %d and %d predictions", c.Label, kept.Len, len(values.Values))
		}
		for i, v := range values.Values {
			component := func(name string) float64 {
				if at := slices.Index(values.Components, name); at >= 0 {
					return v.Components[at]
				}
				return 0
			}
			want := [4]float64{v.Mean(), v.Std(), component(models.DropoutStd), component(models.DropoutOffset)}
			var got [4]float64
			for k, name := range []string{predicted.Mean, predicted.Std, predicted.DropoutStd, predicted.DropoutOffset} {
				if column := kept.Numbers(name); column != nil {
					got[k] = column[i]
				}
			}
			if math.IsNaN(v.Std()) { // the cell has no such columns
				want[1] = 0
			}
			if got != want {
				t.Fatalf("%s: prediction %d is %+v, and of the cell %v", c.Label, i, v, got)
			}
		}
		if got, want := mustJSON(trained.Test), mustJSON(found); !bytes.Equal(got, want) {
			t.Errorf("%s: train prints\n%s\nand the predictions score\n%s", c.Label, got, want)
		}
		for _, score := range collected[0].Scores {
			if score.Measure == "ece_isotonic" { // of training rows too, which only a study predicts
				continue
			}
			if got := trained.Test.Standardised.Get(score.Measure); score.Method == c.Label && score.Split == "test" && got != score.Mean {
				t.Errorf("%s: the cell's %s is %v, and train's %v", c.Label, score.Measure, score.Mean, got)
			}
		}
	}
	if len(collected[0].Scores) != scores { // of test and training rows
		t.Errorf("%d scores", len(collected[0].Scores))
	}
}
