package evaluation

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMoments(t *testing.T) {
	m := NewRunningMoments(3)
	for _, draw := range [][]float32{
		{1.5, -2, 1 << 24},
		{2.25, -2, 1<<24 + 2},
		{0.5, -2, 1<<24 - 2},
		{4, -2, 1<<24 + 6},
	} {
		m.Add(draw)
	}
	// NumPy 1.24.2: draws.mean(0), draws.std(0, ddof=1)
	wantMean := []float64{2.0625, -2, 16777217.5}
	wantStd := []float64{1.4772581584363196, 0, 3.415650255319866}
	mean, std := m.Mean(), m.Std()
	for i := range wantMean {
		near(t, "mean", mean[i], wantMean[i], 1e-15)
		near(t, "std", std[i], wantStd[i], 1e-15)
	}
}

func TestMomentsOfFewDraws(t *testing.T) {
	m := NewRunningMoments(2)
	for draws, want := range []float64{0, 3} {
		for i := range 2 {
			near(t, "mean", m.Mean()[i], want, 0)
			near(t, "std", m.Std()[i], 0, 0)
		}
		if draws == 0 {
			m.Add([]float32{3, 3})
		}
	}
}

func TestMomentsOfEqualDraws(t *testing.T) {
	m := NewRunningMoments(1)
	for range 200 {
		m.Add([]float32{0.1})
	}
	near(t, "mean", m.Mean()[0], float64(float32(0.1)), 0)
	near(t, "std", m.Std()[0], 0, 0)
}

func TestMomentsInTwoPasses(t *testing.T) {
	// The textbook's two passes over 200 draws with a mean far above their spread.
	rng := rand.New(rand.NewPCG(6, 0))
	m, draws := NewRunningMoments(1), make([]float64, 200)
	var mean, squares float64
	for i := range draws {
		x := float32(1e4 + rng.NormFloat64())
		m.Add([]float32{x})
		draws[i] = float64(x)
		mean += draws[i] / 200
	}
	for _, x := range draws {
		squares += (x - mean) * (x - mean)
	}
	near(t, "mean", m.Mean()[0], mean, 1e-10)
	near(t, "std", m.Std()[0], math.Sqrt(squares/199), 1e-12)
}

func TestMomentsGiveCopies(t *testing.T) {
	m := NewRunningMoments(1)
	m.Add([]float32{1})
	m.Mean()[0] = 5
	near(t, "mean", m.Mean()[0], 1, 0)
}

func TestMomentsWrongSize(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a draw of the wrong size was accepted")
		}
	}()
	NewRunningMoments(2).Add([]float32{1})
}
