package kernels

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

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
