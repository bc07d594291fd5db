package evaluation

import (
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
