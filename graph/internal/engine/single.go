package engine

import "sml/internal/kernels"

// float32Backend computes in float32 with the generated kernels.
type float32Backend struct{}

// productCall returns a function that computes the product p.
func (float32Backend) productCall(p product[float32]) func() {
	g := newGemm(p)
	return g.Run
}

// multiply computes the product p.
func (float32Backend) multiply(p product[float32]) {
	g := newGemm(p)
	g.Run()
}

// newGemm returns the kernel call of a product. All matrices but the first have rows at the same
// distance, which the kernel calls their leading dimension (LD).
func newGemm(p product[float32]) kernels.Gemm {
	return kernels.Gemm{
		M:          p.m,
		N:          p.n,
		K:          p.k,
		A:          p.a,
		ARow:       p.aRow,
		ACol:       p.aCol,
		B:          p.b,
		LDB:        p.rowDistance,
		C:          p.c,
		LDC:        p.rowDistance,
		Accumulate: p.accumulate,
		Bias:       p.bias,
		Relu:       p.relu,
		Mask:       p.mask,
		LDMask:     p.maskDistance,
		Gate:       p.gate,
		LDGate:     p.rowDistance,
		Masked:     p.masked,
		LDMasked:   p.rowDistance,
	}
}

// unaryCall returns a function that computes dst[i] = op(a[i]).
func (float32Backend) unaryCall(op kernels.UnaryOp, dst, a []float32) func() {
	return func() { kernels.Unary(op, dst, a) }
}

// binaryCall returns a function that computes dst[i] = a[i] op b[i].
func (float32Backend) binaryCall(op kernels.BinaryOp, dst, a, b []float32) func() {
	return func() { kernels.Binary(op, dst, a, b) }
}

// arrayScalarCall returns a function that computes dst[i] = a[i] op scalar[0].
func (float32Backend) arrayScalarCall(op kernels.BinaryOp, dst, a, scalar []float32) func() {
	return func() { kernels.BinaryScalar(op, dst, a, scalar[0]) }
}

// scalarArrayCall returns a function that computes dst[i] = scalar[0] op a[i].
func (float32Backend) scalarArrayCall(op kernels.BinaryOp, dst, scalar, a []float32) func() {
	return func() { kernels.ScalarBinary(op, dst, scalar[0], a) }
}

// addTo adds a to dst, element by element.
func (float32Backend) addTo(dst, a []float32) { kernels.Binary(kernels.Add, dst, dst, a) }

// sumCall returns a function that stores the sum of a in dst[0].
func (float32Backend) sumCall(dst, a []float32) func() {
	return func() { dst[0] = kernels.Sum(a) }
}

// sumRowsCall returns a function that computes dst[j] = Σᵢ a[i, j], or adds the sums to dst if
// accumulate is set.
func (float32Backend) sumRowsCall(dst, a []float32, rows, cols int, accumulate bool) func() {
	return func() { kernels.SumRows(dst, a, rows, cols, accumulate) }
}

// sumCols computes dst[i] = Σⱼ a[i, j].
func (float32Backend) sumCols(dst, a []float32, rows, cols int) {
	kernels.SumCols(dst, a, rows, cols)
}

// transpose writes the transpose of the rows×cols matrix a to dst.
func (float32Backend) transpose(dst, a []float32, rows, cols int) {
	kernels.Transpose(dst, a, rows, cols)
}
