package engine

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/ops"
)

// reader turns Gorgonia nodes into values.
type reader struct {
	*values
	masks map[int64]bool // nodes that are masks
	done  map[int64]*value
}

// read returns the value of a node, and makes those it depends on.
func (r *reader) read(n *gorgonia.Node) (*value, error) {
	if v, ok := r.done[n.ID()]; ok {
		return v, nil
	}
	v, err := r.make(n)
	if err != nil {
		return nil, err
	}
	if v.size() != max(1, n.Shape().TotalSize()) {
		return nil, fmt.Errorf("%v has shape %v, and %v was expected", n.Op(), v.shape, n.Shape())
	}
	r.done[n.ID()] = v
	return v, nil
}

func (r *reader) make(n *gorgonia.Node) (*value, error) {
	shape := slices.Clone([]int(n.Shape()))
	if n.IsScalar() {
		shape = nil
	}
	op := ops.Of(n)
	if op.Kind == ops.None || op.Kind == ops.Numbers {
		return r.add(value{kind: input, node: n, shape: shape, dynamic: r.masks[n.ID()]}), nil
	}
	var args []*value
	for it := n.Graph().From(n.ID()); it.Next(); {
		a, err := r.read(it.Node().(*gorgonia.Node))
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	if want := n.Op().Arity(); want >= 0 && want != len(args) {
		// Gorgonia's rewriting of log(1−x) recycles nodes that may still be in use.
		return nil, fmt.Errorf("%v takes %d operands and the graph gives it %d", n.Op(), want, len(args))
	}
	if v := r.known(n, op, args, shape); v != nil {
		return v, nil
	}
	if have, want := n.Dtype(), r.dtype(); have != want {
		return nil, fmt.Errorf("%v gives %v, and the graph computes in %v", n.Op(), have, want)
	}
	return r.add(value{kind: fallback, node: n, args: args, shape: shape}), nil
}

func (r *reader) dtype() tensor.Dtype {
	if r.single {
		return tensor.Float32
	}
	return tensor.Float64
}

// known returns the value of an operation that the engine knows, nil for another.
func (r *reader) known(n *gorgonia.Node, op ops.Operation, args []*value, shape []int) *value {
	switch op.Kind {
	case ops.Scalar:
		if v, ok := ops.ScalarOf(n); ok {
			return r.constant(v)
		}
	case ops.OnElements:
		return r.elementwise(op, args, shape)
	case ops.Product:
		return r.product(op, args, shape)
	case ops.Sum:
		return r.reduction(op, args[0], shape)
	case ops.Maximum:
		return r.add(value{kind: [2]kind{maxRows, maxCols}[op.Axes[0]], args: args, shape: shape})
	case ops.Size:
		return r.extent(op, args[0])
	case ops.Repeat:
		return r.repetition(op, args[0], shape)
	case ops.Reshape:
		return r.reshape(args[0], shape)
	case ops.Transpose:
		switch {
		case slices.Equal(op.Axes, []int{1, 0}):
			return r.transposed(args[0])
		case slices.Equal(op.Axes, []int{0, 2, 1}):
			return r.transposedEach(args[0])
		}
	case ops.SubColumns:
		return r.add(value{kind: columns, from: op.From, args: args, shape: shape})
	case ops.PadToColumns:
		return r.add(value{kind: spread, from: op.From, args: args, shape: shape})
	case ops.SideBySide:
		return r.add(value{kind: concat, args: args, shape: shape})
	case ops.WindowPatches:
		return r.add(value{kind: patches, window: op.Window, args: args, shape: shape})
	case ops.WindowImages:
		return r.add(value{kind: images, window: op.Window, args: args, shape: shape})
	case ops.LookedUp:
		return r.add(value{kind: lookedUp, args: args, shape: shape})
	case ops.AddedUp:
		return r.add(value{kind: addedUp, args: args, shape: shape})
	case ops.Factor:
		return r.add(value{kind: cholesky, args: args, shape: shape})
	case ops.Solution:
		return r.add(value{kind: solution, upper: op.Upper, args: args, shape: shape})
	case ops.PartTriangle:
		return r.add(value{kind: triangle, upper: op.Upper, number: op.Constant, args: args, shape: shape})
	case ops.OfUser:
		return r.each(op.Function, args[0])
	case ops.Stopped:
		return args[0]
	}
	return nil
}

// elementwise knows what has a kernel or a definition and yields numbers:
// booleans are not for here.
func (r *reader) elementwise(op ops.Operation, args []*value, shape []int) *value {
	e := op.Elementwise
	if e.Constant {
		args = append(args, r.constant(op.Constant))
	}
	switch {
	case op.Boolean:
	case e.Unary != 0:
		return r.unary(e.Unary, args[0])
	case e.Binary != 0:
		return r.binary(e.Binary, args[0], args[1], shape)
	case e.Operands() == 1 && e.Defined():
		return r.each(e.Function(r.rounded(op.Constant)), args[0])
	}
	return nil
}

// product knows the products of matrices and vectors.
func (r *reader) product(op ops.Operation, args []*value, shape []int) *value {
	transA, transB := op.TransposeX, op.TransposeY
	a, b := args[0], args[1]
	switch op.Form {
	case ops.Batched:
		return r.batched(a, b, transA, transB, shape)
	case ops.Matrices:
	case ops.MatrixVector:
		b, transB = r.reshape(b, []int{b.size(), 1}), false
	case ops.Inner:
		a, b = r.reshape(a, []int{1, a.size()}), r.reshape(b, []int{b.size(), 1})
	case ops.Outer:
		a, b = r.reshape(a, []int{a.size(), 1}), r.reshape(b, []int{1, b.size()})
	default:
		return nil
	}
	rows, inner := a.rows, a.cols
	if transA {
		rows, inner = inner, rows
	}
	with, cols := b.rows, b.cols
	if transB {
		with, cols = cols, with
	}
	// Gorgonia infers a shape also for some products that do not exist, as in
	// its gradient of an outer product. Its own Do says so when run.
	if inner != with || rows*cols != size(shape) {
		return nil
	}
	if op.Form == ops.Matrices {
		return r.matmul(a, b, transA, transB, shape)
	}
	return r.reshape(r.matmul(a, b, transA, transB, []int{rows, cols}), shape)
}

// reduction knows sums over all axes, and over one of a matrix.
func (r *reader) reduction(op ops.Operation, v *value, shape []int) *value {
	switch along := op.Axes; {
	case len(along) == len(v.shape):
		return r.reshape(r.sum(v), shape)
	case len(v.shape) == 2 && slices.Equal(along, []int{0}):
		return r.reshape(r.add(value{kind: sumRows, args: []*value{v}, shape: []int{v.cols}}), shape)
	case len(v.shape) == 2 && slices.Equal(along, []int{1}):
		return r.reshape(r.add(value{kind: sumCols, args: []*value{v}, shape: []int{v.rows}}), shape)
	}
	return nil
}

// extent is the length of an axis.
func (r *reader) extent(op ops.Operation, v *value) *value {
	if op.AxisLength != 0 {
		return r.constant(float64(op.AxisLength))
	}
	if len(v.shape) == 0 {
		return r.constant(1)
	}
	return r.constant(float64(v.shape[op.Axes[0]]))
}

// repetition knows how to repeat a scalar, a row or a column.
func (r *reader) repetition(op ops.Operation, v *value, shape []int) *value {
	switch along := op.Axes[0]; {
	case v.size() == 1, v.kind == broadcast && v.args[0].size() == 1:
		return r.repeat(v, shape)
	case slices.Equal(v.shape, shape):
		return v
	case len(v.shape) == 2 && len(shape) == 2 && v.shape[along] == 1 && v.kind != broadcast:
		return r.repeat(v, shape)
	}
	return nil
}

// dataOf returns the numbers of a Gorgonia value row by row: not a copy, unless
// isCopied.
func dataOf[T float](v gorgonia.Value) ([]T, error) {
	switch d := v.Data().(type) {
	case []T:
		if isCopied(v) {
			return byRows(d, v.(*tensor.Dense)), nil
		}
		return d, nil
	case T:
		return []T{d}, nil
	}
	var zero T
	return nil, fmt.Errorf("a value holds %T, and the graph computes in %T", v.Data(), zero)
}

// isCopied tells whether the numbers of a value lie otherwise than kernels
// read them: a scalar, a view of a tensor, or a tensor stored by columns.
func isCopied(v gorgonia.Value) bool {
	t, ok := v.(*tensor.Dense)
	return !ok || t.RequiresIterator() || t.DataOrder().IsColMajor()
}

// byRows copies the numbers of a tensor that are spread over data.
func byRows[T float](data []T, t *tensor.Dense) []T {
	shape, strides := t.Shape(), t.Strides()
	list := make([]T, 0, shape.TotalSize())
	var walk func(axis, at int)
	walk = func(axis, at int) {
		if axis == len(shape) {
			list = append(list, data[at])
			return
		}
		for i := range shape[axis] {
			walk(axis+1, at+i*strides[axis])
		}
	}
	walk(0, 0)
	return list
}
