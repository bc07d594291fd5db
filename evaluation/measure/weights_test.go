package measure

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

var someWeights = []float64{1, .5, 2, 3, 0, 1.5, .25, 1, 4, 2, .1, 1}

func TestWeightedScores(t *testing.T) {
	c := &Column{Mean: someMean, Std: someStd, Y: someY, Protocol: data.Sound, Weights: someWeights}
	expect.NoError(t, c.Check())
	// NumPy 1.24.2 and SciPy 1.10.1: as in TestScores, with np.average(…, weights=w),
	// histogram(…, weights=w), the steps of F_n as cumsum(w)/sum(w), and quad of
	// |F_n(x)-norm.cdf(x)| between jumps and crossings.
	for name, want := range map[string]float64{
		"rmse": 0.8098117725951129,
		"mae":  0.5574923547400611,
		"nll":  0.5168792174544314,
		"r2":   0.5855236373265369, // 1 - sum(w*(m-y)**2)/sum(w*(y-average(y, weights=w))**2), as r2_score does
		"ece":  1.1877675840978592,
		"ks":   0.25989707355859054,
		"ws":   0.714330326929998,
		"crps": 0.3953956822263404,
		"ace":  0.19464831804281346, // abs(average(abs(m-y) <= norm.ppf(.975)*s, weights=w) - .95)
	} {
		near(t, name, c.Score(All()).Get(name), want, 1e-12)
	}
}

// A row that does not count cannot spoil what does.
func TestRowsOfNoWeight(t *testing.T) {
	c := &Column{Mean: []float64{1, 2, 1e200}, Std: []float64{1, 1, 0}, Y: []float64{1, 1, -1e200}, Weights: []float64{1, 1, 0}, Protocol: data.Sound}
	want := judge(t, []float64{1, 2}, []float64{1, 1}, []float64{1, 1}, data.Sound)
	compare(t, c.Score(All()), want, 1e-12)
}

// Check names the part of a column that is wrong.
func TestCheck(t *testing.T) {
	for want, edit := range map[string]func(*Column){
		"1 means, 2 standard deviations and 2 targets":  func(c *Column) { c.Mean = c.Mean[1:] },
		"2 means, 1 standard deviations and 2 targets":  func(c *Column) { c.Std = c.Std[1:] },
		"2 means, 2 standard deviations and 1 targets":  func(c *Column) { c.Y = c.Y[1:] },
		"row 1: mean is NaN":                            func(c *Column) { c.Mean[1] = math.NaN() },
		"row 0: standard deviation is NaN":              func(c *Column) { c.Std[0] = math.NaN() },
		"row 1: standard deviation is -0.5; want zero":  func(c *Column) { c.Std[1] = -0.5 },
		"row 1: target is -Inf":                         func(c *Column) { c.Y[1] = math.Inf(-1) },
		`unknown protocol "exact"; want paper or sound`: func(c *Column) { c.Protocol = "exact" },
		"1 weights and 2 targets":                       func(c *Column) { c.Weights = []float64{1} },
		"row 1: weight is -1":                           func(c *Column) { c.Weights = []float64{1, -1} },
		"row 0: weight is NaN":                          func(c *Column) { c.Weights = []float64{math.NaN(), 1} },
		"the sum of all weights is 0":                   func(c *Column) { c.Weights = []float64{0, 0} },
		"quantile levels are [0.9 0.1]":                 func(c *Column) { c.Levels = []float64{0.9, 0.1} },
		"1 distributions and 2 targets":                 func(c *Column) { c.Distributions = c.Distributions[1:] },
		"quantile levels but no distributions":          func(c *Column) { c.Distributions = nil },
		"row 1: target is 2":                            func(c *Column) { c.Distributions = classesOf([][]float64{{0, 1}, {1, 0}}) },
	} {
		c := &Column{Mean: []float64{1, 2}, Std: []float64{1, 1}, Y: []float64{1, 2}, Protocol: data.Sound, Levels: []float64{0.1, 0.9}}
		c.Distributions = quantilesOf(c.Levels, [][]float64{{0, 1}, {1, 1}})
		expect.NoError(t, c.Check())
		edit(c)
		expect.Error(t, c.Check(), want)
	}
	expect.Error(t, expect.ErrorOf(NewColumn(nil, nil, nil, data.Sound)), "no rows")
}

// What predictions do not have costs them the scores that need it, and no other.
func TestJudgeByParts(t *testing.T) {
	c := &Column{Mean: someMean, Y: someY, Protocol: data.Sound}
	if got := c.Score(All()).Names(); !slices.Equal(got, []string{"rmse", "r2", "mae", "median-ae", "mape"}) {
		t.Errorf("of means there are scores by %v", got)
	}
	if s := c.Score(All()); s.Has("nll") || !math.IsNaN(s.Get("nll")) || !s.Has("rmse") {
		t.Errorf("%v", s)
	}
}
