package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/expect"
	"sml/internal/ops"
)

// randomGraph is a graph of random operations of Gorgonia on random shapes, for tests of plans, chains
// and shares: package graph compares random graphs with an interpreter. Equal seeds give equal graphs,
// in either number type.
type randomGraph struct {
	seed  uint64
	dtype tensor.Dtype
	graph *gorgonia.ExprGraph
	r     *rand.Rand

	inputs   gorgonia.Nodes // data, parameters and masks: all that has to be bound
	params   gorgonia.Nodes
	masks    gorgonia.Nodes
	matrices gorgonia.Nodes
	scalars  gorgonia.Nodes

	loss    node
	forward gorgonia.Nodes // outputs: the loss and some of what it is made of
	outputs gorgonia.Nodes // forward, then the gradients of params
}

// seeds returns the number of graphs of a test.
func seeds() uint64 {
	if testing.Short() {
		return 200
	}
	return 2000
}

func newRandomGraph(seed uint64, dtype tensor.Dtype) *randomGraph {
	g := &randomGraph{seed: seed, dtype: dtype, graph: gorgonia.NewGraph(), r: rand.New(rand.NewPCG(seed, 77))}
	g.param(g.size(), g.size())
	g.data(g.size(), g.size())
	for range 3 + g.r.IntN(12) {
		g.grow()
	}
	if seed%4 == 0 {
		for range 3 {
			g.fromTable()
		}
	}
	if seed%8 == 1 {
		g.factorize()
		g.grow()
	}
	g.finish()
	return g
}

// bind gives all inputs values.
func (g *randomGraph) bind() {
	for _, n := range g.inputs {
		single, double := g.numbers(n)
		if g.dtype == tensor.Float32 {
			bindFresh(n, single)
		} else {
			bindFresh(n, double)
		}
	}
}

// numbers draws an input's values, the same numbers in both types.
func (g *randomGraph) numbers(n node) (single []float32, double []float64) {
	r := rand.New(rand.NewPCG(g.seed, uint64(slices.Index(g.inputs, n))))
	mask := slices.Contains(g.masks, n)
	for range n.Shape().TotalSize() {
		x := 2*r.Float64() - 1
		if mask {
			x = 0
			if r.IntN(4) > 0 {
				x = 4.0 / 3
			}
		}
		single = append(single, float32(x))
		double = append(double, float64(float32(x)))
	}
	return single, double
}

// size is 1 quite often, at times wider than a vector register's tile.
func (g *randomGraph) size() int {
	switch g.r.IntN(20) {
	case 0, 1, 2:
		return 1
	case 3:
		return 60 + g.r.IntN(20)
	}
	return 2 + g.r.IntN(8)
}

func (g *randomGraph) input(kind string, rows, cols int) node {
	n := newInput(g.graph, g.dtype, fmt.Sprintf("%s %d", kind, len(g.inputs)), rows, cols)
	g.inputs = append(g.inputs, n)
	return n
}

func (g *randomGraph) data(rows, cols int) node {
	n := g.input("data", rows, cols)
	g.matrices = append(g.matrices, n)
	return n
}

func (g *randomGraph) param(rows, cols int) node {
	n := g.input("param", rows, cols)
	g.params = append(g.params, n)
	g.matrices = append(g.matrices, n)
	return n
}

// pick returns a random matrix of the graph, a recent one more likely.
func (g *randomGraph) pick() node {
	n := len(g.matrices)
	if g.r.IntN(2) == 0 {
		return g.matrices[n-1-g.r.IntN(min(n, 3))]
	}
	return g.matrices[g.r.IntN(n)]
}

// matrixOf returns a matrix of the given shape: an existing one or a new input.
func (g *randomGraph) matrixOf(rows, cols int) node {
	var have gorgonia.Nodes
	for _, m := range g.matrices {
		if m.Shape()[0] == rows && m.Shape()[1] == cols {
			have = append(have, m)
		}
	}
	switch {
	case len(have) > 0 && g.r.IntN(4) > 0:
		return have[g.r.IntN(len(have))]
	case g.r.IntN(2) == 0:
		return g.data(rows, cols)
	}
	return g.param(rows, cols)
}

func (g *randomGraph) constant(v float64) node {
	if g.dtype == tensor.Float32 {
		return g.graph.AddNode(gorgonia.NewConstant(float32(v), gorgonia.WithName(fmt.Sprint("constant ", v))))
	}
	return g.graph.AddNode(gorgonia.NewConstant(v, gorgonia.WithName(fmt.Sprint("constant ", v))))
}

// identity is the identity matrix.
func (g *randomGraph) identity(n int) node {
	return g.graph.AddNode(gorgonia.NewConstant(tensor.I(g.dtype, n, n, 0), gorgonia.WithName(fmt.Sprint("identity ", n))))
}

func tanh(x node) node { return expect.Must(gorgonia.Tanh(x)) }

// grow adds one operation to the matrices or scalars.
func (g *randomGraph) grow() {
	x := g.pick()
	rows, cols := x.Shape()[0], x.Shape()[1]
	add := func(n node) { g.matrices = append(g.matrices, n) }
	switch g.r.IntN(26) {
	case 0:
		add(expect.Must([]func(node) (node, error){gorgonia.Tanh, gorgonia.Sigmoid, gorgonia.Softplus, gorgonia.Neg, gorgonia.Square}[g.r.IntN(5)](tanh(x))))
	case 1: // functions that need their operand positive
		p := expect.Must(gorgonia.Add(expect.Must(gorgonia.Square(x)), g.constant(0.5)))
		add(tanh(expect.Must([]func(node) (node, error){gorgonia.Log, gorgonia.Sqrt, gorgonia.Inverse, gorgonia.InverseSqrt, gorgonia.Log1p}[g.r.IntN(5)](p))))
	case 2:
		add(expect.Must([]func(node) (node, error){gorgonia.Exp, gorgonia.Expm1, gorgonia.Cube, gorgonia.Sin, gorgonia.Cos}[g.r.IntN(5)](tanh(x))))
	case 3, 4: // elementwise, equal shapes
		add(expect.Must([]func(a, b node) (node, error){gorgonia.Add, gorgonia.Sub, gorgonia.HadamardProd}[g.r.IntN(3)](x, g.matrixOf(rows, cols))))
	case 5: // a quotient
		below := expect.Must(gorgonia.Add(expect.Must(gorgonia.Square(g.matrixOf(rows, cols))), g.constant(0.7)))
		add(tanh(expect.Must(gorgonia.HadamardDiv(x, below))))
	case 6, 7: // a row, a column or a single number repeated, on either side
		op := []func(a, b node, left, right []byte) (node, error){gorgonia.BroadcastAdd, gorgonia.BroadcastSub, gorgonia.BroadcastHadamardProd}[g.r.IntN(3)]
		var small node
		var axes []byte
		switch g.r.IntN(3) {
		case 0:
			small, axes = g.matrixOf(1, cols), []byte{0}
		case 1:
			small, axes = g.matrixOf(rows, 1), []byte{1}
		case 2:
			small, axes = g.matrixOf(1, 1), []byte{0, 1}
		}
		if g.r.IntN(2) == 0 {
			add(expect.Must(op(x, small, nil, axes)))
		} else {
			add(expect.Must(op(small, x, axes, nil)))
		}
	case 8: // a column with a row
		add(expect.Must(gorgonia.BroadcastAdd(g.matrixOf(rows, 1), g.matrixOf(1, cols), []byte{1}, []byte{0})))
	case 9, 10: // a layer
		units := g.size()
		h := expect.Must(gorgonia.BroadcastAdd(g.product(x, g.matrixOf(cols, units)), g.matrixOf(1, units), nil, []byte{0}))
		switch g.r.IntN(3) {
		case 0:
			h = tanh(h)
		case 1:
			h = g.relu(h)
		}
		if g.r.IntN(2) == 0 {
			if g.r.IntN(2) == 0 {
				add(h)
			}
			h = g.drop(h)
		}
		add(h)
	case 11: // products of transposes
		n := g.size()
		switch g.r.IntN(3) {
		case 0:
			add(g.product(expect.Must(gorgonia.Transpose(x)), g.matrixOf(rows, n)))
		case 1:
			add(g.product(x, expect.Must(gorgonia.Transpose(g.matrixOf(n, cols)))))
		case 2:
			add(g.product(expect.Must(gorgonia.Transpose(x)), expect.Must(gorgonia.Transpose(g.matrixOf(n, rows)))))
		}
	case 12:
		add(expect.Must(gorgonia.Transpose(x)))
	case 13:
		add(g.drop(x))
	case 14:
		add(g.relu(x))
	case 15:
		add(expect.Must(gorgonia.Abs(x)))
	case 16: // at least a constant
		above := expect.Must(gorgonia.Gt(x, g.constant(0), true))
		below := expect.Must(gorgonia.Sub(g.constant(1), above))
		add(expect.Must(gorgonia.Add(expect.Must(gorgonia.HadamardProd(x, above)), expect.Must(gorgonia.HadamardProd(below, g.constant(-0.3))))))
	case 17: // columns, concat
		from := g.r.IntN(cols)
		to := from + 1 + g.r.IntN(cols-from)
		cut := expect.Must(gorgonia.ApplyOp(ops.NewColumns(from, to), x))
		if g.r.IntN(2) == 0 {
			cut = expect.Must(gorgonia.ApplyOp(ops.NewConcat(3), cut, g.matrixOf(rows, 1+g.r.IntN(4)), x))
		}
		add(cut)
	case 18:
		add(expect.Must(gorgonia.ApplyOp(ops.NewStopGradient(), x)))
	case 19: // a reduction along an axis
		axis := g.r.IntN(2)
		shape := tensor.Shape{rows, cols}
		scale := g.constant(1 / float64(shape[axis]))
		shape[axis] = 1
		s := expect.Must(gorgonia.HadamardProd(expect.Must(gorgonia.Sum(x, axis)), scale))
		if !slices.Equal(s.Shape(), shape) { // Eq takes a vector for a row
			s = expect.Must(gorgonia.Reshape(s, shape))
		}
		add(s)
	case 20: // scalars
		s := expect.Must(gorgonia.HadamardProd(expect.Must(gorgonia.Sum(x)), g.constant(1/float64(rows*cols))))
		if len(g.scalars) > 0 {
			other := g.scalars[g.r.IntN(len(g.scalars))]
			s = tanh(expect.Must([]func(a, b node) (node, error){gorgonia.Add, gorgonia.Sub, gorgonia.HadamardProd}[g.r.IntN(3)](s, other)))
		}
		g.scalars = append(g.scalars, s)
		add(expect.Must([]func(a, b node) (node, error){gorgonia.Add, gorgonia.Sub, gorgonia.HadamardProd}[g.r.IntN(3)](s, g.pick())))
	case 22, 23: // a sum of products and what else there is of that shape
		inner, units := g.size(), g.size()
		sum := expect.Must(gorgonia.Add(g.product(x, g.matrixOf(cols, units)), g.product(g.matrixOf(rows, inner), g.matrixOf(inner, units))))
		if g.r.IntN(2) == 0 {
			sum = expect.Must(gorgonia.Add(g.matrixOf(rows, units), sum))
		}
		add(tanh(sum))
	case 24: // this project's reductions, which repeat
		axis := ops.Axis(g.r.IntN(2))
		small := expect.Must(gorgonia.ApplyOp(ops.NewSumOver(axis), tanh(x)))
		if g.r.IntN(3) == 0 {
			small = expect.Must(gorgonia.ApplyOp(ops.NewStopGradient(), expect.Must(gorgonia.ApplyOp(ops.NewMaxOver(axis), x))))
		}
		add(tanh(expect.Must(gorgonia.BroadcastSub(x, small, nil, []byte{byte(axis)}))))
	case 25: // and rearrangements
		add(expect.Must(gorgonia.ApplyOp(ops.NewTranspose(2), x)))
		add(expect.Must(gorgonia.ApplyOp(ops.NewReshape(x.Shape(), tensor.Shape{cols, rows}), tanh(x))))
	case 21: // constants among themselves, and with a matrix
		c := expect.Must(gorgonia.Neg(expect.Must(gorgonia.Add(g.constant(0.25), g.constant(float64(1+g.r.IntN(3))/4)))))
		op := []func(a, b node) (node, error){gorgonia.Add, gorgonia.Sub, gorgonia.HadamardProd}[g.r.IntN(3)]
		if g.r.IntN(2) == 0 {
			add(expect.Must(op(c, x)))
		} else {
			add(expect.Must(op(x, c)))
		}
	}
	// Sums and products grow: tame them.
	if last := g.matrices[len(g.matrices)-1]; last.Op() != nil && g.r.IntN(3) == 0 {
		g.matrices[len(g.matrices)-1] = tanh(last)
	}
}

// factorize adds the Cholesky factor of a matrix, the solution of its systems of equations, and
// a triangle of the factor.
func (g *randomGraph) factorize() {
	h := tanh(g.pick())
	rows := h.Shape()[0]
	a := expect.Must(gorgonia.Add(g.product(h, expect.Must(gorgonia.Transpose(h))), g.identity(rows)))
	l := expect.Must(gorgonia.ApplyOp(ops.NewCholesky(), a))
	u := expect.Must(gorgonia.Transpose(l))
	z := expect.Must(gorgonia.ApplyOp(ops.NewTriangularSolve(false), l, g.matrixOf(rows, g.size())))
	g.matrices = append(g.matrices,
		expect.Must(gorgonia.ApplyOp(ops.NewTriangle(g.r.IntN(2) == 0, 0.5), l)),
		expect.Must(gorgonia.ApplyOp(ops.NewTriangularSolve(true), u, z)))
}

// fromTable adds an operation of this project.
func (g *randomGraph) fromTable() {
	var own []ops.Elementwise
	for _, e := range ops.Table() {
		if e.Gorgonia == "" && e.Applies() {
			own = append(own, e)
		}
	}
	e := own[g.r.IntN(len(own))]
	c := []float64{-1.5, -0.3, 0.5, 2, 2.7, 3}[g.r.IntN(6)]
	switch e.Name { // the order
	case "polygamma":
		c = 2
	case "polygamma step":
		c = 1
	}
	x := g.pick()
	switch {
	case e.UnaryFunc != nil && isNotFinite(e.UnaryFunc(2)):
		x = expect.Must(gorgonia.Add(expect.Must(gorgonia.Mul(tanh(x), g.constant(0.3))), g.constant(0.5)))
	case e.HasConstant && isNotFinite(e.BinaryFunc(-1, c)), e.UnaryFunc != nil && isNotFinite(e.UnaryFunc(-1)):
		x = expect.Must(gorgonia.Add(expect.Must(gorgonia.Square(x)), g.constant(0.5)))
	}
	operands := gorgonia.Nodes{x}
	if !e.HasConstant && e.Operands() == 2 {
		operands = append(operands, g.matrixOf(x.Shape()[0], x.Shape()[1]))
	}
	g.matrices = append(g.matrices, tanh(expect.Must(ops.Apply(e.Name, c, operands...))))
}

// isNotFinite reports whether a number is NaN or infinite.
func isNotFinite(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }

// product is a matrix product, scaled to the size of its factors where they
// are large, and sometimes where they are not.
func (g *randomGraph) product(a, b node) node {
	p := expect.Must(gorgonia.Mul(a, b))
	if a.Shape()[1] < 10 && g.r.IntN(3) > 0 {
		return p
	}
	return expect.Must(gorgonia.HadamardProd(p, g.constant(1/math.Sqrt(float64(a.Shape()[1])))))
}

func (g *randomGraph) relu(x node) node {
	return expect.Must(gorgonia.HadamardProd(x, expect.Must(gorgonia.Gt(x, g.constant(0), true))))
}

func (g *randomGraph) drop(x node) node {
	for _, m := range g.masks {
		if slices.Equal(m.Shape(), x.Shape()) && g.r.IntN(2) == 0 {
			return expect.Must(gorgonia.HadamardProd(x, m))
		}
	}
	m := g.input("mask", x.Shape()[0], x.Shape()[1])
	g.masks = append(g.masks, m)
	return expect.Must(gorgonia.HadamardProd(x, m))
}

// finish makes a loss of some of the matrices, differentiates it and chooses outputs.
func (g *randomGraph) finish() {
	for i := range 1 + g.r.IntN(3) {
		x := g.pick()
		if i == 0 {
			x = g.matrices[len(g.matrices)-1]
		}
		term := expect.Must(gorgonia.HadamardProd(expect.Must(gorgonia.Sum(expect.Must(gorgonia.Square(tanh(x))))), g.constant(1/float64(x.Shape().TotalSize()))))
		if g.loss == nil {
			g.loss = term
		} else {
			g.loss = expect.Must(gorgonia.Add(g.loss, term))
		}
	}
	if len(g.scalars) > 0 {
		g.loss = expect.Must(gorgonia.Add(g.loss, tanh(g.scalars[len(g.scalars)-1])))
	}
	g.forward = gorgonia.Nodes{g.loss}
	for range g.r.IntN(4) { // perhaps one twice, perhaps an input
		g.forward = append(g.forward, g.pick())
	}
	if len(g.scalars) > 0 && g.r.IntN(2) == 0 {
		g.forward = append(g.forward, g.scalars[0])
	}
	g.outputs = slices.Clone(g.forward)
	reached := reachedBackwards(g.loss)
	var wrt gorgonia.Nodes
	for _, p := range g.params {
		if reached[p] {
			wrt = append(wrt, p)
		}
	}
	if len(wrt) > 0 {
		g.outputs = append(g.outputs, expect.Must(gorgonia.Grad(g.loss, wrt...))...)
	}
}

// reachedBackwards lists what a gradient flows to.
func reachedBackwards(loss node) map[node]bool {
	reached := make(map[node]bool)
	var visit func(n node)
	visit = func(n node) {
		if reached[n] {
			return
		}
		reached[n] = true
		op, ok := n.Op().(gorgonia.SDOp)
		if !ok {
			return
		}
		var operands gorgonia.Nodes
		for it := n.Graph().From(n.ID()); it.Next(); {
			operands = append(operands, it.Node().(node))
		}
		for i, through := range op.DiffWRT(len(operands)) {
			if through {
				visit(operands[i])
			}
		}
	}
	visit(loss)
	return reached
}
