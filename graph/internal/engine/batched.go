package engine

import (
	"fmt"
	"slices"
)

// A tensor [n m k] is n matrices, one behind another.

// batch returns how many matrices a value is, and their rows and columns.
func (v *value) batch() (n, rows, cols int) {
	rows = v.shape[len(v.shape)-2]
	return v.rows / rows, rows, v.cols
}

// batched returns the products of the matrices of a and b, each transposed as marked;
// nil where Gorgonia infers a shape for products that do not exist.
func (vs *values) batched(a, b *value, transA, transB bool, shape []int) *value {
	if len(a.shape) != len(shape) || len(b.shape) != len(shape) {
		return nil
	}
	if transB {
		b = vs.transposedEach(b)
	}
	if !transA && a.kind == transposeEach {
		a, transA = a.args[0], true // the same sums, read where they lie
	}
	n, m, k := a.batch()
	if transA {
		m, k = k, m
	}
	if others, with, l := b.batch(); others != n || with != k || n*m*l != size(shape) {
		return nil
	}
	return vs.add(value{kind: batched, args: []*value{a, b}, transA: transA, shape: shape})
}

// transposedEach returns the transposes of the matrices of v.
func (vs *values) transposedEach(v *value) *value {
	if v.kind == transposeEach {
		return v.args[0]
	}
	last := len(v.shape) - 1
	shape := slices.Clone(v.shape)
	shape[last-1], shape[last] = shape[last], shape[last-1]
	if v.shape[last-1] == 1 || v.shape[last] == 1 {
		return vs.reshape(v, shape)
	}
	return vs.add(value{kind: transposeEach, args: []*value{v}, shape: shape})
}

// batchedProduct is product i of those that v is.
func (e emitter[T]) batchedProduct(v *value, a, b []T, i int) product[T] {
	_, m, l := v.batch()
	_, k, _ := v.args[1].batch()
	p := product[T]{m: m, n: l, k: k, a: a[i*m*k:][:m*k], aRow: k, aCol: 1, b: b[i*k*l:][:k*l], c: e.memory(v)[i*m*l:][:m*l], ld: l}
	if v.transA {
		p.aRow, p.aCol = 1, m
	}
	return p
}

// emitBatched makes the step of products.
func (e emitter[T]) emitBatched(v *value) step {
	a, writeA := e.written(v.args[0])
	b, writeB := e.written(v.args[1])
	n, _, _ := v.batch()
	p := e.batchedProduct(v, a, b, 0)
	name := "products"
	if v.transA {
		name += ", transposed"
	}
	return step{fmt.Sprintf("%s [%d %d %d %d]", name, n, p.m, p.n, p.k), func() {
		if writeA != nil {
			writeA()
		}
		if writeB != nil {
			writeB()
		}
		for i := range n {
			e.multiply(e.batchedProduct(v, a, b, i))
		}
	}}
}

// transposeMatrices makes the transposes of some of the matrices that v is made of.
func (e emitter[T]) transposeMatrices(v *value, dst, a []T, from, to int) {
	_, rows, cols := v.args[0].batch()
	for i := from * rows * cols; i < to*rows*cols; i += rows * cols {
		e.transpose(dst[i:][:rows*cols], a[i:][:rows*cols], rows, cols)
	}
}
