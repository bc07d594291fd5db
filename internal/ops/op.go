// Package ops defines the operations of graphs, and recognises Gorgonia's operations:
//
//	table.go        elementwise operations, of Gorgonia and of this project: an entry each
//	recognise.go    which operation a node of Gorgonia's is
//	elementwise.go  entries of this project as operations of Gorgonia
//	gradients.go    gradients of elementwise operations, one function each
//	derivative.go   gradients of any node: the table's, Gorgonia's or a replacement
//	expression.go   how all gradients are written
//	definitions.go  elementwise operations in float64
//	function.go     elementwise operations that users write in Go
//	op.go, …        the other operations that this project adds to Gorgonia
//
// A new elementwise operation is an entry of the table, a kernel if it is worth
// it (internal/kernels/elementwise.go) and a method of graph.Builder. Engine, drawings,
// profiles, docs/reference/operations.md and the tests of all operations take it from there.
package ops

import (
	"fmt"
	"hash"
	"hash/fnv"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// baseOp has the methods that all operations defined here share as Gorgonia operations: a
// unique name, a fixed number of operands, and results that share no memory with operands.
// Gorgonia's own Slice and Reshape return views, which its tape machine then overwrites in place.
type baseOp struct {
	name  string
	arity int
}

func (o baseOp) Arity() int            { return o.arity }
func (o baseOp) ReturnsPtr() bool      { return true }
func (o baseOp) CallsExtern() bool     { return false }
func (o baseOp) OverwritesInput() int  { return -1 }
func (o baseOp) WriteHash(h hash.Hash) { fmt.Fprint(h, o.name) }
func (o baseOp) String() string        { return o.name }

func (o baseOp) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// Type says that all operands and the result have the same type.
func (o baseOp) Type() hm.Type {
	types := make([]hm.Type, o.arity+1)
	for i := range types {
		types[i] = hm.TypeVariable('a')
	}
	return hm.NewFnType(types...)
}

func (o baseOp) DiffWRT(inputs int) []bool {
	through := make([]bool, inputs)
	for i := range through {
		through[i] = true
	}
	return through
}

// matrixShape returns the shape of an operand while a graph is built. It returns an error if the
// operand is no matrix.
func matrixShape(d gorgonia.DimSizer) (rows, columns int, err error) {
	shape, ok := d.(tensor.Shape)
	if !ok || shape.Dims() != 2 {
		return 0, 0, fmt.Errorf("want a matrix, not %v", d)
	}
	return shape[0], shape[1], nil
}

// copyColumns copies columns from, …, from+n−1 of src to columns at, … of dst,
// for contiguous matrices of the same number of rows.
func copyColumns(dst, src *tensor.Dense, at, from, n int) {
	rows, dstColumns, srcColumns := dst.Shape()[0], dst.Shape()[1], src.Shape()[1]
	switch s := src.Data().(type) {
	case []float32:
		d := dst.Data().([]float32)
		for r := range rows {
			copy(d[r*dstColumns+at:][:n], s[r*srcColumns+from:])
		}
	case []float64:
		d := dst.Data().([]float64)
		for r := range rows {
			copy(d[r*dstColumns+at:][:n], s[r*srcColumns+from:])
		}
	}
}

// asMatrix returns an operand as a contiguous matrix. It returns an error if the operand is no
// matrix.
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

// newValue returns a new value with the given shape, in the number type of v. single or double
// computes its numbers dst from the numbers x of v.
func newValue(v gorgonia.Value, shape tensor.Shape, single func(dst, x []float32), double func(dst, x []float64)) (gorgonia.Value, error) {
	data := v.Data()
	if t, ok := v.(tensor.Tensor); ok {
		data = tensor.Materialize(t).Data()
	}
	size := shape.TotalSize()
	if shape.Dims() == 0 {
		size = 1
	}
	switch x := data.(type) {
	case float32:
		data = []float32{x}
	case float64:
		data = []float64{x}
	}
	var dst any
	switch x := data.(type) {
	case []float32:
		to := make([]float32, size)
		if single(to, x); shape.Dims() == 0 {
			return gorgonia.NewF32(to[0]), nil
		}
		dst = to
	case []float64:
		to := make([]float64, size)
		if double(to, x); shape.Dims() == 0 {
			return gorgonia.NewF64(to[0]), nil
		}
		dst = to
	default:
		return nil, fmt.Errorf("want numbers in dense tensors or scalars, not %T", v)
	}
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(dst)), nil
}
