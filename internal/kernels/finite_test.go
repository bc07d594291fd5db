package kernels

import (
	"math"
	"testing"
)

func TestFinite(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, n := range []int{0, 1, 5, 64, 1000} {
		x := make([]float32, n)
		for i := range x {
			x[i] = math.MaxFloat32 // the sum is infinite
		}
		if !Finite(x) {
			t.Errorf("%d large numbers are taken for infinite", n)
		}
		for i := range x {
			for _, bad := range []float32{inf, -inf, nan} {
				x[i] = bad
				if Finite(x) {
					t.Fatalf("%v at %d of %d is not found", bad, i, n)
				}
			}
			x[i] = -1
		}
		if n > 1 {
			x[0], x[n-1] = inf, -inf
			if Finite(x) {
				t.Error("opposite infinities are not found")
			}
		}
	}
}
