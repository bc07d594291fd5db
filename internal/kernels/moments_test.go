package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestWelfordOnAllPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for n := range 70 {
		type state struct{ mean, m2 []float64 }
		var states []state
		draws := make([][]float32, 5)
		for i := range draws {
			draws[i] = randoms(r, n)
			if i == 4 {
				draws[i] = anyFloats(r, n)
			}
		}
		onPaths(t, Implementations(), func(path string) {
			// A number behind each slice must stay.
			s := state{make([]float64, n+1), make([]float64, n+1)}
			s.mean[n], s.m2[n] = 7, 7
			for i, x := range draws {
				Welford(s.mean[:n], s.m2[:n], (&fences{t: t, atEnd: true}).slice(x), i+1)
			}
			states = append(states, s)
		})
		for p, s := range states[1:] {
			for i := range s.mean {
				same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y }
				if !same(s.mean[i], states[0].mean[i]) || !same(s.m2[i], states[0].m2[i]) {
					t.Fatalf("%s: %d numbers: %d is %v, %v, want %v, %v", fast()[p], n, i, s.mean[i], s.m2[i], states[0].mean[i], states[0].m2[i])
				}
			}
		}
	}
}

// TestWelford has the draws 1, 2, 6: mean 3, squared distances 4 + 1 + 9.
func TestWelford(t *testing.T) {
	mean, m2 := []float64{0}, []float64{0}
	for i, x := range []float32{1, 2, 6} {
		Welford(mean, m2, []float32{x}, i+1)
	}
	if math.Abs(mean[0]-3) > 1e-15 || math.Abs(m2[0]-14) > 1e-14 {
		t.Errorf("mean %v, m2 %v, want 3, 14", mean[0], m2[0])
	}
}
