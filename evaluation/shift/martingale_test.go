package shift

import (
	"math"
	"math/rand/v2"
	"testing"
)

// p-values of scores against the reference 1, 2, 3, by hand, with ranks among all scores so far.
func TestPValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	got := pValues([]float64{2, 1, 3}, []float64{4, 0, 2.5}, rng)
	random := rand.New(rand.NewPCG(1, 0))
	want := []float64{
		random.Float64() / 4,       // of four rows none is larger
		(4 + random.Float64()) / 5, // four of five
		(2 + random.Float64()) / 6, // 3 and 4, of six
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-15 {
			t.Errorf("p-value %d is %v, want %v", i, got[i], want[i])
		}
	}
}

// p-values of exchangeable scores are uniform, also of scores that are often equal: their mean is 1/2 and their
// variance 1/12.
func TestPValuesAreUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	draw := func(n int) []float64 {
		scores := make([]float64, n)
		for i := range scores {
			scores[i] = float64(rng.IntN(5))
		}
		return scores
	}
	const n = 20_000
	sum, squares := 0.0, 0.0
	for _, p := range pValues(draw(100), draw(n), rng) {
		sum += p
		squares += (p - 0.5) * (p - 0.5)
	}
	if mean := sum / n; math.Abs(mean-0.5) > 4/math.Sqrt(12*n) {
		t.Errorf("their mean is %v", mean)
	}
	if variance := squares / n; math.Abs(variance-1.0/12) > 4/math.Sqrt(180*n) { // the variance of (p − ½)² is 1/180
		t.Errorf("their variance is %v", variance)
	}
}

// The capital after p-values of 0 and 1, from the definition: two bets with a half of the capital each, of which 1 %
// is divided anew before each row.
func TestMartingaleByHand(t *testing.T) {
	m := newMartingale()
	first := m.Step(0) // the bet of slope −1 gains 1.5, the other 1
	if want := math.Log(0.5*1.5 + 0.5*1); math.Abs(first-want) > 1e-15 {
		t.Errorf("after p = 0 the logarithm is %v, want %v", first, want)
	}
	second := m.Step(1)
	betting, waiting := 0.5*1.5, 0.5
	capital := betting + waiting
	betting = 0.99*betting + 0.005*capital
	waiting = 0.99*waiting + 0.005*capital
	if want := math.Log(betting*0.5 + waiting*1); math.Abs(second-want) > 1e-15 {
		t.Errorf("after p = 1 the logarithm is %v, want %v", second, want)
	}
}

// exponentialScores returns n scores with the given mean.
func exponentialScores(n int, mean float64, rng *rand.Rand) []float64 {
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = mean * rng.ExpFloat64()
	}
	return scores
}

// Ville's inequality: of 500 tests of exchangeable rows, at most 1 % reach a capital of 100, and 10 % a capital of 10,
// within binomial bounds.
func TestFalseAlarms(t *testing.T) {
	const repeats = 500
	alarms, tens := 0, 0
	for seed := range uint64(repeats) {
		rng := rand.New(rand.NewPCG(seed, 3))
		reference := [][]float64{exponentialScores(100, 1, rng)}
		e := TestExchangeability(reference, [][]float64{exponentialScores(400, 1, rng)}, seed)
		if e.CrossedRow >= 0 {
			alarms++
		}
		if e.LogMax >= math.Log(10) {
			tens++
		}
	}
	bound := func(p float64) float64 { return repeats*p + 3*math.Sqrt(repeats*p*(1-p)) }
	if float64(alarms) > bound(0.01) || float64(tens) > bound(0.1) {
		t.Errorf("of %d tests %d reach 100 and %d reach 10", repeats, alarms, tens)
	}
}

// Errors that double in row 200 are found, not before and soon after; errors that halve are none.
func TestChangeIsFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	reference := [][]float64{exponentialScores(500, 1, rng)}
	before := exponentialScores(200, 1, rng)
	doubled := append(append([]float64(nil), before...), exponentialScores(300, 2, rng)...)
	e := TestExchangeability(reference, [][]float64{doubled}, 1)
	if e.CrossedRow < 200 || e.CrossedRow > 300 || e.PValue() > 0.01 || e.MaxRow < e.CrossedRow {
		t.Errorf("%+v", e)
	}
	halved := append(append([]float64(nil), before...), exponentialScores(300, 0.5, rng)...)
	if e := TestExchangeability(reference, [][]float64{halved}, 1); e.CrossedRow >= 0 {
		t.Errorf("smaller errors: %+v", e)
	}
}

// The capital of several targets is the mean of their capitals: of 2 and 6 it is 4.
func TestLogMean(t *testing.T) {
	if got, want := logMean([]float64{math.Log(2), math.Log(6)}), math.Log(4); math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v", got, want)
	}
}
