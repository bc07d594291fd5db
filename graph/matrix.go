package graph

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// MatMul returns the matrix product of x [m, k] and y [k, n]: [m, n]. The builder fails for other
// shapes.
func (b *Builder) MatMul(x, y *Node) *Node {
	return b.apply("MatMul", Nodes{x, y}, func() (*Node, error) {
		if !x.IsMatrix() || !y.IsMatrix() || x.Shape()[1] != y.Shape()[0] {
			batchHint := ""
			if x.Dims() == 3 && y.Dims() == 3 {
				batchHint = ", or multiply their matrices with b.BatchMatMul"
			}
			return nil, fmt.Errorf("want [m k] and [k n]%s%s", reshapeHint(x, y), batchHint)
		}
		return gorgonia.Mul(x, y)
	})
}

// BatchMatMul returns the n products of the matrices x [n, m, k] and y [n, k, l]:
// [n, m, l]. The attention of tokens q, k and v [rows, tokens, width] is
// softmax(b.BatchMatMul(q, b.Transpose(k))/√width), times v.
func (b *Builder) BatchMatMul(x, y *Node) *Node {
	return b.apply("BatchMatMul", Nodes{x, y}, func() (*Node, error) {
		haveThreeAxes := x.Dims() == 3 && y.Dims() == 3
		if !haveThreeAxes || x.Shape()[0] != y.Shape()[0] || x.Shape()[2] != y.Shape()[1] {
			return nil, errors.New("want [n m k] and [n k l]")
		}
		return gorgonia.BatchedMatMul(x, y)
	})
}

// Linear returns x·w + bias for x [m, k], w [k, n] and bias [1, n]. In the forward pass of a network it is a
// fully connected layer, which methods find: see models.Task.LinearLayers.
func (b *Builder) Linear(x, w, bias *Node) *Node {
	y := b.Add(b.MatMul(x, w), bias)
	if b.inspection.pass != nil {
		layer := LinearLayer{Input: x, Weight: w, Bias: bias, Output: y}
		b.inspection.LinearLayers = append(b.inspection.LinearLayers, layer)
	}
	return y
}

// Transpose returns the transpose [n m] of x [m n], or the transposes [k n m] of k matrices
// [k m n]. Transpose and Reshape return copies; Gorgonia's functions return views, which the tape
// machine can overwrite.
func (b *Builder) Transpose(x *Node) *Node {
	return b.apply("Transpose", Nodes{x}, func() (*Node, error) {
		if x.Dims() != 2 && x.Dims() != 3 {
			return nil, errors.New("want a matrix [m n], or matrices [k m n]")
		}
		return gorgonia.ApplyOp(ops.NewTranspose(x.Dims()), x)
	})
}

// Reshape returns the numbers of x, row by row, in the shape dims. Without dims the result is a
// scalar. The column [n 1], the row [1 n] and the vector [n] are three different shapes. The builder
// fails if x has more or fewer numbers than the shape.
func (b *Builder) Reshape(x *Node, dims ...int) *Node {
	return b.apply("Reshape", Nodes{x}, func() (*Node, error) {
		for _, n := range dims {
			if n < 1 {
				return nil, fmt.Errorf("to %v: want positive dimensions", dims)
			}
		}
		have := product(x.Shape())
		want := product(dims)
		if have != want {
			return nil, fmt.Errorf("to %v: %d numbers do not fill %d places", dims, have, want)
		}
		return reshapeNode(x, dims...)
	})
}

// Repeat returns a scalar, a row [1, columns] or a column [rows, 1] repeated to [rows,
// columns]. Operations that do not broadcast need it, such as Concat of a matrix and a row of
// parameters. The builder fails for other shapes.
func (b *Builder) Repeat(x *Node, rows, columns int) *Node {
	return b.apply("Repeat", Nodes{x}, func() (*Node, error) {
		if x.IsScalar() {
			var err error
			x, err = reshapeNode(x, 1, 1)
			if err != nil {
				return nil, err
			}
		}
		want := []int{rows, columns}
		if x.Dims() != 2 || rows < 1 || columns < 1 {
			return nil, fmt.Errorf("to %v: want a row or a column, and positive dimensions", want)
		}
		for axis, length := range want {
			have := x.Shape()[axis]
			if have == length {
				continue
			}
			if have != 1 {
				return nil, fmt.Errorf("to %v: want a scalar, a row [1 %d] or a column [%d 1]", want, columns, rows)
			}
			var err error
			x, err = gorgonia.ApplyOp(ops.NewRepeatOver(ops.Axis(axis), length), x)
			if err != nil {
				return nil, err
			}
		}
		return x, nil
	})
}

// product returns the product of numbers, 1 if there are none.
func product(numbers []int) int {
	result := 1
	for _, n := range numbers {
		result *= n
	}
	return result
}

// reshapeHint returns the end of an error for an operation on matrices: advice if an operand is
// images or sequences, else "".
func reshapeHint(xs ...*Node) string {
	for _, x := range xs {
		if x != nil && x.Dims() > 2 {
			return ": make it a matrix with b.Reshape"
		}
	}
	return ""
}

// Columns returns the columns from, …, to−1 of x [m, n]: [m, to−from]. Columns are numbered from 0.
// The builder fails if x has no such columns.
func (b *Builder) Columns(x *Node, from, to int) *Node {
	return b.apply("Columns", Nodes{x}, func() (*Node, error) {
		if !x.IsMatrix() || from < 0 || to > x.Shape()[1] || from >= to {
			return nil, fmt.Errorf("there are no columns %d to %d%s", from, to-1, reshapeHint(x))
		}
		return gorgonia.ApplyOp(ops.NewColumns(from, to), x)
	})
}

// Split returns the n matrices [m, k] that lie side by side in x [m, n·k], from the left. It separates
// the outputs of a method with several outputs per target. The builder fails if n does not divide
// the number of columns.
func (b *Builder) Split(x *Node, n int) Nodes {
	width := 0 // columns of each matrix
	if x == nil || !x.IsMatrix() || n < 1 || x.Shape()[1]%n != 0 {
		b.failOperation("Split", Nodes{x}, "want a matrix whose number of columns is divisible by %d%s", n, reshapeHint(x))
	} else {
		width = x.Shape()[1] / n
	}
	// A failed builder returns n stand-ins, so that callers can index the result.
	matrices := make(Nodes, max(n, 0))
	for i := range matrices {
		matrices[i] = b.Columns(x, i*width, (i+1)*width)
	}
	return matrices
}

// Concat returns matrices with the same number of rows side by side: the columns of the first one,
// then those of the second, and so on.
func (b *Builder) Concat(xs ...*Node) *Node {
	return b.apply("Concat", xs, func() (*Node, error) {
		for _, x := range xs {
			if !x.IsMatrix() || x.Shape()[0] != xs[0].Shape()[0] {
				return nil, fmt.Errorf("want matrices with the same number of rows%s", reshapeHint(xs...))
			}
		}
		return gorgonia.ApplyOp(ops.NewConcat(len(xs)), xs...)
	})
}

// SliceRows returns the rows from, …, to−1 of x [m, …]: [to−from, …]. Rows are numbered from 0. The
// builder fails if x has no such rows.
func (b *Builder) SliceRows(x *Node, from, to int) *Node {
	return b.apply("SliceRows", Nodes{x}, func() (*Node, error) {
		if x.Dims() < 2 || from < 0 || to > x.Shape()[0] || from >= to {
			return nil, fmt.Errorf("there are no rows %d to %d", from, to-1)
		}
		shape := slices.Clone(x.Shape())
		width := product(shape[1:])
		flat, err := reshapeNode(x, 1, product(shape)) // the rows of x are columns of this row
		if err != nil {
			return nil, err
		}
		flat, err = gorgonia.ApplyOp(ops.NewColumns(from*width, to*width), flat)
		if err != nil {
			return nil, err
		}
		shape[0] = to - from
		return reshapeNode(flat, shape...)
	})
}

// ConcatRows returns matrices with the same number of columns below each other: the rows of the first
// matrix, then the rows of the second, and so on. Images and sequences must agree in all axes but the first.
func (b *Builder) ConcatRows(xs ...*Node) *Node {
	return b.apply("ConcatRows", xs, func() (*Node, error) {
		if len(xs) == 0 {
			return nil, errors.New("want one node or more")
		}
		shape := slices.Clone(xs[0].Shape())
		rows := 0
		flat := make(Nodes, len(xs)) // one row each
		for i, x := range xs {
			if x.Dims() < 2 || !slices.Equal(x.Shape()[1:], shape[1:]) {
				return nil, errors.New("want matrices with the same number of columns")
			}
			rows += x.Shape()[0]
			var err error
			flat[i], err = reshapeNode(x, 1, product(x.Shape()))
			if err != nil {
				return nil, err
			}
		}
		joined, err := gorgonia.ApplyOp(ops.NewConcat(len(flat)), flat...)
		if err != nil {
			return nil, err
		}
		shape[0] = rows
		return reshapeNode(joined, shape...)
	})
}

// Identity returns the identity matrix [n, n] as a Constant. The builder fails if n < 1.
func (b *Builder) Identity(n int) *Node {
	values := make([]float64, max(0, n*n))
	for i := 0; i < len(values); i += n + 1 { // the diagonal of a matrix that is stored row by row
		values[i] = 1
	}
	return b.Constant(n, n, values) // fails for n < 1
}

// OneHot returns a matrix [m, classes] with a 1 in the column that class [m, 1] names for the row, and 0
// elsewhere. Classes are integers from 0 to classes − 1. Runner.Run fails, and names the row, if class
// holds another number. No gradient flows to class.
func (b *Builder) OneHot(class *Node, classes int) *Node {
	return b.Rows(b.Identity(classes), class)
}

// Rows returns the rows of table [levels, width] whose numbers are in index [n, 1]: [n, width]. Rows
// are numbered from 0. The gradient of a row of the table is the sum over its uses, and no gradient
// flows to the index. Runner.Run fails, and names the row of the index, if a number is not an
// integer from 0 to levels − 1.
func (b *Builder) Rows(table, index *Node) *Node {
	return b.apply("Rows", Nodes{table, index}, func() (*Node, error) {
		if !table.IsMatrix() || index.Dims() != 2 || index.Shape()[1] != 1 {
			return nil, errors.New("want a table [levels width] and an index [n 1]")
		}
		return gorgonia.ApplyOp(ops.NewRows(), table, index)
	})
}
