package calibrate

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/evaluation"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
)

// Values 1, 2, 3 of the weights 1, 2, 3 and a new row of weight 4, by hand: ten tenths, of which one is up to 1, three
// up to 2 and six up to 3. Rounded outwards, the value at a fraction has at least this part of the ten up to it.
// Interpolated, a value of the weight w has its own rank from half of a row of weight 1 above the ranks before it to half
// of one below its end, plus half of the new row's weight: 2.5, from 3.5 to 4.5, and from 5.5 to 7.5.
func TestWeightedRanks(t *testing.T) {
	s := newOrderStatistics([]float64{3, 1, 2}, []float64{3, 1, 2})
	q := newRankQuantiles(s.Values, s.weights(), false)
	for _, c := range []struct{ fraction, outward, interpolated float64 }{
		{0.1, 1, 1}, {0.25, 2, 1}, {0.3, 2, 1.5}, {0.35, 3, 2}, {0.45, 3, 2}, {0.5, 3, 2.5}, {0.6, 3, 3}, {0.75, math.NaN(), 3},
	} {
		if got := q.at(c.fraction, 4, true); !math.IsNaN(c.outward) && got != c.outward {
			t.Errorf("outwards, %v: %v, want %v", c.fraction, got, c.outward)
		}
		if got := q.at(c.fraction, 4, false); math.Abs(got-c.interpolated) > 1e-12 {
			t.Errorf("interpolated, %v: %v, want %v", c.fraction, got, c.interpolated)
		}
	}
}

// A value of weight 2 counts as the value twice, rounded or interpolated.
func TestIntegerWeights(t *testing.T) {
	once := newOrderStatistics([]float64{5, 1, 4}, []float64{2, 1, 2})
	twice := newOrderStatistics([]float64{5, 5, 1, 4, 4}, nil)
	for _, outward := range []bool{false, true} {
		for i := range 27 {
			fraction := float64(i+1) / 40
			got := newRankQuantiles(once.Values, once.weights(), false).at(fraction, 2, outward)
			want := newRankQuantiles(twice.Values, twice.weights(), false).at(fraction, 2, outward)
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("outward %v, %v: %v, want %v", outward, fraction, got, want)
			}
		}
	}
}

// weightAll returns the calibration with weights of its own rows.
func weightAll(t *testing.T, c *Calibration, r Rows, weights []float64) *Weighted {
	t.Helper()
	scores := expect.Must(c.Scores(r))
	return c.Weight(scores, weights)
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
	}{{r, "predictive"}, {r, "conformal"}, {r, "isotonic"}, {quantiles, "predictive"}, {quantiles, "isotonic"}} {
		calibration := fit(t, c.rows, Options{Kind: c.kind})
		ones := slices.Repeat([]float64{1}, 99)
		got := weightAll(t, calibration, c.rows, ones).Apply(c.rows.Predictions, ones)
		want := calibration.Apply(c.rows.Predictions, nil)
		for i := range want.Values {
			for _, level := range []float64{0.05, 0.5, 0.95} {
				if g, w := got.Values[i].Quantile(level), want.Values[i].Quantile(level); math.Abs(g-w) > 1e-12 {
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

// predictQuantiles replaces the predictions of rows by quantiles at three levels: the mean and two numbers around it.
func predictQuantiles(r *Rows, family distribution.Family) {
	r.Predictions.Family = family
	for i, p := range r.Predictions.Values {
		r.Predictions.Values[i] = models.NewPrediction(family, []float64{p.Mean() - 1, p.Mean(), p.Mean() + 2}, nil)
	}
}

// Over many repeats, weighted intervals cover at least c of shifted rows, on average: Tibshirani et al. (2019),
// corollary 1, with the density ratio 2x known. Intervals without weights cover fewer: the noise of shifted rows is
// larger.
func TestCoverageUnderCovariateShift(t *testing.T) {
	const repeats, n, tested, coverage = 200, 199, 50, 0.9
	family := distribution.Quantiles(0.05, 0.5, 0.95)
	for _, kind := range []string{"predictive", "conformal", "isotonic", "predictive quantiles", "isotonic quantiles"} {
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
		if fraction < coverage-4.0/n-3*std || fraction > coverage+4.0/n+3*std {
			t.Errorf("%s: %.4f of the rows are covered; want %v to %v ± %v", kind, fraction, coverage-4.0/n, coverage+4.0/n, 3*std)
		}
		if unweighted := float64(covered) / (repeats * tested); unweighted > coverage-3*std {
			t.Errorf("%s: without weights %.4f of the rows are covered: the rows are not shifted", kind, unweighted)
		}
	}
}

// CheckCoverage refuses intervals of a row that weighs more than the calibration rows that they need.
func TestWeightedCheckCoverage(t *testing.T) {
	r := rows(99, 5, (*rand.Rand).NormFloat64)
	w := weightAll(t, fit(t, r, Options{}), r, slices.Repeat([]float64{1}, 99))
	for weight, isKnown := range map[float64]bool{1: true, 11: true, 11.1: false, 200: false} { // 99/11 = 9 rows are enough
		if err := w.CheckCoverage(0.9, weight); (err == nil) != isKnown {
			t.Errorf("weight %v: %v", weight, err)
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

// The nonconformity of a row is the size of its residual, from predictions and from scores.
func TestNonconformity(t *testing.T) {
	r := rows(99, 5, (*rand.Rand).NormFloat64)
	for _, kind := range []string{"conformal", "isotonic"} {
		c := fit(t, r, Options{Kind: kind, Coverage: 0.9})
		scores := expect.Must(c.Scores(r))
		got := Nonconformity(r, c)[0]
		if want := c.NonconformityOfScores(scores)[0]; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
		v := r.Predictions.Values[7]
		if want := math.Abs(r.Y[7]-v.Mean()) / c.Groups[0].Targets[0].ScaleOf(v.Std()); math.Abs(got[7]-want) > 1e-12 {
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
