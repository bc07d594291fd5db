package graph_test

import (
	"math"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
	"sml/internal/expect"
)

// mistake is a wrong use of the builder.
type mistake struct {
	want  string                  // part of the error
	build func(b builder, x node) // x is a matrix [6 4]
}

// mistakes returns wrong calls of all kinds.
func mistakes() []mistake {
	one := func(float64) float64 { return 1 }
	images := func(b builder, x node) node { return b.Reshape(x, 2, 3, 2, 2) }
	matrices := func(b builder, x node) node { return b.Reshape(x, 2, 3, 4) }
	param := func(b builder) node { return b.Param("p", 2, 2, graph.Uniform(1)) }
	grouped := func(b builder, group string) (p node) {
		b.Within(graph.Scope{Group: group}, func() { p = b.Sum(param(b)) })
		return p
	}
	other := func() builder { return graph.New(graph.Float64, new(graph.Params)) }
	replace := func(b builder, replacements map[node]node) {
		b.Within(graph.Scope{Replacements: replacements}, func() { param(b) })
	}
	pass := func(b builder, f func()) { graph.Inspect(b).RunPass(f) }
	drop := func(b builder, x node) node { return b.Dropout(x, graph.Drop(0), 0, 0.5) }
	moments := func(f func(b builder, x node) node) func(b builder, x node) {
		return func(b builder, x node) { b.DropoutMoments(f(b, b.Columns(b.SliceRows(x, 0, 4), 0, 4))) }
	}
	return []mistake{
		// leaves and their names
		{`there is an input "x" already`, func(b builder, x node) { b.Input("x", 6, 4) }},
		{`there is an input "x" already`, func(b builder, x node) { b.Param("x", 6, 4, graph.Uniform(1)) }},
		{`there is a parameter "p" already`, func(b builder, x node) { param(b); b.Input("p", 2, 2) }},
		{"a parameter needs a name", func(b builder, x node) { b.Param("", 2, 2, graph.Uniform(1)) }},
		{"an input needs a name", func(b builder, x node) { b.Input("", 2, 2) }},
		{`"p" is [2 2] already`, func(b builder, x node) { param(b); b.Param("p", 3, 3, graph.Uniform(1)) }},
		{`parameter "a" cannot start from Uniform(NaN)`, func(b builder, x node) { b.Param("a", 2, 2, graph.Uniform(math.NaN())) }},
		{"3 values are not [2 2]", func(b builder, x node) { b.Constant(2, 2, []float64{1, 2, 3}) }},
		{"value 1 is NaN", func(b builder, x node) { b.Constant(1, 2, []float64{1, math.NaN()}) }},
		{"Constant(): 0 values are not [0 0]", func(b builder, x node) { b.Identity(0) }},

		// shapes of elementwise operations
		{"Exp(nil)", func(b builder, x node) { b.Exp(nil) }},
		{"Add([6 4], [4 6]): want equal shapes", func(b builder, x node) { b.Add(x, b.Transpose(x)) }},
		{"Add([2 3 2 2], [6 4]): want equal shapes, a scalar, or a row [1 2] with a number for each channel; for other shapes make a matrix of it with b.Reshape",
			func(b builder, x node) { b.Add(images(b, x), x) }},
		{"[n] is neither the column [n 1] nor the row [1 n], make it one with b.Reshape",
			func(b builder, x node) { b.Sub(b.Reshape(b.SumColumns(x), 6), b.Input("y", 1, 6)) }},
		{"Div([6 1], [6])", func(b builder, x node) { b.Div(b.SumColumns(x), expect.Must(gorgonia.Sum(x, 1))) }},
		{"Where([3 3], [6 4])", func(b builder, x node) { b.Where(x, b.Identity(3), x) }},
		{"MSE([6 4], [6 1]): want equal shapes", func(b builder, x node) { b.MSE(x, b.SumColumns(x)) }},
		{"MSE([6 1], [6])", func(b builder, x node) { b.MSE(b.SumColumns(x), expect.Must(gorgonia.Sum(x, 1))) }},
		{"Clip([6 4]): the lower bound 2 is above the upper bound 1", func(b builder, x node) { b.Clip(x, 2, 1) }},
		{"the constant is not a number", func(b builder, x node) { b.ClampMax(x, math.NaN()) }},
		{"the exponent is +Inf", func(b builder, x node) { b.Pow(x, math.Inf(1)) }},
		{"is 0 in float32", func(b builder, x node) { b.Pow(x, 1e-60) }},
		{`Elementwise([6 4]): "gelu": want a function and its derivative, not nil`, func(b builder, x node) { b.Elementwise("gelu", x, one, nil) }},
		{`"gelu": want a function and its derivative`, func(b builder, x node) { b.Elementwise("gelu", x, nil, one) }},
		{`the function has no name`, func(b builder, x node) { b.Elementwise("", x, one, one) }},
		{`the second derivative of Elementwise "gelu" is not known`, func(b builder, x node) {
			slope := b.Grad(b.Sum(b.Elementwise("gelu", x, gelu, slopeOfGelu)), x)[0]
			b.Grad(b.Sum(slope), x)
		}},

		// shapes of other operations
		{"MatMul([6 4], [6 4]): want [m k] and [k n]", func(b builder, x node) { b.MatMul(x, x) }},
		{"MatMul([2 3 2 2], [6 4]): want [m k] and [k n]: make it a matrix with b.Reshape", func(b builder, x node) { b.MatMul(images(b, x), x) }},
		{"or multiply their matrices with b.BatchMatMul", func(b builder, x node) { b.MatMul(matrices(b, x), b.Reshape(x, 2, 4, 3)) }},
		{"BatchMatMul([2 3 4], [2 3 4]): want [n m k] and [n k l]", func(b builder, x node) { b.BatchMatMul(matrices(b, x), matrices(b, x)) }},
		{"BatchMatMul([2 3 4], [3 4 2]): want [n m k] and [n k l]", func(b builder, x node) { b.BatchMatMul(matrices(b, x), b.Reshape(x, 3, 4, 2)) }},
		{"Columns([6 4]): there are no columns 1 to 4", func(b builder, x node) { b.Columns(x, 1, 5) }},
		{"Split([6 4]): want a matrix whose number of columns is divisible by 3", func(b builder, x node) { b.Split(x, 3) }},
		{"Repeat([6 4]): to [7 4]: want a scalar, a row [1 4] or a column [7 1]", func(b builder, x node) { b.Repeat(x, 7, 4) }},
		{"Repeat([1 4]): to [0 4]: want a row or a column, and positive", func(b builder, x node) { b.Repeat(b.SumRows(x), 0, 4) }},
		{"Repeat([6 4 1]): to [6 4]: want a row or a column", func(b builder, x node) { b.Repeat(b.Reshape(x, 6, 4, 1), 6, 4) }},
		{"Transpose([24]): want a matrix [m n], or matrices [k m n]", func(b builder, x node) { b.Transpose(b.Reshape(x, 24)) }},
		{"Reshape([6 4]): to [4 2]: 24 numbers do not fill 8 places", func(b builder, x node) { b.Reshape(x, 4, 2) }},
		{"to []: 24 numbers do not fill 1 places", func(b builder, x node) { b.Reshape(x) }},
		{"to [-1 3]: want positive dimensions", func(b builder, x node) { b.Reshape(x, -1, 3) }},
		{"SumRows([2 3 2 2]): want a matrix [m n]: make it a matrix with b.Reshape", func(b builder, x node) { b.SumRows(images(b, x)) }},
		{"SliceRows([6 4]): there are no rows 3 to 6", func(b builder, x node) { b.SliceRows(x, 3, 7) }},
		{"ConcatRows([6 4], [4 6]): want matrices with the same number of columns", func(b builder, x node) { b.ConcatRows(x, b.Transpose(x)) }},
		{"ConcatRows(): want one node or more", func(b builder, x node) { b.ConcatRows() }},
		{"QuantileRows([6 4]): level 1.5 is not in [0, 1]", func(b builder, x node) { b.QuantileRows(x, 1.5) }},
		{"OrderRows([2 3 4]): want a matrix [m n]", func(b builder, x node) { b.SortRows(matrices(b, x)) }},
		{"OrderRows([5000 4000]): 20000000 elements are more than float32 can number", func(b builder, x node) { b.SortRows(b.Input("large", 5000, 4000)) }},
		{"CumulativeSumRows([2 3 4]): want a matrix [m n]", func(b builder, x node) { b.CumulativeSumRows(matrices(b, x)) }},
		{"Rows([3 3], [6 4]): want a table [levels width] and an index [n 1]", func(b builder, x node) { b.OneHot(x, 3) }},
		{"CrossEntropy(scalar): want a matrix [m n]", func(b builder, x node) { b.CrossEntropy(b.Sum(x), x) }},
		{"Gamma(scalar): want shapes [rows columns]", func(b builder, x node) { b.Gamma(graph.Noise{}, b.Const(1)) }},

		// linear algebra
		{"Cholesky([6 4]): want a square matrix [n n]", func(b builder, x node) { b.Cholesky(x) }},
		{"Diagonal([6 4]): want a square matrix [n n]", func(b builder, x node) { b.Diagonal(x) }},
		{"SolveLower([6 4], [6 4]): want [n n] and [n m], or [k n n] and [k n m]", func(b builder, x node) { b.SolveLower(x, x) }},
		{"SolveUpper([3 3], [6 4]): want [n n] and [n m], or [k n n] and [k n m]", func(b builder, x node) { b.SolveUpper(b.Identity(3), x) }},

		// convolutions
		{"Conv2D([2 3 2 2], [6 4]): x has 2 channels: want a kernel [8 out] for a window of 2·2",
			func(b builder, x node) { b.Conv2D(images(b, x), x, nil, graph.Window{Height: 2, Width: 2}) }},
		{"Conv2D([2 3 2 2]): a window of 6, with a dilation of 1, is larger than 3 with a padding of 0 on each side",
			func(b builder, x node) { b.Conv2D(images(b, x), x, nil, graph.Window{Height: 6, Width: 2}) }},
		{"Conv2D([6 4]): want images [rows height width channels]: make them of a matrix [rows height·width·channels] with b.Reshape",
			func(b builder, x node) { b.Conv2D(x, x, nil, graph.Window{Height: 3, Width: 2}) }},
		{"Conv1D([2 3 2 2]): want sequences [rows length channels]", func(b builder, x node) { b.Conv1D(images(b, x), x, nil, graph.Window{Width: 2}) }},
		{"Conv2D([2 3 2 2]): the window has a height of 0; want 1 or more", func(b builder, x node) { b.Conv2D(images(b, x), x, nil, graph.Window{Width: 2}) }},
		{"MaxPool([2 3 2 2]): a pooling has no padding", func(b builder, x node) { b.MaxPool(images(b, x), graph.Window{Height: 2, Width: 2, Padding: 1}) }},

		// several nodes, and iterations
		{"MeanOf(): want one node or more", func(b builder, x node) { b.MeanOf() }},
		{"MeanOf([6 4], [6 1]): want equal shapes", func(b builder, x node) { b.MeanOf(x, b.SumColumns(x)) }},
		{"LogSumExpOf([6 4], [6 1]): want equal shapes", func(b builder, x node) { b.LogSumExpOf(x, b.SumColumns(x)) }},
		{"MeanOf([6 4], nil): an operand is nil", func(b builder, x node) { b.MeanOf(x, nil) }},
		{"Iterate([6 4]): 0 steps over 1 values: want one or more of both", func(b builder, x node) {
			b.Iterate(0, nodes{x}, func(v nodes) nodes { return v })
		}},
		{"Iterate([6 4]): a step returned 0 values; want 1", func(b builder, x node) {
			b.Iterate(2, nodes{x}, func(nodes) nodes { return nil })
		}},
		{"Iterate([6 4]): value 1 of a step has the shape [6 1]; want [6 4]", func(b builder, x node) {
			b.Iterate(2, nodes{x}, func(nodes) nodes { return nodes{b.SumColumns(x)} })
		}},

		// gradients
		{"want a scalar, such as a Mean", func(b builder, x node) { b.Gradients(x) }},
		{"no parameter", func(b builder, x node) { b.Gradients(b.Mean(x)) }},
		{"no parameter receives a gradient", func(b builder, x node) { b.Gradients(b.Mean(b.Greater(param(b), b.Const(1)))) }},
		{"Grad([6 4], [6 4]): want a scalar, such as a Mean", func(b builder, x node) { b.Grad(x, x) }},
		{"want nodes to differentiate by", func(b builder, x node) { b.Grad(b.Sum(x)) }},
		{"an operand is nil", func(b builder, x node) { b.Grad(b.Sum(x), x, nil) }},
		{"an operand is nil", func(b builder, x node) { b.Grad(nil, x) }},
		{`the scalar does not depend on "y"`, func(b builder, x node) { b.Grad(b.Sum(x), b.Input("y", 2, 2)) }},
		{`the scalar does not depend on "x", or only through a StopGradient`, func(b builder, x node) { b.Grad(b.Sum(b.StopGradient(b.Square(x))), x) }},
		{`the scalar does not depend on "x", or only through a StopGradient`, func(b builder, x node) {
			b.Grad(b.Mul(b.Const(2), expect.Must(gorgonia.SizeOf(0, x))), x)
		}},
		{`"y" is a node of another graph`, func(b builder, x node) { b.Grad(b.Sum(x), other().Input("y", 2, 2)) }},
		{"is a node of another graph", func(b builder, x node) {
			another := other()
			b.Grad(another.Sum(another.Input("y", 2, 2)), x)
		}},
		{"Gorgonia's gradient of At([0 1]) is wrong or missing: multiply by a constant", func(b builder, x node) {
			b.Grad(b.Mul(b.Const(2), expect.Must(gorgonia.At(x, 0, 1))), x)
		}},

		// terms, groups, penalties and updates
		{`there is a term "a" already`, func(b builder, x node) {
			b.WeightedSum(graph.Term{Name: "a", Weight: 1, Value: b.Const(1)}, graph.Term{Name: "a", Weight: 1, Value: b.Const(2)})
		}},
		{"weight 0", func(b builder, x node) { b.WeightedSum(graph.Term{Name: "a", Value: b.Const(1)}) }},
		{`a group cannot be named "main"`, func(b builder, x node) { grouped(b, "main") }},
		{`a group cannot be named "a:b"`, func(b builder, x node) { grouped(b, "a:b") }},
		{`parameter "p" is in the group "a" already, and is asked for in "b"`, func(b builder, x node) { grouped(b, "a"); grouped(b, "b") }},
		{`a term moves the group "b", and no parameter is in it; the parameters are in a`, func(b builder, x node) {
			p := grouped(b, "a")
			b.Gradients(b.WeightedSum(graph.Term{Name: "x", Weight: 1, Value: p}, graph.Term{Name: "y", Weight: 1, Value: p, Group: "b"}))
		}},
		{`every term of the group "a" has weight 0`, func(b builder, x node) {
			p := grouped(b, "a")
			b.WeightedSum(graph.Term{Name: "x", Weight: 1, Value: p}, graph.Term{Name: "y", Value: p, Group: "a"})
		}},
		{`"kl" is not a scalar`, func(b builder, x node) { b.Penalty("kl", x) }},
		{`"p" is a parameter`, func(b builder, x node) {
			graph.Inspect(b).Training = true
			b.Update("p", param(b))
		}},
		{`there is no buffer "q"`, func(b builder, x node) {
			graph.Inspect(b).Training = true
			b.Update("q", x)
		}},
		{`buffer "q" is [1 1]`, func(b builder, x node) {
			graph.Inspect(b).Training = true
			b.Buffer("q", 1, 1, graph.Fill(1))
			b.Update("q", x)
		}},

		// scopes and layers
		{"no learning rate of -1 times", func(b builder, x node) { b.Within(graph.Scope{Rate: -1}, func() {}) }},
		{"0.5 times the training's learning rate already", func(b builder, x node) {
			for _, rate := range []float64{0.5, 2} {
				b.Within(graph.Scope{Rate: rate}, func() { param(b) })
			}
		}},
		{`there is no parameter "p" to take the values of`, func(b builder, x node) {
			b.Within(graph.Scope{From: new(graph.Params)}, func() { param(b) })
		}},
		{`parameter "p" is [2 2], and its replacement [6 4]`, func(b builder, x node) { replace(b, map[node]node{param(b): x}) }},
		{`Replacements replaces "x", which is no parameter`, func(b builder, x node) { replace(b, map[node]node{x: param(b)}) }},
		{"a node of Replacements is nil", func(b builder, x node) { replace(b, map[node]node{param(b): nil}) }},
		{"needs a name", func(b builder, x node) { pass(b, func() { b.Layer("", x) }) }},
		{"already", func(b builder, x node) { pass(b, func() { b.Layer("a", x); b.Layer("a", x) }) }},
		{"[rows units]", func(b builder, x node) { pass(b, func() { b.Layer("a", b.Mean(x)) }) }},
		{"forward pass", func(b builder, x node) { b.Layer("a", x) }},

		// random numbers
		{"rate 1 is not in [0, 1)", func(b builder, x node) { b.Dropout(x, graph.Drop(0), 0, 1) }},
		{"stream 0 of this pass is [2 3] normal noise already", func(b builder, x node) { b.Normal(graph.Noise{}, 2, 3); b.Uniform(graph.Noise{}, 2, 3) }},
		{"want a stream from 0 to 255, not 256", func(b builder, x node) { b.Normal(graph.Noise{Stream: 256}, 2, 3) }},
		{"cannot be [0 3]", func(b builder, x node) { b.Uniform(graph.Noise{}, 0, 3) }},
		{"it depends on normal noise", moments(func(b builder, x node) node {
			return b.Mul(drop(b, x), b.Normal(graph.Noise{Pass: graph.Drop(0)}, 4, 4))
		})},
		{"the operation ×[4 4]", moments(func(b builder, x node) node { return b.Mul(drop(b, x), b.MatMul(drop(b, x), x)) })},
		{"the operation A × B[4 4]", moments(func(b builder, x node) node { return b.MatMul(drop(b, x), drop(b, x)) })},
		{"the operation maximum over columns[4 1]", moments(func(b builder, x node) node { return b.MaxColumns(drop(b, x)) })},
		{"layer 0 multiplies two values", moments(func(b builder, x node) node { return b.Add(drop(b, x), drop(b, b.Square(x))) })},
		{"layer 0 is no factor of a product with units", moments(func(b builder, x node) node {
			drop(b, x)
			return b.Add(x, graph.Inspect(b).Draws()[0].Node)
		})},
		{"acts on [4 4], whose rows are not those of the output", moments(func(b builder, x node) node {
			return b.Transpose(b.ReLU(b.Transpose(drop(b, x))))
		})},
		{"want a matrix", moments(func(b builder, x node) node { return b.Sum(drop(b, x)) })},
	}
}

// A mistake is an error with its line. Later calls do not replace it, and no engine runs the graph.
func TestMistakes(t *testing.T) {
	all := mistakes()
	// A column and a row would make a matrix of all pairs.
	for name, f := range map[string]func(b builder, x, y node) node{
		"Add": builder.Add, "Sub": builder.Sub, "Mul": builder.Mul, "Div": builder.Div,
		"Min": builder.Min, "Greater": builder.Greater, "Equal": builder.Equal,
	} {
		all = append(all, mistake{name + "([6 1], [1 4]): a column meets a row, and both would be repeated to [6 4]", func(b builder, x node) { f(b, b.SumColumns(x), b.SumRows(x)) }})
	}
	for name, f := range map[string]func(b builder, x node) node{
		"SumRows": builder.SumRows, "SumColumns": builder.SumColumns, "MeanRows": builder.MeanRows, "MeanColumns": builder.MeanColumns,
		"VarianceRows": builder.VarianceRows, "VarianceColumns": builder.VarianceColumns, "MaxRows": builder.MaxRows, "MaxColumns": builder.MaxColumns,
		"LogSumExp": builder.LogSumExp, "Softmax": builder.Softmax, "LogSoftmax": builder.LogSoftmax,
	} {
		all = append(all,
			mistake{name + "([24]): want a matrix [m n]", func(b builder, x node) { f(b, b.Reshape(x, 24)) }},
			mistake{name + "(nil)", func(b builder, x node) { f(b, nil) }})
	}
	for _, m := range all {
		b := graph.New(graph.Float32, new(graph.Params))
		x := b.Input("x", 6, 4)
		m.build(b, x)
		first := b.Err()
		expect.Error(t, first, m.want, "(at mistakes_test.go:")
		b.Mean(b.Exp(x))
		if _, err := graph.NewRunner(graph.Tape, b, x); b.Err() != first || err != first {
			t.Errorf("%s: the error becomes %v, and NewRunner's is %v", m.want, b.Err(), err)
		}
	}
}

// Gorgonia takes [6 1] and [6] for equal shapes, and its own functions pair
// them: no engine runs such a graph.
func TestShapesThatGorgoniaTakesForEqual(t *testing.T) {
	for _, dtype := range []tensor.Dtype{graph.Float32, graph.Float64} {
		for name, op := range map[string]func(x, y *graph.Node) (*graph.Node, error){
			"+": gorgonia.Add, "-": gorgonia.Sub, "⊙": gorgonia.HadamardProd, "÷": gorgonia.HadamardDiv,
		} {
			for _, swapped := range []bool{false, true} {
				b := graph.New(dtype, new(graph.Params))
				p := b.Param("p", 6, 2, graph.Uniform(1))
				x, y := b.Input("x", 6, 1), expect.Must(gorgonia.Sum(p, 1))
				want := "[6 1] and [6]"
				if swapped {
					x, y, want = y, x, "[6] and [6 1]"
				}
				node, err := op(x, y)
				if err != nil {
					continue // Gorgonia tells them apart itself
				}
				loss := b.Sum(b.Square(node))
				outputs := append(graph.Nodes{loss}, b.Gradients(loss)...)
				for _, engine := range graph.Engines() {
					_, err := graph.NewRunner(engine, b, outputs...)
					expect.Error(t, err, want, "b.Reshape", name)
				}
			}
		}
	}
}

// A run fails if an input was never requested: its values would be zeros.
func TestUnfilledInputs(t *testing.T) {
	for _, engine := range graph.Engines() {
		b := graph.New(graph.Float32, new(graph.Params))
		r := newRunner(t, engine, b, b.Mean(b.Add(b.Input("x", 2, 2), b.Input("noise", 2, 2))))
		r.Input("x")[0] = 1
		expect.Error(t, r.Run(), `nothing fills the input "noise"`)
		r.Input("noise")[0] = 1
		if err := r.Run(); err != nil || r.Output(0)[0] != 0.5 {
			t.Errorf("%s: %v, %v", engine, r.Output(0), err)
		}
	}
	b := graph.New(graph.Float32, new(graph.Params))
	inspection := graph.Inspect(b)
	inspection.Filler = "a training"
	inspection.FillerInputs = []string{"x", "y"}
	b.Input("x", 1, 1)
	b.Input("noise", 1, 1)
	expect.Error(t, b.Err(), `a training fills x and y, and nothing fills "noise"`, "(at mistakes_test.go:")
}

// A constant that float32 rounds to 0 or infinity, or that is NaN, is an error with the line of the
// constant. Infinite constants are accepted, and small and large ones in float64.
func TestConstantsThatFloat32CannotHold(t *testing.T) {
	for name, op := range map[string]func(b *graph.Builder, v float64) *graph.Node{
		"Const":    (*graph.Builder).Const,
		"Scale":    func(b *graph.Builder, v float64) *graph.Node { return b.Scale(v, b.Input("x", 1, 1)) },
		"Shift":    func(b *graph.Builder, v float64) *graph.Node { return b.Shift(b.Input("x", 1, 1), v) },
		"ClampMin": func(b *graph.Builder, v float64) *graph.Node { return b.ClampMin(b.Input("x", 1, 1), v) },
		"WeightedSum": func(b *graph.Builder, v float64) *graph.Node {
			return b.WeightedSum(graph.Term{Name: "a", Weight: v, Value: b.Sum(b.Input("x", 1, 1))})
		},
	} {
		for v, word := range map[float64]string{1e-46: "is 0 in float32", -1e39: "is -Inf in float32", math.NaN(): "not a number"} {
			b := graph.New(graph.Float32, new(graph.Params))
			op(b, v)
			expect.Error(t, b.Err(), word, "(at mistakes_test.go:")
			b = graph.New(graph.Float64, new(graph.Params))
			if op(b, v); b.Err() != nil && !math.IsNaN(v) {
				t.Errorf("%s in float64: %v", name, b.Err())
			}
		}
		b := graph.New(graph.Float32, new(graph.Params))
		if op(b, math.Inf(-1)); b.Err() != nil {
			t.Errorf("%s: %v", name, b.Err())
		}
	}
}

// A stream has 24 bits for the pass. A larger number would denote the full network, or share the masks
// of another sub-network.
func TestSubNetworksHaveNumbers(t *testing.T) {
	graph.Drop(1<<24 - 2)
	for _, i := range []int{-1, -2, 1<<24 - 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Drop(%d) is a pass", i)
				}
			}()
			graph.Drop(i)
		}()
	}
}

// A training is repeated by its seed, and saved by its parameters.
func TestTrainable(t *testing.T) {
	for words, build := range map[string]func(b *graph.Builder, p *graph.Node) *graph.Node{
		"draws numbers that do not follow from a seed": func(b *graph.Builder, p *graph.Node) *graph.Node {
			return b.Mul(p, gorgonia.GaussianRandomNode(b.Graph(), b.Dtype(), 0, 1, 2, 2))
		},
		`nothing fills or trains the node "w"`: func(b *graph.Builder, p *graph.Node) *graph.Node {
			return b.Mul(p, gorgonia.NewMatrix(b.Graph(), b.Dtype(), gorgonia.WithShape(2, 2), gorgonia.WithName("w"), gorgonia.WithInit(gorgonia.GlorotU(1))))
		},
		"another graph": func(b *graph.Builder, _ *graph.Node) *graph.Node {
			return graph.New(b.Dtype(), new(graph.Params)).Input("x", 2, 2)
		},
		"gorgonia.Grad has differentiated": func(b *graph.Builder, p *graph.Node) *graph.Node {
			grads := expect.Must(gorgonia.Grad(b.Sum(b.Square(p)), p))
			return b.Sum(b.Mul(grads[0], p))
		},
		"": func(b *graph.Builder, p *graph.Node) *graph.Node {
			four := gorgonia.NewConstant(tensor.New(tensor.WithShape(2, 2), tensor.WithBacking([]float64{1, 2, 3, 4})))
			return b.Mul(b.Input("x", 2, 2), b.Dropout(expect.Must(gorgonia.HadamardProd(p, four)), graph.Drop(0), 0, 0.5))
		},
	} {
		b := graph.New(graph.Float64, new(graph.Params))
		n := build(b, b.Param("p", 2, 2, graph.Uniform(1)))
		if b.Err() != nil {
			t.Fatal(b.Err())
		}
		if err := graph.Inspect(b).CheckTrainable(n); words == "" && err != nil {
			t.Error(err)
		} else if words != "" {
			expect.Error(t, err, words)
		}
	}
}
