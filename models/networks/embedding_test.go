package networks_test

import (
	"slices"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
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

// embeddedArchitecture has a number, a column of 10 categories, a number and a column of 12 categories,
// embedded in 3 numbers each.
var embeddedArchitecture = models.Architecture{
	Inputs:         24,
	Targets:        1,
	Outputs:        1,
	Hidden:         []int{4},
	Activation:     "tanh",
	Drop:           models.NoLayers,
	EmbeddingWidth: 3,
	Embeddings:     []models.Embedding{{First: 1, Categories: 10}, {First: 12, Categories: 12}},
}

// fillEmbeddedRows fills x [5, 24] with rows of embeddedArchitecture. Rows 2 and 3 have no category in one of the
// columns.
func fillEmbeddedRows(x []float64) {
	first := []int{0, 9, 4, -1, 4}
	second := []int{11, 3, -1, 3, 0}
	for row := range first {
		inputs := x[row*24:][:24]
		inputs[0], inputs[11] = number(2*row), number(2*row+1)
		if first[row] >= 0 {
			inputs[1+first[row]] = 1
		}
		if second[row] >= 0 {
			inputs[12+second[row]] = 1
		}
	}
}

// Expected: PyTorch 1.13, float64, of
//
//	def embedded(table, index):
//	    return F.embedding(index.clamp(min=0), table) * (index >= 0).unsqueeze(1)
//	first, second = torch.tensor([0, 9, 4, -1, 4]), torch.tensor([11, 3, -1, 3, 0])
//	t, u, w1, b1, w2, b2 = seq(10,3), seq(12,3), seq(8,4), seq(1,4), seq(4,1), seq(1,1)   # all requires_grad_()
//	h = torch.cat([seq(5,2), embedded(t, first), embedded(u, second)], 1)
//	l = ((torch.tanh(h@w1+b1)@w2+b2)**3).sum()
//	print(l, [(g*seq(*g.shape)).sum() for g in torch.autograd.grad(l, [t, u, w1, b1, w2, b2])])
func TestEmbeddedColumnsAgainstPyTorch(t *testing.T) {
	mlp := expect.Must(models.LookupNetwork("mlp"))
	for _, engine := range graph.Engines() {
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		forward := expect.Must(mlp.Forward(b, 5, embeddedArchitecture))
		y := forward(graph.Full)
		loss := b.Sum(b.Mul(y, b.Square(y)))
		r := expect.Must(graph.NewRunner(engine, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...))
		defer r.Close()
		var names []string
		for i, p := range params.List() {
			names = append(names, p.Name)
			for j := range p.Len() {
				graph.ParamValues(params, params.Float64s(), i)[j] = number(j)
			}
		}
		want := []string{"embedding1.weight", "embedding2.weight", "hidden1.weight", "hidden1.bias", "output.weight", "output.bias"}
		if !slices.Equal(names, want) {
			t.Fatalf("the parameters are %v", names)
		}
		fillEmbeddedRows(r.Input64(models.InputX))
		expect.NoError(t, r.Run())
		got := []float64{r.Output64(0)[0]}
		for i := range names {
			got = append(got, weighed(r.Output64(1+i)))
		}
		near(t, string(engine), got, []float64{-0.08910048359388122, -0.2216228612570005, -0.04167689416283707, -0.7480664106830048, 1.523552018591042, 1.2439561140650501, -1.511257564846694})
	}
}

// Gradients through embeddings agree with finite differences, in each network.
func TestEmbeddedColumnGradients(t *testing.T) {
	for _, n := range models.Networks() {
		a := embeddedArchitecture
		a.Dropout, a.Drop = 0.3, models.AllLayers
		gradients := checkGradients(t, n.Name, func(b *graph.Builder) *graph.Node {
			forward := expect.Must(n.Forward(b, 5, a))
			y := b.Add(forward(graph.Full), forward(graph.Drop(0)))
			return b.Mean(b.Mul(b.Square(y), y))
		}, gradcheck.Settings{Seed: 1}, 1e-6)
		if !slices.ContainsFunc(gradients, func(g gradcheck.Gradient) bool { return g.Name == "embedding2.weight" }) {
			t.Errorf("%s embeds nothing", n.Name)
		}
	}
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
