package shift

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
)

// follow predicts N(0, 1) for each target, adapts it, and observes the target. It returns how many targets were inside
// their intervals after the first half.
func follow(f *Follower, targets []float64) (insideOfSecondHalf int) {
	raw := models.NewPrediction(distribution.Normal, []float64{0, 1}, nil)
	missedBefore := 0
	for i, y := range targets {
		if i == len(targets)/2 {
			missedBefore = f.Targets[0].Missed
		}
		f.Rows++
		f.Observe(f.Adapt(raw, 0), y, 0)
	}
	return len(targets) - len(targets)/2 - (f.Targets[0].Missed - missedBefore)
}

// The factor of an interval follows from the numbers of targets inside and outside alone: its logarithm is
// stepSize·(missed − (1 − c)·known). In the long run the missed fraction is therefore 1 − c, whatever the targets are.
func TestFollowerIsExactInTheLongRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	const n, coverage = 4000, 0.9
	for name, target := range map[string]func(i int) float64{
		"as predicted":    func(int) float64 { return rng.NormFloat64() },
		"wider":           func(int) float64 { return 5 * rng.NormFloat64() },
		"biased":          func(int) float64 { return 6 + rng.NormFloat64() },
		"ever wider":      func(i int) float64 { return float64(1+i/500) * rng.NormFloat64() },
		"a jump":          func(i int) float64 { return float64(i/2000)*20 + rng.NormFloat64() },
		"heavy tails":     func(int) float64 { return rng.NormFloat64() / rng.Float64() },
		"much narrower":   func(int) float64 { return 0.01 * rng.NormFloat64() },
		"always the same": func(int) float64 { return 3 },
	} {
		f := NewFollower("m", coverage, []string{"y"})
		var targets []float64
		for i := range n {
			targets = append(targets, target(i))
		}
		follow(f, targets)
		state := f.Targets[0]
		missed := float64(state.Missed)
		if want := stepSize * (missed - (1-coverage)*n); math.Abs(state.LogFactor-want) > 1e-9 {
			t.Errorf("%s: the log factor is %v, want %v", name, state.LogFactor, want)
		}
		// Log factors from −7 to 7 are enough for all these targets: factors from 0.0009 to 1100.
		if bound := (7 + stepSize) / (stepSize * n); math.Abs(missed/n-(1-coverage)) > bound {
			t.Errorf("%s: %.4f of the targets are missed; want %.4f ± %.4f", name, missed/n, 1-coverage, bound)
		}
	}
}

// Over 200 repeats with exchangeable rows whose σ is wrong by the factor 3, followed intervals cover 90 % of the second
// half of the rows.
func TestFollowerCoverage(t *testing.T) {
	const repeats, n, coverage = 200, 1000, 0.9
	inside := 0
	for seed := range uint64(repeats) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var targets []float64
		for range n {
			targets = append(targets, 3*rng.NormFloat64())
		}
		inside += follow(NewFollower("m", coverage, []string{"y"}), targets)
	}
	fraction := float64(inside) / (repeats * n / 2)
	std := math.Sqrt(coverage * (1 - coverage) / (repeats * n / 2))
	if math.Abs(fraction-coverage) > 3*std {
		t.Errorf("%.4f of the targets are inside; want %v ± %v", fraction, coverage, 3*std)
	}
}

// Before the first target a prediction is unchanged; afterwards its interval has the same median, and the width times
// the factor.
func TestAdapt(t *testing.T) {
	raw := models.NewPrediction(distribution.Quantiles(0.05, 0.5, 0.95), []float64{1, 2, 5}, nil)
	f := NewFollower("m", 0.9, []string{"y"})
	if !f.Adapt(raw, 0).Equal(raw) {
		t.Error("the first prediction is changed")
	}
	f.Targets[0].LogFactor = math.Log(2)
	adapted := f.Adapt(raw, 0)
	for level, want := range map[float64]float64{0.05: 0, 0.5: 2, 0.95: 8} { // 2 − 2·1, 2, 2 + 2·3, by hand
		if got := adapted.Quantile(level); math.Abs(got-want) > 1e-12 {
			t.Errorf("the quantile at %v is %v, want %v", level, got, want)
		}
	}
}

// A follower that is written and read goes on to the same bytes.
func TestFollowerResumes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	var targets []float64
	for range 300 {
		targets = append(targets, 2*rng.NormFloat64())
	}
	whole := NewFollower("m", 0.8, []string{"y"})
	follow(whole, targets)
	first := NewFollower("m", 0.8, []string{"y"})
	follow(first, targets[:123])
	text := expect.Must(json.Marshal(first))
	second := expect.Must(ReadFollower(text))
	follow(second, targets[123:])
	got, _ := json.Marshal(second)
	want, _ := json.Marshal(whole)
	if string(got) != string(want) {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestReadFollowerRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "it names no model",
		`{"model":"","coverage":0.9,"rows":0,"targets":[]}`:                                                                  "names no model",
		`{"model":"m","coverage":1,"rows":0,"targets":[]}`:                                                                   "its coverage is 1",
		`{"model":"m","coverage":0.9,"rows":-1,"targets":[]}`:                                                                "-1 rows",
		`{"model":"m","coverage":0.9,"rows":1,"targets":[{"name":"y","log_factor":99,"known":1,"missed":0}]}`:                "log factor 99",
		`{"model":"m","coverage":0.9,"rows":1,"targets":[{"name":"y","log_factor":0,"known":1,"missed":2}]}`:                 "2 of 1 targets",
		`{"model":"m","coverage":0.9,"rows":1,"targets":[{"name":"y","log_factor":0,"known":2,"missed":0}]}`:                 "at most as many targets as the 1 rows",
		`{"model":"m","coverage":0.9,"rows":0,"targets":[],"more":1}`:                                                        "more",
		`{"model":"m","coverage":0.9,"rows":0,"targets":[{"name":"y","log_factor":"0","known":0,"missed":0}]}` + "\nanother": "",
	} {
		expect.Error(t, expect.ErrorOf(ReadFollower([]byte(text))), want)
	}
}

// FuzzReadFollower: whatever is read can predict, and is written as it was read.
func FuzzReadFollower(f *testing.F) {
	f.Add([]byte(`{"model":"m","coverage":0.9,"rows":3,"targets":[{"name":"y","log_factor":-0.5,"known":2,"missed":1}]}`))
	f.Add([]byte(`{"model":"m","coverage":0.9,"rows":0,"targets":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		follower, err := ReadFollower(text)
		if err != nil {
			return
		}
		for target := range follower.Targets {
			if factor := follower.Factor(target); !(factor >= 1e-6 && factor <= 1.1e6) {
				t.Fatalf("the factor is %v", factor)
			}
		}
		again := expect.Must(json.Marshal(follower))
		if _, err := ReadFollower(again); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
	})
}
