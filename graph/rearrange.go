package graph

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/ops"
)

// Transpose returns the transpose of x [m n]: [n m]; of matrices [k m n] that of each,
// [k n m]. Unlike Gorgonia's it is a copy, which its tape machine does not overwrite; the
// same goes for Reshape.
func (b *Builder) Transpose(x *Node) *Node {
	return b.apply("Transpose", Nodes{x}, func() (*Node, error) {
		if x.Dims() != 2 && x.Dims() != 3 {
			return nil, errors.New("want a matrix [m n], or matrices [k m n]")
		}
		return gorgonia.ApplyOp(ops.NewTransposed(x.Dims()), x)
	})
}

// Reshape returns the numbers of x, row by row, under another shape with as many.
// No dimensions make a scalar of one number. The column [n 1], the row [1 n] and
// the vector [n] are three shapes.
func (b *Builder) Reshape(x *Node, dims ...int) *Node {
	return b.apply("Reshape", Nodes{x}, func() (*Node, error) {
		have, want := 1, 1
		for _, n := range x.Shape() {
			have *= n
		}
		for _, n := range dims {
			if n < 1 {
				return nil, fmt.Errorf("to %v: want positive dimensions", dims)
			}
			want *= n
		}
		if have != want {
			return nil, fmt.Errorf("to %v: %d numbers do not fill %d places", dims, have, want)
		}
		return reshaped(x, dims...)
	})
}

// Repeat returns a scalar, a row [1, columns] or a column [rows, 1] repeated to [rows,
// columns], for operations that do not repeat themselves: b.Concat of a matrix and a row
// that all its rows have, such as the parameters of a token.
func (b *Builder) Repeat(x *Node, rows, columns int) *Node {
	return b.apply("Repeat", Nodes{x}, func() (*Node, error) {
		if x.IsScalar() {
			var err error
			if x, err = reshaped(x, 1, 1); err != nil {
				return nil, err
			}
		}
		want := []int{rows, columns}
		if x.Dims() != 2 || rows < 1 || columns < 1 {
			return nil, fmt.Errorf("to %v: want a row or a column, and positive dimensions", want)
		}
		for axis, n := range want {
			have := x.Shape()[axis]
			if have == n {
				continue
			}
			if have != 1 {
				return nil, fmt.Errorf("to %v: want a scalar, a row [1 %d] or a column [%d 1]", want, columns, rows)
			}
			var err error
			if x, err = gorgonia.ApplyOp(ops.NewRepeatOver(ops.Axis(axis), n), x); err != nil {
				return nil, err
			}
		}
		return x, nil
	})
}

// reshaped is x under a shape of as many numbers.
func reshaped(x *Node, dims ...int) (*Node, error) {
	if slices.Equal(x.Shape(), dims) {
		return x, nil
	}
	return gorgonia.ApplyOp(ops.NewReshaped(x.Shape(), tensor.Shape(dims)), x)
}

// flatten says what to do where an operand of more axes meets an operation that wants
// matrices.
func flatten(xs ...*Node) string {
	for _, x := range xs {
		if x != nil && x.Dims() > 2 {
			return ": make it a matrix with b.Reshape"
		}
	}
	return ""
}
