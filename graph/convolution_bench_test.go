package graph_test

import (
	"testing"
	"time"

	"sml/graph"
	"sml/internal/kernels"
)

// BenchmarkConvolution times a 3×3 convolution of 32 images 16×16 from 16 to 32
// channels, with bias, ReLU and the gradients of images, kernel and bias, and the three
// matrix products in it alone, in turn. gemm/conv is the rate of the convolution as a fraction of the
// rate of the products, by the shortest times.
func BenchmarkConvolution(bench *testing.B) {
	const rows, size, in, out = 32, 16, 16, 32
	const m, k = rows * size * size, 9 * in
	params := new(graph.Params)
	b := graph.New(graph.Float32, params)
	x := b.Param("x", rows, size*size*in, graph.Normal(1))
	w := b.Param("w", k, out, graph.Normal(0.1))
	y := b.ReLU(b.Conv2D(b.Reshape(x, rows, size, size, in), w, b.Param("bias", 1, out, graph.Normal(0.1)), graph.Window{Height: 3, Width: 3, Padding: 1}))
	loss := b.Sum(b.Mul(b.Reshape(y, m, out), b.Input("weights", m, out)))
	r := newRunner(bench, graph.Compiled, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
	params.Initialise(1)
	for i := range r.Input("weights") {
		r.Input("weights")[i] = float32(i%7) - 3
	}
	random := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = float32(i%13)/7 - 1
		}
		return list
	}
	patches, kernel, result, transposed := random(m*k), random(k*out), random(m*out), random(out*k)
	gradient, back := make([]float32, k*out), make([]float32, m*k)
	products := []*kernels.Gemm{
		{M: m, N: out, K: k, A: patches, ARow: k, ACol: 1, B: kernel, LDB: out, C: result, LDC: out},
		{M: k, N: out, K: m, A: patches, ARow: 1, ACol: k, B: result, LDB: out, C: gradient, LDC: out},
		{M: m, N: k, K: out, A: result, ARow: out, ACol: 1, B: transposed, LDB: k, C: back, LDC: k},
	}
	var conv, gemm time.Duration
	for i := range bench.N {
		start := time.Now()
		run(bench, r)
		middle := time.Now()
		for _, p := range products {
			p.Run()
		}
		end := time.Now()
		if took := middle.Sub(start); i == 0 || took < conv {
			conv = took
		}
		if took := end.Sub(middle); i == 0 || took < gemm {
			gemm = took
		}
	}
	bench.ReportMetric(float64(conv.Microseconds()), "conv-µs")
	bench.ReportMetric(float64(gemm.Microseconds()), "gemm-µs")
	bench.ReportMetric(float64(gemm)/float64(conv), "gemm/conv")
	if steps, err := r.Program().Profile(20); err == nil && testing.Verbose() {
		for _, s := range steps {
			bench.Log(s.Kernel, s.Size, s.Time)
		}
	}
}
