package measure_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/measure"
)

// sharpness is a measure as somebody else would register it.
var sharpness = measure.Measure{
	Name: "sharpness", Title: "σ̄", Summary: "mean predicted standard deviation and error", Formula: "mean (σ + |μ − y|)",
	Source: "a test", Unit: measure.Target, Needs: []measure.Part{measure.Mean, measure.Std},
	Of: func(c *measure.Column) float64 {
		sum := 0.0
		for i := range c.Y {
			sum += c.Std[i] + math.Abs(c.Mean[i]-c.Y[i])
		}
		return sum / float64(len(c.Y))
	},
}

func TestRegisterFromOutside(t *testing.T) {
	before := measure.Names()
	measure.Register(sharpness)
	if got := measure.Names(); !slices.Equal(got, append(before, "sharpness")) {
		t.Fatalf("registered are %v", got)
	}
	if _, err := measure.Lookup("rsme"); err == nil || !strings.HasSuffix(err.Error(), strings.Join(measure.Names(), ", ")) {
		t.Errorf("an unknown name is answered with %v", err)
	}
	for want, m := range map[string]measure.Measure{
		"registered twice":  sharpness,
		"without blanks":    {Name: "a b", Title: "AB", Unit: measure.None, Of: sharpness.Of},
		"want a title":      {Name: "untitled", Unit: measure.None, Of: sharpness.Of},
		"want a title, a u": {Name: "unitless", Title: "U", Of: sharpness.Of},
	} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, want) {
					t.Errorf("%q: the panic is %q", want, p)
				}
			}()
			measure.Register(m)
		}()
	}
	conforms(t)
}

func TestConformance(t *testing.T) { conforms(t) }

// conforms holds every registered measure to what tables, files and studies take
// for granted.
func conforms(t *testing.T) {
	for _, m := range measure.All() {
		t.Run(m.Name, func(t *testing.T) {
			for _, protocol := range []data.Protocol{data.Paper, data.Sound} {
				conformsUnder(t, m, protocol)
			}
			if m.Summary == "" || m.Formula == "" || m.Source == "" || len(m.Needs) == 0 {
				t.Error("want a summary, a formula, a source and what it needs")
			}
			if n := len([]rune(m.Title)); n > 8 {
				t.Errorf("its title %q has %d letters; columns of tables have 8", m.Title, n)
			}
		})
	}
}

// honest are predictions whose targets are drawn from them.
func honest(n int) (mean, std, y []float64) {
	rng := rand.New(rand.NewPCG(7, 0))
	for range n {
		m, s := 3*rng.NormFloat64(), 0.2+0.5*rng.Float64()
		mean, std, y = append(mean, m), append(std, s), append(y, m+s*rng.NormFloat64())
	}
	return mean, std, y
}

func conformsUnder(t *testing.T, m measure.Measure, protocol data.Protocol) {
	score := func(mean, std, y []float64) float64 {
		t.Helper()
		c, err := measure.NewColumn(mean, std, y, protocol)
		if err != nil {
			t.Fatal(err)
		}
		return m.Of(c)
	}
	map1 := func(x []float64, f func(float64) float64) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = f(x[i])
		}
		return out
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

	mean, std, y := honest(400)
	good := score(mean, std, y)
	if math.IsNaN(good) || math.IsInf(good, 0) {
		t.Fatalf("%v of ordinary rows", good)
	}
	if again := score(mean, std, y); again != good {
		t.Errorf("%v, then %v of the same rows", good, again)
	}

	// Rows have no order but that of a sum.
	order := rand.New(rand.NewPCG(8, 0)).Perm(len(y))
	permuted := func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i, from := range order {
			out[i] = x[from]
		}
		return out
	}
	if got := score(permuted(mean), permuted(std), permuted(y)); !same(got, good) {
		t.Errorf("%v of rows in another order; want %v", got, good)
	}

	// The declared unit is that of its numbers.
	const unit = 1000
	scale := func(v float64) float64 { return v * unit }
	if got, want := score(map1(mean, scale), map1(std, scale), map1(y, scale)), m.Unit.In(good, unit); math.Abs(got-want) > 1e-6*math.Abs(want) {
		t.Errorf("%v in a unit 1000 times smaller; of the unit %q it is %v", got, m.Unit, want)
	}

	// Means that are off, with a spread that is too small, are worse than the truth.
	bad := score(map1(mean, func(v float64) float64 { return v + 2 }), map1(std, func(v float64) float64 { return v / 3 }), y)
	if m.Higher != (good > bad) || good == bad {
		t.Errorf("%v of honest predictions, %v of bad ones, and higher_is_better is %v", good, bad, m.Higher)
	}

	// It looks at what it says.
	if other := score(mean, map1(std, scale), y); (other != good) != slices.Contains(m.Needs, measure.Std) {
		t.Errorf("%v, and %v with other standard deviations: it needs %v", good, other, m.Needs)
	}
	if other := score(map1(mean, func(v float64) float64 { return v + 1 }), std, y); (other != good) != slices.Contains(m.Needs, measure.Mean) {
		t.Errorf("%v, and %v with other means: it needs %v", good, other, m.Needs)
	}

	// What is degenerate has a score: that of one row may be none.
	zero := make([]float64, len(y))
	score(mean[:1], std[:1], y[:1])
	score(mean[:1], zero[:1], mean[:1])
	for name, got := range map[string]float64{"σ = 0": score(mean, zero, y), "σ = 0 and exact means": score(y, zero, y), "exact means": score(y, std, y)} {
		if math.IsNaN(got) || name == "exact means" && math.IsInf(got, 0) {
			t.Errorf("%v of %s", got, name)
		}
	}
}
