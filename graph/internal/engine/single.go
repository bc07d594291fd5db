package engine

import "sml/internal/kernels"

// single is the backend for float32: the generated kernels.
type single struct{}

func (single) product(p product[float32]) func() {
	g := gemm(p)
	return g.Run
}

func (single) multiply(p product[float32]) {
	g := gemm(p)
	g.Run()
}

func gemm(p product[float32]) kernels.Gemm {
	return kernels.Gemm{
		M: p.m, N: p.n, K: p.k, A: p.a, ARow: p.aRow, ACol: p.aCol, B: p.b, LDB: p.ld, C: p.c, LDC: p.ld,
		Accumulate: p.accumulate, Bias: p.bias, Relu: p.relu, Mask: p.mask, LDMask: p.ld, Gate: p.gate, LDGate: p.ld,
		Masked: p.masked, LDMasked: p.ld,
	}
}

func (single) unary(op kernels.UnaryOp, dst, a []float32) func() {
	return func() { kernels.Unary(op, dst, a) }
}

func (single) binary(op kernels.BinaryOp, dst, a, b []float32) func() {
	return func() { kernels.Binary(op, dst, a, b) }
}

func (single) withScalar(op kernels.BinaryOp, dst, a, scalar []float32) func() {
	return func() { kernels.BinaryScalar(op, dst, a, scalar[0]) }
}

func (single) scalarWith(op kernels.BinaryOp, dst, scalar, a []float32) func() {
	return func() { kernels.ScalarBinary(op, dst, scalar[0], a) }
}

func (single) addTo(dst, a []float32) { kernels.Binary(kernels.Add, dst, dst, a) }

func (single) sum(dst, a []float32) func() { return func() { dst[0] = kernels.Sum(a) } }

func (single) sumRows(dst, a []float32, rows, cols int, accumulate bool) func() {
	return func() { kernels.SumRows(dst, a, rows, cols, accumulate) }
}

func (single) sumCols(dst, a []float32, rows, cols int) { kernels.SumCols(dst, a, rows, cols) }

func (single) transpose(dst, a []float32, rows, cols int) { kernels.Transpose(dst, a, rows, cols) }
