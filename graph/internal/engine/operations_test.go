package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/expect"
)

type node = *gorgonia.Node

// operation is one case: an expression in plain Gorgonia.
type operation struct {
	name string
	make func(in inputs) (node, error)

	positive   bool     // inputs are positive
	noGradient bool     // Gorgonia does not differentiate it
	fallbacks  []string // beginning of the names of operations without a kernel
}

// inputs makes the inputs of a case: x, y, … of given shapes.
type inputs struct {
	graph *gorgonia.ExprGraph
	dtype tensor.Dtype
	made  *gorgonia.Nodes
}

func (in inputs) input(shape ...int) node {
	n := newInput(in.graph, in.dtype, fmt.Sprintf("input %d", len(*in.made)), shape...)
	*in.made = append(*in.made, n)
	return n
}

func (in inputs) constant(v float64) node {
	if in.dtype == tensor.Float32 {
		return gorgonia.NewConstant(float32(v))
	}
	return gorgonia.NewConstant(v)
}

func unaryCase(name string, op func(node) (node, error), c operation) []operation {
	var list []operation
	for _, shape := range [][]int{{}, {5}, {3, 4}, {1, 1}, {2, 3, 4}} {
		c.name = fmt.Sprint(name, shape)
		c.make = func(in inputs) (node, error) { return op(in.input(shape...)) }
		list = append(list, c)
	}
	return list
}

func binaryCase(name string, op func(a, b node) (node, error), c operation) []operation {
	var list []operation
	for _, s := range [][2][]int{{{}, {}}, {{5}, {5}}, {{3, 4}, {3, 4}}, {{1, 1}, {1, 1}}, {{2, 3, 4}, {2, 3, 4}}, {{}, {3, 4}}, {{3, 4}, {}}, {{}, {5}}, {{5}, {}}} {
		c.name = fmt.Sprint(name, s[0], s[1])
		c.make = func(in inputs) (node, error) { return op(in.input(s[0]...), in.input(s[1]...)) }
		list = append(list, c)
	}
	return list
}

func broadcastCase(name string, op func(a, b node, left, right []byte) (node, error), c operation) []operation {
	var list []operation
	for _, s := range []struct {
		a, b        []int
		left, right []byte
		fallbacks   []string
	}{
		{[]int{3, 4}, []int{1, 4}, nil, []byte{0}, nil},
		{[]int{3, 4}, []int{3, 1}, nil, []byte{1}, nil},
		{[]int{3, 4}, []int{1, 1}, nil, []byte{0, 1}, nil},
		{[]int{1, 4}, []int{3, 4}, []byte{0}, nil, nil},
		{[]int{3, 1}, []int{3, 4}, []byte{1}, nil, nil},
		{[]int{3, 1}, []int{1, 4}, []byte{1}, []byte{0}, nil},
		{[]int{1, 4}, []int{3, 1}, []byte{0}, []byte{1}, nil},
		{[]int{2, 3, 4}, []int{2, 1, 4}, nil, []byte{1}, []string{"Repeat1"}},
		{[]int{2, 3, 4}, []int{1, 3, 1}, nil, []byte{0, 2}, []string{"Repeat0", "Repeat2"}},
		{[]int{3, 4}, []int{4}, nil, []byte{0}, nil},
		{[]int{3, 4}, []int{3}, nil, []byte{1}, nil},
	} {
		c.name = fmt.Sprint(name, s.a, s.b)
		c.make = func(in inputs) (node, error) { return op(in.input(s.a...), in.input(s.b...), s.left, s.right) }
		c.fallbacks = s.fallbacks
		list = append(list, c)
	}
	return list
}

func asNumbers(op func(a, b node, retSame bool) (node, error)) func(a, b node) (node, error) {
	return func(a, b node) (node, error) { return op(a, b, true) }
}

func one(shape ...int) func(op func(node) (node, error)) func(inputs) (node, error) {
	return func(op func(node) (node, error)) func(inputs) (node, error) {
		return func(in inputs) (node, error) { return op(in.input(shape...)) }
	}
}

func two(a, b []int, op func(a, b node) (node, error)) func(inputs) (node, error) {
	return func(in inputs) (node, error) { return op(in.input(a...), in.input(b...)) }
}

func operations() []operation {
	var all []operation
	add := func(cs ...operation) { all = append(all, cs...) }

	none := operation{}
	positive := operation{positive: true}
	flat := operation{noGradient: true}
	for _, c := range []struct {
		name string
		op   func(node) (node, error)
		operation
	}{
		{"Abs", gorgonia.Abs, none}, {"Sign", gorgonia.Sign, flat},
		{"Ceil", gorgonia.Ceil, flat},
		{"Floor", gorgonia.Floor, flat},
		{"Sin", gorgonia.Sin, none},
		{"Cos", gorgonia.Cos, none},
		{"Exp", gorgonia.Exp, none}, {"Log", gorgonia.Log, positive},
		{"Log2", gorgonia.Log2, positive},
		{"Neg", gorgonia.Neg, none}, {"Square", gorgonia.Square, none}, {"Sqrt", gorgonia.Sqrt, positive},
		{"Inverse", gorgonia.Inverse, none}, {"InverseSqrt", gorgonia.InverseSqrt, positive}, {"Cube", gorgonia.Cube, none},
		{"Tanh", gorgonia.Tanh, none}, {"Sigmoid", gorgonia.Sigmoid, none}, {"Log1p", gorgonia.Log1p, positive},
		{"Expm1", gorgonia.Expm1, none}, {"Softplus", gorgonia.Softplus, none}, {"Mish", gorgonia.Mish, none},
		{"Rectify", gorgonia.Rectify, none},
		{"LeakyRelu", func(x node) (node, error) { return gorgonia.LeakyRelu(x, 0.1) }, none},
	} {
		add(unaryCase(c.name, c.op, c.operation)...)
	}
	for _, c := range []struct {
		name string
		op   func(a, b node) (node, error)
		operation
	}{
		{"Add", gorgonia.Add, none}, {"Sub", gorgonia.Sub, none}, {"HadamardProd", gorgonia.HadamardProd, none},
		{"HadamardDiv", gorgonia.HadamardDiv, none}, {"Pow", gorgonia.Pow, positive},
		{"Lt", asNumbers(gorgonia.Lt), flat}, {"Gt", asNumbers(gorgonia.Gt), flat}, {"Lte", asNumbers(gorgonia.Lte), flat},
		{"Gte", asNumbers(gorgonia.Gte), flat}, {"Eq", asNumbers(gorgonia.Eq), flat}, {"Ne", asNumbers(gorgonia.Ne), flat},
	} {
		add(binaryCase(c.name, c.op, c.operation)...)
	}
	add(
		operation{name: "MinBetween", make: two([]int{3, 4}, []int{3, 4}, gorgonia.MinBetween)},
		operation{name: "MaxBetween", make: two([]int{3, 4}, []int{3, 4}, gorgonia.MaxBetween)},
		operation{name: "MinBetween vectors", make: two([]int{5}, []int{5}, gorgonia.MinBetween)},
		operation{name: "equal elements", make: one(3, 4)(func(x node) (node, error) { return gorgonia.Eq(x, x, true) }), noGradient: true},
	)
	for _, e := range []float64{-2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4} {
		c := operation{positive: true, name: fmt.Sprintf("Pow %v", e)}
		c.make = func(in inputs) (node, error) { return gorgonia.Pow(in.input(3, 4), in.constant(e)) }
		add(c)
	}
	for _, c := range []struct {
		name string
		op   func(a, b node, left, right []byte) (node, error)
		operation
	}{
		{"BroadcastAdd", gorgonia.BroadcastAdd, none}, {"BroadcastSub", gorgonia.BroadcastSub, none},
		{"BroadcastHadamardProd", gorgonia.BroadcastHadamardProd, none}, {"BroadcastHadamardDiv", gorgonia.BroadcastHadamardDiv, none},
		{"BroadcastGt", func(a, b node, left, right []byte) (node, error) {
			return gorgonia.BroadcastGt(a, b, true, left, right)
		}, flat},
	} {
		add(broadcastCase(c.name, c.op, c.operation)...)
	}

	along := func(op func(node, ...int) (node, error), axes ...int) func(node) (node, error) {
		return func(x node) (node, error) { return op(x, axes...) }
	}
	for _, r := range []struct {
		name string
		op   func(node, ...int) (node, error)
	}{{"Sum", gorgonia.Sum}, {"Mean", gorgonia.Mean}, {"Max", gorgonia.Max}} {
		for _, s := range []struct{ shape, axes []int }{
			{[]int{5}, nil}, {[]int{5}, []int{0}}, {[]int{3, 4}, nil}, {[]int{3, 4}, []int{0}}, {[]int{3, 4}, []int{1}}, {[]int{3, 4}, []int{0, 1}},
			{[]int{1, 4}, []int{0}}, {[]int{1, 4}, []int{1}}, {[]int{4, 1}, []int{0}}, {[]int{4, 1}, []int{1}}, {[]int{1, 1}, []int{0}}, {[]int{1, 1}, nil},
			{[]int{2, 3, 4}, nil}, {[]int{2, 3, 4}, []int{0}}, {[]int{2, 3, 4}, []int{1}}, {[]int{2, 3, 4}, []int{2}}, {[]int{2, 3, 4}, []int{0, 2}},
		} {
			c := operation{name: fmt.Sprint(r.name, s.shape, " along ", s.axes), make: one(s.shape...)(along(r.op, s.axes...))}
			switch {
			case r.name == "Max":
				c.fallbacks = []string{"MaxAlong"}
			case len(s.shape) == 3 && s.axes != nil:
				c.fallbacks = []string{"Σ"}
			}
			add(c)
		}
	}
	slice := func(ss ...tensor.Slice) func(node) (node, error) {
		return func(x node) (node, error) { return gorgonia.Slice(x, ss...) }
	}
	reshape := func(to ...int) func(node) (node, error) {
		return func(x node) (node, error) { return gorgonia.Reshape(x, tensor.Shape(to)) }
	}
	transpose := func(axes ...int) func(node) (node, error) {
		return func(x node) (node, error) { return gorgonia.Transpose(x, axes...) }
	}
	add(
		operation{name: "Slice rows", fallbacks: []string{"T["}, make: one(5, 4)(slice(gorgonia.S(1, 3)))},
		operation{name: "Slice columns", fallbacks: []string{"T[", "T["}, make: one(5, 4)(slice(nil, gorgonia.S(1, 3)))},
		operation{name: "Slice a row", fallbacks: []string{"T["}, make: one(5, 4)(slice(gorgonia.S(2)))},
		operation{name: "Slice a column", fallbacks: []string{"T[", "T["}, make: one(5, 4)(slice(nil, gorgonia.S(2)))},
		operation{name: "Slice both", fallbacks: []string{"T[", "T["}, make: one(5, 4)(slice(gorgonia.S(1, 4), gorgonia.S(1, 3)))},
		operation{name: "Slice a vector", fallbacks: []string{"T["}, make: one(7)(slice(gorgonia.S(2, 5)))},
		operation{name: "At", fallbacks: []string{"At("}, make: one(3, 4)(func(x node) (node, error) { return gorgonia.At(x, 1, 2) }), noGradient: true},
		operation{name: "Concat rows", fallbacks: []string{"Concat("}, make: two([]int{3, 4}, []int{2, 4}, func(a, b node) (node, error) { return gorgonia.Concat(0, a, b) })},
		operation{name: "Concat columns", fallbacks: []string{"Concat("}, make: two([]int{3, 4}, []int{3, 2}, func(a, b node) (node, error) { return gorgonia.Concat(1, a, b) })},
		operation{name: "Concat vectors", fallbacks: []string{"Concat("}, make: two([]int{3}, []int{2}, func(a, b node) (node, error) { return gorgonia.Concat(0, a, b) })},
		operation{name: "Transpose", make: one(3, 4)(transpose())},
		operation{name: "Transpose a row", make: one(1, 4)(transpose())},
		operation{name: "Transpose two of three axes", make: one(2, 3, 4)(transpose(0, 2, 1))},
		operation{name: "Transpose three axes", fallbacks: []string{"Aᵀ"}, make: one(2, 3, 4)(transpose(2, 0, 1))},
		operation{name: "Reshape", make: one(3, 4)(reshape(2, 6))},
		operation{name: "Reshape to a vector", make: one(3, 4)(reshape(12))},
		operation{name: "Reshape to three axes", make: one(6, 4)(reshape(2, 3, 4))},
		operation{name: "Reshape a vector", make: one(12)(reshape(3, 4))},
		operation{name: "Ravel", make: one(3, 4)(gorgonia.Ravel)},
		operation{name: "SizeOf", make: one(3, 4)(func(x node) (node, error) {
			n, err := gorgonia.SizeOf(1, x)
			if err != nil {
				return nil, err
			}
			return gorgonia.HadamardDiv(x, n)
		})},
		operation{name: "SoftMax", fallbacks: []string{"Softmax"}, make: one(3, 4)(func(x node) (node, error) { return gorgonia.SoftMax(x) })},
		operation{name: "SoftMax along rows", fallbacks: []string{"Softmax"}, make: one(3, 4)(func(x node) (node, error) { return gorgonia.SoftMax(x, 0) })},
		operation{name: "Norm 2", make: one(3, 4)(func(x node) (node, error) { return gorgonia.Norm(x, 0, 2) })},
		operation{name: "Norm 3", positive: true, make: one(3, 4)(func(x node) (node, error) { return gorgonia.Norm(x, 1, 3) })},
		operation{name: "Mul matrices", make: two([]int{3, 4}, []int{4, 2}, gorgonia.Mul)},
		operation{name: "Mul a row and a column", make: two([]int{1, 4}, []int{4, 1}, gorgonia.Mul)},
		operation{name: "Mul a column and a row", make: two([]int{4, 1}, []int{1, 3}, gorgonia.Mul)},
		operation{name: "Mul matrix and column", make: two([]int{3, 4}, []int{4, 1}, gorgonia.Mul)},
		operation{name: "Mul row and matrix", make: two([]int{1, 4}, []int{4, 3}, gorgonia.Mul)},
		operation{name: "Mul matrix and vector", make: two([]int{3, 4}, []int{4}, gorgonia.Mul)},
		operation{name: "Mul vector and matrix", make: two([]int{3}, []int{3, 4}, gorgonia.Mul)},
		operation{name: "Mul vectors", make: two([]int{5}, []int{5}, gorgonia.Mul)},
		operation{name: "Mul with a scalar", make: two([]int{3, 4}, nil, gorgonia.Mul)},
		operation{name: "Mul wide matrices", make: two([]int{33, 70}, []int{70, 65}, gorgonia.Mul)},
		operation{name: "OuterProd", make: two([]int{3}, []int{3}, gorgonia.OuterProd)},
		operation{name: "BatchedMatMul", make: two([]int{2, 3, 4}, []int{2, 4, 5}, batchedMatMul())},
		operation{name: "BatchedMatMul of a transpose", make: two([]int{2, 4, 3}, []int{2, 4, 5}, batchedMatMul(true))},
		operation{name: "BatchedMatMul with a transpose", make: two([]int{2, 3, 4}, []int{2, 5, 4}, batchedMatMul(false, true))},
		operation{name: "BatchedMatMul of transposes", make: two([]int{2, 4, 3}, []int{2, 5, 4}, batchedMatMul(true, true))},
		operation{name: "BatchedMatMul of rows and matrices", make: two([]int{3, 1, 4}, []int{3, 4, 5}, batchedMatMul())},
		operation{name: "BatchedMatMul of matrices and columns", make: two([]int{3, 2, 4}, []int{3, 4, 1}, batchedMatMul())},
		operation{name: "BatchedMatMul of columns and rows", make: two([]int{3, 2, 1}, []int{3, 1, 4}, batchedMatMul())},
		operation{name: "BatchedMatMul of one matrix", make: two([]int{1, 3, 4}, []int{1, 4, 5}, batchedMatMul())},
		operation{name: "BatchedMatMul of four axes", make: two([]int{2, 3, 4, 5}, []int{2, 3, 5, 2}, batchedMatMul())},
		operation{name: "Tensordot", fallbacks: []string{"Tensordot("}, make: two([]int{3, 4}, []int{4, 2}, func(a, b node) (node, error) { return gorgonia.Tensordot([]int{1}, []int{0}, a, b) })},
	)
	return all
}

func batchedMatMul(transposed ...bool) func(a, b node) (node, error) {
	return func(a, b node) (node, error) { return gorgonia.BatchedMatMul(a, b, transposed...) }
}

// build makes the outputs of a case: its value, and with gradients those of
// the sum of its elements, each weighted by an input, for all inputs.
func (c operation) build(dtype tensor.Dtype, gradients bool) (outputs, ins gorgonia.Nodes, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	in := inputs{gorgonia.NewGraph(), dtype, &ins}
	y, err := c.make(in)
	if err != nil || !gradients {
		return gorgonia.Nodes{y}, ins, err
	}
	wrt := slices.Clone(ins)
	loss := y
	if !y.IsScalar() {
		if loss, err = gorgonia.HadamardProd(y, in.input(y.Shape()...)); err != nil {
			return nil, nil, err
		}
		if loss, err = gorgonia.Sum(loss); err != nil {
			return nil, nil, err
		}
	}
	grads, err := gorgonia.Grad(loss, wrt...)
	return append(gorgonia.Nodes{y}, grads...), ins, err
}

func testOperation[T float](t *testing.T, c operation, gradients bool) {
	fresh := func() gorgonia.Nodes {
		outputs, ins, err := c.build(dtypeOf[T](), gradients)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range ins {
			bindFresh(n, draw[T](n.Name(), max(1, n.Shape().TotalSize()), c.positive))
		}
		return outputs
	}
	got, p, err := compiled[T](fresh(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !gradients {
		if !slices.EqualFunc(p.Fallbacks(), c.fallbacks, strings.HasPrefix) {
			t.Errorf("fallbacks %q, want %q", p.Fallbacks(), c.fallbacks)
		}
	}
	for i, want := range expect.Must(evaluateNodes[T](fresh())) {
		if d := distance(got[i], want, 0); !(d <= tolerance[T]()) {
			t.Errorf("output %d is\n%v, want\n%v (%.3g)\n%v", i, got[i], want, d, p)
		}
	}
}

// Every operation of Gorgonia that a graph of numbers may contain: with a
// kernel or without one it does what Gorgonia does.
func TestOperations(t *testing.T) {
	for _, c := range operations() {
		t.Run(c.name, func(t *testing.T) {
			testOperation[float64](t, c, false)
			testOperation[float32](t, c, false)
			if _, _, err := c.build(tensor.Float64, true); (err != nil) != c.noGradient {
				t.Fatalf("gradient: %v", err)
			}
			if !c.noGradient {
				testOperation[float64](t, c, true)
				testOperation[float32](t, c, true)
			}
		})
	}
}
