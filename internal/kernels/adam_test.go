package kernels

import (
	"math"
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

// TestAdamStep works the first step by hand: with m = v = 0 and corrections
// of 1/(1−β), m·c1 is g and v·c2 is g², so θ moves by lr·sign(g), here after
// shrinking by lr·decay = 0.05.
func TestAdamStep(t *testing.T) {
	onPaths(t, Implementations(), func(path string) {
		theta, grad, m, v := []float32{1, -2}, []float32{3, -0.5}, make([]float32, 2), make([]float32, 2)
		Adam(theta, grad, m, v, 0.1, 0.9, 0.999, 1e-12, 10, 1000, 0.5)
		for i, want := range []float64{0.95 - 0.1, -1.9 + 0.1} {
			if math.Abs(float64(theta[i])-want) > 1e-5 {
				t.Errorf("%s: θ[%d] = %v, want %v", path, i, theta[i], want)
			}
		}
		if math.Abs(float64(m[0])-0.3) > 1e-6 || math.Abs(float64(v[0])-0.009) > 1e-6 {
			t.Errorf("%s: moments %v, %v, want 0.3, 0.009", path, m[0], v[0])
		}
	})
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

func BenchmarkAdam(b *testing.B) {
	r := rand.New(rand.NewPCG(2, 0))
	x := [4][]float32{randoms(r, 3301), randoms(r, 3301), randoms(r, 3301), make([]float32, 3301)}
	for _, path := range Implementations() {
		b.Run(path, func(b *testing.B) {
			loopOnPath(b, path, func() { Adam(x[0], x[1], x[2], x[3], 0.001, 0.9, 0.999, 1e-8, 1, 1, 0) })
		})
	}
}
