package report

import (
	"math"
	"testing"

	"sml/data"
	"sml/evaluation/measure"
	"sml/models/distribution"
)

// threeClasses returns thirty rows of three classes that any program can make: probabilities in proportion to 1 + sin(i),
// 1 + cos(2i) and ½, and the class 7i mod 3.
func threeClasses(weights []float64) *measure.Column {
	c := &measure.Column{Protocol: data.Sound, Weights: weights}
	for row := range 30 {
		i := float64(row)
		p := distribution.Classes{1 + math.Sin(i), 1 + math.Cos(2*i), 0.5}
		sum := p[0] + p[1] + p[2]
		for k := range p {
			p[k] /= sum
		}
		c.Distributions = append(c.Distributions, p)
		c.Y = append(c.Y, float64(row*7%3))
	}
	return c
}

// The expected numbers are those of scikit-learn 1.2.1: roc_curve with drop_intermediate=False, roc_auc_score and
// calibration_curve with 10 bins.
func TestClassCurvesAsScikitLearn(t *testing.T) {
	curve, area := rocCurve(threeClasses(nil), 1)
	wantX := []float64{0, 0, 0.05, 0.1, 0.1, 0.1, 0.1, 0.15, 0.2, 0.25, 0.25, 0.3, 0.3, 0.3, 0.35, 0.4, 0.4, 0.45, 0.5, 0.5, 0.55, 0.6, 0.65, 0.7, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1}
	wantY := []float64{0, 0.1, 0.1, 0.1, 0.2, 0.3, 0.4, 0.4, 0.4, 0.4, 0.5, 0.5, 0.6, 0.7, 0.7, 0.7, 0.8, 0.8, 0.8, 0.9, 0.9, 0.9, 0.9, 0.9, 1, 1, 1, 1, 1, 1, 1}
	if len(curve.X) != len(wantX) {
		t.Fatalf("%d points; want %d", len(curve.X), len(wantX))
	}
	for i := range wantX {
		if math.Abs(curve.X[i]-wantX[i]) > 1e-12 || math.Abs(curve.Y[i]-wantY[i]) > 1e-12 {
			t.Errorf("point %d is (%v, %v); want (%v, %v)", i, curve.X[i], curve.Y[i], wantX[i], wantY[i])
		}
	}
	if math.Abs(area-0.7250000000000001) > 1e-12 {
		t.Errorf("area %v", area)
	}
	weights := make([]float64, 30)
	for i := range weights {
		weights[i] = float64(1 + i%2)
	}
	if _, area := rocCurve(threeClasses(weights), 1); math.Abs(area-0.6977777777777778) > 1e-12 {
		t.Errorf("area of weighted rows %v", area)
	}
	wantPredicted, wantObserved := []float64{0.024142038441278026, 0.14885490100158857, 0.2307633111453895, 0.3571708276212744, 0.4637580416797513, 0.5608258067448125, 0.6019025456096456}, []float64{0.0, 0.3333333333333333, 0.0, 0.3333333333333333, 0.3333333333333333, 0.5454545454545454, 0.5}
	bins := binProbabilities(threeClasses(nil), 1)
	if len(bins) != len(wantPredicted) {
		t.Fatalf("%d bins; want %d", len(bins), len(wantPredicted))
	}
	for i, b := range bins {
		if math.Abs(b.predicted-wantPredicted[i]) > 1e-12 || math.Abs(b.observed-wantObserved[i]) > 1e-12 {
			t.Errorf("bin %d: %+v", i, b)
		}
	}
}
