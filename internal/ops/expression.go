package ops

import "gorgonia.org/gorgonia"

// expression builds the nodes of a gradient until the first error, which it keeps: all later calls
// do nothing and return nil. So the methods can be nested, and only results returns the error.
type expression struct{ err error }

// apply applies an operation. Unlike Gorgonia's functions it never rewrites operands.
func (e *expression) apply(op gorgonia.Op, operands ...*gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return gorgonia.ApplyOp(op, operands...) })
}

// call applies the elementwise operation with the given name in the table. It ignores the constant
// if the operation has none.
func (e *expression) call(name string, constant float64, operands ...*gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return Apply(name, constant, operands...) })
}

// add returns x + y.
func (e *expression) add(x, y *gorgonia.Node) *gorgonia.Node { return e.binary(gorgonia.Add, x, y) }

// sub returns x − y.
func (e *expression) sub(x, y *gorgonia.Node) *gorgonia.Node { return e.binary(gorgonia.Sub, x, y) }

// mul returns the elementwise product of x and y.
func (e *expression) mul(x, y *gorgonia.Node) *gorgonia.Node {
	return e.binary(gorgonia.HadamardProd, x, y)
}

// div returns x / y.
func (e *expression) div(x, y *gorgonia.Node) *gorgonia.Node {
	return e.binary(gorgonia.HadamardDiv, x, y)
}

// product returns the matrix product of x and y, or the products of the matrices in two tensors.
func (e *expression) product(x, y *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) {
		if x.Dims() == 3 {
			return gorgonia.BatchedMatMul(x, y)
		}
		return gorgonia.Mul(x, y)
	})
}

// transpose returns the transpose of the matrix x, or the transposes of the matrices in a tensor.
func (e *expression) transpose(x *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return gorgonia.ApplyOp(NewTranspose(x.Dims()), x) })
}

// binary applies a function of Gorgonia to x and y.
func (e *expression) binary(f func(x, y *gorgonia.Node) (*gorgonia.Node, error), x, y *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return f(x, y) })
}

// unary applies a function of Gorgonia to x.
func (e *expression) unary(f func(x *gorgonia.Node) (*gorgonia.Node, error), x *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return f(x) })
}

// compare returns 1 where a comparison of x and y holds, else 0.
func (e *expression) compare(f func(x, y *gorgonia.Node, asNumbers bool) (*gorgonia.Node, error), x, y *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return f(x, y, true) })
}

// sum returns the sum of x over axes, or over all elements if there are no axes.
func (e *expression) sum(x *gorgonia.Node, axes ...int) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) { return gorgonia.Sum(x, axes...) })
}

// gate returns x where y > 0, else 0, also where x is infinite or NaN.
func (e *expression) gate(x, y *gorgonia.Node) *gorgonia.Node { return e.call("gate", 0, x, y) }

// number returns the constant v in the graph and the number type of n.
func (e *expression) number(n *gorgonia.Node, v float64) *gorgonia.Node {
	if e.err != nil {
		return nil
	}
	return Number(n, v)
}

// applyUnchanged applies the operation that f, a function of Gorgonia, applies, but leaves x
// unchanged: some functions rewrite their operand, such as Log its operand 1 + z. It calls f in a
// graph of its own and takes only the operation from there.
func (e *expression) applyUnchanged(f func(x *gorgonia.Node) (*gorgonia.Node, error), x *gorgonia.Node) *gorgonia.Node {
	return e.build(func() (*gorgonia.Node, error) {
		g := gorgonia.NewGraph()
		operand := gorgonia.NewScalar(g, x.Dtype(), gorgonia.WithName("x"))
		if !x.IsScalar() {
			operand = gorgonia.NewTensor(g, x.Dtype(), x.Dims(), gorgonia.WithShape(x.Shape()...), gorgonia.WithName("x"))
		}
		y, err := f(operand)
		if err != nil {
			return nil, err
		}
		return gorgonia.ApplyOp(y.Op(), x)
	})
}

// build returns the node that f builds, and keeps f's error. After an error it does not call f, and
// returns nil.
func (e *expression) build(f func() (*gorgonia.Node, error)) *gorgonia.Node {
	if e.err != nil {
		return nil
	}
	n, err := f()
	e.err = err
	return n
}

// results returns nodes, or the first error of the expression, as SymDiff methods do.
func (e *expression) results(nodes ...*gorgonia.Node) (gorgonia.Nodes, error) {
	if e.err != nil {
		return nil, e.err
	}
	return nodes, nil
}
