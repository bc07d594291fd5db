package graph

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// Sum returns the sum of all elements of x, a scalar.
func (b *Builder) Sum(x *Node) *Node {
	return b.apply("Sum", Nodes{x}, func() (*Node, error) { return sumAll(x) })
}

// sumAll returns the sum of all elements. It makes a matrix of images and sequences first, since
// Gorgonia's gradient repeats along at most two axes.
func sumAll(x *Node) (*Node, error) {
	if x.Dims() <= 2 {
		return gorgonia.Sum(x)
	}
	rows := x.Shape()[0]
	matrix, err := reshapeNode(x, rows, x.Shape().TotalSize()/rows)
	if err != nil {
		return nil, err
	}
	return gorgonia.Sum(matrix)
}

// Mean returns the mean of all elements of x, a scalar.
func (b *Builder) Mean(x *Node) *Node {
	return b.apply("Mean", Nodes{x}, func() (*Node, error) {
		sum, err := sumAll(x)
		if err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(sum, b.constant(1/float64(x.Shape().TotalSize())))
	})
}

// MSE returns the mean squared error, the mean of (x − y)² over all elements, a scalar. The builder
// fails unless the shapes are equal.
func (b *Builder) MSE(x, y *Node) *Node {
	if x != nil && y != nil && !sameShape(x, y) {
		b.failOperation("MSE", Nodes{x, y}, "want equal shapes")
	}
	return b.Mean(b.Square(b.Sub(x, y)))
}

// SumRows returns the sum over the rows of x [m n], for each column: [1 n]. Results over rows are rows
// and results over columns are columns, which broadcast in Add, unlike the vectors [n] of
// gorgonia.Sum.
func (b *Builder) SumRows(x *Node) *Node {
	return b.reduceAxis("SumRows", ops.NewSumOver(ops.OverRows), x)
}

// SumColumns returns the sum over the columns of x [m n], for each row: [m 1].
func (b *Builder) SumColumns(x *Node) *Node {
	return b.reduceAxis("SumColumns", ops.NewSumOver(ops.OverColumns), x)
}

// MeanRows returns the mean over the rows of x [m n], for each column: [1 n].
func (b *Builder) MeanRows(x *Node) *Node {
	b.wantMatrix("MeanRows", x)
	sum := b.SumRows(x)
	return b.divideByLength(sum, x, 0)
}

// MeanColumns returns the mean over the columns of x [m n], for each row: [m 1].
func (b *Builder) MeanColumns(x *Node) *Node {
	b.wantMatrix("MeanColumns", x)
	sum := b.SumColumns(x)
	return b.divideByLength(sum, x, 1)
}

// VarianceRows returns the variance over the rows of x [m n], with the divisor m: [1 n].
func (b *Builder) VarianceRows(x *Node) *Node {
	b.wantMatrix("VarianceRows", x)
	return b.MeanRows(b.Square(b.Sub(x, b.MeanRows(x))))
}

// VarianceColumns returns the variance over the columns of x [m n], with the divisor n:
// [m 1].
func (b *Builder) VarianceColumns(x *Node) *Node {
	b.wantMatrix("VarianceColumns", x)
	return b.MeanColumns(b.Square(b.Sub(x, b.MeanColumns(x))))
}

// divideByLength returns a sum over an axis of x, divided by the length of the axis.
func (b *Builder) divideByLength(sum, x *Node, axis int) *Node {
	if b.err != nil {
		return sum
	}
	return b.Scale(1/float64(x.Shape()[axis]), sum)
}

// MaxRows returns the maximum over the rows of x [m n]: [1 n], NaN for a column with a
// NaN. Elements that share the maximum share the gradient evenly, as in torch.amax; if the
// maximum is NaN, no gradient flows.
func (b *Builder) MaxRows(x *Node) *Node {
	return b.reduceAxis("MaxRows", ops.NewMaxOver(ops.OverRows), x)
}

// MaxColumns returns the maximum over the columns of x [m n]: [m 1]. See MaxRows.
func (b *Builder) MaxColumns(x *Node) *Node {
	return b.reduceAxis("MaxColumns", ops.NewMaxOver(ops.OverColumns), x)
}

// LogSumExp returns log Σ eˣ over the columns of x [m n]: [m 1], without overflow. A row
// gives +∞ if an element is +∞, −∞ if all are, and NaN if one is NaN. The gradient is
// Softmax(x), and NaN at the infinite elements of a row with an infinite result.
func (b *Builder) LogSumExp(x *Node) *Node {
	b.wantMatrix("LogSumExp", x)
	// log Σ eˣ = log Σ eˣ⁻ˢ + s for every s; the maximum as s keeps eˣ⁻ˢ ≤ 1. An infinite s would
	// give ∞ − ∞, which is NaN.
	shift := b.clipFinite(b.stoppedMaximum(x))
	return b.Add(b.Log(b.SumColumns(b.Exp(b.Sub(x, shift)))), shift)
}

// Softmax returns eˣ/Σ eˣ for each row of x [m n], or of each matrix of x [k m n], without
// overflow. A row with NaN, with +∞, or with nothing but −∞ gives NaN.
func (b *Builder) Softmax(x *Node) *Node {
	if b.err == nil && x != nil && x.Dims() > 2 {
		shape := x.Shape()
		columns := shape[len(shape)-1]
		rows := b.Reshape(x, shape.TotalSize()/columns, columns)
		return b.Reshape(b.Softmax(rows), shape...)
	}
	b.wantMatrix("Softmax", x)
	exponentials := b.Exp(b.Sub(x, b.stoppedMaximum(x))) // at most 1; the factor e⁻ᵐᵃˣ cancels below
	return b.Div(exponentials, b.SumColumns(exponentials))
}

// LogSoftmax returns log Softmax(x) = x − LogSumExp(x), precise also where it is small. A
// row with NaN, with +∞, or with nothing but −∞ gives NaN.
func (b *Builder) LogSoftmax(x *Node) *Node {
	b.wantMatrix("LogSoftmax", x)
	shifted := b.Sub(x, b.stoppedMaximum(x))
	return b.Sub(shifted, b.Log(b.SumColumns(b.Exp(shifted))))
}

// stoppedMaximum returns the maximum over columns, without gradient. A result does not depend on it:
// it is subtracted from exponents to avoid overflow, and cancels or is added again.
func (b *Builder) stoppedMaximum(x *Node) *Node {
	return b.apply("MaxColumns", Nodes{x}, func() (*Node, error) {
		largest, err := gorgonia.ApplyOp(ops.NewMaxOver(ops.OverColumns), x)
		if err != nil {
			return nil, err
		}
		return gorgonia.ApplyOp(ops.NewStopGradient(), largest)
	})
}

// clipFinite replaces infinite elements by the largest finite numbers of the graph's number type.
func (b *Builder) clipFinite(x *Node) *Node {
	largest := math.MaxFloat64
	if b.dtype == Float32 {
		largest = math.MaxFloat32
	}
	return b.Clip(x, -largest, largest)
}

// reduceAxis applies a reduction of the matrix x over one axis. name is the builder's method, for
// errors.
func (b *Builder) reduceAxis(name string, op gorgonia.Op, x *Node) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) {
		if x.Dims() != 2 {
			return nil, fmt.Errorf("want a matrix [m n]%s", reshapeHint(x))
		}
		return gorgonia.ApplyOp(op, x)
	})
}

// wantMatrix makes the builder fail unless x is a matrix.
func (b *Builder) wantMatrix(op string, x *Node) {
	if x == nil || x.Dims() != 2 {
		b.failOperation(op, Nodes{x}, "want a matrix [m n]%s", reshapeHint(x))
	}
}

// MeanOf returns the mean of nodes of one shape, such as the outputs of sub-networks, element by
// element. The builder fails if there is no node or the shapes differ.
func (b *Builder) MeanOf(xs ...*Node) *Node { return b.meanOf("MeanOf", xs) }

// VarianceOf returns the variance of n nodes of one shape, element by element, with the
// divisor n.
func (b *Builder) VarianceOf(xs ...*Node) *Node {
	mean := b.meanOf("VarianceOf", xs)
	squares := make(Nodes, len(xs))
	for i, x := range xs {
		squares[i] = b.Square(b.Sub(x, mean))
	}
	return b.meanOf("VarianceOf", squares)
}

// meanOf is MeanOf. name is the builder's method, for errors.
func (b *Builder) meanOf(name string, xs Nodes) *Node {
	return b.Scale(1/float64(max(1, len(xs))), b.fold(name, b.Add, xs))
}

// LogSumExpOf returns log Σ eˣ over nodes of one shape, element by element, without
// overflow. Infinite and NaN elements are as in LogSumExp.
func (b *Builder) LogSumExpOf(xs ...*Node) *Node {
	shift := b.clipFinite(b.StopGradient(b.fold("LogSumExpOf", b.Max, xs)))
	terms := make(Nodes, len(xs))
	for i, x := range xs {
		terms[i] = b.Exp(b.Sub(x, shift))
	}
	return b.Add(b.Log(b.fold("LogSumExpOf", b.Add, terms)), shift)
}

// fold returns op(…op(op(x₀, x₁), x₂)…) for the nodes xs, which must have one shape. name is the
// builder's method, for errors.
func (b *Builder) fold(name string, op func(x, y *Node) *Node, xs Nodes) *Node {
	if len(xs) == 0 {
		b.failOperation(name, nil, "want one node or more")
		return b.placeholder()
	}
	for _, x := range xs {
		if x == nil {
			b.failOperation(name, xs, "an operand is nil")
		} else if xs[0] != nil && !sameShape(x, xs[0]) {
			b.failOperation(name, xs, "want equal shapes")
		}
	}
	// If the builder has failed, op, a method of the builder, does nothing and returns some node, also
	// for a nil operand.
	result := xs[0]
	for _, x := range xs[1:] {
		result = op(result, x)
	}
	return result
}
