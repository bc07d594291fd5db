package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Concat puts matrices of equal height side by side.
func (b *Builder) Concat(xs ...*Node) *Node {
	return b.apply("Concat", xs, func() (*Node, error) {
		for _, x := range xs {
			if !x.IsMatrix() || x.Shape()[0] != xs[0].Shape()[0] {
				return nil, fmt.Errorf("want matrices with the same number of rows")
			}
		}
		return gorgonia.ApplyOp(concat{identity{"concat", len(xs)}}, xs...)
	})
}

// concat puts matrices side by side.
type concat struct{ identity }

func (o concat) InferShape(in ...gorgonia.DimSizer) (tensor.Shape, error) {
	width, height := 0, 0
	for _, d := range in {
		rows, columns, err := matrixShape(d)
		if err != nil {
			return nil, err
		}
		height = rows
		width += columns
	}
	return tensor.Shape{height, width}, nil
}

func (o concat) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	width := 0
	for _, v := range in {
		width += v.Shape()[1]
	}
	dst := tensor.New(tensor.Of(in[0].Dtype()), tensor.WithShape(in[0].Shape()[0], width))
	at := 0
	for _, v := range in {
		x, err := dense(v)
		if err != nil {
			return nil, err
		}
		copyColumns(dst, x, at, 0, x.Shape()[1])
		at += x.Shape()[1]
	}
	return dst, nil
}

func (o concat) SymDiff(in Nodes, _, grad *Node) (Nodes, error) {
	grads := make(Nodes, len(in))
	at := 0
	for i, x := range in {
		width := x.Shape()[1]
		g, err := gorgonia.ApplyOp(newColumns(at, at+width), grad)
		if err != nil {
			return nil, err
		}
		grads[i] = g
		at += width
	}
	return grads, nil
}
