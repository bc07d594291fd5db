package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Columns returns the columns from, …, to−1 of x.
func (b *Builder) Columns(x *Node, from, to int) *Node {
	return b.apply("Columns", Nodes{x}, func() (*Node, error) {
		if !x.IsMatrix() || from < 0 || to > x.Shape()[1] || from >= to {
			return nil, fmt.Errorf("there are no columns %d to %d", from, to-1)
		}
		return gorgonia.ApplyOp(newColumns(from, to), x)
	})
}

// columns cuts columns out of a matrix.
type columns struct {
	identity
	from, to int
}

func newColumns(from, to int) columns {
	return columns{identity{fmt.Sprintf("columns %d:%d", from, to), 1}, from, to}
}

func (o columns) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, _, err := matrixShape(in[0])
	return tensor.Shape{rows, o.to - o.from}, err
}

func (o columns) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	x, err := dense(in[0])
	if err != nil {
		return nil, err
	}
	dst := tensor.New(tensor.Of(x.Dtype()), tensor.WithShape(x.Shape()[0], o.to-o.from))
	copyColumns(dst, x, 0, o.from, o.to-o.from)
	return dst, nil
}

func (o columns) SymDiff(in Nodes, _, grad *Node) (Nodes, error) {
	g, err := gorgonia.ApplyOp(newSpread(o.from, in[0].Shape()[1]), grad)
	return Nodes{g}, err
}

// spread puts a matrix into a wider one of zeros: the gradient of columns.
type spread struct {
	identity
	from, width int
}

func newSpread(from, width int) spread {
	return spread{identity{fmt.Sprintf("spread to %d of %d", from, width), 1}, from, width}
}

func (o spread) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	rows, _, err := matrixShape(in[0])
	return tensor.Shape{rows, o.width}, err
}

func (o spread) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	x, err := dense(in[0])
	if err != nil {
		return nil, err
	}
	dst := tensor.New(tensor.Of(x.Dtype()), tensor.WithShape(x.Shape()[0], o.width))
	copyColumns(dst, x, o.from, 0, x.Shape()[1])
	return dst, nil
}

func (o spread) SymDiff(in Nodes, _, grad *Node) (Nodes, error) {
	g, err := gorgonia.ApplyOp(newColumns(o.from, o.from+in[0].Shape()[1]), grad)
	return Nodes{g}, err
}
