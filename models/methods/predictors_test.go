package methods

import (
	"math"
	"testing"

	"sml/models"
)

// All expected values are worked by hand from the formulas in the comments.
func TestPredictors(t *testing.T) {
	d := models.Moments{Full: []float64{2, 0.5}, Mean: []float64{1.5, 0}, Std: []float64{0.25, 0}}
	one := models.Prediction{Mean: 1, Std: 2, StdDrop: 3, MeanShift: 4}
	for name, c := range map[string]struct{ got, want models.Prediction }{
		"MC":  {SubNetworks(d), models.Prediction{Mean: 1.5, Std: 0.25, StdDrop: 0.25}},
		"SML": {FullWithShift(d), models.Prediction{Mean: 2, Std: 0.75, StdDrop: 0.25, MeanShift: 0.5}}, // 0.25 + |2 − 1.5|
		"DE":  {FullNetwork(d), models.Prediction{Mean: 2}},
		"PU":  {Gaussian(d), models.Prediction{Mean: 2, Std: math.Log(1 + math.Exp(0.5))}},
		// Means 1 and 2: sample variance 0.5.
		"spread": {Ensemble([]models.Prediction{{Mean: 1, Std: 9}, {Mean: 2, Std: 9}}), models.Prediction{Mean: 1.5, Std: math.Sqrt(0.5)}},
		// mean of σ²+μ² = (1+1 + 4+9)/2 = 7.5, minus 2² = 3.5.
		"mixture": {GaussianMixture([]models.Prediction{{Mean: 1, Std: 1, StdDrop: 0.5, MeanShift: 0.5}, {Mean: 3, Std: 2, StdDrop: 2}}),
			models.Prediction{Mean: 2, Std: math.Sqrt(3.5), StdDrop: 1.25, MeanShift: 0.25}},
		// Weights ¼ and ¾: mean 2.5, variance (1 + 1.5²)/4 + 3(2² + 0.5²)/4 = 4.
		"weighted mixture": {mixture([]float64{2, 6}, []models.Prediction{{Mean: 1, Std: 1}, {Mean: 3, Std: 2}}), models.Prediction{Mean: 2.5, Std: 2}},
		"spread of one":    {Ensemble([]models.Prediction{one}), one},
		"mixture of one":   {GaussianMixture([]models.Prediction{one}), one},
	} {
		for _, v := range []struct{ got, want float64 }{
			{c.got.Mean, c.want.Mean}, {c.got.Std, c.want.Std}, {c.got.StdDrop, c.want.StdDrop}, {c.got.MeanShift, c.want.MeanShift},
		} {
			if math.Abs(v.got-v.want) > 1e-15 {
				t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
			}
		}
	}
}

// e¹⁰⁰⁰ and 3·e¹⁰⁰⁰ are a quarter and three quarters of their sum.
func TestSoftmax(t *testing.T) {
	for i, want := range []float64{0.25, 0.75, 0} {
		if got := Softmax([]float64{1000, 1000 + math.Log(3), -1000})[i]; math.Abs(got-want) > 1e-13 {
			t.Errorf("probability %d is %v, want %v", i, got, want)
		}
	}
}

func TestGaussianNeitherOverflowsNorVanishes(t *testing.T) {
	for s, want := range map[float64]float64{1000: 1000, -27: math.Log1p(math.Exp(-27)), -28: 1e-12, -700: 1e-12} { // log 1e-12 = −27.6
		if got := Gaussian(models.Moments{Full: []float64{0, s}}).Std; math.Abs(got/want-1) > 1e-12 {
			t.Errorf("softplus(%v) = %v, want %v", s, got, want)
		}
	}
}
