package calibrate

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/evaluation"
	"sml/internal/expect"
	"sml/internal/strict"
	"sml/models"
	"sml/models/distribution"
)

// normal returns the prediction N(mean, std²) with two components.
func normal(mean, std, drop, offset float64) models.Prediction {
	return models.NewPrediction(distribution.Normal, []float64{mean, std}, []float64{drop, offset})
}

// rows are predictions N(μ, 1) of targets μ + noise: any σ is wrong by a factor.
func rows(n int, seed uint64, noise func(*rand.Rand) float64) Rows {
	rng := rand.New(rand.NewPCG(seed, 0))
	r := Rows{Predictions: &evaluation.Predictions{Targets: 1}}
	for range n {
		m, s := rng.NormFloat64(), 0.5+rng.Float64()
		r.Predictions.Values = append(r.Predictions.Values, normal(m, s, s/2, s/2))
		r.Y = append(r.Y, m+s*noise(rng))
	}
	return r
}

func fit(t *testing.T, r Rows, o Options) *Calibration {
	t.Helper()
	return expect.Must(Fit(r, o))
}

// coveredBy is how many targets are within calibrated intervals.
func coveredBy(c *Calibration, r Rows, coverage float64) int {
	p := c.Apply(r.Predictions, r.Groups)
	n := 0
	for i, v := range p.Values {
		low, high := v.Quantile((1-coverage)/2), v.Quantile((1+coverage)/2)
		if low <= r.Y[i] && r.Y[i] <= high {
			n++
		}
	}
	return n
}

// noises are distributions of residuals, in predicted standard deviations.
var noises = map[string]func(*rand.Rand) float64{
	"normal":   (*rand.Rand).NormFloat64,
	"skewed":   func(rng *rand.Rand) float64 { return 3 * (rng.ExpFloat64() - 1) * (0.5 + rng.Float64()) },
	"discrete": func(rng *rand.Rand) float64 { return float64(rng.IntN(12)) - 4 },
	"bimodal":  func(rng *rand.Rand) float64 { return float64(4*rng.IntN(2)) - 2 + 0.3*rng.NormFloat64() },
}

// Over many repeats on exchangeable rows, intervals of the kinds with exact ranks cover c of the rows to be predicted,
// between c and c + 2/(n + 1) of them with two ends, c + 1/(n + 1) with one: Lei et al. 2018, theorem 2.2. Those of
// predictive, whose ranks are interpolated, cover c within 2/(n + 1). Ties may raise the coverage of discrete
// noise.
func TestCoverageOfExchangeableRows(t *testing.T) {
	const repeats, n, tested = 200, 59, 50
	for name, noise := range noises {
		for _, kind := range []string{"predictive", "conformal", "isotonic"} {
			for _, coverage := range []float64{0.5, 0.8, 0.9} {
				covered := 0
				for i := range uint64(repeats) {
					both := rows(n+tested, i, noise)
					if name == "discrete" {
						for row, v := range both.Predictions.Values { // the same mean and σ, so that residuals are tied
							both.Y[row] = math.Round((both.Y[row] - v.Mean()) / v.Std())
							both.Predictions.Values[row] = normal(0, 1, 0, 0)
						}
					}
					fitted := both.selectRows(func(row int) bool { return row < n })
					others := both.selectRows(func(row int) bool { return row >= n })
					covered += coveredBy(fit(t, fitted, Options{Kind: kind, Coverage: coverage}), others, coverage)
				}
				// The coverage of one repeat is Beta(⌈(n+1)c⌉, …) distributed around c: its
				// variance c(1 − c)/(n + 2), with that of the tested rows beside.
				share := float64(covered) / (repeats * tested)
				std := math.Sqrt(coverage * (1 - coverage) * (1.0/(n+2) + 1.0/tested) / repeats)
				low, high := coverage-3*std, coverage+2.0/(n+1)+3*std
				if kind == "predictive" {
					low -= 2.0 / (n + 1)
				}
				if share < low || share > high && name != "discrete" {
					t.Errorf("%s, %s noise: %.4f of the rows are covered; want %v from %.4f to %.4f", kind, name, share, coverage, low, high)
				}
			}
		}
	}
}

// Of 59 rows, ⌈60·0.9⌉ = 54 are within the conformal interval of 90 %, and from the
// ⌊60·0.05⌋ = 3rd to the 57th, 55, within the isotonic one.
func TestRanks(t *testing.T) {
	r := rows(59, 1, (*rand.Rand).NormFloat64)
	if got := coveredBy(fit(t, r, Options{Kind: "conformal"}), r, 0.9); got != 54 {
		t.Errorf("conformal: %d rows are covered", got)
	}
	if got := coveredBy(fit(t, r, Options{Kind: "isotonic"}), r, 0.9); got != 55 {
		t.Errorf("isotonic: %d rows are covered", got)
	}
}

func TestScale(t *testing.T) {
	// Residuals 2, −2, 1 in σ: the root of their mean square, (4 + 4 + 1)/3 = 3, by hand.
	r := Rows{Predictions: &evaluation.Predictions{Targets: 1}, Y: []float64{2, 0, 0.5}}
	for i, std := range []float64{1, 2, 0.5} {
		r.Predictions.Values = append(r.Predictions.Values, normal([]float64{0, 4, 0}[i], std, std, 0))
	}
	c := fit(t, r, Options{Kind: "scale"})
	p := c.Apply(r.Predictions, nil)
	for i, std := range []float64{1, 2, 0.5} {
		if got, want := p.Values[i].Std(), std*math.Sqrt(3); math.Abs(got-want) > 1e-15 || p.Values[i].Components[0] != got {
			t.Errorf("row %d: %+v, want σ %v", i, p.Values[i], want)
		}
	}
	r.Weights = []float64{1, 1, 0} // the first two, whose residuals are 2 and −2
	if got := fit(t, r, Options{Kind: "scale"}).Groups[0].Targets[0].Scale; got != 2 {
		t.Errorf("by weights, σ is scaled by %v", got)
	}
	if r.Predictions.Values[1].Std() != 2 {
		t.Error("predictions that were calibrated on have changed")
	}
}

// A row of weight 2 counts as the row twice, in the floor, the factor and the distribution of scores. The σ of the
// rows of weight 2 is 20 times as large: without weights the floor would be lower.
func TestWeightTwoIsTheRowTwice(t *testing.T) {
	weighted := rows(60, 3, (*rand.Rand).NormFloat64)
	twice := Rows{Predictions: &evaluation.Predictions{Targets: 1}}
	for i := range weighted.Y {
		weight := 1
		if i%5 == 0 {
			weight = 2
			v := &weighted.Predictions.Values[i]
			*v = normal(v.Mean(), 20*v.Std(), 0, 0)
		}
		weighted.Weights = append(weighted.Weights, float64(weight))
		for range weight {
			twice.Predictions.Values, twice.Y = append(twice.Predictions.Values, weighted.Predictions.Values[i]), append(twice.Y, weighted.Y[i])
		}
	}
	for _, k := range kindsForNumbers() {
		o := Options{Kind: k.Name, Coverage: 0.9}
		got, want := fit(t, weighted, o).Groups[0].Targets[0], fit(t, twice, o).Groups[0].Targets[0]
		for _, c := range []struct {
			name      string
			got, want float64
		}{{"floor", got.Floor, want.Floor}, {"scale", got.Scale, want.Scale}} {
			if math.Abs(c.got/c.want-1) > 1e-12 { // sums of other numbers of terms round differently
				t.Errorf("%s: the %s is %v by weights, %v of rows twice", k.Name, c.name, c.got, c.want)
			}
		}
		if !k.HasShape() {
			continue
		}
		const inRows = 72.0 / 60 // weights are divided by their mean, the new row's is 1 in both
		ofWeights := newResidualShape(got.Residuals, 0.5, !k.adapts)
		ofRows := newResidualShape(want.Residuals, 0.5, !k.adapts)
		for level := 0.021; level < 1; level += 0.05 {
			if got, want := ofWeights.quantile(level, 1/inRows), ofRows.quantile(level, 1); k.Name != "predictive" && math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: the residual at %v is %v by weights, %v of rows twice", k.Name, level, got, want)
			}
		}
	}
}

// With weights of 1 a calibration has the same bytes as without weights.
func TestWeightsOfOne(t *testing.T) {
	r := rows(60, 3, (*rand.Rand).NormFloat64)
	for _, k := range kindsForNumbers() {
		o := Options{Kind: k.Name, Coverage: 0.9}
		r.Weights = nil
		want, _ := json.Marshal(fit(t, r, o))
		r.Weights = slices.Repeat([]float64{1}, 60)
		if got, _ := json.Marshal(fit(t, r, o)); string(got) != string(want) {
			t.Errorf("%s: %s, without weights %s", k.Name, got, want)
		}
	}
}

// A row with a σ of next to nothing does not decide the factor of all: the floor rises.
func TestFloor(t *testing.T) {
	r := rows(200, 6, (*rand.Rand).NormFloat64)
	scaled := Options{Kind: "scale"}
	want := fit(t, r, scaled).Groups[0].Targets[0].Scale
	r.Predictions.Values[3] = normal(r.Predictions.Values[3].Mean(), 0, 0, 0)
	f := fit(t, r, scaled).Groups[0].Targets[0]
	if math.Abs(f.Scale/want-1) > 0.2 || f.Floor < 0.05 {
		t.Errorf("with a σ of 0: scaled by %v from %v on; without %v", f.Scale, f.Floor, want)
	}
}

// Quantiles that are too near to the median are stretched, and each is moved so that its fraction of the rows is below:
// of 199 rows 200·p. The stretch is about the ratio of the standard deviations, 2.
func TestQuantilesAreMoved(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	levels := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
	r := Rows{Predictions: &evaluation.Predictions{Targets: 1, Family: distribution.Quantiles(levels...)}}
	for range 199 {
		m := rng.NormFloat64()
		s := 0.5 + rng.Float64()
		r.Y = append(r.Y, m+2*s*rng.NormFloat64())
		r.Predictions.Values = append(r.Predictions.Values, models.NewPrediction(r.Predictions.Family, []float64{m - 1.64*s, m - 0.67*s, m, m + 0.67*s, m + 1.64*s}, nil))
	}
	for _, kind := range []string{"predictive", "isotonic"} {
		c := fit(t, r, Options{Kind: kind})
		p := c.Apply(r.Predictions, nil)
		for _, level := range levels {
			n := 0
			for i, v := range p.Values {
				if r.Y[i] <= v.Quantile(level)+1e-9 {
					n++
				}
			}
			if want := 200 * level; math.Abs(float64(n)-want) > 1 { // the row at the quantile may be on either side
				t.Errorf("%s: %d of 199 rows are below the quantile of %v; want %v", kind, n, level, want)
			}
		}
		if err := c.CheckCoverage(0.95); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		expect.Error(t, c.CheckCoverage(0.999), "and the model was calibrated on 199")
		stretch := c.Groups[0].Targets[0].Stretch
		if kind == "isotonic" && stretch != 1 || kind == "predictive" && math.Abs(stretch-2) > 0.3 {
			t.Errorf("%s: the stretch is %v", kind, stretch)
		}
	}
	expect.Error(t, expect.ErrorOf(Fit(r, Options{Kind: "conformal"})), "the method predicts quantiles; want predictive, isotonic")
}

func TestTooFewRows(t *testing.T) {
	r := rows(18, 1, (*rand.Rand).NormFloat64)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Kind: "isotonic"}, "intervals of 90% need 19 calibration rows"},
		{Options{Coverage: 0.99}, "need 99 calibration rows"},
		{Options{Coverage: 1}, "more than 0 and less than 1"},
		{Options{GroupColumn: "g"}, "needs the column's value in each row"},
	} {
		expect.Error(t, expect.ErrorOf(Fit(r, c.o)), c.want)
	}
	c := fit(t, rows(19, 1, (*rand.Rand).NormFloat64), Options{Coverage: 0.95})
	if err := c.CheckCoverage(0.95); err != nil {
		t.Error(err)
	}
	expect.Error(t, c.CheckCoverage(0.99), "need 99 calibration rows, and the model was calibrated on 19")
}

// Each group has the coverage, where all together would give the noisy one too little.
func TestByGroup(t *testing.T) {
	r := rows(198, 5, (*rand.Rand).NormFloat64)
	for i := range r.Y {
		r.Groups = append(r.Groups, []string{"calm", "wild"}[i%2])
		if i%2 == 1 {
			r.Y[i] = r.Predictions.Values[i].Mean() + 5*(r.Y[i]-r.Predictions.Values[i].Mean())
		}
	}
	c := fit(t, r, Options{Kind: "conformal", GroupColumn: "weather", Coverage: 0.8})
	for g, name := range []string{"calm", "wild"} {
		one := r.selectRows(func(row int) bool { return row%2 == g })
		if got := coveredBy(c, one, 0.8); got != 80 { // of 99, ⌈100·0.8⌉
			t.Errorf("%s: %d of 99 rows are covered", name, got)
		}
	}
	if got := c.UnknownValues([]string{"calm", "foggy", "foggy"}); !slices.Equal(got, []string{"foggy"}) {
		t.Errorf("unknown are %q", got)
	}
	if got := c.UnknownValues([]string{"Calm", "wild"}); !slices.Equal(got, []string{"Calm"}) {
		t.Errorf("unknown are %q", got)
	}
	for i := range r.Groups { // as several programs write truth values
		r.Groups[i] = []string{"True", "FALSE", "true", "no"}[i%4]
	}
	c = fit(t, r, Options{Kind: "conformal", GroupColumn: "weather", Coverage: 0.8})
	if len(c.Groups) != 3 || c.UnknownValues([]string{"True", "FALSE", "1", "0"}) != nil {
		t.Errorf("%d groups", len(c.Groups))
	}
	for i := range r.Groups {
		r.Groups[i] = []string{"calm", "wild"}[i%2]
	}
	r.Groups[0] = "rare"
	_, err := Fit(r, Options{GroupColumn: "weather"})
	expect.Error(t, err, `9 calibration rows with each value of weather; there are too few with "rare" (1)`)
}

// A shape has the quantiles of a brute-force computation from its formula: of sorted residuals, and of sorted sizes, the
// value with the rank (n + 1)p, interpolated or rounded away from the median; beyond the last rank, exponential with the
// mean distance of the outer tenth of the values, at most ten, from the next.
func TestShape(t *testing.T) {
	for _, n := range []int{3, 59, 400} {
		for name, noise := range noises {
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			var residuals, opposite, sizes []float64
			for range n {
				r := noise(rng)
				residuals, opposite, sizes = append(residuals, r), append(opposite, -r), append(sizes, math.Abs(r))
			}
			for _, values := range [][]float64{residuals, opposite, sizes} {
				slices.Sort(values)
			}
			at := func(values []float64, fraction float64, outward bool) float64 {
				rank := fraction * float64(n+1)
				if rank > float64(n)+1e-9 {
					outer := min(10, max(1, n/10))
					excess := 0.0
					for _, v := range values[n-outer:] {
						excess += (v - values[n-1-outer]) / float64(outer)
					}
					return values[n-1] + excess*math.Log(1/(float64(n+1)-rank))
				}
				if outward {
					return values[int(math.Ceil(rank-1e-9))-1]
				}
				whole := int(rank)
				below := 0.0 // only sizes have ranks below 1
				if whole > 0 {
					below = values[whole-1]
				}
				if whole == n {
					return below
				}
				return below + (rank-float64(whole))*(values[whole]-below)
			}
			for _, c := range []struct {
				signed  float64
				outward bool
			}{{0, true}, {1, true}, {float64(n) / float64(n+200), false}} {
				s := newResidualShape(newOrderStatistics(slices.Clone(residuals), nil), c.signed, c.outward)
				for _, level := range []float64{0.5001, 0.6, 0.75, 0.9, 0.95, 0.99, 0.9999} {
					upper := (1-c.signed)*at(sizes, 2*level-1, c.outward) + c.signed*at(residuals, level, c.outward)
					lower := -(1-c.signed)*at(sizes, 2*level-1, c.outward) - c.signed*at(opposite, level, c.outward)
					for p, want := range map[float64]float64{level: upper, 1 - level: lower} {
						if got := s.quantile(p, 1); math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
							t.Errorf("%s, %d rows, signed %v: the quantile at %v is %v, want %v", name, n, c.signed, p, got, want)
						}
					}
				}
			}
		}
	}
}

// Mean, standard deviation, CRPS and levels of a calibrated prediction are those of its own quantiles, also of transformed
// targets: the CRPS by 999 quantiles to 1 %, moments by 100,000 samples to four standard errors.
func TestOneDistribution(t *testing.T) {
	for name, noise := range noises {
		r := rows(300, 7, noise)
		for _, k := range kindsForNumbers() {
			p := fit(t, r, Options{Kind: k.Name}).Apply(r.Predictions, nil)
			for _, v := range p.Values[:3] {
				for _, y := range []float64{v.Mean() - 2*v.Std(), v.Mean(), v.Quantile(0.9)} {
					want := 0.0
					for i := range 999 {
						level := float64(i+1) / 1000
						loss := y - v.Quantile(level)
						want += 2 * max(level*loss, (level-1)*loss) / 999
					}
					if got := v.CRPS(y); math.Abs(got/want-1) > 0.01 {
						t.Errorf("%s, %s noise: the CRPS is %v, by quantiles %v", k.Name, name, got, want)
					}
				}
				for level := 0.013; level < 1; level += 0.05 {
					if got := v.CDF(v.Quantile(level) + 1e-9*v.Std()); got < level-1e-6 || k.Name == "predictive" && name != "discrete" && math.Abs(got-level) > 1e-6 {
						t.Errorf("%s, %s noise: the quantile at %v has the level %v", k.Name, name, level, got)
					}
				}
			}
			v := p.Values[0]
			const samples = 100_000
			rng := rand.New(rand.NewPCG(1, 2))
			var mean, square float64
			for range samples {
				z := (v.Sample(rng) - v.Mean()) / v.Std()
				mean += z / samples
				square += z * z / samples
			}
			if math.Abs(mean) > 4/math.Sqrt(samples) || math.Abs(square-1) > 0.06 {
				t.Errorf("%s, %s noise: samples have the mean %v and the mean square %v in standard deviations", k.Name, name, mean, square)
			}
		}
	}
}

// Standard deviations that have nothing to do with the sizes of errors are not used, and right ones are.
func TestPower(t *testing.T) {
	right := rows(400, 3, (*rand.Rand).NormFloat64)
	wrong := rows(400, 3, (*rand.Rand).NormFloat64)
	for i, v := range wrong.Predictions.Values {
		wrong.Y[i] = v.Mean() + (wrong.Y[i]-v.Mean())/v.Std()
	}
	if got := fit(t, right, Options{}).Groups[0].Targets[0].Power; got != 1 {
		t.Errorf("of right standard deviations the power is %v", got)
	}
	if got := fit(t, wrong, Options{}).Groups[0].Targets[0].Power; got > 0.25 {
		t.Errorf("of wrong standard deviations the power is %v", got)
	}
	if got := fit(t, wrong, Options{Kind: "conformal"}).Groups[0].Targets[0].Power; got != 1 {
		t.Errorf("of kind conformal the power is %v", got)
	}
}

// Across calibrates each row by others, so that it covers less than in the sample.
func TestAcross(t *testing.T) {
	r := rows(400, 9, (*rand.Rand).NormFloat64)
	p := expect.Must(CrossCalibrate(r, Options{}, 10))
	others := r.selectRows(func(row int) bool { return row%10 != 3 })
	want := fit(t, others, Options{}).Apply(r.Predictions, nil)
	for i := 3; i < 400; i += 10 {
		if p.Values[i].Std() != want.Values[i].Std() || p.Values[i].Quantile(0.9) != want.Values[i].Quantile(0.9) {
			t.Fatalf("row %d is not calibrated by the rows of other folds", i)
		}
	}
}

// Every kind keeps what it promises.
func TestConformance(t *testing.T) {
	for _, k := range Kinds() {
		if k.Summary == "" || k.Source == "" {
			t.Errorf("%s: want a summary and a source", k.Name)
		}
	}
	for _, k := range kindsForNumbers() {
		for _, coverage := range []float64{0.5, 0.9, 0.95} {
			n := k.Rows(coverage)
			c := fit(t, rows(n, 4, (*rand.Rand).NormFloat64), Options{Kind: k.Name, Coverage: coverage})
			d := c.Apply(rows(1, 4, (*rand.Rand).NormFloat64).Predictions, nil).Values[0]
			if low, high := d.Quantile(1-(1+coverage)/2), d.Quantile((1+coverage)/2); math.IsInf(low, 0) || math.IsInf(high, 0) || low >= high {
				t.Errorf("%s: of %d rows, the interval of %v is from %v to %v", k.Name, n, coverage, low, high)
			}
			if err := c.Check(distribution.Normal); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
			text, err := json.Marshal(c)
			again := new(Calibration)
			if err != nil || strict.Unmarshal(text, again) != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
			if second, _ := json.Marshal(again); string(second) != string(text) {
				t.Errorf("%s: %s and read again %s", k.Name, text, second)
			}
		}
	}
}

func kindsForNumbers() []Kind {
	return slices.DeleteFunc(Kinds(), Kind.IsForClasses)
}
