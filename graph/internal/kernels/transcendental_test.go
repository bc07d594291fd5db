package kernels

import (
	"math"
	"testing"
)

// TestTranscendentalError holds the functions against package math in
// float64, whose errors are too small to count, over every 127th float32. The
// bounds are those that transcendental.go states.
func TestTranscendentalError(t *testing.T) {
	const stride, block = 127, 1 << 14
	for _, c := range []struct {
		name  string
		op    UnaryOp
		exact func(float64) float64
		bound float64
	}{
		{"exp", Exp, math.Exp, 0.8},
		{"expm1", Expm1, math.Expm1, 1.5},
		{"log", Log, math.Log, 0.9},
		{"log1p", Log1p, math.Log1p, 1.4},
		{"softplus", Softplus, func(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }, 1.8},
		{"tanh", Tanh, math.Tanh, 1.4},
		{"sigmoid", Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, y := make([]float32, block), make([]float32, block)
			worst, where := 0.0, float32(0)
			for start := uint64(0); start < 1<<32; start += stride * block {
				for i := range x {
					x[i] = math.Float32frombits(uint32(start + uint64(i)*stride))
				}
				Unary(c.op, y, x)
				for i, x := range x {
					if x != x {
						continue
					}
					if e := ulps(y[i], c.exact(float64(x))); e > worst {
						worst, where = e, x
					}
				}
			}
			t.Logf("largest error %.2f ulp, at %x = %v", worst, where, where)
			if worst > c.bound {
				t.Errorf("error %.3f ulp at %v, want at most %v", worst, where, c.bound)
			}
		})
	}
}
