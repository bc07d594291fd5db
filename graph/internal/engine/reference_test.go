package engine

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// This file has the reference for the results of programs: evaluateNodes runs the same operations one
// after another, each on copies. Gorgonia's tape machine is sometimes wrong, since it overwrites memory
// while a view of it is still needed. Package graph compares the engines.

// tolerance returns the largest difference allowed, relative to the largest
// magnitude in the tensor: single elements of sums may cancel.
func tolerance[T float]() float64 {
	if isSingle[T]() {
		return 1e-5
	}
	return 1e-12
}

func isSingle[T float]() bool {
	_, single := any(T(0)).(float32)
	return single
}

func dtypeOf[T float]() tensor.Dtype {
	if isSingle[T]() {
		return tensor.Float32
	}
	return tensor.Float64
}

// distance returns the largest difference between got and want, relative to the larger of scale and
// the largest magnitude in want. It is +Inf if only one of two elements is NaN, or infinities differ.
func distance[T float](got, want []T, scale float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	largest := 0.0
	for i, w := range want {
		g, w := float64(got[i]), float64(w)
		switch {
		case g == w || math.IsNaN(g) && math.IsNaN(w):
			continue
		case math.IsNaN(g) || math.IsNaN(w) || math.IsInf(g, 0) || math.IsInf(w, 0):
			return math.Inf(1)
		}
		largest = max(largest, math.Abs(g-w))
	}
	if largest == 0 {
		return 0
	}
	return largest / max(scale, magnitude(want))
}

// magnitude returns the largest finite magnitude in x.
func magnitude[T float](x []T) float64 {
	m := 0.0
	for _, v := range x {
		if a := math.Abs(float64(v)); !math.IsInf(a, 0) && a > m {
			m = a
		}
	}
	return m
}

// draw draws the numbers of an input from its name: from ±(0.3, 1.5), or
// from (0.3, 1.5) alone. They keep away from 0, where kinks and poles are.
func draw[T float](name string, n int, positive bool) []T {
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	x := make([]T, n)
	for i := range x {
		x[i] = T(float32(0.3 + 1.2*r.Float64()))
		if !positive && r.IntN(2) == 0 {
			x[i] = -x[i]
		}
	}
	return x
}

// newInput is an unbound input of any shape.
func newInput(g *gorgonia.ExprGraph, dtype tensor.Dtype, name string, shape ...int) *gorgonia.Node {
	if len(shape) == 0 {
		return gorgonia.NewScalar(g, dtype, gorgonia.WithName(name))
	}
	return gorgonia.NewTensor(g, dtype, len(shape), gorgonia.WithShape(shape...), gorgonia.WithName(name))
}

// bindFresh binds a copy of the numbers to an input.
func bindFresh[T float](n *gorgonia.Node, data []T) {
	shape := []int(n.Shape())
	if n.IsScalar() {
		shape = nil
	}
	if err := gorgonia.Let(n, newGorgoniaValue(shape, append([]T(nil), data...))); err != nil {
		panic(err)
	}
}

// drawnInput returns an input with numbers that follow from its name.
func drawnInput[T float](g *gorgonia.ExprGraph, name string, shape ...int) *gorgonia.Node {
	n := newInput(g, dtypeOf[T](), name, shape...)
	bindFresh(n, draw[T](name, max(1, n.Shape().TotalSize()), false))
	return n
}

// checkSameBits compares outputs bit by bit, all NaNs being one.
func checkSameBits[T float](t *testing.T, what string, got, want [][]T) {
	t.Helper()
	for i := range want {
		for j, w := range want[i] {
			if g := got[i][j]; math.Float64bits(float64(g)) != math.Float64bits(float64(w)) && w == w {
				t.Fatalf("%s: output %d[%d] is %v, want %v", what, i, j, g, w)
			}
		}
	}
}

// evaluateNodes evaluates nodes one after another, each on copies of its operands.
func evaluateNodes[T float](outputs gorgonia.Nodes) (results [][]T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("evaluating plainly: %v", r)
		}
	}()
	done := make(map[int64]gorgonia.Value)
	var value func(n *gorgonia.Node) gorgonia.Value
	value = func(n *gorgonia.Node) gorgonia.Value {
		if v, ok := done[n.ID()]; ok {
			return v
		}
		v := n.Value()
		if n.Op() != nil {
			var operands []gorgonia.Value
			for it := n.Graph().From(n.ID()); it.Next(); {
				c, err := gorgonia.CloneValue(value(it.Node().(*gorgonia.Node)))
				if err != nil {
					panic(err)
				}
				operands = append(operands, c)
			}
			if v, err = n.Op().Do(operands...); err != nil {
				panic(fmt.Errorf("%v: %w", n.Op(), err))
			}
			if t, ok := v.(*tensor.Dense); ok { // views become tensors of their own
				v = t.Materialize().(*tensor.Dense)
			}
		}
		done[n.ID()] = v
		return v
	}
	for _, n := range outputs {
		data, err := rowMajorData[T](value(n))
		if err != nil {
			return nil, err
		}
		results = append(results, append([]T(nil), data...))
	}
	return results, nil
}

// compiled evaluates nodes with a program of this package.
func compiled[T float](outputs, masks gorgonia.Nodes) (results [][]T, p *Program[T], err error) {
	p, err = Compile[T](outputs, masks, nil, false)
	if err != nil {
		return nil, nil, err
	}
	if err := p.Run(); err != nil {
		return nil, p, err
	}
	return p.all(), p, nil
}

// all copies all outputs.
func (p *Program[T]) all() [][]T {
	var results [][]T
	for i := range p.outputs {
		results = append(results, append([]T(nil), p.Output(i)...))
	}
	return results
}
