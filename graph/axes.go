package graph

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/ops"
)

// What is taken over the rows of a matrix [m n] is a row [1 n], what is taken over
// its columns a column [m 1]: both repeat in Add and its like. Gorgonia's own sums
// along an axis give vectors [n], which do not.

// SumRows returns the sum over the rows of x [m n]: [1 n].
func (b *Builder) SumRows(x *Node) *Node { return b.over("SumRows", ops.NewSumOver(ops.OverRows), x) }

// SumColumns returns the sum over the columns of x [m n]: [m 1].
func (b *Builder) SumColumns(x *Node) *Node {
	return b.over("SumColumns", ops.NewSumOver(ops.OverColumns), x)
}

// MeanRows returns the mean over the rows of x [m n]: [1 n].
func (b *Builder) MeanRows(x *Node) *Node {
	b.wantMatrix("MeanRows", x)
	sum := b.SumRows(x)
	return b.share(sum, x, 0)
}

// MeanColumns returns the mean over the columns of x [m n]: [m 1].
func (b *Builder) MeanColumns(x *Node) *Node {
	b.wantMatrix("MeanColumns", x)
	sum := b.SumColumns(x)
	return b.share(sum, x, 1)
}

// VarianceRows returns the variance over the rows of x [m n], the mean of the squared
// distance from their mean, by 1/m: [1 n].
func (b *Builder) VarianceRows(x *Node) *Node {
	b.wantMatrix("VarianceRows", x)
	return b.MeanRows(b.Square(b.Sub(x, b.MeanRows(x))))
}

// VarianceColumns returns the variance over the columns of x [m n], by 1/n: [m 1].
func (b *Builder) VarianceColumns(x *Node) *Node {
	b.wantMatrix("VarianceColumns", x)
	return b.MeanColumns(b.Square(b.Sub(x, b.MeanColumns(x))))
}

// RepeatRows returns a row x [1 n] rows times, one below another: [rows n]. Add and its
// like repeat by themselves; it is for what has no other operand of that height.
func (b *Builder) RepeatRows(x *Node, rows int) *Node {
	return b.repeat("RepeatRows", ops.OverRows, x, rows)
}

// RepeatColumns returns a column x [m 1] columns times, side by side: [m columns]. All
// pairs of a column's numbers, [m m], are those of RepeatColumns(x, m) and the row
// Transpose(x).
func (b *Builder) RepeatColumns(x *Node, columns int) *Node {
	return b.repeat("RepeatColumns", ops.OverColumns, x, columns)
}

func (b *Builder) repeat(name string, a ops.Axis, x *Node, n int) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) {
		switch {
		case x.Dims() != 2 || x.Shape()[a] != 1:
			return nil, fmt.Errorf("want %s", []string{"a row [1 n]", "a column [m 1]"}[a])
		case n < 1:
			return nil, fmt.Errorf("%d times: want 1 or more", n)
		}
		return gorgonia.ApplyOp(ops.NewRepeatOver(a, n), x)
	})
}

// share divides a sum over an axis of x by how many numbers it has.
func (b *Builder) share(sum, x *Node, axis int) *Node {
	if b.err != nil {
		return sum
	}
	return b.Scale(1/float64(x.Shape()[axis]), sum)
}

// MaxRows returns the maximum over the rows of x [m n]: [1 n], NaN where an element
// of the column is. The gradient is shared evenly among the elements that are the
// maximum, as torch.amax does, and flows to none where that is NaN.
func (b *Builder) MaxRows(x *Node) *Node { return b.over("MaxRows", ops.NewMaxOver(ops.OverRows), x) }

// MaxColumns returns the maximum over the columns of x [m n]: [m 1], as MaxRows.
func (b *Builder) MaxColumns(x *Node) *Node {
	return b.over("MaxColumns", ops.NewMaxOver(ops.OverColumns), x)
}

// LogSumExp returns log Σ eˣ over the columns of x [m n]: [m 1], without overflow.
// It is +∞ where an element of the row is, −∞ where all are, NaN where one is. The
// gradient is Softmax(x), and NaN at the infinite ones of a row whose result is.
func (b *Builder) LogSumExp(x *Node) *Node {
	b.wantMatrix("LogSumExp", x)
	shift := b.clipFinite(b.largest(x)) // ∞ − ∞ would be NaN
	return b.Add(b.Log(b.SumColumns(b.Exp(b.Sub(x, shift)))), shift)
}

// clipFinite is x with the largest numbers in place of infinite ones.
func (b *Builder) clipFinite(x *Node) *Node {
	largest := math.MaxFloat64
	if b.dtype == Float32 {
		largest = math.MaxFloat32
	}
	return b.Clip(x, -largest, largest)
}

// Softmax returns eˣ/Σ eˣ of each row of x [m n], without overflow. A row with NaN,
// +∞, or nothing but −∞ has NaN.
func (b *Builder) Softmax(x *Node) *Node {
	b.wantMatrix("Softmax", x)
	e := b.Exp(b.Sub(x, b.largest(x)))
	return b.Div(e, b.SumColumns(e))
}

// LogSoftmax returns the logarithm of Softmax(x), x − LogSumExp(x), to the last
// places where that is small. A row with NaN, +∞, or nothing but −∞ has NaN.
func (b *Builder) LogSoftmax(x *Node) *Node {
	b.wantMatrix("LogSoftmax", x)
	shifted := b.Sub(x, b.largest(x))
	return b.Sub(shifted, b.Log(b.SumColumns(b.Exp(shifted))))
}

// largest is the maximum over columns, which no gradient passes: what it shifts does
// not depend on it.
func (b *Builder) largest(x *Node) *Node {
	return b.apply("MaxColumns", Nodes{x}, func() (*Node, error) {
		largest, err := gorgonia.ApplyOp(ops.NewMaxOver(ops.OverColumns), x)
		if err != nil {
			return nil, err
		}
		return gorgonia.ApplyOp(ops.NewStopGradient(), largest)
	})
}

func (b *Builder) over(name string, op gorgonia.Op, x *Node) *Node {
	return b.apply(name, Nodes{x}, func() (*Node, error) {
		if x.Dims() != 2 {
			return nil, fmt.Errorf("want a matrix [m n]%s", flatten(x))
		}
		return gorgonia.ApplyOp(op, x)
	})
}

// wantMatrix fails where x is none.
func (b *Builder) wantMatrix(op string, x *Node) {
	if x == nil || x.Dims() != 2 {
		b.fail(op, Nodes{x}, "want a matrix [m n]%s", flatten(x))
	}
}
