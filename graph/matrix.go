package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// MatMul returns the matrix product of x [m, k] and y [k, n]: [m, n].
func (b *Builder) MatMul(x, y *Node) *Node {
	return b.apply("MatMul", Nodes{x, y}, func() (*Node, error) {
		if !x.IsMatrix() || !y.IsMatrix() || x.Shape()[1] != y.Shape()[0] {
			return nil, fmt.Errorf("want [m k] and [k n]")
		}
		return gorgonia.Mul(x, y)
	})
}

// Linear returns x·w + bias for x [m, k], w [k, n] and bias [1, n].
func (b *Builder) Linear(x, w, bias *Node) *Node { return b.Add(b.MatMul(x, w), bias) }
