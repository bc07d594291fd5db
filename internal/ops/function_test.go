package ops

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkEvaluate times the operations of the table that have no kernel.
func BenchmarkEvaluate(b *testing.B) {
	for _, e := range Table() {
		if e.UnaryFunc == nil || e.UnaryKernel != 0 {
			continue
		}
		for _, n := range []int{100, 500} {
			b.Run(fmt.Sprintf("%s/%d", e.Name, n), func(b *testing.B) {
				r, f := rand.New(rand.NewPCG(1, 0)), e.Function(0)
				x, dst := make([]float32, n), make([]float32, n)
				for i := range x {
					x[i] = float32(2 * r.NormFloat64())
				}
				for b.Loop() {
					if err := Evaluate(f, dst, x); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/number")
			})
		}
	}
}
