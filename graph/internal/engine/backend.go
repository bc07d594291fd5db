package engine

import "sml/internal/kernels"

// float is the number type of a program.
type float interface{ float32 | float64 }

// backend calls the kernels of one number type. Matrices are stored row by row. A method
// whose name ends in Call returns a function that does the work whenever it is called; the
// other methods do the work at once.
type backend[T float] interface {
	productCall(p product[T]) func()
	multiply(p product[T])

	unaryCall(op kernels.UnaryOp, dst, a []T) func()
	binaryCall(op kernels.BinaryOp, dst, a, b []T) func()
	arrayScalarCall(op kernels.BinaryOp, dst, a, scalar []T) func() // dst[i] = a[i] op scalar[0]
	scalarArrayCall(op kernels.BinaryOp, dst, scalar, a []T) func() // dst[i] = scalar[0] op a[i]
	addTo(dst, a []T)                                               // dst[i] += a[i]

	sumCall(dst, a []T) func()
	sumRowsCall(dst, a []T, rows, cols int, accumulate bool) func() // dst[j] (+)= Σᵢ a[i, j]
	sumCols(dst, a []T, rows, cols int)                             // dst[i] = Σⱼ a[i, j]
	transpose(dst, a []T, rows, cols int)                           // a is rows × cols
}

// product is a matrix product c = a·b with an epilogue: a is m×k, b is k×n, c is m×n.
type product[T float] struct {
	m, n, k     int
	a, b, c     []T
	aRow, aCol  int  // a[i*aRow+p*aCol] is element (i, p) of the first operand
	rowDistance int  // distance between the rows of every matrix but a and a mask ("leading dimension")
	accumulate  bool // whether the product is added to c

	// The epilogue: see the type epilogue. A nil slice leaves its operation out.
	bias         []T
	relu         bool
	mask         []T
	maskDistance int // distance between the rows of mask; 0 if it has one row for all rows
	gate         []T
	masked       []T // receives the masked elements, if c keeps those before the mask
}
