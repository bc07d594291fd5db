package measure

import "testing"

func TestCoverageError(t *testing.T) {
	// By hand: 10 of the 12 rows have |μ − y| ≤ 1.96σ (not rows 5 and 9: 0.5 > 0.49, 0.45 > 0.294).
	near(t, "of σ", coverageError.Compute(&Column{Mean: someMean, Std: someStd, Y: someY}), 0.95-10.0/12, 1e-15)

	// By hand: y is at the end of the first interval and in the second, below the third
	// and above the fourth: half are covered, and 0.8 were to be.
	c := &Column{Y: []float64{1, 2, 3, 4}, Levels: []float64{0.1, 0.5, 0.9}}
	c.Distributions = quantilesOf(c.Levels, [][]float64{{1, 5, 6}, {0, 0, 3}, {4, 5, 6}, {0, 1, 2}})
	near(t, "of quantiles", coverageError.Compute(c), 0.3, 1e-15)
	c.Std = []float64{9, 9, 9, 9} // quantiles come first
	near(t, "of both", coverageError.Compute(c), 0.3, 1e-15)
}

func TestCentralPair(t *testing.T) {
	for _, c := range []struct {
		levels []float64
		want   [2]int
		ok     bool
	}{
		{nil, [2]int{}, false}, {[]float64{0.5}, [2]int{}, false}, {[]float64{0.1, 0.5}, [2]int{}, false},
		{[]float64{0.05, 0.95}, [2]int{0, 1}, true},
		{[]float64{0.01, 0.1, 0.5, 0.7, 0.9, 0.95}, [2]int{1, 4}, true},
		{[]float64{0.1, 0.3, 0.7, 0.9}, [2]int{0, 3}, true},
	} {
		lower, upper, ok := CentralPair(c.levels)
		pair := [2]int{lower, upper}
		if pair != c.want || ok != c.ok {
			t.Errorf("central pair of %v: %v, %v", c.levels, pair, ok)
		}
	}
}
