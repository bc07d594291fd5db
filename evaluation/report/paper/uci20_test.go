package paper

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/study"
	"sml/internal/expect"
)

// makeTable returns a made table in place of a data set.
func makeTable(_ context.Context, s experiment.Source, _ data.Protocol) (*data.Table, error) {
	t := data.Friedman(120, 1)
	t.Name = s.Name
	return t, nil
}

// The benchmark's settings: 20 folds, and 5 for protein, one hidden layer of 50 units, and 100 for protein.
func TestPreset(t *testing.T) {
	p := expect.Must(study.NewPlan(t.Context(), study.Config{Preset: "uci20", Methods: []string{"mc", "pu-de"}}, "test", makeTable, false))
	cells := make(map[string]int) // number of cells by data set
	for _, c := range p.Cells {
		name := c.Table.Name
		cells[name]++
		width, epochs := 50, 4000
		if name == "protein" {
			width, epochs = 100, 2000
		}
		if !slices.Equal(c.Spec.Architecture.Hidden, []int{width}) || c.Training.Epochs != epochs || c.Training.Batch != 128 || c.Training.Protocol != data.Sound {
			t.Errorf("%s: layers %v, %d epochs, batches of %d", name, c.Spec.Architecture.Hidden, c.Training.Epochs, c.Training.Batch)
		}
	}
	for _, name := range uciDatasets {
		want := 2 * 20
		if name == "protein" {
			want = 2 * 5
		}
		if cells[name] != want {
			t.Errorf("%s has %d cells; want %d", name, cells[name], want)
		}
	}
	short := expect.Must(study.NewPlan(t.Context(), study.Config{Preset: "uci20", Datasets: []string{"protein"}, Settings: study.Settings{"epochs": {"40"}}}, "test", makeTable, false))
	if got := short.Cells[0].Training.Epochs; got != 40 {
		t.Errorf("with epochs 40, protein is trained for %d", got)
	}
}

// fold returns the scores of a training on yacht, of a target with this standard deviation.
func fold(method string, number int, rmse, nll, targetStd float64) study.FoldScores {
	return study.FoldScores{
		Dataset:   "yacht",
		Method:    method,
		Split:     "uci",
		Fold:      number,
		TargetStd: targetStd,
		Scores:    measure.Scores{{Measure: "rmse", Score: rmse}, {Measure: "nll-full", Score: nll}},
	}
}

// By hand: with the standard deviations 10 and 20 of the target, the errors 0.1 and 0.1 are 1 and 2 in its unit, with
// the mean 1.5, the standard deviation 1/√2 and the standard error 1/2. The logarithms of 10 and 20 are added to the
// negative log-likelihoods −1 and −1: 1.3026 and 1.9957, with the mean 1.65, the standard deviation 0.49 and the
// standard error 0.35.
func TestScoresInUnit(t *testing.T) {
	r := &report.Report{
		MethodTitle: strings.ToUpper,
		Folds: []study.FoldScores{
			fold("mc", 0, 0.1, -1, 10), fold("mc", 1, 0.1, -1, 20),
			fold("pu", 0, 0.2, math.Inf(1), 10), fold("pu", 1, 0.2, 0, 20),
		},
	}
	AddBenchmark(r)
	if len(r.Tables) != 1 || len(r.Tables[0].List) != 2 || len(r.Sections) != 1 {
		t.Fatalf("%d lists of tables and %d sections", len(r.Tables), len(r.Sections))
	}
	for i, want := range []string{
		"MC|1.50 ± 0.50|(0.71)|best PU|3.00 ± 1.00|(1.41)|",
		"MC|1.65 ± 0.35|(0.49)|best PU|∞||",
	} {
		var rows []string
		for _, row := range r.Tables[0].List[i].Foot {
			text := row[0].Text + "|" + row[1].Text + "|" + strings.Join(row[1].Below, " ") + "|"
			if row[1].Best {
				text += "best"
			}
			rows = append(rows, text)
		}
		if got := strings.Join(rows, " "); got != want {
			t.Errorf("table %d has the rows %s; want %s", i, got, want)
		}
		published := r.Tables[0].List[i].Body
		if len(published) != len(publications) || published[0][1].Text == "" {
			t.Errorf("table %d has %d published rows, first %v", i, len(published), published[0])
		}
	}
}

// Scores on other divisions, and of transformed targets, do not belong beside published ones.
func TestNotComparable(t *testing.T) {
	other := fold("mc", 0, 0.1, -1, 10)
	other.Split = "test"
	r := &report.Report{MethodTitle: strings.ToUpper, Folds: []study.FoldScores{other}}
	AddBenchmark(r)
	if len(r.Tables)+len(r.Sections) > 0 {
		t.Error("scores of the random split have a table")
	}
	transformed := study.PlannedCell{}
	transformed.Table.Transform = "log"
	transformed.Training.Split = "uci"
	r = &report.Report{
		MethodTitle: strings.ToUpper,
		Folds:       []study.FoldScores{fold("mc", 0, 0.1, -1, 10)},
		Studies:     []report.Study{{Plan: &study.Plan{Cells: []study.PlannedCell{transformed}}}},
	}
	AddBenchmark(r)
	if len(r.Tables)+len(r.Sections) > 0 {
		t.Error("scores of a transformed target have a table")
	}
}

// Two seeds of a fold have the same test rows: they count as one fold, with the mean of their scores.
func TestSeedsOfFold(t *testing.T) {
	b := newBenchmark([]study.FoldScores{
		fold("mc", 0, 1, 0, 1), fold("mc", 0, 3, 0, 1), fold("mc", 1, 4, 0, 1),
	}, "rmse")
	if got := b.scores[uciCell{"yacht", "mc"}]; !slices.Equal(got, []float64{2, 4}) {
		t.Errorf("the scores of the folds are %v; want 2 and 4", got)
	}
}

func TestFormatScore(t *testing.T) {
	for x, want := range map[float64]string{-0.074: "−0.07", 9999: "9999.00", 5355629407.86: "5.4·10^9", -23456: "−2.3·10^4", math.Inf(1): "∞"} {
		if got := formatScore(x, 2); got != want {
			t.Errorf("%v is written %s; want %s", x, got, want)
		}
	}
}

// Every data set has a published score by each publication and measure.
func TestPublishedScores(t *testing.T) {
	for _, p := range publications {
		for _, dataset := range uciDatasets {
			for _, name := range comparedMeasures {
				if p.score(dataset, name) == "" {
					t.Errorf("%s has no %s on %s", p.method, name, dataset)
				}
			}
		}
	}
}
