package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/graph/gradcheck"
	"sml/internal/expect"
	"sml/internal/kernels"
	"sml/internal/ops"
)

// operation is an expression of the parameters that p makes.
type operation struct {
	name string
	make func(b *graph.Builder, p func(rows, columns int) *graph.Node) *graph.Node
}

func operations() []operation {
	var all []operation
	singles, pairs := tableMethods()
	for _, shape := range [][2]int{{3, 4}, {1, 4}, {3, 1}, {1, 1}, {2, 19}} {
		m, n := shape[0], shape[1]
		for name, op := range matrixMethods(m, n) {
			all = append(all, operation{fmt.Sprint(name, shape), func(b builder, p maker) node { return op(b, p(m, n)) }})
		}
		for name, op := range singles {
			all = append(all, operation{fmt.Sprint(name, shape), func(b builder, p maker) node { return op(b, p(m, n)) }})
		}
	}
	for name, op := range pairs {
		for _, s := range [][4]int{
			{3, 4, 3, 4}, {3, 4, 1, 4}, {3, 4, 3, 1}, {3, 4, 1, 1}, {1, 4, 3, 4}, {3, 1, 3, 4}, {1, 1, 3, 4},
			{1, 1, 1, 1}, {1, 4, 1, 1}, {3, 1, 1, 1}, {1, 4, 1, 4}, {3, 1, 3, 1},
		} {
			all = append(all, operation{fmt.Sprint(name, s), func(b builder, p maker) node { return op(b, p(s[0], s[1]), p(s[2], s[3])) }})
		}
		all = append(all,
			operation{name + " scalar left", func(b builder, p maker) node { return op(b, b.Sum(p(2, 2)), p(3, 4)) }},
			operation{name + " scalar right", func(b builder, p maker) node { return op(b, p(3, 4), b.Sum(p(2, 2))) }},
			operation{name + " scalars", func(b builder, p maker) node { return op(b, b.Sum(p(1, 3)), b.Sum(p(2, 2))) }},
			operation{name + " with itself", func(b builder, p maker) node { x := p(3, 4); return op(b, op(b, x, x), x) }},
		)
	}
	all = append(all,
		operation{"MeanOf", func(b builder, p maker) node { return b.Square(b.MeanOf(p(3, 4), p(3, 4), p(3, 4))) }},
		operation{"VarianceOf", func(b builder, p maker) node { return b.VarianceOf(p(3, 4), p(3, 4), p(3, 4)) }},
		operation{"LogSumExpOf", func(b builder, p maker) node { return b.LogSumExpOf(p(3, 4), p(3, 4), p(3, 4)) }},
		operation{"Iterate", func(b builder, p maker) node {
			x, start := p(3, 4), p(3, 4)
			ends := b.Iterate(3, graph.Nodes{start, start}, func(v graph.Nodes) graph.Nodes {
				return graph.Nodes{b.Tanh(b.Add(v[0], b.Mul(x, v[1]))), v[1]}
			})
			return b.Mul(ends[0], ends[1])
		}},
		operation{"Split", func(b builder, p maker) node { x := b.Split(p(3, 4), 2); return b.Mul(x[0], b.Square(x[1])) }},
		operation{"StudentTNLL", func(b builder, p maker) node {
			return b.StudentTNLL(p(3, 4), b.Exp(p(3, 4)), b.Exp(b.Scale(3, p(3, 1))), p(1, 4))
		}},
		operation{"CrossEntropy", func(b builder, p maker) node {
			return b.CrossEntropy(p(3, 4), b.Constant(3, 1, []float64{2, 0, 3}))
		}},
		operation{"Rows", func(b builder, p maker) node {
			return b.Rows(p(4, 3), b.Constant(5, 1, []float64{2, 0, 2, 3, 2}))
		}},
		operation{"MSE", func(b builder, p maker) node { return b.MSE(p(3, 4), p(3, 4)) }},
		operation{"WeightedSum", func(b builder, p maker) node {
			x := p(3, 4)
			return b.WeightedSum(graph.Term{Name: "a", Weight: 1, Value: b.Mean(x)}, graph.Term{Name: "b", Weight: 0.3, Value: b.Sum(b.Square(x))}, graph.Term{Name: "c", Value: b.Sum(x)})
		}},
	)
	for _, s := range [][3]int{{3, 4, 2}, {1, 4, 3}, {3, 4, 1}, {3, 1, 2}, {2, 5, 1}, {1, 1, 1}, {5, 33, 17}} {
		m, k, n := s[0], s[1], s[2]
		all = append(all,
			operation{fmt.Sprint("MatMul", s), func(b builder, p maker) node { return b.MatMul(p(m, k), p(k, n)) }},
			operation{fmt.Sprint("Linear", s), func(b builder, p maker) node { return b.Linear(p(m, k), p(k, n), p(1, n)) }},
			operation{fmt.Sprint("Linear and ReLU", s), func(b builder, p maker) node { return b.ReLU(b.Linear(p(m, k), p(k, n), p(1, n))) }},
			operation{fmt.Sprint("two passes", s), func(b builder, p maker) node {
				h := b.ReLU(b.Linear(p(m, k), p(k, n), p(1, n)))
				w := p(n, 2)
				full, sub := b.MatMul(h, w), b.MatMul(b.Dropout(h, graph.Drop(0), 0, 0.5), w)
				return b.Add(b.Square(full), b.Mul(sub, b.StopGradient(full)))
			}},
		)
	}
	all = append(all, sharedOperands()...)
	for _, s := range [][3]int{{3, 4, 2}, {1, 4, 2}, {3, 2, 1}} {
		all = append(all, operation{fmt.Sprint("attention ", s[0], s[1], s[2]), func(b builder, p maker) node {
			return b.Reshape(attention(b, s[0], s[1], s[2]), s[0]*s[1], s[2])
		}})
	}
	all = append(all, imageOperations()...)
	all = append(all, matrixOperations()...)
	slices.SortFunc(all, func(a, b operation) int { return slices.Compare([]byte(a.name), []byte(b.name)) })
	return all
}

// matrixMethods returns operations on a matrix [m n]. Those without a derivative of their own, or with a constant one, are
// parts of others.
func matrixMethods(m, n int) map[string]func(b *graph.Builder, x *graph.Node) *graph.Node {
	return map[string]func(b *graph.Builder, x *graph.Node) *graph.Node{
		"Scale": func(b builder, x node) node { return b.Scale(-1.7, x) },
		"Shift": func(b builder, x node) node { return b.Shift(x, 0.6) },
		"Sum":   builder.Sum, "Mean": builder.Mean,
		"StopGradient":                func(b builder, x node) node { return b.Mul(x, b.StopGradient(b.Square(x))) },
		"Dropout":                     func(b builder, x node) node { return b.Dropout(x, graph.Drop(0), 0, 0.4) },
		"Dropout of the full network": func(b builder, x node) node { return b.Dropout(b.Square(x), graph.Full, 0, 0.4) },
		"Columns":                     func(b builder, x node) node { return b.Columns(x, n/2, n) },
		"Concat":                      func(b builder, x node) node { return b.Concat(x, b.Square(x), x) },
		"SumRows":                     func(b builder, x node) node { return b.SumRows(b.Square(x)) },
		"SumColumns":                  func(b builder, x node) node { return b.Mul(x, b.SumColumns(b.Square(x))) },
		"MeanRows":                    func(b builder, x node) node { return b.Square(b.Sub(x, b.MeanRows(b.Square(x)))) },
		"MeanColumns":                 func(b builder, x node) node { return b.Square(b.Sub(x, b.MeanColumns(b.Square(x)))) },
		"Repeat of a row":             func(b builder, x node) node { return b.MatMul(b.Repeat(b.SumRows(x), 3, n), b.Transpose(x)) },
		"Repeat of a column":          func(b builder, x node) node { return b.Repeat(b.SumColumns(b.Square(x)), m, 5) },
		"Repeat to all pairs": func(b builder, x node) node {
			column := b.SumColumns(b.Square(x))
			return b.Tanh(b.Sub(b.Repeat(column, m, m), b.Scale(0.7, b.Transpose(column))))
		},
		"Repeat beside":         func(b builder, x node) node { return b.Concat(x, b.Repeat(b.Columns(b.SumRows(x), 0, 1), m, 1)) },
		"MaxRows":               func(b builder, x node) node { return b.Mul(b.Square(x), b.MaxRows(x)) },
		"MaxColumns":            func(b builder, x node) node { return b.Square(b.MaxColumns(x)) },
		"LogSumExp":             builder.LogSumExp,
		"Softmax":               func(b builder, x node) node { return b.Add(b.Softmax(x), b.Scale(0.1, x)) },
		"LogSoftmax":            func(b builder, x node) node { return b.Add(b.LogSoftmax(x), b.Scale(0.1, x)) },
		"SliceRows":             func(b builder, x node) node { return b.SliceRows(b.Square(x), m/2, m) },
		"ConcatRows":            func(b builder, x node) node { return b.ConcatRows(x, b.Square(x), x) },
		"CumulativeSumRows":     func(b builder, x node) node { return b.Square(b.CumulativeSumRows(b.Square(x))) },
		"SortRows":              func(b builder, x node) node { return b.Mul(x, b.Square(b.SortRows(x))) },
		"QuantileRows":          func(b builder, x node) node { return b.Square(b.QuantileRows(x, 0.3)) },
		"OrderRows":             func(b builder, x node) node { return b.Rows(b.Square(x), b.OrderRows(b.Columns(x, 0, 1))) },
		"Transpose":             func(b builder, x node) node { return b.MatMul(b.Transpose(x), b.Square(x)) },
		"Reshape":               func(b builder, x node) node { return b.Square(b.Reshape(b.Square(x), n, m)) },
		"Reshape to a vector":   func(b builder, x node) node { return b.Reshape(b.Square(b.Reshape(x, m*n)), 1, m*n) },
		"Reshape to three axes": func(b builder, x node) node { return b.Reshape(b.Square(b.Reshape(x, m, 1, n)), m, n) },
		"Clip":                  func(b builder, x node) node { return b.Add(b.Clip(x, -0.7, 0.9), b.Scale(0.3, x)) },
		"Elementwise": func(b builder, x node) node {
			return b.Elementwise("cube", x, func(x float64) float64 { return x * x * x }, func(x float64) float64 { return 3 * x * x })
		},
		"Where": func(b builder, x node) node {
			return b.Where(b.Shift(x, -0.3), b.Square(x), b.Where(b.Neg(x), b.Exp(x), b.Const(2)))
		},
		"VarianceRows":    func(b builder, x node) node { return b.Square(b.Sub(x, b.VarianceRows(b.Square(x)))) },
		"VarianceColumns": func(b builder, x node) node { return b.Square(b.Sub(x, b.VarianceColumns(b.Square(x)))) },
	}
}

// sharedOperands returns operations whose operands are used again, or are scalars, vectors and tensors of three axes.
func sharedOperands() []operation {
	square := func(b builder, x node) node {
		return b.Elementwise("square", x, func(x float64) float64 { return x * x }, func(x float64) float64 { return 2 * x })
	}
	return []operation{
		{"Elementwise of scalars", func(b builder, p maker) node {
			x := p(1, 2)
			return b.Add(b.Add(square(b, b.Sum(x)), square(b, b.Const(5))), square(b, b.MeanRows(x)))
		}},
		{"ClampMin of scalars", func(b builder, p maker) node {
			x := b.Sum(p(2, 2))
			return b.Add(b.ClampMin(b.Const(-3), -2), b.Add(b.ClampMin(x, -5), b.ClampMin(b.Mul(x, x), 1)))
		}},
		{"Transpose and Reshape of a row", func(b builder, p maker) node {
			x := p(1, 3)
			column := b.Transpose(x)
			return b.Add(b.MatMul(x, b.Square(column)), b.Sum(b.Sub(column, b.Reshape(b.Scale(2, x), 3, 1))))
		}},
		{"Reshape of scalars", func(b builder, p maker) node {
			x := p(1, 1)
			return b.Mul(b.Reshape(b.Reshape(x), 1, 1), b.Reshape(b.Sum(x), 1, 1))
		}},
		{"Where of vectors and scalars", func(b builder, p maker) node {
			x := p(2, 3)
			y := b.Reshape(b.Erf(b.Scale(0.5, b.Reshape(x, 3, 1, 2))), 6)
			return b.Add(b.Reshape(b.Where(y, b.Reshape(x, 6), b.Const(-1)), 3, 2), b.Where(b.Sum(x), b.Mean(x), b.Const(7)))
		}},
		{"Transpose of a difference", func(b builder, p maker) node {
			x := p(2, 3)
			return b.Transpose(b.Sub(b.Scale(0, x), b.MeanRows(x)))
		}},
		{"Transpose of a large matrix", func(b builder, p maker) node { return b.Transpose(b.Mul(b.Repeat(p(1, 67), 70, 67), p(70, 1))) }},
		{"Pow of two matrices", func(b builder, p maker) node {
			y, err := gorgonia.Pow(b.Exp(p(3, 4)), p(3, 4))
			b.Fail(err)
			return y
		}},
		{"Repeat and Concat", func(b builder, p maker) node {
			row := p(1, 3)
			return b.Concat(b.Repeat(row, 2, 3), b.Repeat(p(2, 1), 2, 3), b.Repeat(b.Sum(row), 2, 3))
		}},
		{"Repeat of one number", func(b builder, p maker) node { return b.Transpose(b.Square(b.Repeat(b.Repeat(p(1, 1), 1, 2), 3, 2))) }},
	}
}

// attention of tokens [rows, tokens, width], to themselves.
func attention(b *graph.Builder, rows, tokens, width int) *graph.Node {
	flat := b.Input("x", rows*tokens, width)
	of := func(name string) *graph.Node {
		return b.Reshape(b.MatMul(flat, b.Param(name, width, width, graph.Uniform(1))), rows, tokens, width)
	}
	scores := b.Reshape(b.BatchMatMul(of("q"), b.Transpose(of("k"))), rows*tokens, tokens)
	return b.BatchMatMul(b.Reshape(b.Softmax(scores), rows, tokens, tokens), of("v"))
}

// tableMethods returns the Builder's methods that the table of elementwise operations
// names: of one operand, with constants where there is one, and of two. Where a
// method is not defined for all numbers, operands are made positive.
func tableMethods() (singles map[string]func(b *graph.Builder, x *graph.Node) *graph.Node, pairs map[string]func(b *graph.Builder, x, y *graph.Node) *graph.Node) {
	singles = make(map[string]func(b *graph.Builder, x *graph.Node) *graph.Node)
	pairs = make(map[string]func(b *graph.Builder, x, y *graph.Node) *graph.Node)
	call := func(b *graph.Builder, e ops.Elementwise, arguments ...any) *graph.Node {
		var in []reflect.Value
		for _, a := range arguments {
			in = append(in, reflect.ValueOf(a))
		}
		return reflect.ValueOf(b).MethodByName(e.Method).Call(in)[0].Interface().(*graph.Node)
	}
	positive := func(b *graph.Builder, x *graph.Node) *graph.Node { return b.Shift(b.Square(x), 0.5) }
	for _, e := range ops.Table() {
		switch {
		case e.Method == "" && e.Applies() && e.Operands() == 1: // what the derivatives of others are made of
			singles[e.Name] = func(b *graph.Builder, x *graph.Node) *graph.Node {
				y, err := ops.Apply(e.Name, 3, positive(b, x))
				b.Fail(err)
				return y
			}
		case e.Method == "":
		case e.HasConstant:
			for _, c := range []float64{-1.5, -0.3, 0, 0.5, 1, 2, 2.7, 3} {
				singles[fmt.Sprint(e.Method, " ", c)] = func(b *graph.Builder, x *graph.Node) *graph.Node {
					if math.IsNaN(e.BinaryFunc(-1, c)) {
						x = positive(b, x)
					}
					return b.Add(call(b, e, x, c), b.Scale(0.3, x)) // which changes with x wherever the constant is
				}
			}
		case e.Operands() == 2:
			pairs[e.Method] = func(b *graph.Builder, x, y *graph.Node) *graph.Node {
				if math.IsInf(e.BinaryFunc(1, 0), 0) {
					y = positive(b, y)
				}
				if e.BinaryKernel >= kernels.Greater && e.BinaryKernel <= kernels.NotEqual { // no gradient of their own
					return b.Add(b.Mul(call(b, e, x, y), b.Scale(2, y)), b.Add(x, b.Square(y)))
				}
				return call(b, e, x, y)
			}
		default:
			singles[e.Method] = func(b *graph.Builder, x *graph.Node) *graph.Node {
				switch {
				case isUndefined(e.UnaryFunc(2)):
					x = b.Shift(b.Scale(0.3, b.Tanh(x)), 0.5)
				case isUndefined(e.UnaryFunc(-1)):
					x = positive(b, x)
				}
				if e.UnaryKernel == kernels.Sign { // no gradient of its own
					return b.Mul(call(b, e, x), b.Square(x))
				}
				return call(b, e, x)
			}
		}
	}
	return singles, pairs
}

// isUndefined reports whether v is NaN or infinite, as for an operand outside a function's domain.
func isUndefined(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// loss returns the weighted sum of the elements of the operation's value.
func (o operation) loss(b *graph.Builder) *graph.Node {
	count := 0
	y := o.make(b, func(rows, columns int) *graph.Node {
		count++
		return b.Param(fmt.Sprint("parameter ", count), rows, columns, graph.Uniform(1.5))
	})
	if b.Err() != nil || y.IsScalar() {
		return y
	}
	return b.Sum(b.Mul(y, b.Input("weights", y.Shape()[0], y.Shape()[1])))
}

// evaluate returns loss, gradients and the operation's own value.
func (o operation) evaluate(t *testing.T, engine graph.Engine, dtype any) [][]float64 {
	t.Helper()
	return o.evaluateWith(t, nil, engine, dtype)
}

func (o operation) evaluateWith(t *testing.T, p *graph.Pool, engine graph.Engine, dtype any) [][]float64 {
	t.Helper()
	r, outputs := o.open(t, engine, dtype)
	expect.NoError(t, r.UsePool(p))
	run(t, r)
	return allOutputs(r, len(outputs))
}

// interpret returns what evaluate returns, by the interpreter.
func (o operation) interpret(t *testing.T) (values [][]float64) {
	t.Helper()
	_, outputs := o.open(t, graph.Compiled, graph.Float64)
	p := newInterpreter(func(n node) []float64 { return numbersOf(n.Value()) })
	for _, n := range outputs {
		values = append(values, p.value(n))
	}
	return values
}

// open returns a runner of the loss and gradients, with values for parameters and inputs.
func (o operation) open(t *testing.T, engine graph.Engine, dtype any) (*graph.Runner, nodes) {
	t.Helper()
	params := new(graph.Params)
	b := place{double: dtype == graph.Float64}.newBuilder(params)
	outputs := lossAndGradients(b, o.loss(b))
	r := newRunner(t, engine, b, outputs...)
	if p := r.Program(); p != nil && len(p.Fallbacks()) > 0 {
		t.Errorf("without a kernel: %v", p.Fallbacks())
	}
	params.Initialise(3)
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range r.Inputs() {
		values := make([]float64, max(len(r.Input(name)), len(r.Input64(name))))
		for i := range values {
			values[i] = float64(float32(random.NormFloat64()))
		}
		set(r.Input(name), r.Input64(name), values)
	}
	r.SampleMasks(graph.MaskKey{Seed: 5})
	return r, outputs
}

// gradientOf returns the squares of the gradients of order 1, or of order 2 if order is 3, weighted by an
// input. Its own gradient has order 2 or 3. The hyperbolic tangent gives linear operations a second
// derivative.
func (o operation) gradientOf(order int) gradcheck.Function {
	return func(b builder) node {
		o := operation{o.name, func(b builder, p maker) node { return b.Tanh(o.make(b, p)) }}
		loss := o.loss(b)
		for range order - 1 {
			terms := b.Scale(0.1, loss)
			for _, g := range b.Grad(loss, b.ParametersOf(loss)...) {
				terms = b.Add(terms, b.Mean(b.Square(g)))
			}
			loss = terms
		}
		return loss
	}
}

// Every operation of the Builder in every form of broadcasting: both engines give the interpreter's value and
// gradients, to 1e-12 of the largest number of a tensor in float64 and to 1e-5 in float32, and the gradients
// of order 1, 2 and 3 agree with finite differences.
func TestOperations(t *testing.T) {
	for _, o := range operations() {
		isSmall := strings.HasSuffix(o.name, "[3 4]") || strings.HasSuffix(o.name, "[3 4 3 4]") || !strings.HasSuffix(o.name, "]")
		if testing.Short() && !isSmall {
			continue
		}
		t.Run(o.name, func(t *testing.T) {
			want := o.interpret(t)
			for dtype, tolerance := range map[any]float64{graph.Float64: 1e-12, graph.Float32: 1e-5} {
				for _, engine := range graph.Engines() {
					checkOutputs(t, fmt.Sprint(dtype, " on ", engine), o.evaluate(t, engine, dtype), want, tolerance)
				}
			}
			checkGradients(t, "order 1", o.loss, gradcheck.Settings{Seed: 3}, 1e-7)
			if isSmall && !strings.HasPrefix(o.name, "Elementwise") { // whose second derivative is not known
				for order := 2; order <= 3; order++ {
					checkGradients(t, fmt.Sprint("order ", order), o.gradientOf(order), gradcheck.Settings{Seed: 3, MaxElements: 4}, 1e-6)
				}
			}
		})
	}
}

// checkOutputs compares a loss and its gradients with the expected ones, to a tolerance relative to the largest number of
// each.
func checkOutputs(t *testing.T, what string, got, want [][]float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if len(got[i]) != len(want[i]) || len(want[i]) == 0 {
			t.Fatalf("%s: output %d has %d numbers, want %d", what, i, len(got[i]), len(want[i]))
		}
		largest := 0.0
		if i == 0 {
			largest = 0.1 // the terms of the loss are of order 1, and may cancel
		}
		for _, v := range want[i] {
			largest = math.Max(largest, math.Abs(v))
		}
		for j, v := range want[i] {
			if !(math.Abs(got[i][j]-v) <= tolerance*largest) {
				t.Fatalf("%s: number %d of output %d is %v, want %v", what, j, i, got[i][j], v)
			}
		}
	}
}
