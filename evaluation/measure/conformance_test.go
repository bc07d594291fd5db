package measure_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/expect"
	"sml/models/distribution"
)

// unsure is a measure as somebody else would register it.
var unsure = measure.Measure{
	Name: "unsure", Title: "σ̄", Summary: "mean predicted standard deviation and error", Formula: "mean (σ + |μ − y|)",
	Source: "a test", Unit: measure.Target, Needs: []measure.Part{measure.Mean, measure.Std},
	Compute: func(c *measure.Column) float64 {
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
	expect.Error(t, expect.ErrorOf(measure.Lookup("rsme")), strings.Join(measure.Names(), ", "))
	for want, m := range map[string]measure.Measure{
		"registered twice":    unsure,
		"without blanks":      {Name: "a b", Title: "AB", Unit: measure.None, Compute: unsure.Compute},
		"needs a title":       {Name: "untitled", Unit: measure.None, Compute: unsure.Compute},
		"a title, a unit and": {Name: "unitless", Title: "U", Compute: unsure.Compute},
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
	measures := measure.All()
	for _, name := range []string{"pinball20", "crps-above1", "crps-below-1"} {
		m := expect.Must(measure.Lookup(name))
		measures = append(measures, m)
	}
	for _, m := range measures {
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

// made is honest predictions of one kind, whose targets are drawn from them.
type made struct {
	measure.Column
	probabilities [][]float64 // of classes; nil in other kinds
}

var (
	madeLevels = []float64{0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975}
	madeZ      = []float64{-1.96, -1.645, -1.282, -0.674, 0, 0.674, 1.282, 1.645, 1.96}
)

// honest returns predictions of the kind that a measure needs: classes, quantiles or
// normal distributions.
func honest(n int, m measure.Measure) made {
	rng := rand.New(rand.NewPCG(7, 0))
	var c made
	for range n {
		if slices.Contains(m.Needs, measure.Probabilities) {
			p := []float64{0.1 + 0.5*rng.Float64(), 0.3 * rng.Float64(), 0}
			p[2] = 1 - p[0] - p[1]
			class := 0
			for u := rng.Float64() - p[0]; u > 0 && class < 2; u -= p[class] {
				class++
			}
			c.probabilities, c.Y = append(c.probabilities, p), append(c.Y, float64(class))
			continue
		}
		mean, std := 3*rng.NormFloat64(), 0.2+0.5*rng.Float64()
		c.Mean, c.Std, c.Y = append(c.Mean, mean), append(c.Std, std), append(c.Y, mean+std*rng.NormFloat64())
	}
	if slices.Contains(m.Needs, measure.Quantiles) {
		c.Levels = madeLevels
	}
	c.Recalibration = &measure.Isotonic{X: []float64{0, 1}, Y: []float64{0, 1}}
	return c
}

// column returns the predictions with their distributions.
func (c made) column() measure.Column {
	out := c.Column
	for _, p := range c.probabilities {
		out.Distributions = append(out.Distributions, distribution.Classes(p))
	}
	if c.Levels == nil {
		return out
	}
	for i, mean := range c.Mean {
		var quantiles []float64
		for _, z := range madeZ {
			quantiles = append(quantiles, mean+z*c.Std[i])
		}
		out.Distributions = append(out.Distributions, distribution.Quantiles(madeLevels...).New(quantiles))
	}
	return out
}

// rowsOf returns some rows, in that order.
func rowsOf(c made, rows []int) made {
	out := made{Column: measure.Column{Levels: c.Levels, Recalibration: c.Recalibration}}
	for _, i := range rows {
		out.Y = append(out.Y, c.Y[i])
		if c.Mean != nil {
			out.Mean, out.Std = append(out.Mean, c.Mean[i]), append(out.Std, c.Std[i])
		}
		if c.probabilities != nil {
			out.probabilities = append(out.probabilities, c.probabilities[i])
		}
	}
	return out
}

// edited returns predictions with other means and standard deviations.
func edited(c made, mean, std func(float64) float64) made {
	out := c
	out.Mean, out.Std = nil, nil
	for i := range c.Mean {
		out.Mean, out.Std = append(out.Mean, mean(c.Mean[i])), append(out.Std, std(c.Std[i]))
	}
	return out
}

// spoilt returns predictions that give each class the probability of another.
func spoilt(c made) made {
	c.probabilities = slices.Clone(c.probabilities)
	for i, p := range c.probabilities {
		c.probabilities[i] = []float64{p[1], p[2], p[0]}
	}
	return c
}

func conformsUnder(t *testing.T, m measure.Measure, protocol data.Protocol) {
	score := func(c made) float64 {
		t.Helper()
		column := c.column()
		column.Protocol = protocol
		expect.NoError(t, column.Check())
		return m.Compute(&column)
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }
	as := func(v float64) float64 { return v }

	c := honest(400, m)
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
	for _, c := range []made{c, rowsOf(c, []int{0, 1, 2, 3, 4}), rowsOf(spoilt(c), rng.Perm(len(c.Y))[:90])} {
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

	if c.probabilities != nil { // a class has no unit and no spread
		if bad := score(spoilt(c)); !(m.Badness(good) < m.Badness(bad)) {
			t.Errorf("%v of honest probabilities, %v of other classes'", good, bad)
		}
		return
	}

	// The declared unit is that of its numbers.
	const unit = 1000
	scale := func(v float64) float64 { return v * unit }
	scaled := edited(c, scale, scale)
	scaled.Y = nil
	for _, y := range c.Y {
		scaled.Y = append(scaled.Y, scale(y))
	}
	if got, want := score(scaled), m.Unit.Convert(good, unit); m.Unit != measure.OwnUnit && math.Abs(got-want) > 1e-6*math.Abs(want) {
		t.Errorf("%v in a unit 1000 times smaller; of the unit %q it is %v", got, m.Unit, want)
	}

	// Means that are off, by more or less, with a spread that is too small, and largest
	// where it was smallest, are worse than the truth.
	off := func(mean float64) float64 { return 1 + 2*math.Sin(7*mean) }
	bad := score(edited(c, func(v float64) float64 { return v + off(v) }, func(v float64) float64 { return 0.05 / v }))
	if !m.Undirected && !(m.Badness(good) < m.Badness(bad)) || m.Undirected != math.IsNaN(m.Badness(good)) {
		t.Errorf("%v of honest predictions, %v of bad ones, where higher is better: %v, best is %v, undirected: %v", good, bad, m.HigherIsBetter, m.Nominal, m.Undirected)
	}

	// A measure depends on the parts that it needs: a distribution changes with mean and spread, the width
	// of an interval with the spread alone.
	whole := slices.ContainsFunc(m.Needs, func(p measure.Part) bool {
		return p == measure.CDF || p == measure.Region || p == measure.Density || p == measure.Quantiles
	})
	turned := func(std float64) float64 { return 1 / std }
	add1 := func(v float64) float64 { return v + 1 }
	for part, other := range map[measure.Part]made{measure.Mean: edited(c, add1, as), measure.Std: edited(c, as, turned)} {
		needs := slices.Contains(m.Needs, part) || whole && !(part == measure.Mean && strings.HasPrefix(m.Name, "width"))
		if got := score(other); (math.Abs(got-good) > 1e-12) != needs {
			t.Errorf("%v, and %v with another %s: it needs %v", good, got, part, m.Needs)
		}
	}

	// What is degenerate has a score: that of one row may be none.
	zero := func(float64) float64 { return 0 }
	exact := c
	exact.Mean = c.Y
	score(rowsOf(c, []int{0}))
	one := rowsOf(edited(c, as, zero), []int{0})
	one.Mean = one.Y
	score(one)
	for name, c := range map[string]made{"σ = 0": edited(c, as, zero), "σ = 0 and exact means": edited(exact, as, zero), "exact means": exact} {
		if got := score(c); math.IsNaN(got) || name == "exact means" && math.IsInf(got, 0) {
			t.Errorf("%v of %s", got, name)
		}
	}

	// Without what it needs it has no score.
	bare := measure.Column{Mean: c.Mean, Y: c.Y, Protocol: protocol}
	if got, want := slices.Contains(bare.Score(measure.All()).Names(), m.Name), slices.Equal(m.Needs, []measure.Part{measure.Mean}); got != want {
		t.Errorf("of means alone there is a score: %v", got)
	}
}
