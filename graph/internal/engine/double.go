package engine

import (
	"sml/internal/kernels"
	"sml/internal/ops"
)

// float64Backend computes in float64 with plain loops: gradient checks need accuracy, not speed.
// float64(x*y) rounds a product before it is added, so that every CPU gives the same bytes.
type float64Backend struct{}

// productCall returns a function that computes the product p.
func (d float64Backend) productCall(p product[float64]) func() {
	return func() { d.multiply(p) }
}

// multiply computes the product p row by row. Row i of the result is the sum over q of element
// (i, q) of the first operand times row q of the second.
func (float64Backend) multiply(p product[float64]) {
	for i := range p.m {
		c := p.c[i*p.rowDistance:][:p.n]
		if !p.accumulate {
			clear(c)
		}
		for q := range p.k {
			a := p.a[i*p.aRow+q*p.aCol]
			for j, b := range p.b[q*p.rowDistance:][:p.n] {
				c[j] += float64(a * b)
			}
		}
		p.finishRow(i, c)
	}
}

// finishRow applies the epilogue, in the order that its type documents, to row i of a product, whose
// sums are in c.
func (p *product[T]) finishRow(i int, c []T) {
	for j, v := range c {
		index := i*p.rowDistance + j
		if p.bias != nil {
			v += p.bias[j]
		}
		if p.relu && v < 0 {
			v = 0
		}
		c[j] = v
		if p.masked != nil { // c keeps the numbers before the mask, and there is no gate
			p.masked[index] = v * p.mask[i*p.maskDistance+j]
			continue
		}
		if p.mask != nil {
			c[j] = v * p.mask[i*p.maskDistance+j]
		}
		isOpen := p.gate == nil || p.gate[index] > 0 // not for NaN
		if !isOpen {
			c[j] = 0
		}
	}
}

// unaryCall returns a function that computes dst[i] = op(a[i]).
func (float64Backend) unaryCall(op kernels.UnaryOp, dst, a []float64) func() {
	f := ops.EntryOfUnaryKernel(op).UnaryFunc
	return func() {
		for i, v := range a {
			dst[i] = f(v)
		}
	}
}

// binaryCall returns a function that computes dst[i] = a[i] op b[i].
func (float64Backend) binaryCall(op kernels.BinaryOp, dst, a, b []float64) func() {
	f := ops.EntryOfBinaryKernel(op).BinaryFunc
	return func() {
		for i, v := range a {
			dst[i] = f(v, b[i])
		}
	}
}

// arrayScalarCall returns a function that computes dst[i] = a[i] op scalar[0].
func (float64Backend) arrayScalarCall(op kernels.BinaryOp, dst, a, scalar []float64) func() {
	f := ops.EntryOfBinaryKernel(op).BinaryFunc
	return func() {
		for i, v := range a {
			dst[i] = f(v, scalar[0])
		}
	}
}

// scalarArrayCall returns a function that computes dst[i] = scalar[0] op a[i].
func (float64Backend) scalarArrayCall(op kernels.BinaryOp, dst, scalar, a []float64) func() {
	f := ops.EntryOfBinaryKernel(op).BinaryFunc
	return func() {
		for i, v := range a {
			dst[i] = f(scalar[0], v)
		}
	}
}

// addTo adds a to dst, element by element.
func (float64Backend) addTo(dst, a []float64) {
	for i, v := range a {
		dst[i] += v
	}
}

// sumCall returns a function that stores the sum of a in dst[0].
func (float64Backend) sumCall(dst, a []float64) func() {
	return func() {
		total := 0.0
		for _, v := range a {
			total += v
		}
		dst[0] = total
	}
}

// sumRowsCall returns a function that computes dst[j] = Σᵢ a[i, j], or adds the sums to dst if
// accumulate is set. Each sum is added in the order of the rows.
func (float64Backend) sumRowsCall(dst, a []float64, rows, cols int, accumulate bool) func() {
	return func() {
		if !accumulate {
			clear(dst)
		}
		for i := range rows {
			for j, v := range a[i*cols:][:cols] {
				dst[j] += v
			}
		}
	}
}

// sumCols computes dst[i] = Σⱼ a[i, j].
func (float64Backend) sumCols(dst, a []float64, rows, cols int) {
	for i := range rows {
		total := 0.0
		for _, v := range a[i*cols:][:cols] {
			total += v
		}
		dst[i] = total
	}
}

// transpose writes the transpose of the rows×cols matrix a to dst.
func (float64Backend) transpose(dst, a []float64, rows, cols int) {
	for i := range rows {
		for j := range cols {
			dst[j*rows+i] = a[i*cols+j]
		}
	}
}
