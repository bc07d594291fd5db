package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
	"sml/internal/expect"
	"sml/internal/statistics"
	"sml/models"
	"sml/models/distribution"
)

// Large counts are added up in groups. A Poisson distribution is then close to a normal one: by the Edgeworth expansion, its
// CDF differs from Φ(z) by φ(z)(1 − z²)/(6√λ) with the count + ½.
func TestLargeCounts(t *testing.T) {
	const rate = 1e8
	d := poissonFamily.New([]float64{math.Log(rate), 0, 1})
	std := math.Sqrt(rate)
	normal := distribution.NewNormal(0, 1)
	for _, z := range []float64{-4, -1, 0, 0.5, 2} {
		count := rate + z*std
		exact := (count + 0.5 - rate) / std
		want := normal.CDF(exact) + math.Exp(normal.LogDensity(exact))*(1-exact*exact)/(6*std)
		if got := d.CDF(count); math.Abs(got-want) > 1e-6 {
			t.Errorf("the CDF at %v is %v; want %v", count, got, want)
		}
	}
	if got, want := d.CRPS(rate+std), distribution.NewNormal(rate, std).CRPS(rate+std); math.Abs(got/want-1) > 1e-4 {
		t.Errorf("the CRPS is %v; want about %v", got, want)
	}
}

// The program trains a Poisson model, whose medians and intervals are counts; it does not call their coverage, which is above
// the nominal one, a mistake.
func TestPoissonByDefault(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	text := "a,b,visits\n"
	for range 1000 {
		a, b := 2*random.Float64()-1, 2*random.Float64()-1
		d := poissonFamily.New([]float64{0.5 + a - 0.5*b, 0, 1})
		text += fmt.Sprintf("%.5f,%.5f,%v\n", a, b, d.Sample(random))
	}
	table, model := writeFile(t, "visits.csv", text), filepath.Join(t.TempDir(), "model")
	trained, _ := run(t, "train", table, "--method", "poisson", "--members", "2", "--out", model)
	if strings.Contains(trained, "chance explains") {
		t.Errorf("train says:\n%s", trained)
	}
	predicted, _ := run(t, "predict", model, "--in", table)
	columns := readColumns(t, predicted)
	if !(slices.Min(columns["std"]) > 0) {
		t.Errorf("a standard deviation is %v", slices.Min(columns["std"]))
	}
	for _, name := range []string{"median", "lower", "upper"} {
		for row, count := range columns[name] {
			if count < 0 || count != math.Floor(count) {
				t.Fatalf("row %d has the %s %v", row, name, count)
			}
		}
	}
}

// drawCounts returns distributions of counts and a number of each.
func drawCounts(f distribution.Family, n int, parametersOf func(row int) []float64) (distributions []distribution.Distribution, y []float64) {
	r := rand.New(rand.NewPCG(3, 4))
	for row := range n {
		d := f.New(parametersOf(row))
		distributions = append(distributions, d)
		y = append(y, d.Sample(r))
	}
	return distributions, y
}

// The PIT of counts is uniform if the model is right: each of 20 bins has as many of 8,000 rows as 99.99 % of binomial
// numbers, and the Kolmogorov–Smirnov distance is below its quantile of 99.9 %. Without random numbers, half of the
// bins would be empty.
func TestUniformPIT(t *testing.T) {
	const rows, bins = 8000, 20
	distributions, y := drawCounts(negativeBinomialFamily, rows, func(row int) []float64 {
		return []float64{math.Sin(float64(row)), 1, 1, 2}
	})
	c := &measure.Column{Y: y, Distributions: distributions, Protocol: data.Sound}
	expect.NoError(t, c.Check())
	var counts [bins]int
	for _, u := range c.PIT() {
		counts[min(int(u*bins), bins-1)]++
	}
	bound := 3.9 * math.Sqrt(rows*(1.0/bins)*(1-1.0/bins))
	for bin, count := range counts {
		if math.Abs(float64(count)-rows/bins) > bound {
			t.Errorf("bin %d has %d rows; want %d ± %.0f", bin, count, rows/bins, bound)
		}
	}
	if ks := score(t, c, "ks"); ks > 1.95/math.Sqrt(rows) {
		t.Errorf("the Kolmogorov–Smirnov distance is %v", ks)
	}
}

// All scores of calibrated counts are finite, also of counts that the model holds for impossible, and nll is that of a
// distribution of counts.
func TestCalibratedCounts(t *testing.T) {
	const rows = 400
	distributions, y := drawCounts(negativeBinomialFamily, rows, func(row int) []float64 { // more spread than the model has
		return []float64{1 + math.Sin(float64(row)), 0, 4, 5}
	})
	p := &evaluation.Predictions{Targets: 1, Family: poissonFamily}
	for row := range distributions {
		p.Values = append(p.Values, models.NewPrediction(poissonFamily, []float64{1 + math.Sin(float64(row)), 4, 5}, nil))
	}
	y[0] = (1000 - 4.0) / 5
	for _, kind := range calibrate.Kinds() {
		if kind.IsForClasses() {
			continue
		}
		calibration := expect.Must(calibrate.Fit(calibrate.Rows{Predictions: p, Y: y}, calibrate.Options{Kind: kind.Name}))
		scaler := data.Scaler{Name: "y", Mean: 4, Std: 5}
		truth := evaluation.Truth{Columns: data.Scalers{scaler}}
		for _, v := range y {
			truth.Y = append(truth.Y, math.Round(v*scaler.Std+scaler.Mean))
		}
		e := expect.Must(evaluation.Evaluate(calibration.Apply(p, nil), truth, data.Sound, []string{"nll", "crps", "ece", "ks", "coverage90"}))
		for _, s := range e.Original {
			if !statistics.IsFinite(s.Score) {
				t.Errorf("%s: %s is %v", kind.Name, s.Measure, s.Score)
			}
		}
		d := calibration.Apply(p, nil).Values[1].Affine(scaler.Std, scaler.Mean)
		sum := 0.0
		for count := range 3000 {
			sum += math.Exp(d.LogDensity(float64(count)))
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: the probabilities add up to %v", kind.Name, sum)
		}
	}
}
