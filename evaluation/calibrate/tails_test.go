package calibrate

import (
	"math"
	"math/rand/v2"
	"testing"

	"sml/evaluation"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models"
)

// Skewness and tail weight follow from the quantile function of the residuals, whose values have the ranks of a sample
// of 199. The expected numbers are the formulas of Tails with these functions: of an exponential distribution, for
// example, q(0.95) = ln 20 and q(0.05) = ln(20/19).
func TestTails(t *testing.T) {
	for _, c := range []struct {
		name             string
		quantile         func(p float64) float64
		skewness, weight float64
		isSkewed         bool
		isHeavy          bool
	}{
		{"normal", portable.NormalQuantile, 0, 1, false, false},
		{"exponential", func(p float64) float64 { return -math.Log(1 - p) }, math.Log(20*20/(19*4.0)) / math.Log(19), math.Log(39) / (2.9058 * math.Log(3)), true, false},
		{"exponential below", func(p float64) float64 { return math.Log(p) }, -math.Log(20*20/(19*4.0)) / math.Log(19), math.Log(39) / (2.9058 * math.Log(3)), true, false},
		{"Cauchy", func(p float64) float64 { return math.Tan(math.Pi * (p - 0.5)) }, 0, math.Tan(math.Pi*0.475) / 2.9058, false, true},
		{"ties", func(p float64) float64 { return math.Max(0, p-0.8) }, 1, math.Inf(1), true, true},
	} {
		var residuals []float64
		for rank := range 199 {
			residuals = append(residuals, c.quantile(float64(rank+1)/200))
		}
		got := predictive.tails(newOrderStatistics(residuals, nil))
		if math.Abs(float64(got.Skewness)-c.skewness) > 1e-9 || !(math.Abs(float64(got.Weight)-c.weight) <= 1e-4 || float64(got.Weight) == c.weight) {
			t.Errorf("%s: %+v, want %v and %v", c.name, got, c.skewness, c.weight)
		}
		if got.IsSkewed() != c.isSkewed || got.IsHeavy() != c.isHeavy {
			t.Errorf("%s: skewed %v, heavy %v", c.name, got.IsSkewed(), got.IsHeavy())
		}
	}
}

// A calibration has tails if it has one shape of at least 200 residuals.
func TestTailsOfCalibration(t *testing.T) {
	two := rows(400, 3, (*rand.Rand).NormFloat64)
	two.Predictions.Targets = 2
	for _, c := range []struct {
		name    string
		rows    Rows
		options Options
		want    bool
	}{
		{"200 rows", rows(200, 3, (*rand.Rand).NormFloat64), Options{}, true},
		{"199 rows", rows(199, 3, (*rand.Rand).NormFloat64), Options{}, false},
		{"two targets", two, Options{}, false},
		{"groups by the mean", rows(400, 3, (*rand.Rand).NormFloat64), Options{MeanGroups: 2}, false},
		{"scale", rows(400, 3, (*rand.Rand).NormFloat64), Options{Kind: "scale"}, false},
	} {
		if _, ok := fit(t, c.rows, c.options).Tails(); ok != c.want {
			t.Errorf("%s: has tails: %v, want %v", c.name, ok, c.want)
		}
	}
}

// CrossCRPS is the weighted mean CRPS of CrossCalibrate in the target's unit, of 2,000 evenly spread rows at most.
func TestCrossCRPS(t *testing.T) {
	for _, c := range []struct {
		rows, step int
	}{{400, 1}, {4000, 2}} {
		r := rows(c.rows, 5, noises["skewed"])
		unit := standardUnit()
		unit.Scaler.Std = 3
		unit.Scaler.Mean = 1
		r.Units = []evaluation.Unit{unit}
		for row := range r.Y {
			r.Weights = append(r.Weights, float64(1+row%4))
		}
		got := expect.Must(CrossCRPS(r, Options{}))
		scored := r.selectRows(func(row int) bool { return row%c.step == c.step-1 })
		p := expect.Must(CrossCalibrate(scored, Options{}, powerFolds))
		sum, weights := 0.0, 0.0
		for row, v := range p.Values {
			sum += scored.Weights[row] * unit.Convert(models.Prediction{Distribution: v.Distribution}).CRPS(3*scored.Y[row]+1)
			weights += scored.Weights[row]
		}
		if want := sum / weights; math.Abs(got-want) > 1e-12*want {
			t.Errorf("%d rows: CRPS %v, want %v", c.rows, got, want)
		}
	}
}
