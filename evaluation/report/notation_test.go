package report

import (
	"math"
	"testing"

	"sml/evaluation/measure"
)

func TestPrinted(t *testing.T) {
	// By hand.
	cases := []struct {
		x    float64
		want string
	}{
		{0, "0.00"}, {-0.004, "0.00"}, {0.437, "0.44"}, {-2.526, "−2.53"}, {99.99, "99.99"},
		{99.996, "100"}, {316.53, "317"}, {14572.96, "14573"}, {99_999.4, "99999"},
		{99_999.5, "1.0·10⁵"}, {1.4e6, "1.4·10⁶"}, {-7.94e12, "−7.9·10¹²"},
		{math.Inf(1), "∞"}, {math.Inf(-1), "−∞"}, {math.NaN(), "–"},
	}
	for _, c := range cases {
		if got := formatScore(c.x); got != c.want {
			t.Errorf("formatScore(%v) = %q; want %q", c.x, got, c.want)
		}
	}
}

func TestDifference(t *testing.T) {
	// By hand.
	cases := []struct {
		ours, paper float64
		want        string
	}{
		{0.5, 0.44, "+0.06"}, {0.4, 0.44, "−0.04"}, {0.441, 0.44, "0.00"}, {0.439, 0.44, "0.00"},
		{306, 317, "−11"}, {310.3, 310, "0"}, {2.1e6, 1.4e6, "+7.0·10⁵"}, {math.Inf(1), 1, "+∞"}, {math.NaN(), 1, "–"},
	}
	for _, c := range cases {
		if got := formatDifference(c.ours, c.paper); got != c.want {
			t.Errorf("formatDifference(%v, %v) = %q; want %q", c.ours, c.paper, got, c.want)
		}
	}
}

func TestSpread(t *testing.T) {
	// By hand.
	cases := []struct {
		score measure.Score
		want  string
	}{
		{measure.Score{Mean: 0.437, Std: 0.0312, Folds: 10}, "0.44 ± 0.03"},
		{measure.Score{Mean: 306, Std: 45.9, Folds: 5}, "306 ± 46"},
		{measure.Score{Mean: 1.51e6, Std: 2.04e6, Folds: 5}, "1.5·10⁶ ± 2.0·10⁶"},
		{measure.Score{Mean: 0.5, Folds: 1}, "0.50"},
		{measure.Score{Mean: 0.5, Folds: 3, Failed: 2}, "0.50"},
		{measure.Score{Mean: math.Inf(1), Std: math.NaN(), Folds: 5}, "∞"},
	}
	for _, c := range cases {
		if got := formatMeanStd(c.score); got != c.want {
			t.Errorf("formatMeanStd(%v) = %q; want %q", c.score, got, c.want)
		}
	}
}
