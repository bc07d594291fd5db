package main

import (
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
	"sml/trainers"
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

// A network with batch normalisation learns, keeps its
// running statistics in its files, and predicts a row alone as among others.
func TestBatchNorm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	rows, x, y := friedman(300, 4)
	s := spec(t, "mc", "batch-norm", 10, 1)
	r := mustTrain(t, s, rows, trainers.Settings{Epochs: 40, Batch: 50, LearningRate: 0.005}, trainers.Options{})
	if loss := r.History.Rows[39].Values[0]; !(loss < 0.3) {
		t.Errorf("loss %v after training", loss)
	}
	trained := &models.Model{Spec: s, Inputs: x, Targets: y, Members: r.Members}
	loaded := saveAndLoad(t, trained)
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
		p := expect.Must(evaluation.Predict(t.Context(), m, rows, evaluation.Sampling{Samples: 3}))
		return p.Values
	}
	all := predict(trained, rows)
	if got := predict(loaded, rows); !slices.EqualFunc(got, all, models.Prediction.Equal) {
		t.Error("what is loaded predicts something else than what was saved")
	}
	if got := predict(loaded, data.Friedman(300, 4).Subset([]int{0}, x, y)); !got[0].Equal(all[0]) {
		t.Errorf("row 0 is %v alone and %v among others", got[0], all[0])
	}
}
