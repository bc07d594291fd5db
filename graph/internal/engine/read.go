package engine

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/internal/ops"
)

// nodeReader converts Gorgonia nodes to values, each node once.
type nodeReader struct {
	*valueTable
	masks  map[int64]bool   // IDs of the dropout masks
	noise  map[int64]bool   // IDs of the other random numbers
	values map[int64]*value // value of each converted node, by the node's ID
}

// read returns the value of a node. It converts the node's operands first: read, convert and
// readOperands call each other down to the inputs of the graph, which has no cycles. read returns
// an error if the node's operands or shape are inconsistent.
func (r *nodeReader) read(n *gorgonia.Node) (*value, error) {
	if v, ok := r.values[n.ID()]; ok {
		return v, nil
	}
	v, err := r.convert(n)
	if err != nil {
		return nil, err
	}
	if v.size() != max(1, n.Shape().TotalSize()) { // a scalar's shape has no axes, and its size may be 0
		return nil, fmt.Errorf("%v has shape %v, want %v", n.Op(), v.shape, n.Shape())
	}
	r.values[n.ID()] = v
	return v, nil
}

// convert creates the value of a node. Its operands are read first. An operation without a kernel
// becomes a fallback, which Gorgonia computes.
func (r *nodeReader) convert(n *gorgonia.Node) (*value, error) {
	shape := slices.Clone([]int(n.Shape()))
	if n.IsScalar() { // one form for all scalars
		shape = nil
	}
	op := ops.OperationOf(n)
	if op.Kind == ops.KindInput || op.Kind == ops.KindTensor {
		isMask := r.masks[n.ID()]
		isDynamic := isMask || r.noise[n.ID()]
		return r.lookUpOrAdd(value{kind: kindInput, node: n, shape: shape, isMask: isMask, dynamic: isDynamic}), nil
	}
	args, err := r.readOperands(n)
	if err != nil {
		return nil, err
	}
	if v := r.convertOperation(n, op, args, shape); v != nil {
		return v, nil
	}
	// No kernel computes the operation. Gorgonia can, if the result has the graph's number type.
	if have, want := n.Dtype(), r.dtype(); have != want {
		return nil, fmt.Errorf("%v computes %v in a graph of %v", n.Op(), have, want)
	}
	return r.lookUpOrAdd(value{kind: kindFallback, node: n, args: args, shape: shape}), nil
}

// readOperands returns the values of the operands of a node. It returns an error if their
// number is wrong: Gorgonia's rewriting of log(1−x) recycles nodes that may still be in use.
func (r *nodeReader) readOperands(n *gorgonia.Node) ([]*value, error) {
	var args []*value
	for it := n.Graph().From(n.ID()); it.Next(); {
		a, err := r.read(it.Node().(*gorgonia.Node))
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	if want := n.Op().Arity(); want >= 0 && want != len(args) { // −1: any number of operands
		return nil, fmt.Errorf("%v takes %d operands and the graph gives it %d", n.Op(), want, len(args))
	}
	return args, nil
}

// dtype returns the number type of the graph.
func (r *nodeReader) dtype() tensor.Dtype {
	if r.isFloat32 {
		return tensor.Float32
	}
	return tensor.Float64
}

// convertOperation returns the value of an operation with a kernel or a definition, nil for other
// operations.
func (r *nodeReader) convertOperation(n *gorgonia.Node, op ops.Operation, args []*value, shape []int) *value {
	switch op.Kind {
	case ops.KindScalar:
		if number, ok := ops.ScalarOf(n); ok {
			return r.constant(number)
		}
		return nil
	case ops.KindElementwise:
		return r.convertElementwise(op, args, shape)
	case ops.KindUserFunction:
		return r.apply(op.Function, args[0])
	case ops.KindProduct:
		return r.convertProduct(op, args, shape)
	case ops.KindSum, ops.KindMaximum:
		return r.convertReduction(op, args[0], shape)
	case ops.KindSize:
		return r.axisLength(op, args[0])
	case ops.KindRepeat:
		return r.convertRepeat(op, args[0], shape)
	case ops.KindReshape:
		return r.reshape(args[0], shape)
	case ops.KindTranspose:
		return r.convertTranspose(op, args[0])
	case ops.KindStopGradient: // changes gradients, which are part of the graph by now, but no value
		return args[0]
	}
	return r.convertKernel(op, args, shape)
}

// convertKernel returns the value of an operation that one kernel computes without any
// simplification, nil for other operations.
func (r *nodeReader) convertKernel(op ops.Operation, args []*value, shape []int) *value {
	v := value{args: args, shape: shape}
	switch op.Kind {
	case ops.KindColumns:
		v.kind = kindSliceColumns
		v.firstColumn = op.From
	case ops.KindPadColumns:
		v.kind = kindPadColumns
		v.firstColumn = op.From
	case ops.KindConcat:
		v.kind = kindConcat
	case ops.KindPatches:
		v.kind = kindPatches
		v.window = op.Window
	case ops.KindImages:
		v.kind = kindImages
		v.window = op.Window
	case ops.KindRows:
		v.kind = kindGatherRows
	case ops.KindSumByRow:
		v.kind = kindScatterRows
	case ops.KindCumulativeSum:
		v.kind = kindCumulativeSum
		v.fromEnd = op.FromEnd
	case ops.KindOrder:
		v.kind = kindOrder
	case ops.KindCholesky:
		v.kind = kindCholesky
	case ops.KindTriangularSolve:
		v.kind = kindTriangularSolution
		v.upper = op.Upper
	case ops.KindTriangle:
		v.kind = kindTriangle
		v.upper = op.Upper
		v.number = op.Constant
	default:
		return nil
	}
	return r.lookUpOrAdd(v)
}

// convertElementwise returns the value of an elementwise operation, nil if its result is
// boolean or it has neither a kernel nor a definition of one operand. An operation with a constant
// parameter, such as a bound, gets the constant as its last operand if a kernel computes it.
func (r *nodeReader) convertElementwise(op ops.Operation, args []*value, shape []int) *value {
	entry := op.Elementwise
	if entry.HasConstant {
		args = append(args, r.constant(op.Constant))
	}
	switch {
	case op.Boolean:
		return nil
	case entry.UnaryKernel != 0:
		return r.unary(entry.UnaryKernel, args[0])
	case entry.BinaryKernel != 0:
		return r.binary(entry.BinaryKernel, args[0], args[1], shape)
	case entry.Operands() == 1 && entry.Defined():
		return r.apply(entry.Function(r.roundToGraph(op.Constant)), args[0])
	}
	return nil
}

// convertProduct returns the value of a product of matrices and vectors, nil if the operands
// do not fit. Vectors become matrices of one row or column.
func (r *nodeReader) convertProduct(op ops.Operation, args []*value, shape []int) *value {
	transA, transB := op.TransposeX, op.TransposeY
	a, b := args[0], args[1]
	switch op.Form {
	case ops.Batched:
		return r.batchedMatMul(a, b, transA, transB, shape)
	case ops.Matrices: // they are matrices already
	case ops.MatrixVector:
		b = r.reshape(b, []int{b.size(), 1})
		transB = false
	case ops.Inner:
		a = r.reshape(a, []int{1, a.size()})
		b = r.reshape(b, []int{b.size(), 1})
	case ops.Outer:
		a = r.reshape(a, []int{a.size(), 1})
		b = r.reshape(b, []int{1, b.size()})
	default:
		return nil
	}
	rows, innerA := transposedDims(a, transA)
	innerB, cols := transposedDims(b, transB)
	// Gorgonia also infers a shape for some products that do not exist, as in its gradient
	// of an outer product. As a fallback, such a product fails in Gorgonia's own Do.
	if innerA != innerB || rows*cols != shapeSize(shape) {
		return nil
	}
	if op.Form == ops.Matrices {
		return r.matMul(a, b, transA, transB, shape)
	}
	return r.reshape(r.matMul(a, b, transA, transB, []int{rows, cols}), shape)
}

// transposedDims returns the rows and columns of a matrix, or of its transpose.
func transposedDims(v *value, transposed bool) (rows, cols int) {
	if transposed {
		return v.cols, v.rows
	}
	return v.rows, v.cols
}

// convertReduction returns a maximum over an axis of a matrix, or a sum over all axes or an
// axis of a matrix; nil for other sums.
func (r *nodeReader) convertReduction(op ops.Operation, v *value, shape []int) *value {
	if op.Kind == ops.KindMaximum { // always over one axis of a matrix
		kind := kindMaxRows
		if op.Axes[0] == 1 {
			kind = kindMaxCols
		}
		return r.lookUpOrAdd(value{kind: kind, args: []*value{v}, shape: shape})
	}
	axes := op.Axes
	switch {
	case len(axes) == len(v.shape):
		return r.reshape(r.sum(v), shape)
	case len(v.shape) == 2 && slices.Equal(axes, []int{0}):
		sums := r.lookUpOrAdd(value{kind: kindSumRows, args: []*value{v}, shape: []int{v.cols}})
		return r.reshape(sums, shape)
	case len(v.shape) == 2 && slices.Equal(axes, []int{1}):
		sums := r.lookUpOrAdd(value{kind: kindSumCols, args: []*value{v}, shape: []int{v.rows}})
		return r.reshape(sums, shape)
	}
	return nil
}

// convertTranspose returns the transpose of a matrix or of each matrix of a tensor, nil for
// other orders of the axes.
func (r *nodeReader) convertTranspose(op ops.Operation, v *value) *value {
	switch {
	case slices.Equal(op.Axes, []int{1, 0}):
		return r.transpose(v)
	case slices.Equal(op.Axes, []int{0, 2, 1}):
		return r.transposeMatrices(v)
	}
	return nil
}

// axisLength returns the length of an axis of v as a constant. The operation either states the
// length (0 if not) or names the axis; a scalar has length 1.
func (r *nodeReader) axisLength(op ops.Operation, v *value) *value {
	if op.AxisLength != 0 {
		return r.constant(float64(op.AxisLength))
	}
	if len(v.shape) == 0 {
		return r.constant(1)
	}
	return r.constant(float64(v.shape[op.Axes[0]]))
}

// convertRepeat returns a repeated scalar, row or column, nil for other operands. A matrix is a
// row or a column if the axis that the operation repeats has length 1.
func (r *nodeReader) convertRepeat(op ops.Operation, v *value, shape []int) *value {
	axis := op.Axes[0]
	isMatrix := len(v.shape) == 2 && len(shape) == 2
	switch {
	case v.size() == 1, isScalarBroadcast(v):
		return r.broadcast(v, shape)
	case slices.Equal(v.shape, shape):
		return v
	case isMatrix && v.shape[axis] == 1 && v.kind != kindBroadcast:
		return r.broadcast(v, shape)
	}
	return nil
}

// rowMajorData returns the numbers of a Gorgonia value row by row: the value's own memory, or
// a copy if needsCopy. It returns an error if the numbers are not of type T.
func rowMajorData[T float](v gorgonia.Value) ([]T, error) {
	switch data := v.Data().(type) {
	case []T:
		if needsCopy(v) {
			return copyRowMajor(data, v.(*tensor.Dense)), nil
		}
		return data, nil
	case T:
		return []T{data}, nil
	}
	var zero T
	return nil, fmt.Errorf("a value holds %T, and the graph computes in %T", v.Data(), zero)
}

// needsCopy reports whether kernels cannot read a value where it lies: a scalar, a view of a
// tensor, or a tensor stored by columns.
func needsCopy(v gorgonia.Value) bool {
	t, ok := v.(*tensor.Dense)
	return !ok || t.RequiresIterator() || t.DataOrder().IsColMajor()
}

// copyRowMajor returns the elements of a tensor row by row. data is the tensor's memory, in
// which its strides place the elements.
func copyRowMajor[T float](data []T, t *tensor.Dense) []T {
	shape := t.Shape()
	strides := t.Strides()
	elements := make([]T, 0, shape.TotalSize())
	var appendAxis func(axis, index int)
	appendAxis = func(axis, index int) {
		if axis == len(shape) {
			elements = append(elements, data[index])
			return
		}
		for i := range shape[axis] {
			appendAxis(axis+1, index+i*strides[axis])
		}
	}
	appendAxis(0, 0)
	return elements
}
