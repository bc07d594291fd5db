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
	"sml/trainers/check"
)

// Parameters of some distributions of each family of counts: own ones, then mean and standard deviation of the target.
var (
	poissonExample          = []float64{math.Log(3.5), 0, 1}
	negativeBinomialExample = []float64{math.Log(3.5), math.Log(1.25), 0, 1}
	zeroInflatedExample     = []float64{math.Log(3.5), math.Log(0.4 / 0.6), 0, 1}
)

// The parts of each family agree with one another. TestLaplace, which a page quotes, has a family more.
func TestFamilies(t *testing.T) {
	check.TestFamily(t, poissonFamily, poissonExample, []float64{math.Log(3.5), 3, 2.5}, []float64{-2, 0.2, 0.4}, []float64{math.Log(900), 850, 40})
	check.TestFamily(t, negativeBinomialFamily, negativeBinomialExample, []float64{math.Log(40), -2, 30, 50})
	check.TestFamily(t, zeroInflatedFamily, zeroInflatedExample, []float64{math.Log(200), 3, 30, 50})
	check.TestFamily(t, distribution.Mixture(poissonFamily, 2), []float64{math.Log(3.5), 2, 3, math.Log(9), 2, 3})
	check.TestFamily(t, gammaFamily, []float64{2.5, 1.5, -3}, []float64{90, 0.1, 1})
	check.TestFamily(t, distribution.Mixture(gammaFamily, 2), []float64{2.5, 1.5, -3, 4, 0.5, -3})
	check.TestFamily(t, weibullFamily, []float64{2, 1.5, -3}, []float64{1.3, 0.5, 0}, []float64{20, 1, 1})
}

// The program bench/families.py computed the values, in 60 digits, from the definitions of SciPy's poisson, nbinom,
// gamma(2.5, scale=1.5) and weibull_min(2, scale=1.5), and of the CRPS. The formula of the gamma distribution's CRPS is
// from scoringRules. The Weibull distribution's CRPS is NaN here and not compared.
func TestFamilyValues(t *testing.T) {
	type score struct{ y, logDensity, cdf, crps float64 }
	type quantile struct{ level, y float64 }
	for _, c := range []struct {
		family     distribution.Family
		parameters []float64
		zero       float64 // is added to the values
		mean, std  float64
		scores     []score
		quantiles  []quantile
	}{
		{
			poissonFamily, poissonExample, 0, 3.5, 1.8708286933869707,
			[]score{
				{0, -3.5000000000000000, 0.030197383422318501, 2.4639055721613203},
				{1, -2.2472370315046320, 0.13588822540043325, 1.5243003390059573},
				{3, -1.5334705637419510, 0.53663266790078502, 0.43777118753109192},
				{9, -5.0269607636231577, 0.99668505573536764, 4.4733521817906714},
				{25, -30.184531010596320, 0.99999999999998798, 20.463905572161348},
			},
			[]quantile{{0.001, 0}, {0.025, 0}, {0.5, 3}, {0.9, 6}, {0.9999, 12}},
		},
		{
			poissonFamily, []float64{math.Log(400), 0, 1}, 0, 400, 20,
			[]score{
				{300, -17.466485812673392, 1.0103960151958143e-7, 88.717972399755755},
				{399, -3.9148791400485944, 0.49335087016109453, 4.6856371387457784},
				{420, -4.4311332526657408, 0.84724588224619249, 12.128603279592106},
				{520, -20.475430718478257, 0.99999999587104742, 108.71797186909184},
			},
			[]quantile{{0.001, 340}, {0.025, 361}, {0.5, 400}, {0.9, 426}, {0.9999, 476}},
		},
		{
			negativeBinomialFamily, negativeBinomialExample, 0, 3.5, 3.6469165057620938,
			[]score{
				{0, -1.6687513334154251, 0.18848227027477863, 1.6489689450328750},
				{1, -1.7509894316523972, 0.36208436131733789, 1.0259334855824322},
				{3, -2.1639269874248410, 0.62086448664220548, 0.76208492389602676},
				{9, -3.7527181515596719, 0.92896509932452126, 4.2138393486754445},
				{60, -18.867198975842714, 0.99999998181391592, 54.648969084698057},
			},
			[]quantile{{0.001, 0}, {0.025, 0}, {0.5, 2}, {0.9, 8}, {0.9999, 32}},
		},
		{
			zeroInflatedFamily, zeroInflatedExample, 0, 2.1, 2.2449944320643648,
			[]score{
				{0, -0.87199056109988528, 0.41811843005339110, 0.88700600597807530},
				{1, -2.7580626552706227, 0.48153293524025995, 0.72324286608485750},
				{3, -2.0442961875079417, 0.72197960074047101, 0.87132537519993829},
				{9, -5.5377863873891483, 0.99801103344122058, 5.6926739717556860},
				{25, -30.695356634362311, 0.99999999999999279, 21.687006005978092},
			},
			[]quantile{{0.001, 0}, {0.025, 0}, {0.5, 2}, {0.9, 5}, {0.9999, 12}},
		},
		{
			gammaFamily, []float64{2.5, 1.5, -3}, -3, 3.75, 1.5 * math.Sqrt(2.5),
			[]score{
				{0.01, -8.2127675863921338, 0.0000010867459060981006, gammaCRPS(2.5, 1.5, 0.01)},
				{1, -1.9650123074099968, 0.068535382866534413, gammaCRPS(2.5, 1.5, 1)},
				{3.75, -1.8157118807698509, 0.58411981300449208, gammaCRPS(2.5, 1.5, 3.75)},
				{6, -2.6107064369012476, 0.84376437242227767, gammaCRPS(2.5, 1.5, 6)},
			},
			[]quantile{{0.001, 0.15765945197191437}, {0.5, 3.2635951433216455}},
		},
		{
			weibullFamily, []float64{2, 1.5, -3}, -3, 0.75 * math.Sqrt(math.Pi), 1.5 * math.Sqrt(1-math.Pi/4),
			[]score{
				{0.01, -4.7229976660889193, 0.000044443456804755210, math.NaN()},
				{1, -0.56222748010082790, 0.35881961157004542, math.NaN()},
				{3.75, -5.0460271956740640, 0.99806954586377229, math.NaN()},
				{6, -14.326023566428328, 0.99999988746482528, math.NaN()},
			},
			[]quantile{{0.001, 0.047446029871454475}, {0.5, 1.2488319167365466}, {0.9999, 4.5522813881554391}},
		},
	} {
		d := c.family.New(c.parameters)
		expectNear := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Errorf("%s%v: %s is %v; want %v", c.family.Name, c.parameters, what, got, want)
			}
		}
		expectNear("mean", d.Mean(), c.mean+c.zero)
		expectNear("std", d.Std(), c.std)
		isOfCounts := d.Quantile(0.4) == math.Floor(d.Quantile(0.4))
		for _, s := range c.scores {
			expectNear("log density", d.LogDensity(s.y+c.zero), s.logDensity)
			expectNear("CDF", d.CDF(s.y+c.zero), s.cdf)
			if isOfCounts {
				expectNear("CDF between counts", d.CDF(s.y+0.7), s.cdf)
			}
			if !math.IsNaN(s.crps) {
				expectNear("CRPS", d.CRPS(s.y+c.zero), s.crps)
			}
		}
		for _, q := range c.quantiles {
			got := d.Quantile(q.level)
			expectNear("quantile", got, q.y+c.zero)
			if isOfCounts && got != q.y {
				t.Errorf("%s%v: the quantile at %v is %v, not the count %v", c.family.Name, c.parameters, q.level, got, q.y)
			}
		}
	}
}

// gammaCRPS returns y (2P(k, y/s) − 1) − k s (2P(k + 1, y/s) − 1) − s/B(½, k). Source: scoringRules, crps_gamma.
func gammaCRPS(k, s, y float64) float64 {
	inverseBeta := math.Gamma(k+0.5) / (math.Sqrt(math.Pi) * math.Gamma(k))
	return y*(2*incompleteGamma(k, y/s)-1) - k*s*(2*incompleteGamma(k+1, y/s)-1) - s*inverseBeta
}

// Quantiles of gamma distributions of small and large shapes have the levels as probabilities.
func TestGammaQuantiles(t *testing.T) {
	for _, shape := range []float64{0.3, 0.7, 1000} {
		d := gammaFamily.New([]float64{shape, 2, -1})
		for _, level := range []float64{0.01, 0.3, 0.999} {
			if got := d.CDF(d.Quantile(level)); !(math.Abs(got-level) <= 1e-9) {
				t.Errorf("the CDF of the quantile at %v of the shape %v is %v", level, shape, got)
			}
		}
	}
}

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
