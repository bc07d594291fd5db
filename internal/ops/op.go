// Package ops defines this project's operations on graph nodes, and describes the operations
// of Gorgonia in the same terms. Start with Operation, which OperationOf returns for a node, and with
// the table of elementwise operations in table.go. The package does not run graphs: package
// engine does, and it has the fast kernels.
//
// The files, in the order of reading:
//
//	table.go        elementwise operations, of Gorgonia and of this project
//	recognise.go    OperationOf: the operation of a node
//	elementwise.go  entries of the table as operations of Gorgonia
//	gradients.go    gradients of elementwise operations, one function each
//	derivative.go   gradients of any node, and corrections of Gorgonia's
//	expression.go   the builder in which gradients are written
//	definitions.go  values of elementwise operations in float64
//	function.go     elementwise operations that users write in Go
//	axes.go, …      the other operations that this project adds to Gorgonia
//
// A new elementwise operation is an entry of the table and a method of graph.Builder, and
// for speed a kernel in internal/kernels/elementwise.go. The engine, drawings, profiles,
// docs/reference/operations.md and the tests of all operations read the table.
package ops

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// baseOp implements the methods of gorgonia.Op that are the same for all operations of this
// package. Its embedding types add InferShape, Do and, for gradients, SymDiff.
//
// All results are new values. Gorgonia's own Slice and Reshape return views of their operand,
// which its tape machine then overwrites.
type baseOp struct {
	name  string // unique description of the operation and its settings
	arity int    // number of operands
}

// Arity returns the number of operands.
func (o baseOp) Arity() int { return o.arity }

// ReturnsPtr reports that the result is a new value.
func (o baseOp) ReturnsPtr() bool { return true }

// CallsExtern reports that Do calls no code outside of Go.
func (o baseOp) CallsExtern() bool { return false }

// OverwritesInput returns −1: Do overwrites no operand.
func (o baseOp) OverwritesInput() int { return -1 }

// String returns the name of the operation.
func (o baseOp) String() string { return o.name }

// WriteHash writes the text by which Gorgonia recognises equal operations.
func (o baseOp) WriteHash(h hash.Hash) { fmt.Fprint(h, o.name) }

// Hashcode returns the hash of the text that WriteHash writes.
func (o baseOp) Hashcode() uint32 { return hashcode(o) }

// hashcode returns the hash of the text that o writes.
func hashcode(o interface{ WriteHash(hash.Hash) }) uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// Type returns the type of the operation: all operands and the result have one type.
func (o baseOp) Type() hm.Type {
	types := make([]hm.Type, o.arity+1)
	for i := range types {
		types[i] = hm.TypeVariable('a')
	}
	return hm.NewFnType(types...)
}

// DiffWRT reports for each operand whether a gradient flows to it: to all of them.
func (o baseOp) DiffWRT(inputs int) []bool {
	flows := make([]bool, inputs)
	for i := range flows {
		flows[i] = true
	}
	return flows
}

// matrixShape returns the numbers of rows and columns of an operand while a graph is built. It
// returns an error if the operand is not a matrix.
func matrixShape(d gorgonia.DimSizer) (rows, columns int, err error) {
	shape, ok := d.(tensor.Shape)
	if !ok || shape.Dims() != 2 {
		return 0, 0, fmt.Errorf("want a matrix, not %v", d)
	}
	return shape[0], shape[1], nil
}

// copyColumns copies n columns of the matrix src, beginning with column srcColumn, to the
// columns of dst that begin with dstColumn. Both matrices are contiguous and have the same
// number of rows.
func copyColumns(dst, src *tensor.Dense, dstColumn, srcColumn, n int) {
	rows := src.Shape()[0]
	dstWidth := dst.Shape()[1]
	srcWidth := src.Shape()[1]
	switch x := src.Data().(type) {
	case []float32:
		y := dst.Data().([]float32)
		for row := range rows {
			copy(y[row*dstWidth+dstColumn:][:n], x[row*srcWidth+srcColumn:])
		}
	case []float64:
		y := dst.Data().([]float64)
		for row := range rows {
			copy(y[row*dstWidth+dstColumn:][:n], x[row*srcWidth+srcColumn:])
		}
	}
}

// asMatrix returns an operand as a contiguous matrix. It returns an error if the operand is not
// a matrix.
func asMatrix(v gorgonia.Value) (*tensor.Dense, error) {
	t, ok := v.(tensor.Tensor)
	if !ok || t.Dims() != 2 {
		return nil, fmt.Errorf("want a matrix, not %v", v.Shape())
	}
	d, ok := tensor.Materialize(t).(*tensor.Dense)
	if !ok {
		return nil, fmt.Errorf("want a dense matrix, not %T", v)
	}
	return d, nil
}

// newValue returns a new value with the given shape and the number type of v. It calls compute32 or
// compute64, depending on this type, with the numbers x of v, row by row; the function writes the
// numbers of the new value to dst, which holds zeros. It returns an error if v is neither a scalar nor
// a dense tensor of numbers.
func newValue(v gorgonia.Value, shape tensor.Shape, compute32 func(dst, x []float32), compute64 func(dst, x []float64)) (gorgonia.Value, error) {
	switch x := numbersOf(v).(type) {
	case []float32:
		return computeValue(shape, x, compute32), nil
	case []float64:
		return computeValue(shape, x, compute64), nil
	}
	return nil, fmt.Errorf("want numbers in dense tensors or scalars, not %T", v)
}

// computeValue returns a value with the given shape whose numbers compute writes to dst.
func computeValue[T float32 | float64](shape tensor.Shape, x []T, compute func(dst, x []T)) gorgonia.Value {
	if shape.Dims() == 0 { // a scalar, which is no tensor in Gorgonia
		number := make([]T, 1)
		compute(number, x)
		return newScalar(number[0])
	}
	dst := make([]T, shape.TotalSize())
	compute(dst, x)
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(dst))
}

// newScalar returns Gorgonia's value of a number.
func newScalar[T float32 | float64](number T) gorgonia.Value {
	if v, isFloat32 := any(number).(float32); isFloat32 {
		return gorgonia.NewF32(v)
	}
	return gorgonia.NewF64(float64(number))
}

// numbersOf returns the numbers of v, row by row: a []float32 or []float64 that the caller must
// not change. It returns another type if v holds no such numbers.
func numbersOf(v gorgonia.Value) any {
	data := v.Data()
	if t, isTensor := v.(tensor.Tensor); isTensor {
		data = tensor.Materialize(t).Data() // a view, such as a slice of columns, becomes contiguous
	}
	switch x := data.(type) {
	case float32:
		return []float32{x}
	case float64:
		return []float64{x}
	}
	return data
}
