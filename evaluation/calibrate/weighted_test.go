package calibrate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/evaluation"
	"sml/models"
	"sml/models/distribution"
)

// Scores 1, 2, 3 of the weights 1, 2, 3 and a new row of weight 4, by hand: ten tenths, of which one is up to 1, three
// up to 2 and six up to 3.
func TestWeightedScores(t *testing.T) {
	s := newWeightedScores([]float64{3, 1, 2}, []float64{3, 1, 2}).withOwn(4)
	for _, c := range []struct{ fraction, above, below float64 }{
		{0.1, 1, math.Inf(-1)},
		{0.3, 2, math.Inf(-1)},
		{0.39, 3, math.Inf(-1)},
		{0.4, 3, 1}, // 0.6 from 1 on, and the new row below
		{0.5, 3, 2},
		{0.6, 3, 2},
		{0.7, math.Inf(1), 3},
		{0.61, math.Inf(1), 2},
	} {
		if above, below := s.AtOrAbove(c.fraction), s.AtOrBelow(c.fraction); above != c.above || below != c.below {
			t.Errorf("fraction %v: %v and %v, want %v and %v", c.fraction, above, below, c.above, c.below)
		}
	}
	for value, want := range map[float64]float64{1: 0.1, 1.5: 0.2, 2: 0.3, 3: 0.6, 0: 0.05, 4: 0.8} {
		if got := s.FractionBelow(value); math.Abs(got-want) > 1e-15 {
			t.Errorf("the fraction below %v is %v, want %v", value, got, want)
		}
	}
}

// With weights of 1, weighted scores are order statistics.
func TestWeightsOfOneAreRanks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var values []float64
	for range 59 {
		values = append(values, rng.NormFloat64())
	}
	weighted := newWeightedScores(values, slices.Repeat([]float64{1}, len(values))).withOwn(1)
	ranked := newOrderStatistics(slices.Clone(values), nil)
	for i := range 121 {
		fraction := float64(i) / 120
		if got, want := weighted.AtOrAbove(fraction), ranked.AtOrAbove(fraction); i > 0 && got != want {
			t.Errorf("at or above %v: %v, want %v", fraction, got, want)
		}
		if got, want := weighted.AtOrBelow(fraction), ranked.AtOrBelow(fraction); i < 120 && got != want {
			t.Errorf("at or below %v: %v, want %v", fraction, got, want)
		}
		value := rng.NormFloat64()
		if got, want := weighted.FractionBelow(value), ranked.FractionBelow(value); math.Abs(got-want) > 1e-12 {
			t.Errorf("fraction below %v: %v, want %v", value, got, want)
		}
	}
}

// A row of weight 2 counts as the row twice, and a new row of weight 2 as two new rows.
func TestIntegerWeights(t *testing.T) {
	once := newWeightedScores([]float64{5, 1, 4}, []float64{2, 1, 2}).withOwn(2)
	twice := newWeightedScores([]float64{5, 5, 1, 4, 4}, []float64{1, 1, 1, 1, 1}).withOwn(2)
	for i := range 29 {
		fraction := float64(i+1) / 28
		if got, want := once.AtOrAbove(fraction), twice.AtOrAbove(fraction); got != want {
			t.Errorf("at or above %v: %v, want %v", fraction, got, want)
		}
	}
}

// weightAll returns the calibration with weights of its own rows.
func weightAll(t *testing.T, c *Calibration, r Rows, weights []float64) *Weighted {
	t.Helper()
	scores, err := c.Scores(r)
	if err != nil {
		t.Fatal(err)
	}
	w, err := c.Weight(scores, weights)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// With weights of 1, calibrated intervals are those without weights, of numbers and of quantiles.
func TestWeightedWithEqualWeights(t *testing.T) {
	r := rows(99, 5, (*rand.Rand).NormFloat64)
	quantiles := r
	family := distribution.Quantiles(0.05, 0.5, 0.95)
	quantiles.Predictions = &evaluation.Predictions{Targets: 1, Family: family}
	for _, p := range r.Predictions.Values {
		quantiles.Predictions.Values = append(quantiles.Predictions.Values, models.NewPrediction(family, []float64{p.Mean() - 1, p.Mean(), p.Mean() + 2}, nil))
	}
	for _, c := range []struct {
		rows Rows
		kind string
	}{{r, "conformal"}, {r, "isotonic"}, {quantiles, "conformal"}} {
		calibration := fit(t, c.rows, Options{Kind: c.kind})
		ones := slices.Repeat([]float64{1}, 99)
		got := weightAll(t, calibration, c.rows, ones).Apply(c.rows.Predictions, ones)
		want := calibration.Apply(c.rows.Predictions, nil)
		for i := range want.Values {
			for _, level := range []float64{0.05, 0.5, 0.95} {
				if g, w := got.Values[i].Quantile(level), want.Values[i].Quantile(level); g != w {
					t.Fatalf("%s, row %d: the quantile at %v is %v, want %v", c.kind, i, level, g, w)
				}
			}
		}
	}
}

// shiftedRows returns n rows whose noise grows with |x|, and their x: uniform from 0 to 1, or with the density 2x.
func shiftedRows(n int, rng *rand.Rand, shifted bool) (r Rows, xs []float64) {
	r.Predictions = &evaluation.Predictions{Targets: 1}
	for range n {
		x := rng.Float64()
		if shifted {
			x = math.Sqrt(x)
		}
		r.Predictions.Values = append(r.Predictions.Values, normal(0, 1, 0, 0))
		r.Y = append(r.Y, (0.1+x)*rng.NormFloat64())
		xs = append(xs, x)
	}
	return r, xs
}

// Over many repeats, weighted intervals cover at least c of shifted rows, on average: Tibshirani et al. (2019),
// corollary 1, with the density ratio 2x known. Intervals without weights cover fewer: the noise of shifted rows is
// larger.
func TestCoverageUnderCovariateShift(t *testing.T) {
	const repeats, n, tested, coverage = 200, 199, 50, 0.9
	family := distribution.Quantiles(0.05, 0.5, 0.95)
	for _, kind := range []string{"conformal", "isotonic", "conformal of quantiles"} {
		name, _, areQuantiles := strings.Cut(kind, " ")
		weightedCovered, covered := 0, 0
		for i := range uint64(repeats) {
			rng := rand.New(rand.NewPCG(i, 9))
			fitted, xs := shiftedRows(n, rng, false)
			others, otherXs := shiftedRows(tested, rng, true)
			if areQuantiles {
				predictQuantiles(&fitted, family)
				predictQuantiles(&others, family)
			}
			c := fit(t, fitted, Options{Kind: name, Coverage: coverage})
			for row, v := range c.Apply(others.Predictions, nil).Values {
				if v.Quantile(0.05) <= others.Y[row] && others.Y[row] <= v.Quantile(0.95) {
					covered++
				}
			}
			p := weightAll(t, c, fitted, xs).Apply(others.Predictions, otherXs)
			for row, v := range p.Values {
				if v.Quantile(0.05) <= others.Y[row] && others.Y[row] <= v.Quantile(0.95) {
					weightedCovered++
				}
			}
		}
		// The variance of one repeat is that of n·3/4 rows (the effective number for weights 2x of uniform x is
		// n·(∫2x)²/∫4x²) and of the tested rows. The coverage exceeds c by at most the largest weight, 1 of a sum
		// of n/2, as in Lei et al. (2018), theorem 2.2; isotonic intervals have two such ends.
		const effective = n * 3 / 4
		std := math.Sqrt(coverage * (1 - coverage) * (1.0/effective + 1.0/tested) / repeats)
		fraction := float64(weightedCovered) / (repeats * tested)
		if fraction < coverage-3*std || fraction > coverage+4.0/n+3*std {
			t.Errorf("%s: %.4f of the rows are covered; want %v to %v ± %v", kind, fraction, coverage, coverage+4.0/n, 3*std)
		}
		if unweighted := float64(covered) / (repeats * tested); unweighted > coverage-3*std {
			t.Errorf("%s: without weights %.4f of the rows are covered: the rows are not shifted", kind, unweighted)
		}
	}
}

// A row that weighs more than the calibration rows together has an infinite interval, and CheckCoverage says so.
func TestInfiniteWeightedInterval(t *testing.T) {
	r := rows(99, 5, (*rand.Rand).NormFloat64)
	c := fit(t, r, Options{})
	w := weightAll(t, c, r, slices.Repeat([]float64{1}, 99))
	for weight, isFinite := range map[float64]bool{1: true, 11: true, 11.1: false, 200: false} { // 99/11 = 9 rows are enough
		err := w.CheckCoverage(0.9, weight)
		upper := w.Apply(&evaluation.Predictions{Targets: 1, Values: r.Predictions.Values[:1]}, []float64{weight}).Values[0].Quantile(0.95)
		if (err == nil) != isFinite || math.IsInf(upper, 1) == isFinite {
			t.Errorf("weight %v: %v, upper end %v", weight, err, upper)
		}
	}
}

func TestEffectiveRows(t *testing.T) {
	for _, c := range []struct {
		newWeights []float64
		want       float64
	}{
		{[]float64{2, 2}, 36.0 / 14}, // (1 + 2 + 3)²/(1 + 4 + 9), by hand
		{[]float64{9, 15}, 6.0 / 12}, // (1 + 2 + 3)/((9 + 15)/2): new rows are rare among the calibration rows
	} {
		if got := EffectiveRows([]float64{1, 2, 3}, c.newWeights); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("new weights %v: %v rows, want %v", c.newWeights, got, c.want)
		}
	}
}

// Groups that are calibrated separately, and kinds without ranks, have no scores of all rows together.
func TestNoScores(t *testing.T) {
	r := rows(99, 5, (*rand.Rand).NormFloat64)
	for _, o := range []Options{{Kind: "scale"}, {MeanGroups: 2}} {
		if _, err := fit(t, r, o).Scores(r); !errors.Is(err, ErrNoScores) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// The nonconformity of a row is the distance between target and mean in calibrated σ, from predictions and from
// scores, also if scores have signs.
func TestNonconformity(t *testing.T) {
	r := rows(99, 5, (*rand.Rand).NormFloat64)
	for _, kind := range []string{"conformal", "isotonic"} {
		c := fit(t, r, Options{Kind: kind, Coverage: 0.9})
		scores, err := c.Scores(r)
		if err != nil {
			t.Fatal(err)
		}
		got := Nonconformity(r, c)[0]
		if want := c.NonconformityOfScores(scores)[0]; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
		calibrated := c.Apply(r.Predictions, nil).Values[7]
		if want := math.Abs(r.Y[7]-calibrated.Mean()) / calibrated.Std(); math.Abs(got[7]-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", kind, got[7], want)
		}
	}
}

func TestNonconformityOfClasses(t *testing.T) {
	family := distribution.Categorical(2)
	p := &evaluation.Predictions{Targets: 1, Family: family, Values: []models.Prediction{models.NewPrediction(family, []float64{math.Log(0.25), math.Log(0.75)}, nil)}}
	if got := Nonconformity(Rows{Predictions: p, Y: []float64{0}}, nil); math.Abs(got[0][0]-0.75) > 1e-15 { // 1 − 0.25
		t.Errorf("%v", got)
	}
}
