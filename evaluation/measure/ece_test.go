package measure

import (
	"strings"
	"testing"

	"sml/data"
)

// steps are the quantiles 0, 1/n, …, 1.
func steps(n int) []float64 {
	q := make([]float64, n+1)
	for i := range q {
		q[i] = float64(i) / float64(n)
	}
	return q
}

func TestHistogramLikeNumPy(t *testing.T) {
	// NumPy 1.24.2: q = arange(n+1)/n; histogram(q, bins=edges)[0] with
	// edges = linspace(0, 1, 21), and where rounded round(q, 2) for q and
	// edges = linspace(-0.0001, 1.0001, 21). All of these lie on or beside edges.
	grid := make([]float64, 801)
	for i := range grid {
		grid[i] = float64(i-400) / 100
	}
	cases := []struct {
		name string
		q    []float64
		want [eceBins]float64
	}{
		{"n = 100", steps(100),
			[eceBins]float64{5, 5, 6, 4, 5, 6, 5, 4, 5, 5, 5, 6, 4, 6, 4, 5, 6, 4, 6, 5}},
		{"n = 200", steps(200),
			[eceBins]float64{10, 10, 11, 9, 10, 11, 10, 9, 10, 10, 10, 11, 9, 11, 9, 10, 11, 9, 11, 10}},
		{"n = 200, rounded", roundHundredths(steps(200)), // every other one is a tie
			[eceBins]float64{10, 9, 11, 9, 11, 9, 11, 9, 11, 9, 12, 11, 9, 11, 9, 11, 9, 11, 9, 10}},
		{"n = 100, rounded", roundHundredths(steps(100)),
			[eceBins]float64{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 6, 5, 5, 5, 5, 5, 5, 5, 5, 5}},
		// q = norm.cdf(arange(-400, 401)/100), SciPy 1.10.1
		{"cdf", normalCDFs(grid),
			[eceBins]float64{236, 36, 25, 19, 17, 15, 14, 13, 13, 12, 13, 13, 13, 14, 15, 17, 19, 25, 36, 236}},
		{"cdf, rounded", roundHundredths(normalCDFs(grid)),
			[eceBins]float64{231, 38, 26, 20, 16, 16, 14, 13, 13, 12, 15, 13, 13, 14, 16, 16, 20, 26, 38, 231}},
	}
	for _, c := range cases {
		low, high := 0.0, 1.0
		if strings.HasSuffix(c.name, "rounded") {
			low, high = -0.0001, 1.0001
		}
		if got := binCounts(c.q, nil, low, high); got != c.want {
			t.Errorf("%s:\ngot  %v\nwant %v", c.name, got, c.want)
		}
	}
}

func TestECE(t *testing.T) {
	centres := make([]float64, eceBins)
	for j := range centres {
		centres[j] = (float64(j) + 0.5) / eceBins
	}
	even := make([]float64, 200_000)
	for i := range even {
		even[i] = (float64(i) + 0.5) / float64(len(even))
	}
	cases := []struct {
		name     string
		q        []float64
		protocol data.Protocol
		want     float64
	}{
		// By hand: one quantile in each bin, and all of them in one.
		{"even", centres, data.Sound, 0},
		{"all low", []float64{0, 0, 0.01}, data.Sound, 2 * (1 - 1.0/eceBins)},
		{"all high", []float64{1, 1, 0.99}, data.Paper, 2 * (1 - 1.0/eceBins)},
		// NumPy 1.24.2: q = arange(201)/200; c, _ = histogram(q, linspace(0, 1, 21));
		// abs(c/201 - 1/20).sum(), with round(q, 2) and linspace(-0.0001, 1.0001, 21) for the paper's.
		{"steps", steps(200), data.Sound, 0.05671641791044778},
		{"steps", steps(200), data.Paper, 0.09502487562189058},
		// The same of q = (arange(200000)+.5)/200000, as even as can be: 0.045 in
		// the first and the last bin, 0.06 in that which begins at 0.5.
		{"even, many", even, data.Paper, 0.02},
	}
	for _, c := range cases {
		near(t, c.name+", "+string(c.protocol), calibrationError(c.q, nil, c.protocol), c.want, 1e-14)
	}
}
