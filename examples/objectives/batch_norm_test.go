package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/models"
	"sml/models/networks"
	"sml/trainers"
	"sml/trainers/check"
)

func init() {
	models.RegisterNetwork(models.Network{
		Name: "batch-norm", Source: "this test", Activations: networks.Activations(),
		Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			activation := networks.Activation(b, a.Activation)
			return func(pass graph.Pass) *graph.Node {
				h := x
				for i, width := range a.Hidden {
					name := "hidden" + string(rune('1'+i))
					h = activation(networks.BatchNorm(b, name+".norm", networks.Dense(b, name, h, width)))
					if a.Drop.Drops(i, len(a.Hidden)) {
						h = b.Dropout(h, pass, i, a.Dropout)
					}
				}
				return networks.Dense(b, "output", h, a.Outputs)
			}
		},
	})
}

// A network with batch normalisation passes the checks of networks, learns, keeps its
// running statistics in its files, and predicts a row alone as among others.
func TestBatchNorm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	check.TestNetwork(t, "batch-norm")

	table := data.Friedman(300, 4)
	x, y := data.FitScalers(table.X, table.Columns, nil), data.FitScalers(table.Y, table.Targets, nil)
	rows := table.Subset(nil, x, y)
	s := spec(t, "mc", "batch-norm", 10, 1)
	r, err := trainers.Train(t.Context(), s, rows, trainers.Settings{Epochs: 40, Batch: 50, LearningRate: 0.005}, trainers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if loss := r.History.Rows[39].Values[0]; !(loss < 0.3) {
		t.Errorf("loss %v after training", loss)
	}
	dir := filepath.Join(t.TempDir(), "model")
	trained := &models.Model{Spec: s, Inputs: x, Targets: y, Members: r.Members}
	if err := trained.Save(dir, false); err != nil {
		t.Fatal(err)
	}
	loaded, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for i, p := range loaded.Members[0].List() {
		if strings.Contains(p.Name, "running") {
			moved++
			values := graph.ParamValues(loaded.Members[0], loaded.Members[0].Float32s(), i)
			if !p.Buffer || slices.Max(values) == slices.Min(values) {
				t.Errorf("%s has stayed what it was, or is no buffer: %v", p.Name, values)
			}
		}
	}
	if moved != 4 {
		t.Errorf("%d running statistics in the file, want 4", moved)
	}
	predict := func(m *models.Model, rows data.Subset) []models.Prediction {
		p, err := evaluation.Predict(t.Context(), m, rows, evaluation.Sampling{Samples: 3})
		if err != nil {
			t.Fatal(err)
		}
		return p.Values
	}
	all := predict(trained, rows)
	if got := predict(loaded, rows); !slices.EqualFunc(got, all, models.Prediction.Equal) {
		t.Error("what is loaded predicts something else than what was saved")
	}
	if got := predict(loaded, table.Subset([]int{0}, x, y)); !got[0].Equal(all[0]) {
		t.Errorf("row 0 is %v alone and %v among others", got[0], all[0])
	}
}

// A batch of one row has no variance.
func TestBatchNormOfOneRow(t *testing.T) {
	_, err := spec(t, "mc", "batch-norm", 3, 1).NewStep(graph.Compiled, new(graph.Params), 1)
	if want := `BatchNorm "hidden1.norm": a batch of one row has no variance; want two rows or more`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
