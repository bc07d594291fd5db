package engine

import "sml/internal/kernels"

// float is what a graph computes in.
type float interface{ float32 | float64 }

// backend makes steps of kernel calls for one number type.
type backend[T float] interface {
	product(p product[T]) func()
	multiply(p product[T]) // at once
	unary(op kernels.UnaryOp, dst, a []T) func()
	binary(op kernels.BinaryOp, dst, a, b []T) func()
	withScalar(op kernels.BinaryOp, dst, a, scalar []T) func() // a op scalar
	scalarWith(op kernels.BinaryOp, dst, scalar, a []T) func() // scalar op a
	addTo(dst, a []T)                                          // at once: dst += a
	sum(dst, a []T) func()
	sumRows(dst, a []T, rows, cols int, accumulate bool) func()
	sumCols(dst, a []T, rows, cols int)   // at once
	transpose(dst, a []T, rows, cols int) // at once
}

// product is a matrix product c = tail(c₀ + a·b), m×n.
type product[T float] struct {
	m, n, k    int
	a          []T
	aRow, aCol int // a's element (i, p) is a[i*aRow+p*aCol]
	ld         int // between rows of every other matrix
	b, c       []T
	accumulate bool
	bias       []T
	relu       bool
	mask, gate []T
	masked     []T
}
