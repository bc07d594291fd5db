package measure

import (
	"math"
	"slices"
	"testing"

	"sml/internal/portable"
)

func TestWassersteinLikeSciPy(t *testing.T) {
	grid := make([]float64, 801)
	for i := range grid {
		grid[i] = float64(i-400) / 100
	}
	// SciPy 1.10.1: the other form of the distance, ∫|F_n(x) − norm.cdf(x)| dx, by
	// scipy.integrate.quad (epsabs=1e-14) between jumps and crossings.
	cases := []struct {
		name string
		r    []float64
		want float64
	}{
		{"one", []float64{1.5}, 1.558613587525209},
		{"three", []float64{-0.5, 0.2, 4}, 1.254997578344759},
		{"tails", []float64{-30, 0, 9}, 12.343485462101597},
		{"equal", []float64{0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, 0.83352248423442},
		{"logistic", logistic(300), 0.12083539238083495},
		{"grid", grid, 1.204642852549382},
	}
	for _, c := range cases {
		near(t, c.name, wasserstein(c.r, nil), c.want, 1e-11)
	}
}

func TestWassersteinClosedForms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	// E|Z| of a standard normal Z: the distance of a single residual at 0.
	near(t, "r = 0", wasserstein([]float64{0}, nil), math.Sqrt(2/math.Pi), 1e-15)

	// Residuals that are all equal to c, however many: E|Z − c| = 2φ(c) + c·(2Φ(c) − 1).
	// A million terms, each rounded, leave a little more than 1e-12.
	for _, size := range []struct {
		n         int
		tolerance float64
	}{{1, 1e-14}, {2, 1e-14}, {3, 1e-14}, {1000, 1e-12}, {1_000_000, 1e-10}} {
		for _, c := range []float64{-40, -1.5, 0, 1e-9, 0.7, 8, 1e10} {
			want := 2*portable.NormalPDF(c) + c*math.Erf(c/math.Sqrt2)
			near(t, "equal residuals", wasserstein(slices.Repeat([]float64{c}, size.n), nil)/want, 1, size.tolerance)
		}
	}

	// Two residuals ±a: E||Z| − a| = 2·(a·(2Φ(a) − 3/2) + 2φ(a) − φ(0)).
	for _, a := range []float64{0, 0.5, 1, 3, 20} {
		want := 2 * (a*(2*portable.NormalCDF(a)-1.5) + 2*portable.NormalPDF(a) - portable.NormalPDF(0))
		near(t, "±a", wasserstein([]float64{-a, a}, nil), want, 1e-14)
	}
}

func TestWassersteinFarTail(t *testing.T) {
	// A million residuals at 0 but for one at 1e12. With z = Φ⁻¹(1 − 1e-6), by
	// hand: ∫|Φ⁻¹| up to 1 − 1e-6 is 2φ(0) − φ(z), and the last piece adds
	// 1e12·1e-6 − φ(z). SciPy 1.10.1: norm.pdf(norm.ppf(1e-6)).
	const density = 4.948332716562034e-06
	r := make([]float64, 1_000_000)
	r[len(r)-1] = 1e12
	want := 1e6 + 2*portable.NormalPDF(0) - 2*density
	near(t, "high", wasserstein(r, nil)/want, 1, 1e-14)
	r[0], r[len(r)-1] = -1e12, 0
	near(t, "low", wasserstein(r, nil)/want, 1, 1e-14)
}
