package graph_test

import (
	"math"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph"
	"sml/internal/expect"
)

var (
	anyMatrix = [][]int{{4, 3}}
	twoOf     = [][]int{{4, 3}, {4, 3}}
	images    = [][]int{{2, 2, 4, 4}} // batch, channels, height, width
	columns   = [][]int{{4, 3}, {4, 1}}
)

// gorgoniaFunctions returns the public functions of Gorgonia that make a node of nodes.
func gorgoniaFunctions() []gorgoniaFunction {
	var list []gorgoniaFunction
	one := func(name string, offset float64, op func(x node) (node, error), is func(x float64) float64, note string) {
		list = append(list, gorgoniaFunction{name: name, shapes: anyMatrix, offset: offset, note: note,
			build: func(_ *graph.Builder, x graph.Nodes) (node, error) { return op(x[0]) },
			is:    func(x [][]float64) []float64 { return mapEach(x[0], is) }})
	}
	one("Abs", 0, gorgonia.Abs, math.Abs, "")
	one("Sign", 0, gorgonia.Sign, func(x float64) float64 { return math.Copysign(1, x) }, "no gradient flows")
	one("Ceil", 0, gorgonia.Ceil, math.Ceil, "no gradient flows")
	one("Floor", 0, gorgonia.Floor, math.Floor, "no gradient flows")
	one("Sin", 0, gorgonia.Sin, math.Sin, "")
	one("Cos", 0, gorgonia.Cos, math.Cos, "")
	one("Exp", 0, gorgonia.Exp, math.Exp, "")
	one("Log", 1.5, gorgonia.Log, math.Log, "`Log` of 1 + x or 1 − x becomes `Log1p`, and using the sum elsewhere is an error")
	one("Log2", 1.5, gorgonia.Log2, math.Log2, "derivative replaced: Gorgonia's is wrong")
	one("Neg", 0, gorgonia.Neg, func(x float64) float64 { return -x }, "")
	one("Square", 0, gorgonia.Square, func(x float64) float64 { return x * x }, "")
	one("Sqrt", 1.5, gorgonia.Sqrt, math.Sqrt, "")
	one("Inverse", 1.5, gorgonia.Inverse, func(x float64) float64 { return 1 / x }, "")
	one("InverseSqrt", 1.5, gorgonia.InverseSqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }, "derivative replaced: Gorgonia's is wrong")
	one("Cube", 0, gorgonia.Cube, func(x float64) float64 { return x * x * x }, "")
	one("Tanh", 0, gorgonia.Tanh, math.Tanh, "")
	one("Sigmoid", 0, gorgonia.Sigmoid, logistic, "")
	one("Log1p", 0, gorgonia.Log1p, math.Log1p, "")
	one("Expm1", 0, gorgonia.Expm1, math.Expm1, "")
	one("Softplus", 0, gorgonia.Softplus, func(x float64) float64 { return math.Log1p(math.Exp(x)) }, "")
	one("Rectify", 0, gorgonia.Rectify, func(x float64) float64 { return max(x, 0) }, "the gradient at 0 is 1 (`b.ReLU`: 0)")
	one("LeakyRelu", 0, func(x node) (node, error) { return gorgonia.LeakyRelu(x, 0.1) }, func(x float64) float64 { return max(x, 0.1*x) }, "")
	one("Mish", 0, gorgonia.Mish, func(x float64) float64 { return x * math.Tanh(math.Log1p(math.Exp(x))) }, "")

	two := func(name string, shapes [][]int, op func(x, y node) (node, error), is func(x, y float64) float64, note string) {
		list = append(list, gorgoniaFunction{name: name, shapes: shapes, offset: 1.5, note: note,
			build: func(_ *graph.Builder, x graph.Nodes) (node, error) { return op(x[0], x[1]) },
			is: func(x [][]float64) []float64 {
				result := slices.Clone(x[0])
				for i := range result {
					result[i] = is(x[0][i], x[1][i*len(x[1])/len(x[0])])
				}
				return result
			}})
	}
	plus := func(x, y float64) float64 { return x + y }
	minus := func(x, y float64) float64 { return x - y }
	times := func(x, y float64) float64 { return x * y }
	over := func(x, y float64) float64 { return x / y }
	two("Add", twoOf, gorgonia.Add, plus, "[n 1] and [n] count as equal shapes; opening the graph is then an error")
	two("Sub", twoOf, gorgonia.Sub, minus, "[n 1] and [n] count as equal shapes; opening the graph is then an error")
	two("HadamardProd", twoOf, gorgonia.HadamardProd, times, "[n 1] and [n] count as equal shapes; opening the graph is then an error")
	two("HadamardDiv", twoOf, gorgonia.HadamardDiv, over, "[n 1] and [n] count as equal shapes; opening the graph is then an error")
	two("Div", twoOf, gorgonia.Div, over, "panics if the shapes differ")
	two("Pow", twoOf, gorgonia.Pow, math.Pow, "derivatives replaced. Write `b.Pow` for a constant exponent")
	two("MaxBetween", twoOf, gorgonia.MaxBetween, math.Max, "where x = y, x gets the whole gradient (`b.Max` and `b.Min` halve it)")
	two("MinBetween", twoOf, gorgonia.MinBetween, math.Min, "where x = y, x gets the whole gradient (`b.Max` and `b.Min` halve it)")
	for _, c := range []struct {
		name  string
		op    func(x, y node, retSame bool) (node, error)
		along func(x, y node, retSame bool, left, right []byte) (node, error)
		is    func(x, y float64) bool
	}{
		{"Lt", gorgonia.Lt, gorgonia.BroadcastLt, func(x, y float64) bool { return x < y }},
		{"Gt", gorgonia.Gt, gorgonia.BroadcastGt, func(x, y float64) bool { return x > y }},
		{"Lte", gorgonia.Lte, gorgonia.BroadcastLte, func(x, y float64) bool { return x <= y }},
		{"Gte", gorgonia.Gte, gorgonia.BroadcastGte, func(x, y float64) bool { return x >= y }},
		{"Eq", gorgonia.Eq, gorgonia.BroadcastEq, func(x, y float64) bool { return x == y }},
		{"Ne", gorgonia.Ne, gorgonia.BroadcastNe, func(x, y float64) bool { return x != y }},
	} {
		is := func(x, y float64) float64 {
			if c.is(x, y) {
				return 1
			}
			return 0
		}
		two(c.name+"(…, true)", twoOf, func(x, y node) (node, error) { return c.op(x, y, true) }, is, "no gradient flows")
		two("Broadcast"+c.name+"(…, true)", columns, func(x, y node) (node, error) { return c.along(x, y, true, nil, []byte{1}) }, is, "no gradient flows")
	}
	list = append(list, gorgoniaFunction{name: "Gt(…, false)", shapes: anyMatrix, note: "a comparison without true is boolean",
		build: func(b *graph.Builder, x graph.Nodes) (node, error) { return gorgonia.Gt(x[0], b.Square(x[0]), false) }})
	for _, c := range []struct {
		name string
		op   func(x, y node, left, right []byte) (node, error)
		is   func(x, y float64) float64
	}{
		{"BroadcastAdd", gorgonia.BroadcastAdd, plus}, {"BroadcastSub", gorgonia.BroadcastSub, minus}, {"BroadcastHadamardProd", gorgonia.BroadcastHadamardProd, times},
		{"BroadcastHadamardDiv", gorgonia.BroadcastHadamardDiv, over}, {"BroadcastPow", gorgonia.BroadcastPow, math.Pow},
	} {
		two(c.name, columns, func(x, y node) (node, error) { return c.op(x, y, nil, []byte{1}) }, c.is, "")
	}
	two("Auto(BroadcastAdd)", columns, func(x, y node) (node, error) { return gorgonia.Auto(gorgonia.BroadcastAdd, x, y) }, plus, "`b.Add` repeats rows and columns, too")
	two("ReduceAdd", twoOf, func(x, y node) (node, error) { return gorgonia.ReduceAdd(graph.Nodes{x, y, x}) }, func(x, y float64) float64 { return 2*x + y }, "")
	two("ReduceMul", twoOf, func(x, y node) (node, error) { return gorgonia.ReduceMul(graph.Nodes{x, y}) }, times, "multiplies matrices (`Mul`). Write `b.Mul` for elements")
	anyOf := func(name string, shapes [][]int, op func(x graph.Nodes) (node, error), is func(x [][]float64) []float64, note string) {
		list = append(list, gorgoniaFunction{name: name, shapes: shapes, offset: 0.5, note: note, is: is,
			build: func(_ *graph.Builder, x graph.Nodes) (node, error) { return op(x) }})
	}
	byRows := func(f func(row []float64) []float64) func(x [][]float64) []float64 {
		return func(x [][]float64) (all []float64) {
			for row := range slices.Chunk(x[0], 3) {
				all = append(all, f(row)...)
			}
			return all
		}
	}
	sum := func(row []float64) []float64 {
		s := 0.0
		for _, v := range row {
			s += v
		}
		return []float64{s}
	}
	anyOf("Sum", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Sum(x[0]) }, func(x [][]float64) []float64 { return sum(x[0]) }, "")
	anyOf("Sum(x, 0)", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Sum(x[0], 0) }, func(x [][]float64) []float64 {
		return product(1, 4, 3, []float64{1, 1, 1, 1}, x[0])
	}, "drops the axis: the result is a vector [n]")
	anyOf("Sum(x, 1)", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Sum(x[0], 1) }, byRows(sum), "drops the axis: the result is a vector [n]")
	anyOf("Mean", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Mean(x[0]) }, func(x [][]float64) []float64 { return []float64{sum(x[0])[0] / 12} }, "")
	anyOf("Mean(x, 1)", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Mean(x[0], 1) }, byRows(func(row []float64) []float64 { return []float64{sum(row)[0] / 3} }), "drops the axis: the result is a vector [n]")
	anyOf("Max", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Max(x[0]) }, func(x [][]float64) []float64 { return []float64{slices.Max(x[0])} }, "each of equal maxima gets the whole gradient. With an axis, it drops the axis")
	anyOf("Max(x, 1)", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Max(x[0], 1) }, byRows(func(row []float64) []float64 { return []float64{slices.Max(row)} }), "each of equal maxima gets the whole gradient. With an axis, it drops the axis")
	anyOf("Norm(…, 2)", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Norm(x[0], 1, 2) }, byRows(func(row []float64) []float64 {
		return []float64{math.Sqrt(row[0]*row[0] + row[1]*row[1] + row[2]*row[2])}
	}), "the gradient is NaN where a norm is 0")
	anyOf("Norm(…, 3)", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Norm(expect.Must(gorgonia.Square(x[0])), 1, 3) }, byRows(func(row []float64) []float64 {
		return []float64{math.Cbrt(math.Pow(row[0], 6) + math.Pow(row[1], 6) + math.Pow(row[2], 6))}
	}), "NaN where x is negative")
	anyOf("LogSumExp", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.LogSumExp(x[0], 1) }, byRows(func(row []float64) []float64 {
		return []float64{math.Log(math.Exp(row[0]) + math.Exp(row[1]) + math.Exp(row[2]))}
	}), "shapes do not match, and the maximum is added before the logarithm. Write `b.LogSumExp`")
	softmax := func(row []float64) []float64 {
		total := math.Exp(row[0]) + math.Exp(row[1]) + math.Exp(row[2])
		return mapEach(row, func(x float64) float64 { return math.Exp(x) / total })
	}
	anyOf("SoftMax", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.SoftMax(x[0]) }, byRows(softmax), "in float32 a row about 88 above or below the first element of the matrix is NaN. Beside `LogSoftMax` of the same x, or under `Log`, one replaces the other, and no error reports it. Write `b.Softmax`")
	anyOf("LogSoftMax", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.LogSoftMax(x[0]) }, byRows(func(row []float64) []float64 { return mapEach(softmax(row), math.Log) }), "as `SoftMax`. Write `b.LogSoftmax`")
	anyOf("Sparsemax", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Sparsemax(x[0]) }, byRows(sparsemax), "")

	anyOf("Mul(matrix, matrix)", [][]int{{4, 3}, {3, 2}}, func(x graph.Nodes) (node, error) { return gorgonia.Mul(x[0], x[1]) }, func(x [][]float64) []float64 { return product(4, 3, 2, x[0], x[1]) }, "")
	anyOf("Mul(matrix, vector)", [][]int{{4, 3}, {3}}, func(x graph.Nodes) (node, error) { return gorgonia.Mul(x[0], x[1]) }, func(x [][]float64) []float64 { return product(4, 3, 1, x[0], x[1]) }, "")
	anyOf("Mul(vector, matrix)", [][]int{{4}, {4, 3}}, func(x graph.Nodes) (node, error) { return gorgonia.Mul(x[0], x[1]) }, func(x [][]float64) []float64 { return product(1, 4, 3, x[0], x[1]) }, "")
	anyOf("Mul(vector, vector)", [][]int{{4}, {4}}, func(x graph.Nodes) (node, error) { return gorgonia.Mul(x[0], x[1]) }, func(x [][]float64) []float64 { return product(1, 4, 1, x[0], x[1]) }, "")
	anyOf("OuterProd", [][]int{{4}, {3}}, func(x graph.Nodes) (node, error) { return gorgonia.OuterProd(x[0], x[1]) }, func(x [][]float64) []float64 { return product(4, 1, 3, x[0], x[1]) }, "derivative replaced: Gorgonia's is wrong")
	anyOf("BatchedMatMul", [][]int{{2, 4, 3}, {2, 3, 2}}, func(x graph.Nodes) (node, error) { return gorgonia.BatchedMatMul(x[0], x[1]) }, func(x [][]float64) []float64 {
		return append(product(4, 3, 2, x[0][:12], x[1][:6]), product(4, 3, 2, x[0][12:], x[1][6:])...)
	}, "")
	anyOf("Tensordot", [][]int{{4, 3}, {3, 2}}, func(x graph.Nodes) (node, error) { return gorgonia.Tensordot([]int{1}, []int{0}, x[0], x[1]) }, func(x [][]float64) []float64 { return product(4, 3, 2, x[0], x[1]) }, "write `b.MatMul`")

	same := func(x [][]float64) []float64 { return slices.Clone(x[0]) }
	anyOf("Reshape", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Reshape(x[0], tensor.Shape{3, 4}) }, same, "")
	anyOf("HadamardProd(Reshape, y)", [][]int{{4, 3}, {3, 4}}, func(x graph.Nodes) (node, error) {
		return gorgonia.HadamardProd(expect.Must(gorgonia.Reshape(x[0], tensor.Shape{3, 4})), x[1])
	}, func(x [][]float64) []float64 {
		product := slices.Clone(x[0])
		for i := range product {
			product[i] *= x[1][i]
		}
		return product
	}, "")
	anyOf("Ravel", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Ravel(x[0]) }, same, "")
	anyOf("KeepDims", anyMatrix, func(x graph.Nodes) (node, error) {
		return gorgonia.KeepDims(x[0], false, func(x node) (node, error) { return gorgonia.Sum(x, 1) })
	}, byRows(sum), "")
	anyOf("Transpose", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Transpose(x[0]) }, func(x [][]float64) []float64 {
		return []float64{x[0][0], x[0][3], x[0][6], x[0][9], x[0][1], x[0][4], x[0][7], x[0][10], x[0][2], x[0][5], x[0][8], x[0][11]}
	}, "")
	anyOf("Transpose(…, 0, 2, 1)", [][]int{{2, 2, 2}}, func(x graph.Nodes) (node, error) { return gorgonia.Transpose(x[0], 0, 2, 1) }, func(x [][]float64) []float64 {
		return []float64{x[0][0], x[0][2], x[0][1], x[0][3], x[0][4], x[0][6], x[0][5], x[0][7]}
	}, "")
	anyOf("Slice(nil, S(0, 2))", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Slice(x[0], nil, gorgonia.S(0, 2)) }, byRows(func(row []float64) []float64 { return row[:2] }), "write `b.Columns` or `b.Split` for columns")
	anyOf("Slice(S(1, 3))", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Slice(x[0], gorgonia.S(1, 3)) }, func(x [][]float64) []float64 { return slices.Clone(x[0][3:9]) }, "write `b.Rows`")
	anyOf("Slice(S(1))", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.Slice(x[0], gorgonia.S(1)) }, func(x [][]float64) []float64 { return slices.Clone(x[0][3:6]) }, "drops the axis: the result is a vector [n]")
	anyOf("Concat(1, …)", twoOf, func(x graph.Nodes) (node, error) { return gorgonia.Concat(1, x...) }, func(x [][]float64) (all []float64) {
		for i := range 4 {
			all = append(append(all, x[0][3*i:3*i+3]...), x[1][3*i:3*i+3]...)
		}
		return all
	}, "write `b.Concat` for columns")
	anyOf("Concat(0, …)", twoOf, func(x graph.Nodes) (node, error) { return gorgonia.Concat(0, x...) }, func(x [][]float64) []float64 { return slices.Concat(x...) }, "")
	anyOf("Unconcat", anyMatrix, func(x graph.Nodes) (node, error) {
		parts, err := gorgonia.Unconcat(x[0], 0, 2)
		if err != nil {
			return nil, err
		}
		return gorgonia.Add(parts[0], parts[1])
	}, func(x [][]float64) []float64 {
		sum := slices.Clone(x[0][:6])
		for i := range sum {
			sum[i] += x[0][6+i]
		}
		return sum
	}, "")
	anyOf("At", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.At(x[0], 1, 2) }, func(x [][]float64) []float64 { return x[0][5:6] }, "multiply by a constant and take the sum")
	anyOf("SizeOf", anyMatrix, func(x graph.Nodes) (node, error) { return gorgonia.SizeOf(1, x[0]) }, func([][]float64) []float64 { return []float64{3} }, "does not depend on the values. Write `b.Const`")
	anyOf("DiagFlat", [][]int{{3}}, func(x graph.Nodes) (node, error) { return gorgonia.DiagFlat(x[0]) }, func(x [][]float64) []float64 {
		return []float64{x[0][0], 0, 0, 0, x[0][1], 0, 0, 0, x[0][2]}
	}, "multiply by `b.Identity`")
	anyOf("ByIndices", anyMatrix, func(x graph.Nodes) (node, error) {
		return gorgonia.ByIndices(x[0], gorgonia.NewConstant(tensor.New(tensor.WithShape(2), tensor.WithBacking([]int{2, 0}))), 0)
	}, func(x [][]float64) []float64 { return append(slices.Clone(x[0][6:9]), x[0][:3]...) }, "write `b.Rows`")

	anyOf("Conv2d", [][]int{{2, 2, 4, 4}, {3, 2, 2, 2}}, func(x graph.Nodes) (node, error) {
		return gorgonia.Conv2d(x[0], x[1], tensor.Shape{2, 2}, []int{0, 0}, []int{1, 1}, []int{1, 1})
	}, func(x [][]float64) []float64 { return convolution(x[0], x[1], 2, 2, 4, 4, 3, 2, 2) }, "write `b.Conv2D` (channels last)")
	anyOf("Conv1d", [][]int{{2, 2, 1, 4}, {3, 2, 1, 2}}, func(x graph.Nodes) (node, error) { return gorgonia.Conv1d(x[0], x[1], 2, 0, 1, 1) },
		func(x [][]float64) []float64 { return convolution(x[0], x[1], 2, 2, 1, 4, 3, 1, 2) }, "write `b.Conv1D` (channels last)")
	anyOf("Im2Col", [][]int{{1, 1, 2, 2}}, func(x graph.Nodes) (node, error) {
		return gorgonia.Im2Col(x[0], tensor.Shape{1, 1}, tensor.Shape{0, 0}, tensor.Shape{1, 1}, tensor.Shape{1, 1})
	}, same, "")
	anyOf("MaxPool2D", images, func(x graph.Nodes) (node, error) {
		return gorgonia.MaxPool2D(x[0], tensor.Shape{2, 2}, []int{0, 0}, []int{2, 2})
	}, func(x [][]float64) []float64 { return reduceBlocks(x[0], slices.Max[[]float64]) }, "write `b.MaxPool`")
	anyOf("MaxPool1D", [][]int{{2, 2, 1, 4}}, func(x graph.Nodes) (node, error) { return gorgonia.MaxPool1D(x[0], 2, 0, 2) }, func(x [][]float64) (all []float64) {
		for pair := range slices.Chunk(x[0], 2) {
			all = append(all, slices.Max(pair))
		}
		return all
	}, "write `b.MaxPool`")
	mean := func(x []float64) float64 { return sum(x)[0] / float64(len(x)) }
	anyOf("AveragePool2D", images, func(x graph.Nodes) (node, error) {
		return gorgonia.AveragePool2D(x[0], tensor.Shape{2, 2}, []int{0, 0}, []int{2, 2})
	}, func(x [][]float64) []float64 { return reduceBlocks(x[0], mean) }, "its gradient is wrong and refused. Write `b.MeanPool`")
	anyOf("AveragePool1D", [][]int{{2, 2, 1, 4}}, func(x graph.Nodes) (node, error) { return gorgonia.AveragePool1D(x[0], 2, 0, 2) }, func(x [][]float64) (all []float64) {
		for pair := range slices.Chunk(x[0], 2) {
			all = append(all, mean(pair))
		}
		return all
	}, "computes `MaxPool1D`, and no error reports it. Write `b.MeanPool`")
	anyOf("GlobalAveragePool2D", images, func(x graph.Nodes) (node, error) { return gorgonia.GlobalAveragePool2D(x[0]) }, func(x [][]float64) (all []float64) {
		for channel := range slices.Chunk(x[0], 16) {
			all = append(all, mean(channel))
		}
		return all
	}, "has no gradient. Write `b.MeanPool`")
	anyOf("Upsample2D", [][]int{{1, 1, 2, 2}}, func(x graph.Nodes) (node, error) { return gorgonia.Upsample2D(x[0], 2) }, func(x [][]float64) []float64 {
		a, b, c, d := x[0][0], x[0][1], x[0][2], x[0][3]
		return []float64{a, a, b, b, a, a, b, b, c, c, d, d, c, c, d, d}
	}, "")
	refused := func(name string, op func(b *graph.Builder, x node) (node, error), note string) {
		list = append(list, gorgoniaFunction{name: name, shapes: anyMatrix, note: note, build: func(b *graph.Builder, x graph.Nodes) (node, error) { return op(b, x[0]) }})
	}
	image := func(x node) node { return expect.Must(gorgonia.Reshape(x, tensor.Shape{4, 3, 1, 1})) }
	refused("BinaryXent", func(b *graph.Builder, x node) (node, error) { return gorgonia.BinaryXent(b.Sigmoid(x), b.Const(0.5)) },
		"overwrites a node that is in use. For p = Sigmoid(z) write Softplus(z) − y·z")
	refused("BatchNorm", func(_ *graph.Builder, x node) (node, error) {
		y, _, _, _, err := gorgonia.BatchNorm(image(x), nil, nil, 0.9, 1e-5)
		return y, err
	}, "its gradient is wrong, and its state is not saved. Use `networks.BatchNorm`")
	refused("GroupNorm", func(b *graph.Builder, x node) (node, error) {
		one := func(name string) node { return image(b.Param(name, 4, 3, graph.Uniform(1))) }
		return gorgonia.GroupNorm(image(x), one("scale"), one("bias"), 1, 3, 1e-5)
	}, "as `BatchNorm`")
	refused("Dropout", func(_ *graph.Builder, x node) (node, error) { return gorgonia.Dropout(x, 0.5) }, "seeded from the clock. Write `b.Dropout`")
	refused("GaussianRandomNode", func(b *graph.Builder, x node) (node, error) {
		return gorgonia.HadamardProd(x, gorgonia.GaussianRandomNode(b.Graph(), b.Dtype(), 0, 1, 4, 3))
	}, "seeded from the clock, as `UniformRandomNode` and `BinomialRandomNode`. Write `b.Normal` or `b.Uniform`")
	refused("ConvType", func(_ *graph.Builder, x node) (node, error) {
		return gorgonia.ConvType(x, tensor.Float64, tensor.Float32)
	}, "a graph has one number type")
	return list
}

func mapEach(x []float64, f func(x float64) float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = f(v)
	}
	return y
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// product is that of x [m k] and y [k n].
func product(m, k, n int, x, y []float64) []float64 {
	z := make([]float64, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				z[i*n+j] += x[i*k+l] * y[l*n+j]
			}
		}
	}
	return z
}

// convolution slides filters [layers channels p q] over x [batch channels h w].
func convolution(x, filter []float64, batch, channels, h, w, layers, p, q int) (all []float64) {
	for b := range batch {
		for l := range layers {
			for i := range h - p + 1 {
				for j := range w - q + 1 {
					sum := 0.0
					for c := range channels {
						for u := range p {
							for v := range q {
								sum += x[((b*channels+c)*h+i+u)*w+j+v] * filter[((l*channels+c)*p+u)*q+v]
							}
						}
					}
					all = append(all, sum)
				}
			}
		}
	}
	return all
}

// reduceBlocks applies f to each block of 2×2 pixels of images 4×4.
func reduceBlocks(x []float64, f func([]float64) float64) (all []float64) {
	for image := range slices.Chunk(x, 16) {
		for _, at := range []int{0, 2, 8, 10} {
			all = append(all, f([]float64{image[at], image[at+1], image[at+4], image[at+5]}))
		}
	}
	return all
}

// sparsemax is the projection to the simplex: Martins and Astudillo 2016.
func sparsemax(row []float64) []float64 {
	sorted := slices.Clone(row)
	slices.Sort(sorted)
	slices.Reverse(sorted)
	sum, tau := 0.0, 0.0
	for k, v := range sorted {
		if sum += v; 1+float64(k+1)*v > sum {
			tau = (sum - 1) / float64(k+1)
		}
	}
	return mapEach(row, func(x float64) float64 { return max(0, x-tau) })
}
