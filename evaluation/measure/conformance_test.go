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

// unsure is a measure as somebody else would register it.
var unsure = measure.Measure{
	Name: "unsure", Title: "σ̄", Summary: "mean predicted standard deviation and error", Formula: "mean (σ + |μ − y|)",
	Source: "a test", Unit: measure.Target, Needs: []measure.Part{measure.Mean, measure.Std},
	Of: func(c *measure.Column) float64 {
		return c.Average(func(i int) float64 { return c.Std[i] + math.Abs(c.Mean[i]-c.Y[i]) })
	},
}

func TestRegisterFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	before := measure.Names()
	measure.Register(unsure)
	if got := measure.Names(); !slices.Equal(got, append(before, "unsure")) {
		t.Fatalf("registered are %v", got)
	}
	if _, err := measure.Lookup("rsme"); err == nil || !strings.HasSuffix(err.Error(), strings.Join(measure.Names(), ", ")) {
		t.Errorf("an unknown name is answered with %v", err)
	}
	for want, m := range map[string]measure.Measure{
		"registered twice":  unsure,
		"without blanks":    {Name: "a b", Title: "AB", Unit: measure.None, Of: unsure.Of},
		"want a title":      {Name: "untitled", Unit: measure.None, Of: unsure.Of},
		"want a title, a u": {Name: "unitless", Title: "U", Of: unsure.Of},
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

// honest are predictions with all parts, whose targets and classes are drawn from them.
func honest(n int) measure.Column {
	rng := rand.New(rand.NewPCG(7, 0))
	c := measure.Column{Levels: []float64{0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975}}
	for range n {
		m, s := 3*rng.NormFloat64(), 0.2+0.5*rng.Float64()
		c.Mean, c.Std, c.Y = append(c.Mean, m), append(c.Std, s), append(c.Y, m+s*rng.NormFloat64())
		var quantiles, draws []float64
		for _, z := range []float64{-1.96, -1.645, -1.282, -0.674, 0, 0.674, 1.282, 1.645, 1.96} {
			quantiles = append(quantiles, m+z*s)
		}
		for range 20 {
			draws = append(draws, m+s*rng.NormFloat64())
		}
		c.Quantiles, c.Draws = append(c.Quantiles, quantiles), append(c.Draws, draws)
		p := []float64{0.1 + 0.5*rng.Float64(), 0.3 * rng.Float64(), 0}
		p[2] = 1 - p[0] - p[1]
		class := 0
		for u := rng.Float64() - p[0]; u > 0 && class < 2; u -= p[class] {
			class++
		}
		c.Probabilities, c.Class = append(c.Probabilities, p), append(c.Class, class)
	}
	c.Recalibration = &measure.Isotonic{X: []float64{0, 1}, Y: []float64{0, 1}}
	return c
}

// rowsOf are some rows of a column, in that order.
func rowsOf(c measure.Column, rows []int) measure.Column {
	out := measure.Column{Protocol: c.Protocol, Levels: c.Levels, Recalibration: c.Recalibration}
	for _, i := range rows {
		out.Mean, out.Y = append(out.Mean, c.Mean[i]), append(out.Y, c.Y[i])
		if c.Std != nil {
			out.Std = append(out.Std, c.Std[i])
		}
		if c.Quantiles != nil {
			out.Quantiles = append(out.Quantiles, c.Quantiles[i])
		}
		if c.Draws != nil {
			out.Draws = append(out.Draws, c.Draws[i])
		}
		if c.Probabilities != nil {
			out.Probabilities, out.Class = append(out.Probabilities, c.Probabilities[i]), append(out.Class, c.Class[i])
		}
	}
	return out
}

// edited is a column with other numbers in its parts; draws are edited as quantiles.
func edited(c measure.Column, mean, std func(float64) float64, quantile func(q, mean float64) float64) measure.Column {
	out := c
	out.Mean, out.Std, out.Quantiles, out.Draws = nil, nil, nil, nil
	for i := range c.Y {
		out.Mean, out.Std = append(out.Mean, mean(c.Mean[i])), append(out.Std, std(c.Std[i]))
		out.Quantiles, out.Draws = append(out.Quantiles, nil), append(out.Draws, nil)
		for _, q := range c.Quantiles[i] {
			out.Quantiles[i] = append(out.Quantiles[i], quantile(q, c.Mean[i]))
		}
		for _, x := range c.Draws[i] {
			out.Draws[i] = append(out.Draws[i], quantile(x, c.Mean[i]))
		}
	}
	return out
}

// spoilt is a column whose probabilities are those of other classes.
func spoilt(c measure.Column) measure.Column {
	c.Probabilities = slices.Clone(c.Probabilities)
	for i, p := range c.Probabilities {
		c.Probabilities[i] = []float64{p[1], p[2], p[0]}
	}
	return c
}

func conformsUnder(t *testing.T, m measure.Measure, protocol data.Protocol) {
	score := func(c measure.Column) float64 {
		t.Helper()
		c.Protocol = protocol
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		return m.Of(&c)
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }
	as := func(v float64) float64 { return v }
	asQuantile := func(q, _ float64) float64 { return q }

	c := honest(400)
	good := score(c)
	if math.IsNaN(good) || math.IsInf(good, 0) {
		t.Fatalf("%v of ordinary rows", good)
	}
	if again := score(c); again != good {
		t.Errorf("%v, then %v of the same rows", good, again)
	}

	// Rows have no order but that of a sum.
	rng := rand.New(rand.NewPCG(8, 0))
	if got := score(rowsOf(c, rng.Perm(len(c.Y)))); !same(got, good) {
		t.Errorf("%v of rows in another order; want %v", got, good)
	}

	// A weight of 2 is the row twice, one of 0 none; in what unit weights are does not matter.
	for _, c := range []measure.Column{c, rowsOf(c, []int{0, 1, 2, 3, 4}), rowsOf(spoilt(c), rng.Perm(len(c.Y))[:90])} {
		weighted, repeated := c, []int(nil)
		for i := range c.Y {
			times := []int{2, 0, 1, 3}[i%4]
			weighted.Weights = append(weighted.Weights, 0.7*float64(times))
			repeated = append(repeated, slices.Repeat([]int{i}, times)...)
		}
		if got, want := score(weighted), score(rowsOf(c, repeated)); !same(got, want) {
			t.Errorf("%v of weighted rows, and %v of rows that often", got, want)
		}
		weighted.Weights = slices.Repeat([]float64{0.3}, len(c.Y))
		if got, want := score(weighted), score(c); !same(got, want) {
			t.Errorf("%v of rows of one weight, and %v without", got, want)
		}
	}

	// The declared unit is that of its numbers.
	const unit = 1000
	scale := func(v float64) float64 { return v * unit }
	scaled := edited(c, scale, scale, func(q, _ float64) float64 { return scale(q) })
	scaled.Y = nil
	for _, y := range c.Y {
		scaled.Y = append(scaled.Y, scale(y))
	}
	if got, want := score(scaled), m.Unit.In(good, unit); math.Abs(got-want) > 1e-6*math.Abs(want) {
		t.Errorf("%v in a unit 1000 times smaller; of the unit %q it is %v", got, m.Unit, want)
	}

	// Means that are off, by more or less, with a spread that is too small, and largest
	// where it was smallest, are worse than the truth, and so are probabilities of other
	// classes.
	off := func(mean float64) float64 { return 1 + 2*math.Sin(7*mean) }
	bad := score(spoilt(edited(c, func(v float64) float64 { return v + off(v) }, func(v float64) float64 { return 0.05 / v }, func(q, mean float64) float64 { return mean + off(mean) + (q-mean)/3 })))
	if !m.Undirected && !(m.Badness(good) < m.Badness(bad)) || m.Undirected != math.IsNaN(m.Badness(good)) {
		t.Errorf("%v of honest predictions, %v of bad ones, where higher is better: %v, best is %v, undirected: %v", good, bad, m.Higher, m.Nominal, m.Undirected)
	}

	// It looks at what it says; an interval is that of the quantiles where there are some.
	interval := slices.ContainsFunc(m.Needs, func(p measure.Part) bool { return strings.HasSuffix(string(p), string(measure.Interval)) })
	turned := func(std float64) float64 { return 1 / std }
	withDraws := func(quantiles, draws measure.Column) measure.Column {
		quantiles.Draws = draws.Draws
		return quantiles
	}
	other := edited(c, as, as, func(q, _ float64) float64 { return q + 1 })
	add1 := func(v float64) float64 { return v + 1 }
	for part, other := range map[measure.Part]measure.Column{
		measure.Mean: edited(c, add1, as, asQuantile), measure.Std: edited(c, as, turned, asQuantile),
		measure.Quantiles: withDraws(edited(c, as, as, func(q, mean float64) float64 { return q + 1 + (q-mean)/2 }), c), measure.Draws: withDraws(c, other),
		measure.Probabilities: spoilt(c),
	} {
		needs := slices.Contains(m.Needs, part) || part == measure.Quantiles && interval
		if got := score(other); (got != good) != needs {
			t.Errorf("%v, and %v with another %s: it needs %v", good, got, part, m.Needs)
		}
	}

	// What is degenerate has a score: that of one row may be none.
	zero := func(float64) float64 { return 0 }
	exact := c
	exact.Mean = c.Y
	score(rowsOf(c, []int{0}))
	one := rowsOf(edited(c, as, zero, asQuantile), []int{0})
	one.Mean = one.Y
	score(one)
	for name, c := range map[string]measure.Column{"σ = 0": edited(c, as, zero, asQuantile), "σ = 0 and exact means": edited(exact, as, zero, asQuantile), "exact means": exact} {
		if got := score(c); math.IsNaN(got) || name == "exact means" && math.IsInf(got, 0) {
			t.Errorf("%v of %s", got, name)
		}
	}

	// Without what it needs it has no score.
	bare := measure.Column{Mean: c.Mean, Y: c.Y, Protocol: protocol}
	if got, want := slices.Contains(bare.Judge(measure.All()).Names(), m.Name), slices.Equal(m.Needs, []measure.Part{measure.Mean}); got != want {
		t.Errorf("of means alone there is a score: %v", got)
	}
}
