package engine

import (
	"sml/internal/kernels"
	"sml/internal/ops"
)

// double is the backend for float64: plain loops, for gradient checks.
type double struct{}

func (d double) product(p product[float64]) func() { return func() { d.multiply(p) } }

func (double) multiply(p product[float64]) {
	for i := range p.m {
		c := p.c[i*p.ld:][:p.n]
		if !p.accumulate {
			clear(c)
		}
		for q := range p.k {
			a := p.a[i*p.aRow+q*p.aCol]
			for j, b := range p.b[q*p.ld:][:p.n] {
				c[j] += float64(a * b)
			}
		}
		p.finish(i, c)
	}
}

// finish does the tail of a product on its row i.
func (p *product[T]) finish(i int, c []T) {
	for j, v := range c {
		at := i*p.ld + j
		if p.bias != nil {
			v += p.bias[j]
		}
		if p.relu && v < 0 {
			v = 0
		}
		c[j] = v
		if p.masked != nil {
			p.masked[at] = v * p.mask[at]
			continue
		}
		if p.mask != nil {
			c[j] = v * p.mask[at]
		}
		if p.gate != nil && !(p.gate[at] > 0) {
			c[j] = 0
		}
	}
}

func (double) unary(op kernels.UnaryOp, dst, a []float64) func() {
	f := ops.OfUnary(op).One
	return func() {
		for i, v := range a {
			dst[i] = f(v)
		}
	}
}

func (double) binary(op kernels.BinaryOp, dst, a, b []float64) func() {
	f := ops.OfBinary(op).Two
	return func() {
		for i, v := range a {
			dst[i] = f(v, b[i])
		}
	}
}

func (double) withScalar(op kernels.BinaryOp, dst, a, scalar []float64) func() {
	f := ops.OfBinary(op).Two
	return func() {
		for i, v := range a {
			dst[i] = f(v, scalar[0])
		}
	}
}

func (double) scalarWith(op kernels.BinaryOp, dst, scalar, a []float64) func() {
	f := ops.OfBinary(op).Two
	return func() {
		for i, v := range a {
			dst[i] = f(scalar[0], v)
		}
	}
}

func (double) addTo(dst, a []float64) {
	for i, v := range a {
		dst[i] += v
	}
}

func (double) sum(dst, a []float64) func() {
	return func() {
		total := 0.0
		for _, v := range a {
			total += v
		}
		dst[0] = total
	}
}

func (double) sumRows(dst, a []float64, rows, cols int, accumulate bool) func() {
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

func (double) sumCols(dst, a []float64, rows, cols int) {
	for i := range rows {
		total := 0.0
		for _, v := range a[i*cols:][:cols] {
			total += v
		}
		dst[i] = total
	}
}

func (double) transpose(dst, a []float64, rows, cols int) {
	for i := range rows {
		for j := range cols {
			dst[j*rows+i] = a[i*cols+j]
		}
	}
}
