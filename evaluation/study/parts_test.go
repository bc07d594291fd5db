package study

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"sml/evaluation/measure"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// A study of methods whose predictions have different parts has for each method the
// scores that its predictions allow, and keeps what they consist of.
func TestPredictionsOfOtherParts(t *testing.T) {
	models.Register(models.Method{
		Name: "two-quantiles", Objective: methods.FullMSE, Outputs: models.Outputs(1),
		Predict: func(b *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Quantiles([]float64{0.1, 0.9}, []*graph.Node{b.AddConst(m.Full[0], -1), b.AddConst(m.Full[0], 1)})
		},
	})
	models.Register(models.Method{Name: "point", Objective: methods.FullMSE, Predict: methods.PredictFullNetwork})
	c := Config{
		Preset: "quick", Datasets: []string{"aa"}, Methods: []string{"two-quantiles", "point", "pu"}, Splits: []string{"random"},
		Fold: []int{0, 1}, Settings: Settings{"epochs": {"2"}, "batch": {"20"}, "width": {"6"}, "samples": {"5"}}, Predictions: "parquet",
	}
	dir, p, s := runNewStudy(t, c, Options{Jobs: 2})
	if s.Done != 6 {
		t.Fatalf("%+v", s)
	}
	has := make(map[string][]string)
	for _, s := range collectOne(t, dir, p).Scores {
		if s.Split == "test" {
			has[s.Method] = append(has[s.Method], s.Measure)
		}
		if math.IsNaN(s.Mean) || s.Folds != 2 || s.Failed != 0 {
			t.Errorf("%+v", s)
		}
	}
	var usual []string
	named, _ := measure.Select(nil)
	for _, m := range named {
		if !slices.Contains(m.Needs, measure.Probabilities) && m.Name != "pinball" {
			usual = append(usual, m.Name)
		}
	}
	slices.Sort(usual)
	for method, want := range map[string][]string{"two-quantiles": slices.Sorted(slices.Values(append(slices.Clone(usual), "pinball"))), "point": {"mae", "r2", "rmse"}, "pu": usual} {
		slices.Sort(has[method])
		if !slices.Equal(has[method], want) {
			t.Errorf("%s has scores by %v; want %v", method, has[method], want)
		}
	}

	columns := map[string]string{"two-quantiles": ",q0.1,q0.9", "point": "", "pu": ""}
	pictures := 0
	for _, c := range p.Cells {
		file, err := os.ReadFile(filepath.Join(dir, predictionsDir, c.Name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, field := range f.Schema().Fields() {
			names = append(names, field.Name())
		}
		if got, want := strings.Join(names, ","), predictionHeader+columns[c.Label]; got != want {
			t.Errorf("%s: Parquet has %s; want %s", c.Label, got, want)
		}
		rows := make([]parquet.Row, 1)
		r := f.RowGroups()[0].Rows()
		if n, _ := r.ReadRows(rows); n != 1 || rows[0][4].IsNull() != (c.Label == "point") || c.Label == "two-quantiles" && math.Abs(rows[0][8].Double()-rows[0][7].Double()-2) > 1e-12 {
			t.Errorf("%s: Parquet has the row %v", c.Label, rows[0])
		}
		r.Close()
		if !c.KeepPictures {
			continue
		}
		pictures++
		text, err := os.ReadFile(filepath.Join(dir, predictionsDir, c.Name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Split(string(text), "\n"); lines[0] != predictionHeader+columns[c.Label] || strings.Contains(lines[1], ",,,") != (c.Label == "point") {
			t.Errorf("%s: CSV begins with %q", c.Label, lines[:2])
		}
		kept, err := ReadPredictions(dir, p, c)
		if err != nil || len(kept) == 0 || math.IsNaN(kept[0].Std) != (c.Label == "point") || math.IsNaN(kept[0].Mean) {
			t.Errorf("%s: %v, %v", c.Label, kept[:1], err)
		}
	}
	if pictures != 3 {
		t.Errorf("%d cells keep CSV", pictures)
	}
}
