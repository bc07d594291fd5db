package graph

import (
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// MatMul returns the matrix product of x [m, k] and y [k, n]: [m, n].
func (b *Builder) MatMul(x, y *Node) *Node {
	return b.apply("MatMul", Nodes{x, y}, func() (*Node, error) {
		if !x.IsMatrix() || !y.IsMatrix() || x.Shape()[1] != y.Shape()[0] {
			also := ""
			if x.Dims() == 3 && y.Dims() == 3 {
				also = ", or multiply their matrices with b.BatchMatMul"
			}
			return nil, fmt.Errorf("want [m k] and [k n]%s%s", flatten(x, y), also)
		}
		return gorgonia.Mul(x, y)
	})
}

// BatchMatMul returns the matrix products of n matrices x [n, m, k] with as many y
// [n, k, l], one by one: [n, m, l]. The attention of tokens q, k and v [rows, tokens,
// width] is softmax(b.BatchMatMul(q, b.Transpose(k))/√width), times v.
func (b *Builder) BatchMatMul(x, y *Node) *Node {
	return b.apply("BatchMatMul", Nodes{x, y}, func() (*Node, error) {
		if x.Dims() != 3 || y.Dims() != 3 || x.Shape()[0] != y.Shape()[0] || x.Shape()[2] != y.Shape()[1] {
			return nil, errors.New("want [n m k] and [n k l]")
		}
		return gorgonia.BatchedMatMul(x, y)
	})
}

// Linear returns x·w + bias for x [m, k], w [k, n] and bias [1, n].
func (b *Builder) Linear(x, w, bias *Node) *Node { return b.Add(b.MatMul(x, w), bias) }

// Columns returns the columns from, …, to−1 of x.
func (b *Builder) Columns(x *Node, from, to int) *Node {
	return b.apply("Columns", Nodes{x}, func() (*Node, error) {
		if !x.IsMatrix() || from < 0 || to > x.Shape()[1] || from >= to {
			return nil, fmt.Errorf("there are no columns %d to %d%s", from, to-1, flatten(x))
		}
		return gorgonia.ApplyOp(ops.NewColumns(from, to), x)
	})
}

// Split cuts x [m, n·k] into n matrices of equal width [m, k], from the left: the
// outputs of a method, each of all targets.
func (b *Builder) Split(x *Node, n int) Nodes {
	width := 0
	if x == nil || !x.IsMatrix() || n < 1 || x.Shape()[1]%n != 0 {
		b.fail("Split", Nodes{x}, "want a matrix whose columns %d parts can share evenly%s", n, flatten(x))
	} else {
		width = x.Shape()[1] / n
	}
	parts := make(Nodes, max(n, 0))
	for i := range parts {
		parts[i] = b.Columns(x, i*width, (i+1)*width)
	}
	return parts
}

// Concat puts matrices of equal height side by side.
func (b *Builder) Concat(xs ...*Node) *Node {
	return b.apply("Concat", xs, func() (*Node, error) {
		for _, x := range xs {
			if !x.IsMatrix() || x.Shape()[0] != xs[0].Shape()[0] {
				return nil, fmt.Errorf("want matrices with the same number of rows%s", flatten(xs...))
			}
		}
		return gorgonia.ApplyOp(ops.NewConcat(len(xs)), xs...)
	})
}
