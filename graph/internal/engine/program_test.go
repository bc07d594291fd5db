package engine

import (
	"slices"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/expect"
)

// doubleGraph returns an input and the graph that doubles it.
func doubleGraph(shape ...int) (x, y *gorgonia.Node) {
	g := gorgonia.NewGraph()
	x = gorgonia.NewTensor(g, tensor.Float64, len(shape), gorgonia.WithShape(shape...), gorgonia.WithName("x"))
	if len(shape) == 0 {
		x = gorgonia.NewScalar(g, tensor.Float64, gorgonia.WithName("x"))
	}
	return x, expect.Must(gorgonia.Add(x, x))
}

func let(t *testing.T, n *gorgonia.Node, value any) {
	t.Helper()
	expect.NoError(t, gorgonia.Let(n, value))
}

func dense(rows, cols int, data ...float64) *tensor.Dense {
	return tensor.New(tensor.WithShape(rows, cols), tensor.WithBacking(data))
}

func vector(data ...float64) *tensor.Dense {
	return tensor.New(tensor.WithShape(len(data)), tensor.WithBacking(data))
}

// Inputs are read when a run starts: whether their numbers were changed where
// they lie, or another value was bound.
func TestInputsAreReadWhenARunStarts(t *testing.T) {
	numbers := dense(1, 2, 1, 2)
	wide := dense(2, 3, 0, 1, 10, 0, 2, 20)
	view := expect.Must(wide.Slice(gorgonia.S(0, 2), gorgonia.S(1, 3)))
	column := expect.Must(wide.Slice(nil, gorgonia.S(1)))
	transposed := dense(2, 2, 1, 3, 2, 4)
	expect.NoError(t, transposed.T())
	byColumns := tensor.New(tensor.WithShape(2, 2), tensor.AsFortran(nil), tensor.Of(tensor.Float64))
	copy(byColumns.Data().([]float64), []float64{1, 3, 2, 4})
	scalar := gorgonia.NewF64(1)
	for _, c := range []struct {
		name         string
		shape        []int
		value        gorgonia.Value
		change       func()
		before, then []float64
	}{
		{"tensor", []int{1, 2}, numbers, func() { numbers.Data().([]float64)[0] = 5 }, []float64{2, 4}, []float64{10, 4}},
		{"scalar", nil, scalar, func() { *scalar = 5 }, []float64{2}, []float64{10}},
		{"view", []int{2, 2}, view.(*tensor.Dense), func() { wide.Data().([]float64)[2] = 5 },
			[]float64{2, 20, 4, 40}, []float64{2, 10, 4, 40}},
		{"transposed", []int{2, 2}, transposed, func() { transposed.Data().([]float64)[0] = 5 },
			[]float64{2, 4, 6, 8}, []float64{10, 4, 6, 8}},
		{"part of a column", []int{2}, column.(*tensor.Dense), func() { wide.Data().([]float64)[4] = 7 }, []float64{2, 4}, []float64{2, 14}},
		{"by columns", []int{2, 2}, byColumns, func() { byColumns.Data().([]float64)[1] = 5 },
			[]float64{2, 4, 6, 8}, []float64{2, 4, 10, 8}},
	} {
		x, y := doubleGraph(c.shape...)
		let(t, x, c.value)
		p := expect.Must(Compile[float64](gorgonia.Nodes{y}, nil, nil, false))
		for i, want := range [][]float64{c.before, c.then} {
			expect.NoError(t, p.Run())
			if got := p.Output(0); !slices.Equal(got, want) {
				t.Errorf("%s, run %d: %v, want %v", c.name, i, got, want)
			}
			c.change()
		}
		let(t, x, newGorgoniaValue(c.shape, slices.Repeat([]float64{7}, len(c.then))))
		expect.NoError(t, p.Run())
		if got := p.Output(0); got[0] != 14 {
			t.Errorf("%s: another value was bound, and the result is still %v", c.name, got)
		}
	}
}

func TestErrors(t *testing.T) {
	x, y := doubleGraph(2, 2)
	let(t, x, dense(2, 2, 1, 2, 3, 4))
	_, err := Compile[float32](gorgonia.Nodes{y}, nil, nil, false)
	expect.Error(t, err, "float64")

	comparison := expect.Must(gorgonia.Gt(x, x, false))
	_, err = Compile[float64](gorgonia.Nodes{comparison}, nil, nil, false)
	expect.Error(t, err, "bool")

	// Gorgonia rewrites log(1−x) and recycles nodes that are still in use.
	entropy := expect.Must(gorgonia.BinaryXent(expect.Must(gorgonia.Sigmoid(x)), x))
	_, err = Compile[float64](gorgonia.Nodes{entropy}, nil, nil, false)
	expect.Error(t, err, "takes 2 operands")

	// Gorgonia's gradient of an outer product multiplies what does not fit:
	// xᵀ·G for G·y.
	g := gorgonia.NewGraph()
	a := gorgonia.NewVector(g, tensor.Float64, gorgonia.WithName("a"), gorgonia.WithValue(vector(1, 2, 3)))
	b := gorgonia.NewVector(g, tensor.Float64, gorgonia.WithName("b"), gorgonia.WithValue(vector(1, 2, 3, 4)))
	grads := expect.Must(gorgonia.Grad(expect.Must(gorgonia.Sum(expect.Must(gorgonia.OuterProd(a, b)))), b))
	p, err := Compile[float64](grads, nil, nil, false)
	if err == nil {
		err = p.Run()
	}
	expect.Error(t, err, "(4, 3)")
}
