package kernels

import (
	"math/rand/v2"
	"testing"
)

func TestAdamOnAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, n := range lengths() {
		for _, draw := range []func(*rand.Rand, int) []float32{randoms, anyFloats} {
			for _, decay := range []float32{0, 0.01} {
				comparePaths(t, "Adam", func(x [][]float32) {
					Adam(x[0], x[1], x[2], x[3], 0.001, 0.9, 0.999, 1e-8, 1.5, 300, decay)
				}, draw(r, n), draw(r, n), draw(r, n), draw(r, n))
			}
		}
	}
}

// TestAdamForgets: without gradients moments shrink to 0 and not to denormal
// numbers, on which CPUs are slow. The weight they belong to stays.
func TestAdamForgets(t *testing.T) {
	onPaths(t, Implementations(), func(path string) {
		theta, grad, m, v := []float32{1, -2, 3}, []float32{0, 0, 0}, []float32{1e-37, -1e-37, 1}, []float32{1e-37, 1e-44, 1e-35}
		Adam(theta, grad, m, v, 0.1, 0.9, 0.999, 1e-8, 1, 1, 0)
		if m[0] != 0 || m[1] != 0 || v[0] != 0 || v[1] != 0 || theta[0] != 1 || theta[1] != -2 {
			t.Errorf("%s: θ %v, moments %v, %v", path, theta, m, v)
		}
		if m[2] != 0.9 || v[2] == 0 {
			t.Errorf("%s: moments %v, %v are too large to forget", path, m[2], v[2])
		}
	})
}
