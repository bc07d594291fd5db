package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// Twelve rows small enough to follow by hand. Row 3 has Φ(r) = 0.648, which
// the paper protocol rounds up into the next bin of the ECE.
var (
	someMean = []float64{0.3, -1.2, 0.7, 2.1, -0.4, 0.05, 1.5, -2.2, 0.9, -0.15, 0.6, 3.3}
	someStd  = []float64{0.5, 0.4, 1.1, 0.263, 0.25, 0.9, 2.0, 0.7, 0.15, 0.6, 0.8, 1.4}
	someY    = []float64{0.1, -0.7, 1.9, 2.0, -0.9, 0.05, -1.1, -2.9, 1.35, 0.2, 0.75, 1.2}
)

func TestScores(t *testing.T) {
	// NumPy 1.24.2 and SciPy 1.10.1, with r = (mean-y)/std:
	want := map[string]float64{
		"rmse": 1.0800270058351937,  // sqrt(mean((mean-y)**2))
		"nll":  0.36556387533094026, // mean(.5*log(std**2+1e-10) + (y-mean)**2/(2*std**2+1e-10))
		"ece":  1.0,                 // c, _ = histogram(norm.cdf(r), linspace(0,1,21)); abs(c/12-1/20).sum()
		"ws":   0.3228802376778434,  // scipy.integrate.quad of |F_n(x)-norm.cdf(x)|, piece by piece
		"ks":   0.17467807940187619, // kstest(r, 'norm').statistic
		"r2":   0.3663601640967603,  // 1 - sum((mean-y)**2)/sum((y-y.mean())**2)
		"mae":  0.7374999999999999,  // mean(abs(mean-y))
	}
	compare := func(got Scores) {
		t.Helper()
		for name, want := range want {
			near(t, name, got.Get(name), want, 1e-12)
		}
	}
	compare(judge(t, someMean, someStd, someY, data.Sound))

	// As above, with r = (mean-y)/(std+1e-10), and the ECE of
	// histogram(round(norm.cdf(r), 2), linspace(-0.0001, 1.0001, 21)).
	want["ece"], want["ws"], want["ks"] = 0.9, 0.3228802374224389, 0.17467807936730895
	compare(judge(t, someMean, someStd, someY, data.Paper))
}

func TestScoresZeroStd(t *testing.T) {
	// The first mean is exact, so r = 0; the second is not, so r = +Inf.
	mean := []float64{0.5, 1.0, -2.0, 0.25}
	std := []float64{0, 0, 1, 0.5}
	y := []float64{0.5, 0.9, -1.5, 0.75}
	got := judge(t, mean, std, y, data.Sound)
	if !math.IsInf(got.Get("ws"), 1) {
		t.Errorf("WS = %v; want +Inf", got.Get("ws"))
	}
	near(t, "ECE", got.Get("ece"), 1.6, 1e-12) // by hand: four bins of 1/4, so 4·0.20 + 16·0.05
	near(t, "KS", got.Get("ks"), 0.25, 1e-12)  // SciPy 1.10.1: kstest([0, inf, -.5, -1], 'norm').statistic
	// NumPy 1.24.2: mean(.5*log(std**2+1e-10) + (y-mean)**2/(2*std**2+1e-10))
	near(t, "NLL", got.Get("nll")/24999994.22650046, 1, 1e-12)

	// The notebook's r of the second row is 0.1/1e-10: WS is a quarter of that
	// and little else, by hand.
	paper := judge(t, mean, std, y, data.Paper)
	near(t, "WS", paper.Get("ws")/2.5e8, 1, 1e-6)
}

func TestScoresMirrored(t *testing.T) {
	// Changing the sign of means and targets turns r into −r, to which every
	// measure is blind.
	rng := rand.New(rand.NewPCG(2, 0))
	for range 20 {
		mean, std, y := predictions(rng, 1+rng.IntN(300))
		want := judge(t, mean, std, y, data.Sound)
		got := judge(t, negated(mean), std, negated(y), data.Sound)
		compare(t, got, want, 1e-12)
		if got.Get("ws") != want.Get("ws") {
			t.Errorf("WS = %v of −r and %v of r; want the same bits", got.Get("ws"), want.Get("ws"))
		}
	}
}

// predictions are overconfident and shifted, so that no score is at an end of
// its range.
func predictions(rng *rand.Rand, n int) (mean, std, y []float64) {
	for range n {
		m, s := rng.NormFloat64(), 0.1+rng.Float64()
		mean, std = append(mean, m), append(std, s)
		y = append(y, m+0.2+1.3*s*rng.NormFloat64())
	}
	return mean, std, y
}

func judge(t testing.TB, mean, std, y []float64, protocol data.Protocol) Scores {
	t.Helper()
	c := expect.Must(NewColumn(mean, std, y, protocol))
	return c.Score(All())
}

func compare(t *testing.T, got, want Scores, tolerance float64) {
	t.Helper()
	if !slices.Equal(got.Names(), want.Names()) {
		t.Fatalf("scores of %v; want %v", got.Names(), want.Names())
	}
	for i, v := range want {
		near(t, v.Measure, got[i].Score, v.Score, tolerance)
	}
}

// near accepts NaN for NaN and an infinity for itself.
func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	same := got == want || math.IsNaN(got) && math.IsNaN(want)
	if !same && !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v; want %v", name, got, want)
	}
}

func negated(x []float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = -x[i]
	}
	return y
}
