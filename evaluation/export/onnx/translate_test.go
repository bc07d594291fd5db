package onnx_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/evaluation/export/onnx"
	"sml/evaluation/export/onnx/ort"
	"sml/graph"
	"sml/internal/expect"
	"sml/models/networks"
)

const width = 6

// runBoth returns a graph's output for rows of an input, as the engine and as ONNX Runtime compute it.
func runBoth(t *testing.T, dtype string, rows int, make func(b *graph.Builder, x *graph.Node) *graph.Node) (engine, runtime []float64) {
	t.Helper()
	precision, elementType := graph.Float32, onnx.Float
	if dtype == "float64" {
		precision, elementType = graph.Float64, onnx.Double
	}
	params := new(graph.Params)
	build := func(rows int) (*graph.Builder, *graph.Node) {
		b := graph.New(precision, params)
		out := make(b, b.Input("x", rows, width))
		expect.NoError(t, b.Err())
		return b, out
	}
	b, out := build(rows)
	r := expect.Must(graph.NewRunner(graph.Compiled, b, out))
	defer r.Close()
	params.Initialise(3)
	x := ort.Tensor{Type: dtype, Dims: []int{rows, width}}
	for i := range rows * width {
		v := math.Round(16*math.Sin(float64(7*i+3))) / 4 // has zeros and both signs, exact in either type
		x.Numbers = append(x.Numbers, v)
		if precision == graph.Float32 {
			r.Input("x")[i] = float32(v)
		} else {
			r.Input64("x")[i] = v
		}
	}
	expect.NoError(t, r.Run())
	if engine = r.Output64(0); precision == graph.Float32 {
		for _, v := range r.Output(0) {
			engine = append(engine, float64(v))
		}
	}

	f := onnx.NewFile("test")
	in := f.Input("x", elementType, "", onnx.Dim{Name: "rows"}, onnx.Dim{Size: width})
	tr := translation(f, in, params)
	var twin onnx.NodePair
	for i, n := range onnx.RowCounts {
		tr.Builders[i], twin[i] = build(n)
	}
	v := expect.Must(tr.Translate(twin))
	f.Output("out", v, "", onnx.Dim{Name: "rows"}, onnx.Dim{Name: "columns"})
	file := expect.Must(f.Bytes())
	return engine, ort.Run(t, file, map[string]ort.Tensor{"x": x})["out"].Numbers
}

// translation returns a translation whose leaves are x and the parameters.
func translation(f *onnx.File, x onnx.Value, params *graph.Params) *onnx.Translation {
	tr := &onnx.Translation{Rows: f.Slice(f.ShapeOf(x), 0, 0, 1), Leaf: func(role graph.Role, name string) (onnx.Value, error) {
		if role == graph.Input {
			return x, nil
		}
		for i, p := range params.List() {
			if p.Name == name && params.Float32s() != nil {
				return f.Weights(name, []int{p.Rows, p.Columns}, graph.ParamValues(params, params.Float32s(), i)), nil
			} else if p.Name == name {
				return f.Numbers(onnx.Double, []int{p.Rows, p.Columns}, graph.ParamValues(params, params.Float64s(), i)...), nil
			}
		}
		return x, fmt.Errorf("there is no %q", name)
	}}
	return tr.SetGraph(f.Graph)
}

type node = *graph.Node

// ONNX Runtime computes the same numbers as the engine.
func TestOperationsInRuntime(t *testing.T) {
	weight := func(b *graph.Builder, rows, columns int) node {
		return b.Param(fmt.Sprintf("w%d.%d", rows, columns), rows, columns, graph.Uniform(1))
	}
	k := graph.Window{Height: 2, Width: 2, Padding: 1}
	images := func(b *graph.Builder, x node) node { return b.Reshape(x, x.Shape()[0], 3, 2, 1) }
	flat := func(b *graph.Builder, x, y node) node {
		return b.Reshape(y, x.Shape()[0], y.Shape().TotalSize()/x.Shape()[0])
	}
	for name, make := range map[string]func(b *graph.Builder, x node) node{
		"elementwise": func(b *graph.Builder, x node) node {
			p := b.Shift(b.Square(x), 0.5)
			return b.Concat(b.Neg(x), b.Abs(x), b.Sign(x), b.Sqrt(p), b.Pow(p, -1), b.Pow(p, 1.5), b.Pow(x, 3), b.ReLU(x), b.Exp(x), b.Expm1(x),
				b.Log(p), b.Log1p(p), b.Softplus(x), b.Tanh(x), b.Sigmoid(x), b.Sin(x), b.Cos(x), b.Erf(x), b.NormalPDF(x), b.NormalCDF(x),
				b.Max(x, p), b.Min(x, p), b.ClampMin(x, -0.5), b.ClampMax(x, 0.5), b.Greater(x, p), lessEqual(b, x, b.Const(0)), b.Equal(x, b.Abs(x)),
				b.Clip(x, -1, 1), b.Where(x, p, b.Neg(p)), b.Div(x, p), b.Sub(x, b.Const(2)), b.StopGradient(x))
		},
		"functions": func(b *graph.Builder, x node) node {
			small := b.Exp(b.Scale(-4, b.Abs(x))) // from 10⁻⁷ to 1
			return b.Concat(b.Atan(x), b.Atan(b.Scale(1e-3, x)), b.Sinh(x), b.Sinh(b.Scale(1e-3, x)), b.Asinh(x), b.Asinh(b.Scale(1e6, x)),
				b.NormalQuantile(b.Scale(0.75, small)), b.NormalQuantile(b.Scale(1e-30, small)), b.NormalQuantile(b.Shift(b.Scale(0.1, x), 0.5)), b.LogGamma(b.Shift(x, 0.375)), b.LogGamma(b.Exp(x)), b.LogGamma(b.Shift(b.Scale(1e-3, x), 2)))
		},
		"products": func(b *graph.Builder, x node) node {
			h := b.Linear(x, weight(b, width, 4), weight(b, 1, 4))
			return b.Concat(h, b.MatMul(b.MatMul(h, b.Transpose(h)), h), b.Columns(h, 1, 3))
		},
		"attention": func(b *graph.Builder, x node) node {
			tokens := b.Reshape(b.MatMul(x, weight(b, width, 6)), x.Shape()[0], 3, 2)
			return flat(b, x, b.BatchMatMul(b.BatchMatMul(tokens, b.Transpose(tokens)), tokens))
		},
		"repeat": func(b *graph.Builder, x node) node {
			token := b.Repeat(weight(b, 1, 3), x.Shape()[0], 3)
			return b.Concat(token, x, b.Repeat(b.SumColumns(x), x.Shape()[0], 2))
		},
		"axes": func(b *graph.Builder, x node) node {
			return b.Concat(b.Sub(x, b.MeanColumns(x)), b.SumColumns(x), b.MaxColumns(x), b.VarianceColumns(x), b.LogSumExp(x), b.Softmax(x), b.LogSoftmax(x))
		},
		"repeated": func(b *graph.Builder, x node) node { // a row that has no rows of its own
			row := b.Add(b.MatMul(b.Constant(1, 2, []float64{0.5, 2}), weight(b, 2, width)), b.Const(1))
			return b.MatMul(b.Add(b.Scale(0, x), row), weight(b, width, 3))
		},
		"constants": func(b *graph.Builder, x node) node {
			return b.Mul(x, b.Constant(1, width, []float64{1, -2, 3, 0, 1e-3, 7}))
		},
		"iteration": func(b *graph.Builder, x node) node { // Newton's square root, and a value that no step changes
			p := b.Shift(b.Square(x), 0.5)
			ends := b.Iterate(6, graph.Nodes{p, p, b.Repeat(b.Const(1), x.Shape()[0], width)}, func(v graph.Nodes) graph.Nodes {
				return graph.Nodes{b.Scale(0.5, b.Add(v[0], b.Div(p, v[0]))), v[1], b.Square(x)}
			})
			return b.Concat(ends...)
		},
		"rows": func(b *graph.Builder, x node) node {
			return b.Rows(weight(b, 5, 3), b.Columns(b.ClampMax(b.Abs(b.Sign(x)), 4), 0, 1))
		},
		"rows of a table": func(b *graph.Builder, x node) node {
			w := weight(b, 5, width)
			table := b.ConcatRows(b.SliceRows(w, 3, 5), b.Constant(1, width, []float64{1, 2, 3, 4, 5, 6}))
			class := b.ClampMax(b.Abs(b.Sign(b.Columns(x, 0, 1))), 2)
			return b.Add(b.Rows(table, class), b.MatMul(b.OneHot(class, 3), weight(b, 3, width)))
		},
		"convolution": func(b *graph.Builder, x node) node {
			return flat(b, x, b.Conv2D(images(b, x), weight(b, 4, 3), weight(b, 1, 3), k))
		},
		"strides": func(b *graph.Builder, x node) node {
			return flat(b, x, b.Conv1D(b.Reshape(x, x.Shape()[0], width, 1), weight(b, 3, 2), nil, graph.Window{Width: 3, Stride: 2, Padding: 2, Dilation: 2}))
		},
		"networks": func(b *graph.Builder, x node) node {
			return networks.LayerNorm(b, "layer", networks.Dense(b, "dense", networks.BatchNorm(b, "batch", x), 5))
		},
		"pooling": func(b *graph.Builder, x node) node {
			wide := b.Conv2D(images(b, x), weight(b, 4, 3), nil, k)
			pool := graph.Window{Height: 2, Width: 3, Stride: 1}
			return b.Concat(flat(b, x, b.MaxPool(wide, pool)), flat(b, x, b.MeanPool(wide, pool)))
		},
	} {
		for _, dtype := range []string{"float32", "float64"} {
			t.Run(name+" "+dtype, func(t *testing.T) {
				engine, runtime := runBoth(t, dtype, 7, make)
				tolerance := 1e-6
				if dtype == "float64" {
					tolerance = 1e-12
				}
				if len(engine) != len(runtime) {
					t.Fatalf("%d numbers, want %d", len(runtime), len(engine))
				}
				for i, want := range engine {
					if !(math.Abs(runtime[i]-want) <= tolerance*max(1, math.Abs(want))) {
						t.Errorf("number %d is %v, want %v", i, runtime[i], want)
					}
				}
			})
		}
	}
}

// ONNX Runtime makes the same draws from gamma distributions of the same noise.
func TestGammaDrawsInRuntime(t *testing.T) {
	const rows = 50
	build := func(rows int) (*graph.Builder, *graph.Node) {
		b := graph.New(graph.Float32, new(graph.Params))
		return b, b.Gamma(graph.Noise{}, b.Repeat(b.Constant(1, 2, []float64{0.7, 3}), rows, 2))
	}
	b, draws := build(rows)
	r := expect.Must(graph.NewRunner(graph.Compiled, b, draws))
	defer r.Close()
	r.SampleMasks(graph.MaskKey{Seed: 6})
	expect.NoError(t, r.Run())
	noise := graph.Inspect(b).Draws()[0].Node
	columns := noise.Shape()[1]
	numbers := ort.Tensor{Type: "float32", Dims: []int{rows, columns}}
	for _, v := range noise.Value().Data().([]float32) {
		numbers.Numbers = append(numbers.Numbers, float64(v))
	}

	f := onnx.NewFile("test")
	in := f.Input("noise", onnx.Float, "", onnx.Dim{Name: "rows"}, onnx.Dim{Size: columns})
	tr := translation(f, in, new(graph.Params))
	var twin onnx.NodePair
	for i, n := range onnx.RowCounts {
		tr.Builders[i], twin[i] = build(n)
	}
	v := expect.Must(tr.Translate(twin))
	f.Output("out", v, "", onnx.Dim{Name: "rows"}, onnx.Dim{Name: "columns"})
	file := expect.Must(f.Bytes())
	got := ort.Run(t, file, map[string]ort.Tensor{"noise": numbers})["out"].Numbers
	for i, want := range r.Output(0) {
		if !(math.Abs(got[i]-float64(want)) <= 1e-5*float64(want)) {
			t.Errorf("draw %d is %v, want %v", i, got[i], want)
		}
	}
}

// A node that depends only on parameters has the same bits as in the engine, although ONNX Runtime
// rounds a sigmoid differently.
func TestFixedNodesHaveTheEnginesBits(t *testing.T) {
	engine, runtime := runBoth(t, "float32", 3, func(b *graph.Builder, x node) node {
		rate := b.Sigmoid(b.Param("rate", 1, width, graph.Uniform(5)))
		return b.Mul(b.Shift(b.Scale(0, x), 1), b.Pow(rate, -1)) // 1·v is exact
	})
	if !slices.Equal(engine, runtime) {
		t.Errorf("got %v, want %v", runtime, engine)
	}
}

func TestRefusedOperations(t *testing.T) {
	for want, make := range map[string]func(b *graph.Builder, x node) node{
		`the operation "digamma" has no counterpart in ONNX`:                          func(b *graph.Builder, x node) node { return b.Digamma(x) },
		"is over rows: the prediction of a row would depend":                          func(b *graph.Builder, x node) node { return b.Sub(x, b.MeanRows(x)) },
		"cumulative sum over rows is over rows: the prediction of a row would depend": func(b *graph.Builder, x node) node { return b.CumulativeSumRows(x) },
		"order over rows is over rows: the prediction of a row would depend":          func(b *graph.Builder, x node) node { return b.SortRows(x) },
		"columns 6:12 is over rows: the prediction of a row would depend":             func(b *graph.Builder, x node) node { return b.SliceRows(x, 1, 2) },
		`the operation "cube" has no counterpart in ONNX`: func(b *graph.Builder, x node) node {
			return b.Elementwise("cube", x, func(x float64) float64 { return x * x * x }, func(x float64) float64 { return 3 * x * x })
		},
		`the operation "cholesky" has no counterpart in ONNX`: func(b *graph.Builder, x node) node {
			return b.Cholesky(b.MatMul(b.Transpose(x), x))
		},
		`the operation "solve lower" has no counterpart in ONNX`: func(b *graph.Builder, x node) node {
			return b.SolveLower(b.Identity(width), b.Transpose(x))
		},
		"depends on the number of rows": func(b *graph.Builder, x node) node { return b.Scale(float64(x.Shape()[0]), x) },
	} {
		f := onnx.NewFile("test")
		tr := translation(f, f.Input("x", onnx.Float, ""), new(graph.Params))
		var twin onnx.NodePair
		for i, n := range onnx.RowCounts {
			tr.Builders[i] = graph.New(graph.Float32, new(graph.Params))
			twin[i] = make(tr.Builders[i], tr.Builders[i].Input("x", n, width))
		}
		expect.Error(t, expect.ErrorOf(tr.Translate(twin)), want)
	}
}

// lessEqual returns 1 where x ≤ y, and 0 elsewhere. The builder has no method for it.
func lessEqual(b *graph.Builder, x, y *graph.Node) *graph.Node {
	n, err := gorgonia.Lte(x, y, true)
	b.Fail(err)
	return n
}
