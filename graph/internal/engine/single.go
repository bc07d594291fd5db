package engine

import "sml/graph/internal/kernels"

// single is the backend for float32: the generated kernels.
type single struct{}

func (single) product(p product[float32]) func() {
	g := &kernels.Gemm{
		M: p.m, N: p.n, K: p.k, A: p.a, ARow: p.aRow, ACol: p.aCol, B: p.b, LDB: p.n, C: p.c, LDC: p.n,
		Accumulate: p.accumulate, Bias: p.bias, Relu: p.relu, Mask: p.mask, LDMask: p.n, Gate: p.gate, LDGate: p.n,
		Masked: p.masked, LDMasked: p.n,
	}
	return g.Run
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

func (single) sumCols(dst, a []float32, rows, cols int) func() {
	return func() { kernels.SumCols(dst, a, rows, cols) }
}

func (single) transpose(dst, a []float32, rows, cols int) func() {
	return func() { kernels.Transpose(dst, a, rows, cols) }
}
