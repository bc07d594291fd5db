package measure

import (
	"math"
	"testing"
)

func TestClasses(t *testing.T) {
	c := &Column{
		Y:             []float64{0, 1, 0},
		Distributions: classesOf([][]float64{{.7, .2, .1}, {.1, .5, .4}, {.3, .3, .4}, {.5, .5, 0}}),
	}
	// PyTorch 1.13: nll_loss(log(p), class), which is scikit-learn's log_loss.
	near(t, "log loss", logLoss.Of(c), 0.7512649762748712, 1e-15)
	c.Y = []float64{0, 1, 0, 2}
	// NumPy 1.24.2: -log(maximum(p, 2**-52)).mean(), and average(…, weights=[1, 2, .5, 3]).
	near(t, "log loss of a 0", logLoss.Of(c), 9.574362079485441, 1e-14)
	near(t, "accuracy", accuracy.Of(c), 0.5, 0) // by hand: rows 1 and 2; of the fourth, class 0 stands first
	c.Weights = []float64{1, 2, 0.5, 3}
	near(t, "weighted log loss", logLoss.Of(c), 16.996294749934314, 1e-13)
	near(t, "weighted accuracy", accuracy.Of(c), 3/6.5, 1e-15)
	certain := &Column{Y: []float64{0}, Distributions: classesOf([][]float64{{1, 0}})}
	near(t, "log loss of a certain class", logLoss.Of(certain), 0, 0)
	if s := logLoss.Of(certain); math.Signbit(s) {
		t.Errorf("log loss %v", s)
	}
}
