package graph_test

import (
	"maps"
	"slices"
	"strings"

	"gorgonia.org/tensor"

	"sml/graph"
	"sml/internal/ops"
)

// stepKind adds a kind of step to a graph, if it can.
type stepKind struct {
	weight int // chance, in relation to the other kinds'
	make   func(g *generator)
}

// stepKinds are all kinds of steps.
var stepKinds []stepKind

// totalWeight is the sum of the kinds' weights.
var totalWeight int

func init() {
	addElementwise()
	addMatrices()
	addMatrixMethods()
	addImages()
	addRandomness()
	addSystems()
	for _, m := range stepKinds {
		totalWeight += m.weight
	}
}

// add adds a kind of step that draws its own operands.
func add(weight int, make func(g *generator)) { stepKinds = append(stepKinds, stepKind{weight, make}) }

// addSingle adds a call with one operand, of any shape or, with onlyMatrix, a matrix.
func addSingle(weight int, name string, onlyMatrix bool, f func(b builder, x node) node) {
	add(weight, func(g *generator) {
		x := g.recent()
		if onlyMatrix {
			x = g.matrix()
		}
		g.call(name, func(b builder, x nodes) node { return f(b, x[0]) }, x)
	})
}

// addPair adds a call with two operands of equal shapes, or of which one repeats to the other's shape
// if repeats is true.
func addPair(weight int, name string, repeats bool, f func(b builder, x, y node) node) {
	add(weight, func(g *generator) {
		x := g.recent()
		y := g.partner(x)
		isEqual := slices.Equal(g.steps[x].shape, g.steps[y].shape)
		if !repeats && !isEqual {
			y = x
		}
		if g.r.IntN(2) == 0 {
			x, y = y, x
		}
		g.call(name, func(b builder, x nodes) node { return f(b, x[0], x[1]) }, x, y)
	})
}

// addElementwise adds the operations of the table, and what the builder makes of them.
func addElementwise() {
	singles, pairs := tableMethods()
	for _, name := range slices.Sorted(maps.Keys(singles)) {
		addSingle(1, name, false, singles[name])
	}
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		addPair(2, name, true, pairs[name])
	}
	addPair(20, "Add", true, builder.Add)
	addPair(14, "Mul", true, builder.Mul)
	addPair(4, "Sub", true, builder.Sub)
	addSingle(8, "ReLU", false, builder.ReLU)
	addSingle(6, "Tanh", false, builder.Tanh)
	addSingle(6, "Square", false, builder.Square)
	for _, name := range slices.Sorted(maps.Keys(gorgoniaSingles)) {
		addSingle(1, name, false, func(b builder, x node) node {
			y, err := gorgoniaSingles[name](b.Shift(b.Square(x), 0.375))
			b.Fail(err)
			return y
		})
	}
	for _, name := range slices.Sorted(maps.Keys(gorgoniaPairs)) {
		add(1, func(g *generator) { // of matrices: the tape engine has no MaxBetween of scalars
			x := g.matrix()
			y := g.shaped(g.dims(x))
			g.call(name, func(b builder, x nodes) node {
				z, err := gorgoniaPairs[name](b.Shift(b.Square(x[0]), 0.375), x[1])
				b.Fail(err)
				return z
			}, x, y)
		})
	}
	addPair(2, "gate", false, func(b builder, x, y node) node {
		z, err := ops.Apply("gate", 0, x, y)
		b.Fail(err)
		return z
	})
	addSingle(4, "Scale", false, func(b builder, x node) node { return b.Scale(-0.625, x) })
	addSingle(3, "StopGradient", false, builder.StopGradient)
	addPair(2, "MSE", false, builder.MSE)
	addPair(1, "MeanOf", false, func(b builder, x, y node) node { return b.MeanOf(x, y, b.Square(y)) })
	addPair(1, "VarianceOf", false, func(b builder, x, y node) node { return b.VarianceOf(x, y, b.Square(y)) })
	addPair(1, "LogSumExpOf", false, func(b builder, x, y node) node { return b.LogSumExpOf(x, y, b.Square(y)) })
	addPair(1, "StudentTNLL", false, func(b builder, x, y node) node {
		return b.StudentTNLL(x, b.Exp(x), b.Shift(b.Square(y), 1.5), y)
	})
	addPair(2, "Iterate", false, func(b builder, x, y node) node {
		ends := b.Iterate(2, nodes{x, y}, func(v nodes) nodes { return nodes{b.Tanh(b.Add(v[0], b.Mul(x, v[1]))), v[0]} })
		return b.Mul(ends[0], ends[1])
	})
	addPair(2, "WeightedSum", false, func(b builder, x, y node) node {
		if x.IsScalar() {
			return b.Mul(x, y)
		}
		return b.Add(b.Scale(2, b.Mean(x)), b.Mul(b.Mean(y), b.Const(0.5)))
	})
	add(6, func(g *generator) { // the gradient of a mean by a parameter or a node in between
		y, of := g.recent(), g.recent()
		g.call("Grad", func(b builder, x nodes) node {
			scalar := b.Square(x[0])
			if !scalar.IsScalar() {
				scalar = b.Mean(scalar)
			}
			return b.Grad(scalar, x[1])[0]
		}, y, of)
	})
}

// addMatrices adds products and rearrangements.
func addMatrices() {
	add(24, func(g *generator) {
		x := g.matrix()
		_, inner := g.dims(x)
		w := g.shaped(inner, g.size())
		g.call("MatMul", func(b builder, x nodes) node { return b.MatMul(x[0], x[1]) }, x, w)
	})
	add(4, func(g *generator) {
		w := g.matrix()
		inner, _ := g.dims(w)
		x := g.shaped(g.size(), inner)
		g.call("MatMul", func(b builder, x nodes) node { return b.MatMul(x[0], x[1]) }, x, w)
	})
	add(16, func(g *generator) {
		x := g.matrix()
		_, inner := g.dims(x)
		units := g.size()
		w, bias := g.shaped(inner, units), g.shaped(1, units)
		g.call("Linear", func(b builder, x nodes) node { return b.Linear(x[0], x[1], x[2]) }, x, w, bias)
	})
	add(3, func(g *generator) {
		x := g.matrix()
		rows, inner := g.dims(x)
		n := 1 + g.r.IntN(2)
		if rows%n != 0 {
			n = 1
		}
		y := g.shaped(inner*n, g.size())
		g.call("BatchMatMul", func(b builder, x nodes) node {
			_, columns := x[1].Shape()[0], x[1].Shape()[1]
			return b.BatchMatMul(b.Reshape(x[0], n, rows/n, inner), b.Reshape(x[1], n, inner, columns))
		}, x, y)
	})
	add(5, func(g *generator) {
		x := g.recent()
		if dims := g.steps[x].shape.Dims(); dims == 2 || dims == 3 {
			g.call("Transpose", func(b builder, x nodes) node { return b.Transpose(x[0]) }, x)
		}
	})
	add(5, func(g *generator) {
		x := g.recent()
		shape := g.steps[x].shape
		if shape.IsScalar() {
			return
		}
		n := shape.TotalSize()
		last := shape[len(shape)-1]
		shapes := []tensor.Shape{{n / last, last}, {last, n / last}, {n, 1}, {1, n}, {n / last, 1, last}, {n / last, last, 1}}
		to := shapes[g.r.IntN(len(shapes))]
		g.call("Reshape", func(b builder, x nodes) node { return b.Reshape(x[0], to...) }, x)
	})
	add(4, func(g *generator) {
		x := g.matrix()
		rows, columns := g.dims(x)
		if rows == 1 {
			rows = g.size()
		}
		if columns == 1 {
			columns = g.size()
		}
		g.call("Repeat", func(b builder, x nodes) node { return b.Repeat(x[0], rows, columns) }, x)
	})
	add(2, func(g *generator) {
		x := g.matrix()
		_, columns := g.dims(x)
		n := 1 + g.r.IntN(2)
		if columns%n == 0 {
			g.call("Split", func(b builder, x nodes) node { return b.Split(x[0], n)[n-1] }, x)
		}
	})
	add(1, func(g *generator) {
		classes := g.size()
		class := g.index(g.size(), classes)
		g.call("OneHot", func(b builder, x nodes) node { return b.OneHot(x[0], classes) }, class)
	})
	add(3, func(g *generator) { // an embedding
		table := g.matrix()
		levels, _ := g.dims(table)
		index := g.index(g.size(), levels)
		g.call("Rows", func(b builder, x nodes) node { return b.Rows(x[0], x[1]) }, table, index)
	})
	add(2, func(g *generator) {
		x := g.matrix()
		rows, classes := g.dims(x)
		class := g.index(rows, classes)
		g.call("CrossEntropy", func(b builder, x nodes) node { return b.CrossEntropy(x[0], x[1]) }, x, class)
	})
}

// index adds a column of row numbers below levels.
func (g *generator) index(rows, levels int) int {
	values := make([]float64, rows)
	for i := range values {
		values[i] = float64(g.r.IntN(min(levels, largest)))
	}
	return g.leafOf([]string{"Input", "Constant"}[g.r.IntN(2)], rows, 1, values)
}

// addMatrixMethods adds the operations on one matrix.
func addMatrixMethods() {
	for _, name := range slices.Sorted(maps.Keys(matrixMethods(1, 1))) {
		if strings.HasPrefix(name, "Dropout") { // a layer has one shape
			continue
		}
		add(3, func(g *generator) {
			x := g.matrix()
			f := matrixMethods(g.dims(x))[name]
			g.call(name, func(b builder, x nodes) node { return f(b, x[0]) }, x)
		})
	}
	addSingle(4, "Sum", false, builder.Sum)
	addSingle(6, "SumRows", true, builder.SumRows)
	addSingle(2, "Softmax", false, builder.Softmax)
}

// addImages adds convolutions and poolings of images and sequences.
func addImages() {
	add(5, func(g *generator) {
		rows, height, width, channels := 1+g.r.IntN(2), 1+g.r.IntN(4), 1+g.r.IntN(5), 1+g.r.IntN(3)
		k := graph.Window{Height: 1 + g.r.IntN(2), Width: 1 + g.r.IntN(3), Stride: g.r.IntN(3), Padding: g.r.IntN(2), Dilation: g.r.IntN(3)}
		out := 1 + g.r.IntN(4)
		x := g.shaped(rows, height*width*channels)
		w, bias := g.shaped(k.Height*k.Width*channels, out), g.shaped(1, out)
		g.call("Conv2D", func(b builder, x nodes) node {
			return b.Conv2D(b.Reshape(x[0], rows, height, width, channels), x[1], x[2], k)
		}, x, w, bias)
		sequence := graph.Window{Width: k.Width, Stride: k.Stride, Dilation: k.Dilation}
		x = g.shaped(rows, width*channels)
		w = g.shaped(k.Width*channels, out)
		g.call("Conv1D", func(b builder, x nodes) node {
			return b.Conv1D(b.Reshape(x[0], rows, width, channels), x[1], x[2], sequence)
		}, x, w, bias)
		g.call("MaxPool", func(b builder, x nodes) node { return b.MaxPool(b.Reshape(x[0], rows, width, channels), sequence) }, x)
		g.call("MeanPool", func(b builder, x nodes) node { return b.MeanPool(b.Reshape(x[0], rows, width, channels), sequence) }, x)
	})
}

// addRandomness adds dropout and noise.
func addRandomness() {
	add(12, func(g *generator) {
		x := g.recent()
		if g.steps[x].shape.Dims() < 2 {
			return
		}
		pass, layer := graph.Drop(g.r.IntN(2)), g.r.IntN(256)
		g.call("Dropout", func(b builder, x nodes) node { return b.Dropout(x[0], pass, layer, 0.25) }, x)
	})
	addNoise("Normal", builder.Normal)
	addNoise("Gamma", func(b builder, noise graph.Noise, rows, columns int) node {
		return b.Gamma(noise, b.Repeat(b.Const(1.5), rows, columns))
	})
	addNoise("Uniform", builder.Uniform)
}

// addNoise adds products with noise.
func addNoise(name string, f func(b builder, noise graph.Noise, rows, columns int) node) {
	add(3, func(g *generator) {
		x := g.matrix()
		rows, columns := g.dims(x)
		noise := graph.Noise{Stream: g.r.IntN(256)}
		if i, ok := g.call(name, func(b builder, _ nodes) node { return f(b, noise, rows, columns) }); ok {
			g.call("Mul", func(b builder, x nodes) node { return b.Mul(x[0], x[1]) }, x, i)
		}
	})
}

// addSystems adds factorisations and systems of equations.
func addSystems() {
	add(4, func(g *generator) {
		x := g.matrix()
		n, _ := g.dims(x)
		l, ok := g.call("Cholesky", func(b builder, x nodes) node {
			h := b.Tanh(x[0])
			return b.Cholesky(b.Add(b.MatMul(h, b.Transpose(h)), b.Scale(2, b.Identity(n))))
		}, x)
		if !ok {
			return
		}
		y := g.shaped(n, g.size())
		z, ok := g.call("SolveLower", func(b builder, x nodes) node { return b.SolveLower(x[0], x[1]) }, l, y)
		if ok {
			g.call("SolveUpper", func(b builder, x nodes) node { return b.SolveUpper(b.Transpose(x[0]), x[1]) }, l, z)
		}
		systems := 1 + g.r.IntN(3)
		t, sides := g.shaped(systems*n, n), g.shaped(systems*n, 1+g.r.IntN(3))
		g.call("SolveUpper of matrices", func(b builder, x nodes) node {
			m := x[1].Shape()[1]
			diagonals := b.Repeat(b.Reshape(b.Scale(3, b.Identity(n)), 1, n*n), systems, n*n)
			t := b.Reshape(b.Add(b.Tanh(b.Reshape(x[0], systems, n*n)), diagonals), systems, n, n)
			return b.Reshape(b.SolveUpper(t, b.Reshape(x[1], systems, n, m)), systems*n, m)
		}, t, sides)
		g.call("Diagonal", func(b builder, x nodes) node { return b.Diagonal(x[0]) }, l)
		g.call("LogDet", func(b builder, x nodes) node { return b.LogDet(b.Add(x[0], b.Transpose(x[0]))) }, l)
	})
}
