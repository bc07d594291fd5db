package networks_test

import (
	"strings"
	"testing"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
)

// An objective can embed a column of the table. A number that is no category is an error that names the row.
func TestEmbeddingOfAColumn(t *testing.T) {
	models.Register(models.Method{
		Name: "embedding", Source: "this test", Outputs: models.Outputs(1), Network: "mlp",
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			shift := networks.Embedding(b, "region", t.Column("region"), 3, 1)
			return t.MSE(b.Add(t.Forward(graph.Full), shift), t.Y)
		},
		Predict: methods.PredictFullNetwork,
	})
	spec, err := models.NewSpec("embedding", nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{4}})
	if err != nil {
		t.Fatal(err)
	}
	params := new(graph.Params)
	step, err := spec.NewStep(graph.Compiled, params, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer step.Close()
	params.Initialise(1)
	step.SetProgress(models.Progress{Steps: 1, Rows: 4})
	copy(step.Extras[0].Values, []float32{2, 0, 2, 2})
	copy(step.Y, []float32{1, 2, 3, 4})
	if err := step.Run(); err != nil {
		t.Fatal(err)
	}
	for i, p := range params.List() {
		if p.Name != "region.weight" {
			continue
		}
		if p.Rows != 3 || p.Columns != 1 {
			t.Errorf("%+v", p)
		}
		g := graph.ParamValues(params, step.Gradient(), i)
		if g[0] == 0 || g[1] != 0 || g[2] == 0 {
			t.Errorf("gradient of three categories, the second of no row: %v", g)
		}
	}
	step.Extras[0].Values[1] = 3
	if err := step.Run(); err == nil || !strings.Contains(err.Error(), "the index in row 1, counted from 0, is 3: want an integer from 0 to 2") {
		t.Errorf("got %v", err)
	}
}
