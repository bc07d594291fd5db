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
	near(t, "log loss", logLoss.Compute(c), 0.7512649762748712, 1e-15)
	c.Y = []float64{0, 1, 0, 2}
	// NumPy 1.24.2: -log(maximum(p, 2**-52)).mean(), and average(…, weights=[1, 2, .5, 3]).
	near(t, "log loss of a 0", logLoss.Compute(c), 9.574362079485441, 1e-14)
	near(t, "accuracy", accuracy.Compute(c), 0.5, 0) // by hand: rows 1 and 2; of the fourth, class 0 stands first
	c.Weights = []float64{1, 2, 0.5, 3}
	near(t, "weighted log loss", logLoss.Compute(c), 16.996294749934314, 1e-13)
	near(t, "weighted accuracy", accuracy.Compute(c), 3/6.5, 1e-15)
	certain := &Column{Y: []float64{0}, Distributions: classesOf([][]float64{{1, 0}})}
	near(t, "log loss of a certain class", logLoss.Compute(certain), 0, 0)
	if s := logLoss.Compute(certain); math.Signbit(s) {
		t.Errorf("log loss %v", s)
	}
}

// Values of scikit-learn 1.2.1: K·mean_squared_error(one-hot, p), roc_auc_score(multi_class="ovr",
// average="macro") and, of two classes, roc_auc_score(y, p of the second). The calibration error
// is Σ of weights times |accuracy_score − mean confidence| over np.linspace(0, 1, 16).
func TestClassesOfScikitLearn(t *testing.T) {
	c := &Column{
		Y:             []float64{0, 1, 0, 2, 2, 1},
		Distributions: classesOf([][]float64{{.7, .2, .1}, {.1, .5, .4}, {.3, .3, .4}, {.5, .45, .05}, {.2, .2, .6}, {.25, .5, .25}}),
	}
	near(t, "Brier score", brier.Compute(c), 0.545, 1e-15)
	near(t, "calibration error", confidenceECE.Compute(c), 0.2666666666666666, 1e-15)
	near(t, "AUC", auc.Compute(c), 0.7916666666666666, 1e-15)
	c.Weights = []float64{1, 2, 0.5, 3, 1, 1.5}
	near(t, "weighted Brier score", brier.Compute(c), 0.6908333333333334, 1e-15)
	near(t, "weighted calibration error", confidenceECE.Compute(c), 0.12777777777777777, 1e-15)
	near(t, "weighted AUC", auc.Compute(c), 0.7055555555555556, 1e-15)
	two := &Column{Y: []float64{0, 1, 0, 1}, Distributions: classesOf([][]float64{{.8, .2}, {.4, .6}, {.4, .6}, {.1, .9}})}
	near(t, "AUC of two classes", auc.Compute(two), 0.875, 0)
	near(t, "Brier score of two classes", brier.Compute(two), 0.28500000000000003, 1e-15) // 2·brier_score_loss
	one := &Column{Y: []float64{2, 2}, Distributions: classesOf([][]float64{{.8, .2, 0}, {.4, .6, 0}})}
	if v := auc.Compute(one); !math.IsNaN(v) {
		t.Errorf("AUC of rows of one class is %v, want NaN", v)
	}
}
