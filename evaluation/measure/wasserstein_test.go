package measure

import (
	"math"
	"math/rand/v2"
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

func TestWassersteinInfinite(t *testing.T) {
	for _, r := range [][]float64{{math.Inf(-1), 0}, {0, math.Inf(1)}, {math.Inf(1)}} {
		if got := wasserstein(r, nil); !math.IsInf(got, 1) {
			t.Errorf("WS of %v = %v; want +Inf", r, got)
		}
	}
}

func TestWassersteinProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 100 {
		n := 1 + rng.IntN(200)
		r := make([]float64, n)
		var mean float64
		for i := range r {
			r[i] = 2*rng.NormFloat64() + 0.3
			mean += r[i] / float64(n)
		}
		slices.Sort(r)
		ws := wasserstein(r, nil)
		if ws < math.Abs(mean)-1e-12 {
			t.Errorf("WS = %v is below the shift of the mean, %v", ws, mean)
		}

		// Moving every residual by the same amount moves the distance by no more.
		shifted := make([]float64, n)
		for i := range r {
			shifted[i] = r[i] + 0.25
		}
		if change := math.Abs(wasserstein(shifted, nil) - ws); change > 0.25+1e-12 {
			t.Errorf("a shift of 0.25 changed WS by %v", change)
		}
	}
}

func TestWassersteinOfIdealResiduals(t *testing.T) {
	// The distance of n true draws falls as 1/√n. Its mean tends to
	// ∫√(Φ(1−Φ)) dx · √(2/π)/√n ≈ 1.29/√n (del Barrio et al. 1999; the
	// integral by scipy.integrate.quad).
	const n = 100_000
	rng := rand.New(rand.NewPCG(5, 0))
	r := make([]float64, n)
	for i := range r {
		r[i] = rng.NormFloat64()
	}
	slices.Sort(r)
	if ws := wasserstein(r, nil) * math.Sqrt(n); ws < 0.4 || ws > 4 {
		t.Errorf("√n·WS of %d normal draws = %v; want about 1.3", n, ws)
	}
}
