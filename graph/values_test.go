package graph_test

import (
	"math"
	"testing"

	"sml/graph"
	"sml/internal/expect"
)

// valueCase is an operation on operands with its expected value.
type valueCase struct {
	name string
	f    func(b builder, x nodes) node
	x    []matrix
	back matrix      // gradient with respect to the value; nil if no gradients are compared
	want [][]float64 // the value and its gradients, row by row; nil for a gradient that is not compared
}

// ofOne is f of one operand.
func ofOne(f operator) func(b builder, x nodes) node {
	return func(b builder, x nodes) node { return f(b, x[0]) }
}

// Methods that are made of other operations: values and gradients on both engines, in both number types. TestOperations
// has the other methods, and all gradients.
func TestValues(t *testing.T) {
	for _, c := range append(valuesOverAxes(), valuesOfRows()...) {
		forEachPlace(t, func(t *testing.T, in place) {
			for i, got := range in.evaluate(t, c.f, c.back, c.x...) {
				if i < len(c.want) && c.want[i] != nil {
					in.checkNear(t, c.name, got, c.want[i])
				}
			}
		})
	}
}

// valuesOverAxes returns reductions, softmax, and reductions over nodes. Source: PyTorch 1.13 in float64: sum, mean, amax,
// logsumexp (keepdim), softmax, log_softmax and F.cross_entropy (reduction="none"), and their gradients by autograd; of
// sums, means and variances by hand.
//
// Infinities and NaN are as PyTorch has them, but for Softmax of a row with +∞, whose other elements are NaN there and 0 or
// NaN here.
func valuesOverAxes() []valueCase {
	inf, nan := math.Inf(1), math.NaN()
	x := []matrix{{{1, -2, 0.5}, {1000, 1000, 999}, {-1e30, 0, 3}}}
	row, column := matrix{{0.3, -1, 2}}, matrix{{0.3}, {1}, {1}}
	full := matrix{{0.3, -1, 2}, {1, 0.5, -0.25}, {1, 1, 2}}
	third := 1.0 / 3
	columns := []matrix{{{1}, {1000}, {-1e30}}, {{-2}, {1000}, {0}}, {{0.5}, {999}, {3}}}
	logSumExp := []float64{1.5045969023422834, 1000.8619948040582, 3.048587351573742}
	softmax := [][]float64{
		{0.6037488961486258, 0.030058887569574023, 0.3661922162818002, 0.4223187982515182, 0.4223187982515182, 0.15536240349696362, 0, 0.04742587317756679, 0.9525741268224334},
		{-0.352257422562743, -0.056614418220665055, 0.40887184078340794, 0.17119216310118468, -0.0399672360245744, -0.1312249270766103, 0, -0.04517665973091215, 0.045176659730911894},
	}
	infinite := []matrix{{{inf, 0}, {-inf, 0}, {-inf, -inf}, {nan, 0}, {0, nan}, {inf, inf}, {inf, -inf}}}
	lessInfinite := []matrix{infinite[0][1:5]}
	ones := matrix{{1}, {1}, {1}, {1}, {1}, {1}, {1}}
	of := func(f func(b builder, x ...node) node) func(b builder, x nodes) node {
		return func(b builder, x nodes) node { return f(b, x...) }
	}
	three, backOfThree := []matrix{{{1, 2}}, {{4, -1}}, {{7, 2}}}, matrix{{0.5, -2}}
	sixth := []float64{third / 2, -2 * third}
	return []valueCase{
		{"SumRows", ofOne(builder.SumRows), x, row, [][]float64{{-1e30, 998, 1002.5}, {0.3, -1, 2, 0.3, -1, 2, 0.3, -1, 2}}},
		{"SumColumns", ofOne(builder.SumColumns), x, column, [][]float64{{-0.5, 2999, -1e30}, {0.3, 0.3, 0.3, 1, 1, 1, 1, 1, 1}}},
		{"MeanRows", ofOne(builder.MeanRows), x, row, [][]float64{{-1e30 / 3, 998.0 / 3, 1002.5 / 3}, {0.1, -third, 2 * third, 0.1, -third, 2 * third, 0.1, -third, 2 * third}}},
		{"MeanColumns", ofOne(builder.MeanColumns), x, column, [][]float64{{-0.5 / 3, 2999.0 / 3, -1e30 / 3}, {0.1, 0.1, 0.1, third, third, third, third, third, third}}},
		{"MaxRows", ofOne(builder.MaxRows), x, row, [][]float64{{1000, 1000, 999}, {0, 0, 0, 0.3, -1, 2, 0, 0, 0}}},
		{"MaxColumns", ofOne(builder.MaxColumns), x, column, [][]float64{{1, 1000, 3}, {0.3, 0, 0, 0.5, 0.5, 0, 0, 0, 1}}},
		{"VarianceRows", ofOne(builder.VarianceRows), []matrix{{{1, 2, 6}, {0, 2, 4}}}, nil, [][]float64{{0.25, 0, 1}}},
		{"VarianceColumns", ofOne(builder.VarianceColumns), []matrix{{{1, 2, 6}, {0, 2, 4}}}, nil, [][]float64{{14.0 / 3, 8.0 / 3}}},
		{"LogSumExp", ofOne(builder.LogSumExp), x, column,
			[][]float64{logSumExp, {0.18112466884458775, 0.009017666270872207, 0.10985766488454006, 0.4223187982515182, 0.4223187982515182, 0.15536240349696362, 0, 0.04742587317756679, 0.9525741268224334}}},
		{"Softmax", ofOne(builder.Softmax), x, full, softmax},
		{"Softmax of matrices", ofOne(func(b builder, x node) node { return b.Reshape(b.Softmax(b.Reshape(x, 3, 1, 3)), 3, 3) }), x, full, softmax},
		{"LogSoftmax", ofOne(builder.LogSoftmax), x, full, [][]float64{
			{-0.5045969023422835, -3.5045969023422834, -1.0045969023422834, -0.8619948040582511, -0.8619948040582511, -1.8619948040582512, -1e30, -3.048587351573742, -0.048587351573741965},
			{-0.4848735649932136, -1.0390765538404463, 1.5239501188336597, 0.47210150218560226, -0.027898497814397738, -0.44420300437120447, 1, 0.8102965072897329, -1.810296507289733}}},
		{"CrossEntropy", ofOne(func(b builder, x node) node { return b.CrossEntropy(x, b.Constant(4, 1, []float64{1, 0, 2, 0})) }),
			[]matrix{append(x[0][:3:3], []float64{0, 200, 0})}, matrix{{0.3}, {1}, {1}, {2}}, [][]float64{
				{3.5045969023422834, 0.8619948040582511, 0.048587351573741965, 200.0},
				{0.18112466884458775, -0.2909823337291278, 0.10985766488454006, -0.5776812017484818, 0.4223187982515182, 0.1553624034969636, 0.0, 0.04742587317756678, -0.047425873177566746, -2.0, 2.0, 2.767793053473475e-87}}},

		{"SumColumns", ofOne(builder.SumColumns), infinite, nil, [][]float64{{inf, -inf, -inf, nan, nan, inf, nan}}},
		{"MaxColumns", ofOne(builder.MaxColumns), infinite, ones, [][]float64{{inf, 0, -inf, nan, nan, inf, inf}, {1, 0, 0, 1, 0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5, 1, 0}}},
		{"MaxRows", ofOne(builder.MaxRows), infinite, nil, [][]float64{{nan, nan}}},
		{"LogSumExp", ofOne(builder.LogSumExp), infinite, nil, [][]float64{{inf, 0, -inf, nan, nan, inf, inf}}},
		{"Softmax", ofOne(builder.Softmax), lessInfinite, nil, [][]float64{{0, 1, nan, nan, nan, nan, nan, nan}}},
		{"LogSoftmax", ofOne(builder.LogSoftmax), lessInfinite, nil, [][]float64{{-inf, 0, nan, nan, nan, nan, nan, nan}}},
		// An infinite gradient of the maximum does not reach the other elements.
		{"MaxColumns", ofOne(builder.MaxColumns), []matrix{{{1, 2}, {4, 3}}}, matrix{{inf}, {nan}}, [][]float64{nil, {0, inf, nan, 0}}},

		// Of 1, 4 and 7 the mean is 4 and the variance (9 + 0 + 9)/3 = 6, whose derivatives are 2(x − 4)/3; of 2, −1 and 2 they
		// are 1, (1 + 4 + 1)/3 = 2 and 2(x − 1)/3. What comes back is 0.5 and −2.
		{"MeanOf", of(builder.MeanOf), three, backOfThree, [][]float64{{4, 1}, sixth, sixth, sixth}},
		{"VarianceOf", of(builder.VarianceOf), three, backOfThree, [][]float64{{6, 2}, {-1, -4 * third}, {0, 8 * third}, {1, -4 * third}}},
		{"LogSumExpOf", of(builder.LogSumExpOf), columns, column, [][]float64{logSumExp, nil, {0.009017666270872207, 0.4223187982515182, 0.04742587317756679}}},
		{"LogSumExpOf", of(builder.LogSumExpOf), []matrix{{{inf, -inf, -inf, nan, 0, inf, inf}}, {{0, 0, -inf, 0, nan, inf, -inf}}}, nil, [][]float64{{inf, 0, -inf, nan, nan, inf, inf}}},
	}
}

// valuesOfRows returns operations that move, order and choose numbers, and of linear algebra. Source: PyTorch 1.13 in float64:
// sort(stable=True), quantile and one_hot, and their gradients by autograd; NumPy's x[from:to] and concatenate; of linear
// algebra and Where by hand.
func valuesOfRows() []valueCase {
	inf, nan := math.Inf(1), math.NaN()
	x := []matrix{{{3, -1, 2}, {1, 5, 2}, {2, 0, -4}, {7, 5, 0.5}}}
	back := matrix{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}}
	quantile := func(level float64) func(b builder, x nodes) node {
		return func(b builder, x nodes) node { return b.QuantileRows(x[0], level) }
	}
	// NaN comes last, infinities come at the ends, and 0 and −0 stay in the order of their rows.
	special := []matrix{{{nan}, {0}, {inf}, {math.Copysign(0, -1)}, {nan}, {-inf}, {3}}}
	three := []matrix{{{1, 2}, {3, 4}, {5, 6}}}
	// The symmetric Pascal matrix of order 4 has the determinant 1 and an inverse of integers.
	pascal := []matrix{{{1, 1, 1, 1}, {1, 2, 3, 4}, {1, 3, 6, 10}, {1, 4, 10, 20}}}
	inverse := []float64{4, -6, 4, -1, -6, 14, -11, 3, 4, -11, 10, -3, -1, 3, -3, 1}
	return []valueCase{
		{"SortRows", ofOne(builder.SortRows), x, back,
			[][]float64{{1, -1, -4, 2, 0, 0.5, 3, 5, 2, 7, 5, 2}, {7, 2, 9, 1, 8, 12, 4, 5, 3, 10, 11, 6}}},
		{"the minimum", quantile(0), x, back[:1], [][]float64{{1, -1, -4}, {0, 2, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0}}},
		{"the first quartile", quantile(0.25), x, back[:1],
			[][]float64{{1.75, -0.25, -0.625}, {0, 0.5, 0, 0.25, 0, 0, 0.75, 1.5, 0.75, 0, 0, 2.25}}},
		{"the maximum", quantile(1), x, matrix{{1, 0, 0}}, [][]float64{{7, 5, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}}},
		{"OneHot", ofOne(func(b builder, x node) node { return b.OneHot(x, 4) }), []matrix{{{2}, {0}, {1}}}, nil, [][]float64{{0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0}}},
		{"OrderRows", ofOne(builder.OrderRows), special, nil, [][]float64{{5, 1, 3, 6, 2, 0, 4}}},
		{"SortRows", ofOne(builder.SortRows), special, nil, [][]float64{{-inf, 0, 0, 3, inf, nan, nan}}},
		{"SliceRows", ofOne(func(b builder, x node) node { return b.SliceRows(x, 1, 3) }), three, matrix{{10, 20}, {30, 40}}, [][]float64{{3, 4, 5, 6}, {0, 0, 10, 20, 30, 40}}},
		{"ConcatRows", func(b builder, x nodes) node { return b.ConcatRows(x[1], x[0], x[1]) }, []matrix{three[0], {{7, 8}}}, matrix{{1, 2}, {10, 20}, {30, 40}, {50, 60}, {3, 4}},
			[][]float64{{7, 8, 1, 2, 3, 4, 5, 6, 7, 8}, {10, 20, 30, 40, 50, 60}, {4, 6}}},
		{"rows of sequences", ofOne(func(b builder, x node) node {
			sequences := b.Reshape(x, 3, 2, 1)
			return b.Reshape(b.ConcatRows(b.SliceRows(sequences, 2, 3), sequences), 4, 2)
		}), three, nil, [][]float64{{5, 6, 1, 2, 3, 4, 5, 6}}},

		{"Cholesky of an indefinite matrix", ofOne(builder.Cholesky), []matrix{{{1, 2}, {2, 1}}}, nil, [][]float64{{nan, nan, nan, nan}}},
		{"LogDet", ofOne(func(b builder, x node) node { return b.Reshape(b.LogDet(x), 1, 1) }), pascal, matrix{{1}}, [][]float64{{0}, inverse}},
		{"Diagonal", ofOne(builder.Diagonal), pascal, matrix{{1}, {2}, {3}, {4}}, [][]float64{{1, 2, 6, 20}, {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4}}},

		// The operand that Where does not select has no influence on the value or on the gradient.
		{"Where", func(b builder, x nodes) node { return b.Where(x[0], x[1], x[2]) },
			[]matrix{{{1, 0, 1, 0, nan, -1, 1e-30}}, {{1, inf, -inf, nan, nan, nan, 3}}, {{nan, 2, nan, -inf, 5, 6, inf}}}, matrix{{2, 3, inf, 4, 5, nan, 7}},
			[][]float64{{1, 2, -inf, -inf, 5, 6, 3}, make([]float64, 7), {2, 0, inf, 0, 0, 0, 7}, {0, 3, 0, 4, 5, nan, 0}}},
		{"Where of a column, a row and a scalar", func(b builder, x nodes) node { return b.Where(x[0], b.Mul(x[1], x[2]), b.Const(-4)) },
			[]matrix{{{1}, {0}}, {{5, 6}}, {{1, 1}, {nan, inf}}}, nil, [][]float64{{5, 6, -4, -4}}},
		{"three functions of one name", ofOne(func(b builder, x node) node {
			sum := b.Const(0)
			for _, power := range []float64{1, 10, 100} {
				sum = b.Add(sum, b.Elementwise("times", x, func(x float64) float64 { return power * x }, func(float64) float64 { return power }))
			}
			return sum
		}), []matrix{{{1, 2}}}, matrix{{1, 2}}, [][]float64{{111, 222}, {111, 222}}},
	}
}

// Split returns equal parts, and Iterate the values after all steps, which the inspection counts.
func TestSplitAndIterate(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	x := b.Constant(2, 6, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
	for i, part := range b.Split(x, 3) {
		if !graph.SameComputation(part, b.Columns(x, 2*i, 2*i+2)) {
			t.Errorf("part %d is %v", i, part)
		}
	}
	squares := b.Constant(1, 2, []float64{2, 9})
	roots := b.Iterate(6, graph.Nodes{squares}, func(v graph.Nodes) graph.Nodes { // Heron's square root
		return graph.Nodes{b.Scale(0.5, b.Add(v[0], b.Div(squares, v[0])))}
	})
	expect.NoError(t, b.Err())
	r := newRunner(t, graph.Compiled, b, roots...)
	run(t, r)
	checkNear(t, "roots", r.Output64(0), []float64{math.Sqrt2, 3}, 1e-12)
	if n := graph.Inspect(b).Iterations; len(n) != 1 || n[0].Times != 6 {
		t.Errorf("the inspection has %v", n)
	}
}
