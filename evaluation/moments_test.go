package evaluation

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMoments(t *testing.T) {
	m := newMoments(3)
	for _, draw := range [][]float32{
		{1.5, -2, 1 << 24},
		{2.25, -2, 1<<24 + 2},
		{0.5, -2, 1<<24 - 2},
		{4, -2, 1<<24 + 6},
	} {
		m.add(draw)
	}
	// NumPy 1.24.2: draws.mean(0), draws.std(0, ddof=1)
	wantMean := []float64{2.0625, -2, 16777217.5}
	wantStd := []float64{1.4772581584363196, 0, 3.415650255319866}
	mean, std := m.mean, m.std()
	for i := range wantMean {
		near(t, "mean", mean[i], wantMean[i], 1e-15)
		near(t, "std", std[i], wantStd[i], 1e-15)
	}
}

func TestMomentsOfFewDraws(t *testing.T) {
	m := newMoments(2)
	for draws, want := range []float64{0, 3} {
		for i := range 2 {
			near(t, "mean", m.mean[i], want, 0)
			near(t, "std", m.std()[i], 0, 0)
		}
		if draws == 0 {
			m.add([]float32{3, 3})
		}
	}
}

func TestMomentsOfEqualDraws(t *testing.T) {
	m := newMoments(1)
	for range 200 {
		m.add([]float32{0.1})
	}
	near(t, "mean", m.mean[0], float64(float32(0.1)), 0)
	near(t, "std", m.std()[0], 0, 0)
}

func TestMomentsInTwoPasses(t *testing.T) {
	// The textbook's two passes over 200 draws with a mean far above their spread.
	rng := rand.New(rand.NewPCG(6, 0))
	m, draws := newMoments(1), make([]float64, 200)
	var mean, squares float64
	for i := range draws {
		x := float32(1e4 + rng.NormFloat64())
		m.add([]float32{x})
		draws[i] = float64(x)
		mean += draws[i] / 200
	}
	for _, x := range draws {
		squares += (x - mean) * (x - mean)
	}
	near(t, "mean", m.mean[0], mean, 1e-10)
	near(t, "std", m.std()[0], math.Sqrt(squares/199), 1e-12)
}
