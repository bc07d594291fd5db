package networks_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
	"sml/models/networks"
)

// number and weighed are seq and (t*seq(*t.shape)).sum() of the scripts below.
func number(i int) float64 { return float64(7*i%11-5) / 8 }

func weighed(values []float64) (sum float64) {
	for i, v := range values {
		sum += float64(number(i) * v)
	}
	return sum
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-12*math.Max(1, math.Abs(want[i]))) {
			t.Errorf("%s: number %d is %v, PyTorch's %v", what, i, got[i], want[i])
		}
	}
}

// cubes is Σ y³ with its gradients by x and the parameters, run with numbers of seq, to
// which the gains have 1 added.
func cubes(t *testing.T, engine graph.Engine, b *graph.Builder, params *graph.Params, x, y *graph.Node, more ...*graph.Node) (*graph.Runner, []float64) {
	t.Helper()
	loss := b.Sum(b.Mul(y, b.Square(y)))
	outputs := append(graph.Nodes{loss}, b.Grad(loss, x)...)
	outputs = append(append(outputs, b.Gradients(loss)...), more...)
	r := expect.Must(graph.NewRunner(engine, b, outputs...))
	params.Initialise(1)
	for i := range r.Input64("x") {
		r.Input64("x")[i] = number(i)
	}
	for i, p := range params.List() {
		for j := range p.Len() {
			if strings.HasSuffix(p.Name, ".weight") || strings.HasSuffix(p.Name, ".bias") {
				graph.ParamValues(params, params.Float64s(), i)[j] += number(j)
			}
		}
	}
	expect.NoError(t, r.Run())
	got := []float64{r.Output64(0)[0], weighed(r.Output64(1))}
	for i, p := range params.List() {
		if !p.Buffer {
			got = append(got, weighed(r.Output64(2+i)))
		}
	}
	return r, got
}

// Expected: PyTorch 1.13, float64, of
//
//	def seq(*shape): return torch.tensor([((7*i)%11-5)/8 for i in range(math.prod(shape))]).reshape(shape)
//	x, a, c = seq(4,6), seq(6)+1, seq(6)                      # all requires_grad_()
//	l = (F.layer_norm(x, (6,), a, c)**3).sum()
//	print(l, [(g*seq(*g.shape)).sum() for g in torch.autograd.grad(l, [x, a, c])])
func TestLayerNormAgainstPyTorch(t *testing.T) {
	for _, engine := range graph.Engines() {
		params := new(graph.Params)
		b := graph.New(graph.Float64, params)
		x := b.Input("x", 4, 6)
		r, got := cubes(t, engine, b, params, x, networks.LayerNorm(b, "norm", x))
		defer r.Close()
		near(t, string(engine), got, []float64{33.89765218154301, 0.0037580334406968063, 43.93847766316368, 27.34695152241931})
	}
}

// Expected: PyTorch 1.13, float64, of
//
//	m = torch.nn.BatchNorm1d(3); m.weight.data = seq(3)+1; m.bias.data = seq(3)
//	x = seq(5,3).requires_grad_(); l = (m(x)**3).sum()
//	print(l, [(g*seq(*g.shape)).sum() for g in torch.autograd.grad(l, [x, m.weight, m.bias])])
//	print(m.running_mean, m.running_var); m.eval(); print(m(x), (m(x)**3).sum())
//
// and once more with the rows as images [5 1 1 3].
func TestBatchNormAgainstPyTorch(t *testing.T) {
	for _, engine := range graph.Engines() {
		for _, shape := range [][]int{{5, 3}, {5, 1, 1, 3}} {
			params := new(graph.Params)
			b := graph.New(graph.Float64, params)
			graph.Inspect(b).Training = true
			x := b.Input("x", 5, 3)
			y := b.Reshape(networks.BatchNorm(b, "norm", b.Reshape(x, shape...)), 5, 3)
			updates, numbers := graph.Inspect(b).Updates()
			r, got := cubes(t, engine, b, params, x, y, updates...)
			defer r.Close()
			near(t, string(engine), got, []float64{3.4421841050636717, 0.003739638225446651, 7.186508915546193, -1.2321684974672378})
			if len(numbers) != 2 {
				t.Fatalf("%d buffers follow", len(numbers))
			}
			first := 2 + len(params.List())
			near(t, "running mean", r.Output64(first), []float64{0.0225, 0, -0.0225})
			near(t, "running variance", r.Output64(first+1), []float64{0.92453125, 0.90390625, 0.92453125})
			for i, n := range numbers {
				copy(graph.ParamValues(params, params.Float64s(), n), r.Output64(first+i))
			}

			b = graph.New(graph.Float64, params)
			y = networks.BatchNorm(b, "norm", b.Input("x", 5, 3))
			alone := expect.Must(graph.NewRunner(engine, b, y))
			defer alone.Close()
			for i := range alone.Input64("x") {
				alone.Input64("x")[i] = number(i)
			}
			expect.NoError(t, alone.Run())
			near(t, "prediction", alone.Output64(0)[:6], []float64{-0.8775270434571035, 0.5786895711224644, -0.4274514359428295, -0.39002309855922024, 0.4143447855612322, -0.5249522249224061})
		}
	}
}

// Weight matrices, kernels and embeddings decay; biases, gains and running statistics do
// not.
func TestWeightsDecay(t *testing.T) {
	params := new(graph.Params)
	b := graph.New(graph.Float64, params)
	images := b.Reshape(b.Input("images", 2, 5*4*3), 2, 5, 4, 3)
	networks.LayerNorm(b, "layer norm", networks.Conv2D(b, "conv2d", images, 4, graph.Window{Height: 3, Width: 2}))
	networks.Conv1D(b, "conv1d", b.Reshape(images, 2, 20, 3), 4, graph.Window{Width: 3})
	networks.Embedding(b, "embedding", b.Input("index", 2, 1), 3, 2)
	networks.BatchNorm(b, "batch norm", networks.Dense(b, "dense", b.Input("x", 2, 1), 6)) // a matrix of one row
	expect.NoError(t, b.Err())
	decaying := []string{"conv2d.weight", "conv1d.weight", "embedding.weight", "dense.weight"}
	for _, p := range params.List() {
		if want := slices.Contains(decaying, p.Name); p.Decay != want {
			t.Errorf("%s decays: %v, want %v", p.Name, p.Decay, want)
		}
	}
	if n := len(params.List()); n != 13 {
		t.Errorf("there are %d parameters, want 13", n)
	}
}

// No bias, no variational parameter and no logit of a dropout rate decays, in any network.
func TestDecayInNetworks(t *testing.T) {
	for _, n := range models.Networks() {
		spec := expect.Must(models.NewSpec("mc", nil, models.Architecture{Network: n.Name, Inputs: 2, Targets: 1, Hidden: []int{4}, Dropout: 0.1}))
		for _, p := range expect.Must(spec.NewParams(1)).List() {
			want := n.Name != "bayes" && slices.Contains([]string{"hidden1.weight", "output.weight", "wide.weight"}, p.Name)
			if p.Decay != want {
				t.Errorf("%s: %s decays: %v, want %v", n.Name, p.Name, p.Decay, want)
			}
		}
	}
}

// Gradients of layers on images agree with finite differences, on both engines.
func TestLayerGradients(t *testing.T) {
	k := graph.Window{Height: 3, Width: 2, Stride: 2, Padding: 1}
	for name, layer := range map[string]func(b *graph.Builder, x *graph.Node) *graph.Node{
		"Conv2D": func(b *graph.Builder, x *graph.Node) *graph.Node {
			return b.Tanh(networks.Conv2D(b, "conv", x, 4, k))
		},
		"LayerNorm": func(b *graph.Builder, x *graph.Node) *graph.Node {
			return b.Tanh(networks.LayerNorm(b, "norm", networks.Conv2D(b, "conv", x, 4, k)))
		},
		"BatchNorm": func(b *graph.Builder, x *graph.Node) *graph.Node {
			graph.Inspect(b).Training = true
			return b.Tanh(networks.BatchNorm(b, "norm", networks.Conv2D(b, "conv", x, 4, k)))
		},
		"Conv1D": func(b *graph.Builder, x *graph.Node) *graph.Node {
			return b.Tanh(networks.Conv1D(b, "conv", b.Reshape(x, 3, 20, 3), 4, graph.Window{Width: 3, Dilation: 2}))
		},
	} {
		checkGradients(t, name, func(b *graph.Builder) *graph.Node {
			y := layer(b, b.Reshape(b.Input("x", 3, 5*4*3), 3, 5, 4, 3))
			return b.Mean(b.Mul(b.Square(y), y))
		}, gradcheck.Settings{}, 1e-6)
	}
}

// checkGradients compares gradients with finite differences, and returns the comparisons.
func checkGradients(t *testing.T, what string, f gradcheck.Function, s gradcheck.Settings, tolerance float64) []gradcheck.Gradient {
	t.Helper()
	gradients, err := gradcheck.Check(f, s)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, g := range gradients {
		if !(g.Error <= tolerance) && g.Scale > 1e-8 { // a bias before a norm has no effect
			t.Errorf("%s, %s engine: gradient of %s[%d] is %v, differences give %v", what, g.Engine, g.Name, g.Index, g.Backward, g.Numeric)
		}
	}
	return gradients
}

// lossOf returns the loss of a batch.
func lossOf(s models.Spec, rows int) gradcheck.Function {
	return func(b *graph.Builder) *graph.Node { return expect.Must(s.Loss(b, rows)) }
}

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
