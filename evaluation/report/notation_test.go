package report

import (
	"math"
	"testing"

	"sml/evaluation/measure"
)

// The texts are written by hand.
func TestNotation(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	spread := func(mean, std float64, folds, failed int) string {
		return formatMeanStd(measure.Score{Mean: mean, Std: std, Folds: folds, Failed: failed})
	}
	for _, c := range []struct{ got, want string }{
		{formatScore(0), "0.00"},
		{formatScore(-0.004), "0.00"},
		{formatScore(-2.526), "−2.53"},
		{formatScore(99.99), "99.99"},
		{formatScore(99.996), "100"},
		{formatScore(99_999.4), "99999"},
		{formatScore(99_999.5), "1.0·10⁵"},
		{formatScore(-7.94e12), "−7.9·10¹²"},
		{formatScore(-inf), "−∞"},
		{formatScore(nan), "–"},
		{formatDifference(0.5, 0.44), "+0.06"},
		{formatDifference(0.439, 0.44), "0.00"},
		{formatDifference(306, 317), "−11"},
		{formatDifference(310.3, 310), "0"},
		{formatDifference(2.1e6, 1.4e6), "+7.0·10⁵"},
		{formatDifference(inf, 1), "+∞"},
		{formatDifference(nan, 1), "–"},
		{spread(306, 45.9, 5, 0), "306 ± 46"},
		{spread(1.51e6, 2.04e6, 5, 0), "1.5·10⁶ ± 2.0·10⁶"},
		{spread(0.5, 0, 1, 0), "0.50"},
		{spread(0.5, 0, 3, 2), "0.50"},
		{spread(inf, nan, 5, 0), "∞"},
	} {
		if c.got != c.want {
			t.Errorf("it is written %s; want %s", c.got, c.want)
		}
	}
}
