package networks_test

import (
	"testing"

	"sml/graph"
	"sml/internal/expect"
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
	spec := expect.Must(models.NewSpec("embedding", nil, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{4}}))
	params := new(graph.Params)
	step := expect.Must(spec.NewStep(graph.Compiled, params, 4))
	defer step.Close()
	params.Initialise(1)
	copy(step.Extras[0].Values, []float32{2, 0, 2, 2})
	clear(step.X)
	copy(step.Y, []float32{1, 2, 3, 4})
	expect.NoError(t, step.Run(models.Position{Steps: 1, Rows: 4}))
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
	expect.Error(t, step.Run(models.Position{Steps: 1, Rows: 4}), "the index in row 1, counted from 0, is 3: want an integer from 0 to 2")
}

// A column is embedded if it has more than 9 categories, and more than an embedding has numbers.
func TestEmbeds(t *testing.T) {
	for _, c := range []struct {
		width, categories int
		want              bool
	}{{0, 1000, false}, {8, 9, false}, {8, 10, true}, {2, 9, false}, {16, 16, false}, {16, 17, true}} {
		if got := (models.Architecture{EmbeddingWidth: c.width}).Embeds(c.categories); got != c.want {
			t.Errorf("%d categories in %d numbers: %v", c.categories, c.width, got)
		}
	}
}
