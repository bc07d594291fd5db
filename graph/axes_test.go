package graph_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sml/graph"
)

// matrix is a matrix, row by row.
type matrix [][]float64

// forEachPlace calls f for both engines and both number types.
func forEachPlace(t *testing.T, f func(t *testing.T, in place)) {
	for _, engine := range graph.Engines() {
		for _, double := range []bool{false, true} {
			f(t, place{engine, double})
		}
	}
}

// place is the engine and the number type in which a graph is computed.
type place struct {
	engine graph.Engine
	double bool
}

func (p place) String() string { return fmt.Sprintf("%s, double %v", p.engine, p.double) }

// newBuilder returns the builder of a graph of the number type.
func (p place) newBuilder(params *graph.Params) builder {
	if p.double {
		return graph.New(graph.Float64, params)
	}
	return graph.New(graph.Float32, params)
}

// evaluate returns the value of an operation on parameters and the gradient with respect to each of
// them, given the gradient back with respect to the value, all row by row.
func (p place) evaluate(t *testing.T, f func(b builder, x nodes) node, back matrix, xs ...matrix) [][]float64 {
	t.Helper()
	params := new(graph.Params)
	b := p.newBuilder(params)
	var x nodes
	var all []float64
	for i, m := range xs {
		x = append(x, b.Param(fmt.Sprint("x", i), len(m), len(m[0]), graph.Uniform(1)))
		all = append(all, slices.Concat(m...)...)
	}
	y := f(b, x)
	outputs := nodes{y}
	if back != nil {
		outputs = append(outputs, b.Gradients(b.Sum(b.Mul(y, b.Input("back", len(back), len(back[0])))))...)
	}
	r := newRunner(t, p.engine, b, outputs...)
	if back != nil {
		set(r.Input("back"), r.Input64("back"), slices.Concat(back...))
	}
	set(params.Float32s(), params.Float64s(), all)
	run(t, r)
	return allOutputs(r, len(outputs))
}

// checkNear compares numbers, to the precision of the number type.
func (p place) checkNear(t *testing.T, what string, got, want []float64) {
	t.Helper()
	tolerance := 2e-6
	if p.double {
		tolerance = 1e-14
	}
	p.check(t, what, got, want, tolerance)
}

// check compares numbers, to a tolerance relative to the expected numbers. With a tolerance of 0 they are
// equal, or both NaN.
func (p place) check(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s, %v: %v, want %v", what, p, got, want)
		return
	}
	for i, w := range want {
		if !p.double {
			w = float64(float32(w))
		}
		if got[i] != w && !(math.Abs(got[i]-w) <= tolerance*max(math.Abs(w), 0.01)) && !(math.IsNaN(got[i]) && math.IsNaN(w)) {
			t.Errorf("%s, %v: number %d is %v, want %v\n%v", what, p, i, got[i], w, got)
		}
	}
}

type operator = func(b *graph.Builder, x *graph.Node) *graph.Node

func unary(f operator) func(b *graph.Builder, x graph.Nodes) *graph.Node {
	return func(b *graph.Builder, x graph.Nodes) *graph.Node { return f(b, x[0]) }
}

// PyTorch 1.13 in float64: sum, mean, amax, logsumexp (keepdim), softmax and
// log_softmax, and their gradients by autograd; of sums and means by hand.
func TestOverAxes(t *testing.T) {
	x := matrix{{1, -2, 0.5}, {1000, 1000, 999}, {-1e30, 0, 3}}
	row, column := matrix{{0.3, -1, 2}}, matrix{{0.3}, {1}, {1}}
	full := matrix{{0.3, -1, 2}, {1, 0.5, -0.25}, {1, 1, 2}}
	third := 1.0 / 3
	for _, c := range []struct {
		name        string
		f           operator
		back        matrix
		value, grad []float64
	}{
		{"SumRows", (*graph.Builder).SumRows, row, []float64{-1e30, 998, 1002.5}, []float64{0.3, -1, 2, 0.3, -1, 2, 0.3, -1, 2}},
		{"SumColumns", (*graph.Builder).SumColumns, column, []float64{-0.5, 2999, -1e30}, []float64{0.3, 0.3, 0.3, 1, 1, 1, 1, 1, 1}},
		{"MeanRows", (*graph.Builder).MeanRows, row, []float64{-1e30 / 3, 998.0 / 3, 1002.5 / 3}, []float64{0.1, -third, 2 * third, 0.1, -third, 2 * third, 0.1, -third, 2 * third}},
		{"MeanColumns", (*graph.Builder).MeanColumns, column, []float64{-0.5 / 3, 2999.0 / 3, -1e30 / 3}, []float64{0.1, 0.1, 0.1, third, third, third, third, third, third}},
		{"MaxRows", (*graph.Builder).MaxRows, row, []float64{1000, 1000, 999}, []float64{0, 0, 0, 0.3, -1, 2, 0, 0, 0}},
		{"MaxColumns", (*graph.Builder).MaxColumns, column, []float64{1, 1000, 3}, []float64{0.3, 0, 0, 0.5, 0.5, 0, 0, 0, 1}},
		{"LogSumExp", (*graph.Builder).LogSumExp, column, []float64{1.5045969023422834, 1000.8619948040582, 3.048587351573742},
			[]float64{0.18112466884458775, 0.009017666270872207, 0.10985766488454006, 0.4223187982515182, 0.4223187982515182, 0.15536240349696362, 0, 0.04742587317756679, 0.9525741268224334}},
		{"Softmax", (*graph.Builder).Softmax, full, []float64{0.6037488961486258, 0.030058887569574023, 0.3661922162818002, 0.4223187982515182, 0.4223187982515182, 0.15536240349696362, 0, 0.04742587317756679, 0.9525741268224334},
			[]float64{-0.352257422562743, -0.056614418220665055, 0.40887184078340794, 0.17119216310118468, -0.0399672360245744, -0.1312249270766103, 0, -0.04517665973091215, 0.045176659730911894}},
		{"LogSoftmax", (*graph.Builder).LogSoftmax, full, []float64{-0.5045969023422835, -3.5045969023422834, -1.0045969023422834, -0.8619948040582511, -0.8619948040582511, -1.8619948040582512, -1e30, -3.048587351573742, -0.048587351573741965},
			[]float64{-0.4848735649932136, -1.0390765538404463, 1.5239501188336597, 0.47210150218560226, -0.027898497814397738, -0.44420300437120447, 1, 0.8102965072897329, -1.810296507289733}},
	} {
		forEachPlace(t, func(t *testing.T, in place) {
			got := in.evaluate(t, unary(c.f), c.back, x)
			in.checkNear(t, c.name, got[0], c.value)
			in.checkNear(t, "gradient of "+c.name, got[1], c.grad)
		})
	}
}

// Infinities and NaN, as PyTorch 1.13 has them, but for Softmax of a row with +∞,
// whose other elements are NaN there and 0 or NaN here.
func TestOverAxesOfWhatIsNotFinite(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	x := matrix{{inf, 0}, {-inf, 0}, {-inf, -inf}, {nan, 0}, {0, nan}, {inf, inf}, {inf, -inf}}
	ones := matrix{{1}, {1}, {1}, {1}, {1}, {1}, {1}}
	forEachPlace(t, func(t *testing.T, in place) {
		for name, c := range map[string]struct {
			f    operator
			want []float64
		}{
			"SumColumns": {(*graph.Builder).SumColumns, []float64{inf, -inf, -inf, nan, nan, inf, nan}},
			"MaxColumns": {(*graph.Builder).MaxColumns, []float64{inf, 0, -inf, nan, nan, inf, inf}},
			"MaxRows":    {(*graph.Builder).MaxRows, []float64{nan, nan}},
			"LogSumExp":  {(*graph.Builder).LogSumExp, []float64{inf, 0, -inf, nan, nan, inf, inf}},
		} {
			in.checkNear(t, name, in.evaluate(t, unary(c.f), nil, x)[0], c.want)
		}
		in.checkNear(t, "Softmax", in.evaluate(t, unary((*graph.Builder).Softmax), nil, x[1:5])[0], []float64{0, 1, nan, nan, nan, nan, nan, nan})
		in.checkNear(t, "LogSoftmax", in.evaluate(t, unary((*graph.Builder).LogSoftmax), nil, x[1:5])[0], []float64{-inf, 0, nan, nan, nan, nan, nan, nan})
		in.checkNear(t, "gradient of MaxColumns", in.evaluate(t, unary((*graph.Builder).MaxColumns), ones, x)[1],
			[]float64{1, 0, 0, 1, 0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5, 1, 0})
		// An infinite gradient of the maximum does not reach the other elements.
		in.checkNear(t, "gradient of MaxColumns", in.evaluate(t, unary((*graph.Builder).MaxColumns), matrix{{inf}, {nan}}, matrix{{1, 2}, {4, 3}})[1], []float64{0, inf, nan, 0})
	})
}

// The bytes of a maximum and of an operation without a kernel are those of the
// definition; wide enough for whole lanes, and for chains.
func TestMaximaOfManyNumbers(t *testing.T) {
	x := make(matrix, 70)
	rows, columns := make([]float64, 67), make([]float64, 70)
	for i := range x {
		x[i] = make([]float64, 67)
		for j := range x[i] {
			v := float64((i*67+j)*7919%4691) - 2000
			x[i][j] = v
			if i == 0 || v > rows[j] {
				rows[j] = v
			}
			if j == 0 || v > columns[i] {
				columns[i] = v
			}
		}
	}
	forEachPlace(t, func(t *testing.T, in place) {
		in.checkNear(t, "MaxRows", in.evaluate(t, unary((*graph.Builder).MaxRows), nil, x)[0], rows)
		in.checkNear(t, "MaxColumns", in.evaluate(t, unary((*graph.Builder).MaxColumns), nil, x)[0], columns)
	})
}

// The softmax of matrices one behind another is the softmax of their rows.
func TestSoftmaxOfMatrices(t *testing.T) {
	x := matrix{{0.5, -1, 2}, {3, 3, 3}, {-2, 0, 1}, {4, 0, -4}}
	back := matrix{{0.3, -1, 2}, {1, 0.5, -0.25}, {1, 1, 2}, {0, 1, 0}}
	matrices := func(b *graph.Builder, x *graph.Node) *graph.Node {
		return b.Reshape(b.Softmax(b.Reshape(x, 2, 2, 3)), 4, 3)
	}
	forEachPlace(t, func(t *testing.T, in place) {
		want := in.evaluate(t, unary((*graph.Builder).Softmax), back, x)
		for i, got := range in.evaluate(t, unary(matrices), back, x) {
			in.checkNear(t, "Softmax", got, want[i])
		}
	})
}
