package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkKernels times each kernel on small operands, on all paths.
func BenchmarkKernels(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 0))
	x, y, z, v := randoms(r, 5000), randoms(r, 5000), make([]float32, 5000), make([]float32, 5000)
	rows := make([]int32, 100)
	for i, row := range r.Perm(500)[:100] {
		rows[i] = int32(row)
	}
	noise := new(Noise)
	factor := make([]float32, 64*64)
	matrix := definiteMatrix[float32](r, 64)
	Cholesky(factor, matrix, 64)
	system := Triangular[float32]{N: 64, M: 64, T: factor, B: matrix, X: z}
	for _, path := range Implementations() {
		for name, run := range map[string]func(){
			"add":       func() { Binary(Add, z, x, y) },
			"max":       func() { Binary(Max, z, x, y) },
			"addScalar": func() { BinaryScalar(Add, z, x, 1) },
			"exp":       func() { Unary(Exp, z, x) },
			"log":       func() { Unary(Log, z, x) },
			"softplus":  func() { Unary(Softplus, z, x) },
			"tanh":      func() { Unary(Tanh, z, x) },
			"sigmoid":   func() { Unary(Sigmoid, z, x) },
			"add16":     func() { Binary(Add, z[:16], x[:16], y[:16]) },
			"sumRows":   func() { SumRows(z, x, 100, 50, false) },
			"sumCols":   func() { SumCols(z, x, 100, 50) },
			"sum":       func() { Sum(x) },
			"adam":      func() { Adam(z, x, y, v, 0.001, 0.9, 0.999, 1e-8, 1, 1, 0) },
			"masks":     func() { Masks(z, 100, 50, 1, 2, 3, 4, 40000, 1.5) },
			"normals":   func() { noise.Normals(z, 100, 50, 1, 2, 3, 4) },
			"uniforms":  func() { noise.Uniforms(z, 100, 50, 1, 2, 3, 4) },
			"copyRows":  func() { CopyRows(z, x, 10, rows) },
			"transpose": func() { Transpose(z, x, 50, 50) },
			"cholesky":  func() { Cholesky(factor, matrix, 64) },
			"solve":     func() { system.Solve(0, 64) },
		} {
			b.Run(path+"/"+name, func(b *testing.B) { loopOnPath(b, path, run) })
		}
	}
}

// BenchmarkProducts times the products of layers of one width, by batch: the
// layer forwards, with bias, ReLU and mask; the gradient of what goes into it,
// with mask and gate, by weights that lie transposed; and the gradient of its
// weights, whose first matrix is transposed.
func BenchmarkProducts(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 0))
	cases := []struct {
		name  string
		flags int
	}{
		{"forward", 0b00111000},
		{"input", 0b10100000},
		{"weights", 0b00000010},
	}
	for _, path := range fast() {
		for _, width := range []int{50, 256, 512, 1024} {
			for _, batch := range []int{100, 500, 10_000} {
				for _, c := range cases {
					b.Run(fmt.Sprintf("%s/%d/%d/%s", path, width, batch, c.name), func(b *testing.B) {
						m, k := batch, width
						if c.name == "weights" {
							m, k = k, m
						}
						g := randomGemm(r, m, width, k, c.flags, plain)
						loopOnPath(b, path, func() { g.Run() })
						b.ReportMetric(2*float64(m)*float64(width)*float64(k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
					})
				}
			}
		}
	}
}
