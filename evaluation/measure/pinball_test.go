package measure

import "testing"

func TestPinball(t *testing.T) {
	c := &Column{
		Y:      []float64{0.1, -0.7, 1.9, 2.0},
		Levels: []float64{0.05, 0.5, 0.95},
	}
	c.Distributions = quantilesOf(c.Levels, [][]float64{{-0.5, 0.3, 1.0}, {-2, -1.2, -0.6}, {0, 0.7, 1.8}, {1.5, 2.1, 2.4}})
	// NumPy 1.24.2: mean over the levels a of mean(maximum(a*d, (a-1)*d)), d = y-q, which
	// is scikit-learn's mean_pinball_loss; below with average(…, weights=w).
	near(t, "pinball", pinball.Compute(c), 0.11499999999999999, 1e-15)
	c.Weights = []float64{1, 2, 0.5, 3}
	near(t, "weighted", pinball.Compute(c), 0.07666666666666667, 1e-15)

	// The examples of scikit-learn's mean_pinball_loss: y = 1, 2, 3, of q = 0, 2, 3 and q = 1, 2, 4.
	for _, e := range []struct{ level, first, last, want float64 }{{0.1, 0, 3, 0.1 / 3}, {0.1, 1, 4, 0.3}, {0.9, 0, 3, 0.3}, {0.9, 1, 4, 0.1 / 3}} {
		c := &Column{Y: []float64{1, 2, 3}, Levels: []float64{e.level}, Distributions: quantilesOf([]float64{e.level}, [][]float64{{e.first}, {2}, {e.last}})}
		near(t, "scikit-learn", pinball.Compute(c), e.want, 1e-15)
	}
}
