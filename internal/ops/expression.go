package ops

import "gorgonia.org/gorgonia"

// expression builds nodes until the first error, which it keeps. After an error its methods
// return nil and do nothing. All gradients in this package are written with it.
type expression struct{ err error }

// apply applies an operation. Unlike Gorgonia's functions it does not rewrite operands.
func (e *expression) apply(op gorgonia.Op, x ...*gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return gorgonia.ApplyOp(op, x...) })
}

// call applies the operation of this project with that name in the table, and c, its
// constant.
func (e *expression) call(name string, c float64, x ...*gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return Apply(name, c, x...) })
}

func (e *expression) add(x, y *gorgonia.Node) *gorgonia.Node { return e.binary(gorgonia.Add, x, y) }
func (e *expression) sub(x, y *gorgonia.Node) *gorgonia.Node { return e.binary(gorgonia.Sub, x, y) }
func (e *expression) mul(x, y *gorgonia.Node) *gorgonia.Node {
	return e.binary(gorgonia.HadamardProd, x, y)
}
func (e *expression) div(x, y *gorgonia.Node) *gorgonia.Node {
	return e.binary(gorgonia.HadamardDiv, x, y)
}

// product returns the matrix product of x and y.
func (e *expression) product(x, y *gorgonia.Node) *gorgonia.Node {
	return e.binary(gorgonia.Mul, x, y)
}

// transpose returns a copy of the transpose of a matrix.
func (e *expression) transpose(x *gorgonia.Node) *gorgonia.Node { return e.apply(NewTransposed(2), x) }

// binary applies a function of Gorgonia to two operands.
func (e *expression) binary(f func(x, y *gorgonia.Node) (*gorgonia.Node, error), x, y *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return f(x, y) })
}

// unary applies a function of Gorgonia to one operand.
func (e *expression) unary(f func(x *gorgonia.Node) (*gorgonia.Node, error), x *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return f(x) })
}

// compare returns 1 where a comparison holds, else 0.
func (e *expression) compare(f func(x, y *gorgonia.Node, asNumbers bool) (*gorgonia.Node, error), x, y *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return f(x, y, true) })
}

// sum returns the sum of x along axes, of all elements without any.
func (e *expression) sum(x *gorgonia.Node, axes ...int) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return gorgonia.Sum(x, axes...) })
}

// gate returns x where y > 0, else 0, also where x is infinite or NaN.
func (e *expression) gate(x, y *gorgonia.Node) *gorgonia.Node { return e.call("gate", 0, x, y) }

// number returns the constant v in the graph and the type of like.
func (e *expression) number(like *gorgonia.Node, v float64) *gorgonia.Node {
	if e.err != nil {
		return nil
	}
	return Number(like, v)
}

// unrewritten applies a function of Gorgonia without the rewriting that some do: it takes the
// operation from a graph of its own.
func (e *expression) unrewritten(f func(x *gorgonia.Node) (*gorgonia.Node, error), x *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) {
		g := gorgonia.NewGraph()
		alone := gorgonia.NewScalar(g, x.Dtype(), gorgonia.WithName("x"))
		if !x.IsScalar() {
			alone = gorgonia.NewTensor(g, x.Dtype(), x.Dims(), gorgonia.WithShape(x.Shape()...), gorgonia.WithName("x"))
		}
		y, err := f(alone)
		if err != nil {
			return nil, err
		}
		return gorgonia.ApplyOp(y.Op(), x)
	})
}

// build calls f unless there has been an error.
func (e *expression) build(f func() (*gorgonia.Node, error)) (n *gorgonia.Node) {
	if e.err == nil {
		n, e.err = f()
	}
	return n
}

// results returns nodes as a SymDiff method does.
func (e *expression) results(nodes ...*gorgonia.Node) (gorgonia.Nodes, error) {
	if e.err != nil {
		return nil, e.err
	}
	return nodes, nil
}
