package graph

import (
	"gorgonia.org/gorgonia"
)

// Sum returns the sum of all elements of x, a scalar.
func (b *Builder) Sum(x *Node) *Node {
	return b.apply("Sum", Nodes{x}, func() (*Node, error) { return sum(x) })
}

// sum is that of all elements. Gorgonia's gradient repeats along no more than two axes.
func sum(x *Node) (*Node, error) {
	if x.Dims() > 2 {
		var err error
		if x, err = reshaped(x, x.Shape()[0], x.Shape().TotalSize()/x.Shape()[0]); err != nil {
			return nil, err
		}
	}
	return gorgonia.Sum(x)
}

// Mean returns the mean of all elements of x, a scalar.
func (b *Builder) Mean(x *Node) *Node {
	return b.apply("Mean", Nodes{x}, func() (*Node, error) {
		sum, err := sum(x)
		if err != nil {
			return nil, err
		}
		return gorgonia.HadamardProd(sum, b.constant(1/float64(x.Shape().TotalSize())))
	})
}

// MSE returns the mean of (x − y)² over all elements, a scalar. Shapes are
// equal.
func (b *Builder) MSE(x, y *Node) *Node {
	if x != nil && y != nil && !sameShape(x, y) {
		b.fail("MSE", Nodes{x, y}, "want equal shapes")
	}
	return b.Mean(b.Square(b.Sub(x, y)))
}
