package measure

import (
	"fmt"
	"math"
	"testing"

	"sml/internal/expect"
)

func TestIsotonic(t *testing.T) {
	x := []float64{0.1, 0.9, 0.3, 0.3, 0.5, 0.7, 0.2, 0.9, 0.6, 0.05}
	y := []float64{0.2, 0.8, 0.1, 0.4, 0.35, 0.3, 0.5, 1, 0.9, 0}
	at := []float64{-1, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9, 2}
	for _, c := range []struct {
		name       string
		w, x, want []float64
	}{
		// scikit-learn 1.2.1: IsotonicRegression(out_of_bounds="clip").fit(x, y, sample_weight=w),
		// its X_thresholds_ and predict(at).
		{"without weights", nil, []float64{0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 0.9}, []float64{
			0, 0, 0.08, 0.2, 0.26666666666666666, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333, 0.3458333333333333,
			0.35, 0.475, 0.6, 0.6, 0.6, 0.75, 0.9, 0.9}},
		{"with weights", []float64{1, 2, 1, 3, 1, 0.5, 2, 1, 1, 4}, []float64{0.05, 0.1, 0.2, 0.5, 0.6, 0.7, 0.9}, []float64{
			0, 0, 0.08, 0.2, 0.2892857142857143, 0.3785714285714286, 0.3785714285714286, 0.3785714285714286, 0.3785714285714286,
			0.3785714285714286, 0.5392857142857146, 0.7, 0.7, 0.7, 0.7833333333333334, 0.8666666666666667, 0.8666666666666667}},
	} {
		f := expect.Must(fitIsotonic(x, y, c.w))
		if fmt.Sprint(f.X) != fmt.Sprint(c.x) {
			t.Errorf("%s: points at %v; want %v", c.name, f.X, c.x)
		}
		for i, q := range at {
			near(t, fmt.Sprintf("%s, at %v", c.name, q), f.Eval(q), c.want[i], 1e-15)
		}
	}
}

// What falls throughout becomes its mean; a single point is a constant.
func TestIsotonicConstants(t *testing.T) {
	f, err := fitIsotonic([]float64{1, 2, 3}, []float64{6, 3, 0}, []float64{1, 1, 2})
	if err != nil || len(f.X) != 2 || f.Eval(0) != 2.25 || f.Eval(2.5) != 2.25 || f.Eval(9) != 2.25 {
		t.Errorf("%v, %v; want 2.25 from 1 to 3: (6 + 3 + 2·0) / 4", f, err)
	}
	f, err = fitIsotonic([]float64{7}, []float64{0.5}, nil)
	if err != nil || f.Eval(-1) != 0.5 || f.Eval(7) != 0.5 || f.Eval(8) != 0.5 {
		t.Errorf("%v, %v; want 0.5 everywhere", f, err)
	}
}

func TestIsotonicRefuses(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct{ x, y, w []float64 }{
		"at least one point":    {},
		"2 x, 1 y":              {x: []float64{1, 2}, y: []float64{1}},
		"1 weights":             {x: []float64{1, 2}, y: []float64{1, 2}, w: []float64{1}},
		"point 1 is (NaN, 2)":   {x: []float64{1, nan}, y: []float64{1, 2}},
		"point 0 is (1, +Inf)":  {x: []float64{1, 2}, y: []float64{math.Inf(1), 2}},
		"with the weight 0":     {x: []float64{1, 2}, y: []float64{1, 2}, w: []float64{1, 0}},
		"with the weight +Inf;": {x: []float64{1, 2}, y: []float64{1, 2}, w: []float64{1, math.Inf(1)}},
	} {
		_, err := fitIsotonic(c.x, c.y, c.w)
		expect.Error(t, err, name)
	}
}
