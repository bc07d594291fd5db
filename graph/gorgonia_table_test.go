package graph_test

import (
	"fmt"
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
	sequences = [][]int{{2, 2, 1, 4}}
	columns   = [][]int{{4, 3}, {4, 1}}

	otherSingles = [][][]int{{{}}, {{5}}, {{1, 1}}, {{2, 3, 4}}}
	otherPairs   = [][][]int{{{}, {}}, {{5}, {5}}, {{1, 1}, {1, 1}}, {{2, 3, 4}, {2, 3, 4}}, {{}, {3, 4}}, {{3, 4}, {}}, {{}, {5}}, {{5}, {}}}
	otherColumns = [][][]int{{{3, 4}, {1, 4}}, {{3, 4}, {1, 1}}, {{1, 4}, {3, 4}}, {{3, 1}, {3, 4}}, {{3, 1}, {1, 4}}, {{1, 4}, {3, 1}}, {{2, 3, 4}, {2, 1, 4}}, {{2, 3, 4}, {1, 3, 1}}}
)

type (
	single  = func(x node) (node, error)
	pair    = func(x, y node) (node, error)
	several = func(x nodes) (node, error)
)

// broadcast calls op with the axes along which an operand repeats.
func broadcast(op func(x, y node, left, right []byte) (node, error)) pair {
	return func(x, y node) (node, error) {
		var left, right []byte
		for axis := range x.Shape() {
			switch m, n := x.Shape()[axis], y.Shape()[axis]; {
			case m < n:
				left = append(left, byte(axis))
			case m > n:
				right = append(right, byte(axis))
			}
		}
		return op(x, y, left, right)
	}
}

// along returns a function of one operand and axes for fixed axes.
func along(op func(x node, axes ...int) (node, error), axes ...int) single {
	return func(x node) (node, error) { return op(x, axes...) }
}

// gorgoniaFunctions returns the public functions of Gorgonia that make a node of nodes.
func gorgoniaFunctions() []gorgoniaFunction {
	var list []gorgoniaFunction
	one := func(name string, offset float64, op single, note string) {
		list = append(list, gorgoniaFunction{name: name, shapes: anyMatrix, others: otherSingles, offset: offset, note: note,
			build: func(_ builder, x nodes) (node, error) { return op(x[0]) }})
	}
	one("Abs", 0, gorgonia.Abs, "")
	one("Sign", 0, gorgonia.Sign, "no gradient flows")
	one("Ceil", 0, gorgonia.Ceil, "no gradient flows")
	one("Floor", 0, gorgonia.Floor, "no gradient flows")
	one("Sin", 0, gorgonia.Sin, "")
	one("Cos", 0, gorgonia.Cos, "")
	one("Exp", 0, gorgonia.Exp, "")
	one("Log", 1.5, gorgonia.Log, "`Log` of 1 + x or 1 − x becomes `Log1p`, and using the sum elsewhere is an error")
	one("Log2", 1.5, gorgonia.Log2, "derivative replaced: Gorgonia's is wrong")
	one("Neg", 0, gorgonia.Neg, "")
	one("Square", 0, gorgonia.Square, "")
	one("Sqrt", 1.5, gorgonia.Sqrt, "")
	one("Inverse", 1.5, gorgonia.Inverse, "")
	one("InverseSqrt", 1.5, gorgonia.InverseSqrt, "derivative replaced: Gorgonia's is wrong")
	one("Cube", 0, gorgonia.Cube, "")
	one("Tanh", 0, gorgonia.Tanh, "")
	one("Sigmoid", 0, gorgonia.Sigmoid, "")
	one("Log1p", 0, gorgonia.Log1p, "")
	one("Expm1", 0, gorgonia.Expm1, "")
	one("Softplus", 0, gorgonia.Softplus, "")
	one("Rectify", 0, gorgonia.Rectify, "the gradient at 0 is 1 (`b.ReLU`: 0)")
	one("LeakyRelu", 0, func(x node) (node, error) { return gorgonia.LeakyRelu(x, 0.1) }, "")
	one("Mish", 0, gorgonia.Mish, "")

	two := func(name string, shapes [][]int, others [][][]int, op pair, note string) {
		list = append(list, gorgoniaFunction{name: name, shapes: shapes, others: others, offset: 1.5, note: note,
			build: func(_ builder, x nodes) (node, error) { return op(x[0], x[1]) }})
	}
	const equalShapes = "[n 1] and [n] count as equal shapes; opening the graph is then an error"
	const equalNumbers = "where x = y, x gets the whole gradient (`b.Max` and `b.Min` halve it)"
	two("Add", twoOf, otherPairs, gorgonia.Add, equalShapes)
	two("Sub", twoOf, otherPairs, gorgonia.Sub, equalShapes)
	two("HadamardProd", twoOf, otherPairs, gorgonia.HadamardProd, equalShapes)
	two("HadamardDiv", twoOf, otherPairs, gorgonia.HadamardDiv, equalShapes)
	two("Div", twoOf, nil, gorgonia.Div, "panics if the shapes differ")
	two("Pow", twoOf, otherPairs, gorgonia.Pow, "derivatives replaced. Write `b.Pow` for a constant exponent")
	two("MaxBetween", twoOf, otherPairs[1:2], gorgonia.MaxBetween, equalNumbers)
	two("MinBetween", twoOf, otherPairs[1:2], gorgonia.MinBetween, equalNumbers)
	for _, c := range []struct {
		name  string
		op    func(x, y node, retSame bool) (node, error)
		along func(x, y node, retSame bool, left, right []byte) (node, error)
	}{
		{"Lt", gorgonia.Lt, gorgonia.BroadcastLt},
		{"Gt", gorgonia.Gt, gorgonia.BroadcastGt},
		{"Lte", gorgonia.Lte, gorgonia.BroadcastLte},
		{"Gte", gorgonia.Gte, gorgonia.BroadcastGte},
		{"Eq", gorgonia.Eq, gorgonia.BroadcastEq},
		{"Ne", gorgonia.Ne, gorgonia.BroadcastNe},
	} {
		two(c.name+"(…, true)", twoOf, otherPairs, asNumbers(c.op), "no gradient flows")
		repeated := broadcast(func(x, y node, left, right []byte) (node, error) { return c.along(x, y, true, left, right) })
		two("Broadcast"+c.name+"(…, true)", columns, otherColumns, repeated, "no gradient flows")
	}
	list = append(list, gorgoniaFunction{name: "Gt(…, false)", shapes: anyMatrix, refused: true, note: "a comparison without true is boolean",
		build: func(b builder, x nodes) (node, error) { return gorgonia.Gt(x[0], b.Square(x[0]), false) }})
	two("BroadcastAdd", columns, otherColumns, broadcast(gorgonia.BroadcastAdd), "")
	two("BroadcastSub", columns, otherColumns, broadcast(gorgonia.BroadcastSub), "")
	two("BroadcastHadamardProd", columns, otherColumns, broadcast(gorgonia.BroadcastHadamardProd), "")
	two("BroadcastHadamardDiv", columns, otherColumns, broadcast(gorgonia.BroadcastHadamardDiv), "")
	two("BroadcastPow", columns, otherColumns, broadcast(gorgonia.BroadcastPow), "")
	two("Auto(BroadcastAdd)", columns, nil, func(x, y node) (node, error) { return gorgonia.Auto(gorgonia.BroadcastAdd, x, y) }, "`b.Add` repeats rows and columns, too")
	two("ReduceAdd", twoOf, nil, func(x, y node) (node, error) { return gorgonia.ReduceAdd(nodes{x, y, x}) }, "")
	two("ReduceMul", twoOf, nil, func(x, y node) (node, error) { return gorgonia.ReduceMul(nodes{x, y}) }, "multiplies matrices (`Mul`). Write `b.Mul` for elements")

	anyOf := func(name string, shapes [][]int, op several, note string) {
		list = append(list, gorgoniaFunction{name: name, shapes: shapes, offset: 0.5, note: note,
			build: func(_ builder, x nodes) (node, error) { return op(x) }})
	}
	ofOne := func(name string, shapes [][]int, op single, note string) {
		anyOf(name, shapes, func(x nodes) (node, error) { return op(x[0]) }, note)
	}
	const dropsAxis = "drops the axis: the result is a vector [n]"
	const equalMaxima = "each of equal maxima gets the whole gradient. With an axis, it drops the axis"
	ofOne("Sum", anyMatrix, along(gorgonia.Sum), "")
	ofOne("Sum(x, 0)", anyMatrix, along(gorgonia.Sum, 0), dropsAxis)
	ofOne("Sum(x, 1)", anyMatrix, along(gorgonia.Sum, 1), dropsAxis)
	ofOne("Mean", anyMatrix, along(gorgonia.Mean), "")
	ofOne("Mean(x, 1)", anyMatrix, along(gorgonia.Mean, 1), dropsAxis)
	ofOne("Max", anyMatrix, along(gorgonia.Max), equalMaxima)
	ofOne("Max(x, 1)", anyMatrix, along(gorgonia.Max, 1), equalMaxima)
	ofOne("Norm(…, 2)", anyMatrix, func(x node) (node, error) { return gorgonia.Norm(x, 1, 2) }, "the gradient is NaN where a norm is 0")
	ofOne("Norm(…, 3)", anyMatrix, func(x node) (node, error) { return gorgonia.Norm(expect.Must(gorgonia.Square(x)), 1, 3) }, "NaN where x is negative")
	ofOne("LogSumExp", anyMatrix, func(x node) (node, error) { return gorgonia.LogSumExp(x, 1) }, "shapes do not match, and the maximum is added before the logarithm. Write `b.LogSumExp`")
	ofOne("SoftMax", anyMatrix, along(gorgonia.SoftMax), "in float32 a row about 88 above or below the first element of the matrix is NaN. Beside `LogSoftMax` of the same x, or under `Log`, one replaces the other, and no error reports it. Write `b.Softmax`")
	ofOne("LogSoftMax", anyMatrix, along(gorgonia.LogSoftMax), "as `SoftMax`. Write `b.LogSoftmax`")
	ofOne("Sparsemax", anyMatrix, along(gorgonia.Sparsemax), "")

	mul := func(x nodes) (node, error) { return gorgonia.Mul(x[0], x[1]) }
	anyOf("Mul(matrix, matrix)", [][]int{{4, 3}, {3, 2}}, mul, "")
	list[len(list)-1].others = [][][]int{{{1, 4}, {4, 1}}, {{4, 1}, {1, 3}}, {{3, 4}, {4, 1}}, {{1, 4}, {4, 3}}, {{3, 4}, {}}, {{33, 70}, {70, 65}}}
	anyOf("Mul(matrix, vector)", [][]int{{4, 3}, {3}}, mul, "")
	anyOf("Mul(vector, matrix)", [][]int{{4}, {4, 3}}, mul, "")
	anyOf("Mul(vector, vector)", [][]int{{4}, {4}}, mul, "")
	anyOf("OuterProd", [][]int{{4}, {3}}, func(x nodes) (node, error) { return gorgonia.OuterProd(x[0], x[1]) }, "derivative replaced: Gorgonia's is wrong")
	anyOf("BatchedMatMul", [][]int{{2, 4, 3}, {2, 3, 2}}, func(x nodes) (node, error) { return gorgonia.BatchedMatMul(x[0], x[1]) }, "")
	list[len(list)-1].others = [][][]int{{{3, 1, 4}, {3, 4, 5}}, {{3, 2, 4}, {3, 4, 1}}, {{3, 2, 1}, {3, 1, 4}}, {{1, 3, 4}, {1, 4, 5}}, {{2, 3, 4, 5}, {2, 3, 5, 2}}}
	anyOf("Tensordot", [][]int{{4, 3}, {3, 2}}, func(x nodes) (node, error) { return gorgonia.Tensordot([]int{1}, []int{0}, x[0], x[1]) }, "write `b.MatMul`")

	slice := func(ranges ...tensor.Slice) single {
		return func(x node) (node, error) { return gorgonia.Slice(x, ranges...) }
	}
	ofOne("Reshape", anyMatrix, func(x node) (node, error) { return gorgonia.Reshape(x, tensor.Shape{3, 4}) }, "")
	anyOf("HadamardProd(Reshape, y)", [][]int{{4, 3}, {3, 4}}, func(x nodes) (node, error) {
		return gorgonia.HadamardProd(expect.Must(gorgonia.Reshape(x[0], tensor.Shape{3, 4})), x[1])
	}, "")
	ofOne("Ravel", anyMatrix, gorgonia.Ravel, "")
	ofOne("KeepDims", anyMatrix, func(x node) (node, error) { return gorgonia.KeepDims(x, false, along(gorgonia.Sum, 1)) }, "")
	ofOne("Transpose", anyMatrix, along(gorgonia.Transpose), "")
	ofOne("Transpose(…, 0, 2, 1)", [][]int{{2, 2, 2}}, along(gorgonia.Transpose, 0, 2, 1), "")
	ofOne("Slice(nil, S(0, 2))", anyMatrix, slice(nil, gorgonia.S(0, 2)), "write `b.Columns` or `b.Split` for columns")
	ofOne("Slice(S(1, 3))", anyMatrix, slice(gorgonia.S(1, 3)), "write `b.Rows`")
	ofOne("Slice(S(1))", anyMatrix, slice(gorgonia.S(1)), dropsAxis)
	anyOf("Concat(1, …)", twoOf, func(x nodes) (node, error) { return gorgonia.Concat(1, x...) }, "write `b.Concat` for columns")
	anyOf("Concat(0, …)", twoOf, func(x nodes) (node, error) { return gorgonia.Concat(0, x...) }, "")
	ofOne("Unconcat", anyMatrix, func(x node) (node, error) {
		parts := expect.Must(gorgonia.Unconcat(x, 0, 2))
		return gorgonia.Add(parts[0], parts[1])
	}, "")
	ofOne("At", anyMatrix, func(x node) (node, error) { return gorgonia.At(x, 1, 2) }, "multiply by a constant and take the sum")
	ofOne("SizeOf", anyMatrix, func(x node) (node, error) { return gorgonia.SizeOf(1, x) }, "does not depend on the values. Write `b.Const`")
	ofOne("DiagFlat", [][]int{{3}}, gorgonia.DiagFlat, "multiply by `b.Identity`")
	ofOne("ByIndices", anyMatrix, func(x node) (node, error) {
		return gorgonia.ByIndices(x, gorgonia.NewConstant(tensor.New(tensor.WithShape(2), tensor.WithBacking([]int{2, 0}))), 0)
	}, "write `b.Rows`")

	window := []int{2, 2}
	anyOf("Conv2d", [][]int{{2, 2, 4, 4}, {3, 2, 2, 2}}, func(x nodes) (node, error) {
		return gorgonia.Conv2d(x[0], x[1], tensor.Shape{2, 2}, []int{0, 0}, []int{1, 1}, []int{1, 1})
	}, "write `b.Conv2D` (channels last)")
	anyOf("Conv1d", [][]int{{2, 2, 1, 4}, {3, 2, 1, 2}}, func(x nodes) (node, error) { return gorgonia.Conv1d(x[0], x[1], 2, 0, 1, 1) }, "write `b.Conv1D` (channels last)")
	ofOne("Im2Col", [][]int{{1, 1, 2, 2}}, func(x node) (node, error) {
		return gorgonia.Im2Col(x, tensor.Shape{1, 1}, tensor.Shape{0, 0}, tensor.Shape{1, 1}, tensor.Shape{1, 1})
	}, "")
	ofOne("MaxPool2D", images, func(x node) (node, error) { return gorgonia.MaxPool2D(x, window, []int{0, 0}, window) }, "write `b.MaxPool`")
	ofOne("MaxPool1D", sequences, func(x node) (node, error) { return gorgonia.MaxPool1D(x, 2, 0, 2) }, "write `b.MaxPool`")
	ofOne("AveragePool2D", images, func(x node) (node, error) { return gorgonia.AveragePool2D(x, window, []int{0, 0}, window) }, "its gradient is wrong and refused. Write `b.MeanPool`")
	ofOne("AveragePool1D", sequences, func(x node) (node, error) { return gorgonia.AveragePool1D(x, 2, 0, 2) }, "computes `MaxPool1D`, and no error reports it. Write `b.MeanPool`")
	list[len(list)-1].isWrong = true
	ofOne("GlobalAveragePool2D", images, gorgonia.GlobalAveragePool2D, "has no gradient. Write `b.MeanPool`")
	ofOne("Upsample2D", [][]int{{1, 1, 2, 2}}, func(x node) (node, error) { return gorgonia.Upsample2D(x, 2) }, "")

	refused := func(name string, op func(b builder, x node) (node, error), note string) {
		list = append(list, gorgoniaFunction{name: name, refused: true, note: note, build: func(b builder, x nodes) (node, error) { return op(b, x[0]) }})
	}
	image := func(x node) node { return expect.Must(gorgonia.Reshape(x, tensor.Shape{4, 3, 1, 1})) }
	refused("BinaryXent", func(b builder, x node) (node, error) { return gorgonia.BinaryXent(b.Sigmoid(x), b.Const(0.5)) },
		"overwrites a node that is in use. For p = Sigmoid(z) write Softplus(z) − y·z")
	refused("BatchNorm", func(_ builder, x node) (node, error) {
		y, _, _, _, err := gorgonia.BatchNorm(image(x), nil, nil, 0.9, 1e-5)
		return y, err
	}, "its gradient is wrong, and its state is not saved. Use `networks.BatchNorm`")
	refused("GroupNorm", func(b builder, x node) (node, error) {
		one := func(name string) node { return image(b.Param(name, 4, 3, graph.Uniform(1))) }
		return gorgonia.GroupNorm(image(x), one("scale"), one("bias"), 1, 3, 1e-5)
	}, "as `BatchNorm`")
	refused("Dropout", func(_ builder, x node) (node, error) { return gorgonia.Dropout(x, 0.5) }, "seeded from the clock. Write `b.Dropout`")
	refused("GaussianRandomNode", func(b builder, x node) (node, error) {
		return gorgonia.HadamardProd(x, gorgonia.GaussianRandomNode(b.Graph(), b.Dtype(), 0, 1, 4, 3))
	}, "seeded from the clock, as `UniformRandomNode` and `BinomialRandomNode`. Write `b.Normal` or `b.Uniform`")
	refused("ConvType", func(_ builder, x node) (node, error) { return gorgonia.ConvType(x, tensor.Float64, tensor.Float32) }, "a graph has one number type")
	return list
}

// gorgoniaReductions returns sums, means and products of transposes along axes, which are not on the page.
func gorgoniaReductions() (list []gorgoniaFunction) {
	add := func(name string, op several, shapes ...[][]int) {
		list = append(list, gorgoniaFunction{name: name, others: shapes, offset: 1.5, build: func(_ builder, x nodes) (node, error) { return op(x) }})
	}
	for _, axes := range [][]int{nil, {0}, {1}, {0, 1}, {2}, {0, 2}} {
		var shapes [][][]int
		for _, shape := range [][]int{{5}, {3, 4}, {1, 4}, {4, 1}, {1, 1}, {2, 3, 4}} {
			if axes == nil || slices.Max(axes) < len(shape) {
				shapes = append(shapes, [][]int{shape})
			}
		}
		add(fmt.Sprint("Sum along ", axes), func(x nodes) (node, error) { return gorgonia.Sum(x[0], axes...) }, shapes...)
		add(fmt.Sprint("Mean along ", axes), func(x nodes) (node, error) { return gorgonia.Mean(x[0], axes...) }, shapes...)
	}
	for _, transposed := range [][]bool{{true}, {false, true}, {true, true}} {
		shapes := [][]int{{2, 3, 4}, {2, 4, 5}}
		for i, isTransposed := range transposed {
			if isTransposed {
				slices.Reverse(shapes[i][1:])
			}
		}
		add(fmt.Sprint("BatchedMatMul", transposed), func(x nodes) (node, error) { return gorgonia.BatchedMatMul(x[0], x[1], transposed...) }, shapes)
	}
	return list
}
