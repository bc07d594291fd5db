package engine

import "sml/internal/kernels"

// float32Backend computes in float32 with the generated kernels.
type float32Backend struct{}

func (float32Backend) productCall(p product[float32]) func() {
	g := newGemm(p)
	return g.Run
}

func (float32Backend) multiply(p product[float32]) {
	g := newGemm(p)
	g.Run()
}

// newGemm returns the kernel call of a product.
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
		LDMask:     p.rowDistance,
		Gate:       p.gate,
		LDGate:     p.rowDistance,
		Masked:     p.masked,
		LDMasked:   p.rowDistance,
	}
}

func (float32Backend) unaryCall(op kernels.UnaryOp, dst, a []float32) func() {
	return func() { kernels.Unary(op, dst, a) }
}

func (float32Backend) binaryCall(op kernels.BinaryOp, dst, a, b []float32) func() {
	return func() { kernels.Binary(op, dst, a, b) }
}

func (float32Backend) arrayScalarCall(op kernels.BinaryOp, dst, a, scalar []float32) func() {
	return func() { kernels.BinaryScalar(op, dst, a, scalar[0]) }
}

func (float32Backend) scalarArrayCall(op kernels.BinaryOp, dst, scalar, a []float32) func() {
	return func() { kernels.ScalarBinary(op, dst, scalar[0], a) }
}

func (float32Backend) addTo(dst, a []float32) { kernels.Binary(kernels.Add, dst, dst, a) }

func (float32Backend) sumCall(dst, a []float32) func() {
	return func() { dst[0] = kernels.Sum(a) }
}

func (float32Backend) sumRowsCall(dst, a []float32, rows, cols int, accumulate bool) func() {
	return func() { kernels.SumRows(dst, a, rows, cols, accumulate) }
}

func (float32Backend) sumCols(dst, a []float32, rows, cols int) {
	kernels.SumCols(dst, a, rows, cols)
}

func (float32Backend) transpose(dst, a []float32, rows, cols int) {
	kernels.Transpose(dst, a, rows, cols)
}
