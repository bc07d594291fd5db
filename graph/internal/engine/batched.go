package engine

import (
	"fmt"
	"slices"
)

// A tensor of shape [n, rows, cols] is stored as n matrices, one after another.

// matrices returns the number of matrices of a tensor, and the rows and columns of each.
func (v *value) matrices() (n, rows, cols int) {
	rows = v.shape[len(v.shape)-2]
	return v.rows / rows, rows, v.cols
}

// batchedMatMul returns the products of each matrix of a with the same matrix of b. transA and transB
// say whether the matrices of an operand are transposed first. It returns nil if the operands
// do not fit: Gorgonia infers a shape for some products that do not exist.
func (t *valueTable) batchedMatMul(a, b *value, transA, transB bool, shape []int) *value {
	if len(a.shape) != len(shape) || len(b.shape) != len(shape) {
		return nil
	}
	if transB {
		b = t.transposeMatrices(b)
	}
	if !transA && a.kind == kindTransposeMatrices {
		a = a.args[0] // the products read transposed operands without a copy
		transA = true
	}
	matricesA, m, innerA := a.matrices()
	if transA {
		m, innerA = innerA, m
	}
	matricesB, innerB, n := b.matrices()
	if matricesA != matricesB || innerA != innerB || matricesA*m*n != shapeSize(shape) {
		return nil
	}
	return t.lookUpOrAdd(value{kind: kindBatchedMatMul, args: []*value{a, b}, transA: transA, shape: shape})
}

// transposeMatrices returns the transpose of each matrix of v.
func (t *valueTable) transposeMatrices(v *value) *value {
	if v.kind == kindTransposeMatrices { // transposed twice
		return v.args[0]
	}
	last := len(v.shape) - 1
	shape := slices.Clone(v.shape)
	shape[last-1], shape[last] = shape[last], shape[last-1]
	if v.shape[last-1] == 1 || v.shape[last] == 1 { // a row and a column have the same order in memory
		return t.reshape(v, shape)
	}
	return t.lookUpOrAdd(value{kind: kindTransposeMatrices, args: []*value{v}, shape: shape})
}

// batchedProduct returns product i of a batch: matrix i of a, m×k, times matrix i of b, k×n. a and
// b are the numbers of v's operands.
func (e emitter[T]) batchedProduct(v *value, a, b []T, i int) product[T] {
	_, m, n := v.matrices()
	_, k, _ := v.args[1].matrices()
	p := product[T]{
		m:           m,
		n:           n,
		k:           k,
		a:           a[i*m*k:][:m*k],
		b:           b[i*k*n:][:k*n],
		c:           e.memory(v)[i*m*n:][:m*n],
		aRow:        k,
		aCol:        1,
		rowDistance: n,
	}
	if v.transA {
		p.aRow = 1
		p.aCol = m
	}
	return p
}

// emitBatchedProduct returns the instruction of a batch of products.
func (e emitter[T]) emitBatchedProduct(v *value) instruction {
	a, fillA := e.materialize(v.args[0])
	b, fillB := e.materialize(v.args[1])
	matrices, _, _ := v.matrices()
	first := e.batchedProduct(v, a, b, 0) // for its sizes, which all products share
	name := "products"
	if v.transA {
		name += ", transposed"
	}
	name = fmt.Sprintf("%s [%d %d %d %d]", name, matrices, first.m, first.n, first.k)
	run := func() { e.multiplyRange(v, a, b, 0, matrices) }
	return instruction{name, runAfter(fillA, runAfter(fillB, run))}
}

// multiplyRange computes products from, …, to−1 of a batch.
func (e emitter[T]) multiplyRange(v *value, a, b []T, from, to int) {
	for i := from; i < to; i++ {
		e.multiply(e.batchedProduct(v, a, b, i))
	}
}

// transposeMatrixRange writes the transposes of matrices from, …, to−1 of a to dst. a are the
// numbers of v's operand.
func (e emitter[T]) transposeMatrixRange(v *value, dst, a []T, from, to int) {
	_, rows, cols := v.args[0].matrices()
	size := rows * cols
	for i := from; i < to; i++ {
		e.transpose(dst[i*size:][:size], a[i*size:][:size], rows, cols)
	}
}
