package measure

import (
	"math"
	"testing"

	"sml/data"
)

// scikit-learn 1.2.1 and NumPy 1.24.2: q = norm.cdf(r) of the training rows, shares =
// searchsorted(sort(q), q, "right")/len(q), IsotonicRegression(out_of_bounds="clip")
// fitted on both; round(predict(norm.cdf(r_test)), 2), or as it is, in the histogram of
// the ECE.
func TestECEIsotonic(t *testing.T) {
	train, test := &Column{}, &Column{}
	for i := range 61 {
		_, x := math.Modf(float64(float64(i) * 0.61803398875))
		x -= 0.5
		train.Mean, train.Std, train.Y = append(train.Mean, float64(i%7)), append(train.Std, 0.25), append(train.Y, float64(i%7)+2*x)
	}
	for i := range 45 {
		_, x := math.Modf(float64(float64(i) * 0.41421356237))
		x -= 0.45
		test.Mean, test.Std, test.Y = append(test.Mean, float64(i%5)), append(test.Std, 0.25+float64(i%2)/4), append(test.Y, float64(i%5)+2*x)
	}
	for protocol, want := range map[data.Protocol][2]float64{
		data.Paper: {0.7666666666666668, 0.5888888888888889}, data.Sound: {0.7333333333333334, 0.5666666666666667},
	} {
		train, test := *train, *test
		train.Protocol, test.Protocol = protocol, protocol
		f := train.FitRecalibration()
		test.Recalibration = &f
		near(t, string(protocol)+" before", ece.Compute(&test), want[0], 1e-12)
		near(t, string(protocol)+" after", eceIsotonic.Compute(&test), want[1], 1e-12)
		// The training rows themselves become as even as 61 rows in 20 bins can be: 0.0623 and 0.0311 by the same.
		train.Recalibration = &f
		if got := eceIsotonic.Compute(&train); got > 0.0624 {
			t.Errorf("%s: %v of the training rows themselves", protocol, got)
		}
	}
}

// A weight of 2 is the row twice, one of 0 none.
func TestRecalibrationByWeights(t *testing.T) {
	weighted := &Column{Mean: []float64{0, 0.5, 1, -1}, Std: []float64{1, 1, 1, 1}, Y: []float64{0, 0, 0, 0}, Weights: []float64{2, 1, 0, 1}}
	repeated := &Column{Mean: []float64{0, 0, 0.5, -1}, Std: []float64{1, 1, 1, 1}, Y: []float64{0, 0, 0, 0}}
	f, g := weighted.FitRecalibration(), repeated.FitRecalibration()
	for _, q := range []float64{0, 0.1, 0.3, 0.5, 0.6, 0.9} {
		near(t, "weighted", f.Eval(q), g.Eval(q), 1e-15)
	}
	near(t, "three of four rows are at or below", f.Eval(0.5), 0.75, 1e-15)
}
