package calibrate

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/evaluation"
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
	c, err := Fit(r, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
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

// Over many repeats on exchangeable rows, intervals cover c of the rows to be
// predicted, between c and c + 1/(n + 1) of them: Lei et al. 2018, theorem 2.2. The
// noise is skewed and its tails are heavy, so that no normal distribution is right.
func TestCoverageOfExchangeableRows(t *testing.T) {
	const repeats, n, tested, coverage = 200, 59, 50, 0.9
	skewed := func(rng *rand.Rand) float64 { return 3 * (rng.ExpFloat64() - 1) * (0.5 + rng.Float64()) }
	for _, kind := range []string{"conformal", "isotonic"} {
		covered := 0
		for i := range uint64(repeats) {
			both := rows(n+tested, i, skewed)
			fitted := Rows{Predictions: &evaluation.Predictions{Targets: 1, Values: both.Predictions.Values[:n]}, Y: both.Y[:n]}
			others := Rows{Predictions: &evaluation.Predictions{Targets: 1, Values: both.Predictions.Values[n:]}, Y: both.Y[n:]}
			covered += coveredBy(fit(t, fitted, Options{Kind: kind, Coverage: coverage}), others, coverage)
		}
		// The coverage of one repeat is Beta(⌈(n+1)c⌉, …) distributed around c: its
		// variance c(1 − c)/(n + 2), with that of the tested rows beside.
		share := float64(covered) / (repeats * tested)
		std := math.Sqrt(coverage * (1 - coverage) * (1.0/(n+2) + 1.0/tested) / repeats)
		if share < coverage-3*std || share > coverage+1.0/(n+1)+3*std {
			t.Errorf("%s: %.4f of the rows are covered; want %v to %v ± %v", kind, share, coverage, coverage+1.0/(n+1), 3*std)
		}
	}
}

// Of 59 rows, ⌈60·0.9⌉ = 54 are within the conformal interval of 90 %, and from the
// ⌊60·0.05⌋ = 3rd to the 57th, 55, within the isotonic one.
func TestRanks(t *testing.T) {
	r := rows(59, 1, (*rand.Rand).NormFloat64)
	if got := coveredBy(fit(t, r, Options{}), r, 0.9); got != 54 {
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
		if k.Score == nil {
			continue
		}
		for i := range 20 {
			fraction := float64(i)/20 + 0.021 // of the rows, without the new row: 60 of 61 and 72 of 73
			if got, want := got.Scores.AtOrAbove(fraction*60/61), want.Scores.AtOrAbove(fraction*72/73); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: the score at %v is %v by weights, %v of rows twice", k.Name, fraction, got, want)
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

// Rows whose targets are 1 to 4 above the upper of two quantiles, by hand: with the weights 1, 1, 1 and 5, whose mean is 2,
// the ranks are 0.5, 1, 1.5 and 4 of 5. A coverage of 0.2 needs the rank 1, and without weights the first row.
func TestWeightedQuantiles(t *testing.T) {
	s := QuantileSample{Levels: []float64{0.4, 0.6}, Y: []float64{4, 1, 3, 2}, Quantiles: slices.Repeat([][]float64{{0, 0}}, 4)}
	for _, c := range []struct {
		weights []float64
		want    float64
	}{{nil, 1}, {[]float64{3, 3, 3, 3}, 1}, {[]float64{5, 1, 1, 1}, 2}} {
		s.Weights = c.weights
		if got := fitQuantileShifts(s); got[0] != -c.want || got[1] != c.want {
			t.Errorf("weights %v: shifts %v; want %v", c.weights, got, c.want)
		}
	}
}

// Folds with equal predictions have the weighted ranks of all their rows together.
func TestWeightedFolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	r := Rows{FoldMembers: [][]int{{0}, {1}, {2}}}
	var scores []float64
	var all []int
	for row := range 60 {
		scores = append(scores, rng.ExpFloat64())
		r.Weights = append(r.Weights, float64(1+row%4))
		r.Folds = append(r.Folds, row%3)
		all = append(all, row)
	}
	var folds []FoldScores
	for _, s := range r.scoresByFold(scores, all) {
		folds = append(folds, FoldScores{Scores: s, Std: 1})
	}
	inFolds := newFoldShape(folds)
	together := symmetricShape{newOrderStatistics(scores, r.MeanWeights())}
	for i := range 39 {
		level := float64(i+1) / 40
		z := together.Quantile(level)
		if got := inFolds.Quantile(level); got != z {
			t.Errorf("the quantile at %v is %v; want %v", level, got, z)
		}
		if got, want := inFolds.Level(z), together.Level(z); level != 0.5 && math.Abs(got-want) > 1e-9 {
			t.Errorf("the level of %v is %v; want %v", z, got, want)
		}
	}
}

// A row of weight 0 counts like no row.
func TestCalibrationWithoutWeightlessRows(t *testing.T) {
	with := rows(60, 3, (*rand.Rand).NormFloat64)
	for row := range 60 {
		with.Weights = append(with.Weights, float64(row%3))
	}
	without := with.selectRows(func(row int) bool { return row%3 > 0 })
	for _, k := range kindsForNumbers() {
		o := Options{Kind: k.Name, Coverage: 0.9}
		got, _ := json.Marshal(fit(t, with, o))
		want, _ := json.Marshal(fit(t, without, o))
		if string(got) != string(want) {
			t.Errorf("%s: %s, without these rows %s", k.Name, got, want)
		}
	}
}

// A row with a σ of next to nothing does not decide the factor of all: the floor rises.
func TestFloor(t *testing.T) {
	r := rows(200, 6, (*rand.Rand).NormFloat64)
	want := fit(t, r, Options{}).Groups[0].Targets[0].Scale
	r.Predictions.Values[3] = normal(r.Predictions.Values[3].Mean(), 0, 0, 0)
	f := fit(t, r, Options{}).Groups[0].Targets[0]
	if math.Abs(f.Scale/want-1) > 0.2 || f.Floor < 0.05 {
		t.Errorf("with a σ of 0: scaled by %v from %v on; without %v", f.Scale, f.Floor, want)
	}
}

// Quantiles of honest rows are widened until each pair holds its ranks.
func TestConformalisedQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	levels := []float64{0.05, 0.25, 0.5, 0.75, 0.95}
	r := Rows{Predictions: &evaluation.Predictions{Targets: 1, Family: distribution.Quantiles(levels...)}}
	for range 199 {
		m := rng.NormFloat64()
		r.Y = append(r.Y, m+2*rng.NormFloat64())
		r.Predictions.Values = append(r.Predictions.Values, models.NewPrediction(r.Predictions.Family, []float64{m - 1.64, m - 0.67, m, m + 0.67, m + 1.64}, nil))
	}
	c := fit(t, r, Options{})
	p := c.Apply(r.Predictions, nil)
	for _, pair := range []struct{ low, high, want int }{{0, 4, 180}, {1, 3, 100}} { // ⌈200·0.9⌉, ⌈200·0.5⌉
		n := 0
		for i, v := range p.Values {
			if v.Quantile(levels[pair.low]) <= r.Y[i] && r.Y[i] <= v.Quantile(levels[pair.high]) {
				n++
			}
		}
		if n != pair.want {
			t.Errorf("between levels %v and %v: %d rows, want %d", levels[pair.low], levels[pair.high], n, pair.want)
		}
	}
	if p.Values[0].Quantile(0.5) != r.Predictions.Values[0].Quantile(0.5) {
		t.Error("the median has moved")
	}
	if _, err := Fit(r, Options{Kind: "scale"}); err == nil || !strings.Contains(err.Error(), "the method predicts quantiles; want conformal") {
		t.Errorf("got %v", err)
	}
}

func TestTooFewRows(t *testing.T) {
	r := rows(18, 1, (*rand.Rand).NormFloat64)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "intervals of 95% need 19 calibration rows, and there are 18"},
		{Options{Kind: "isotonic"}, "intervals of 95% need 39 calibration rows"},
		{Options{Coverage: 0.99}, "need 99 calibration rows"},
		{Options{Coverage: 1}, "more than 0 and less than 1"},
		{Options{Kind: "platt"}, "want one of conformal, scale, isotonic"},
		{Options{GroupColumn: "g"}, "needs the column's value in each row"},
	} {
		if _, err := Fit(r, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v; want %q", c.o, err, c.want)
		}
	}
	c := fit(t, rows(19, 1, (*rand.Rand).NormFloat64), Options{})
	if err := c.CheckCoverage(0.95); err != nil {
		t.Error(err)
	}
	if err := c.CheckCoverage(0.99); err == nil || !strings.Contains(err.Error(), "need 99 calibration rows, and the model was calibrated on 19") {
		t.Errorf("got %v", err)
	}
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
	c := fit(t, r, Options{GroupColumn: "weather", Coverage: 0.8})
	for g, name := range []string{"calm", "wild"} {
		one := Rows{Predictions: &evaluation.Predictions{Targets: 1}}
		for i := g; i < len(r.Y); i += 2 {
			one.Predictions.Values, one.Y, one.Groups = append(one.Predictions.Values, r.Predictions.Values[i]), append(one.Y, r.Y[i]), append(one.Groups, name)
		}
		if got := coveredBy(c, one, 0.8); got != 80 { // of 99, ⌈100·0.8⌉
			t.Errorf("%s: %d of 99 rows are covered", name, got)
		}
	}
	if got := c.UnknownValues([]string{"calm", "foggy", "foggy"}); !slices.Equal(got, []string{"foggy"}) {
		t.Errorf("unknown are %q", got)
	}
	r.Groups[0] = "rare"
	if _, err := Fit(r, Options{GroupColumn: "weather"}); err == nil || !strings.Contains(err.Error(), `19 calibration rows with each value of weather; there are too few with "rare" (1)`) {
		t.Errorf("got %v", err)
	}
}

// Check refuses groups whose numbers of rows contradict the calibration's.
func TestCheckRowsOfGroups(t *testing.T) {
	r := rows(80, 5, (*rand.Rand).NormFloat64)
	for i := range r.Y {
		r.Groups = append(r.Groups, []string{"calm", "wild"}[i%2])
	}
	for name, change := range map[string]func(c *Calibration){
		"no rows":              func(c *Calibration) { c.Groups[1].Rows = 0 },
		"negative":             func(c *Calibration) { c.Groups[1].Rows = -40 },
		"too few":              func(c *Calibration) { c.Groups[1].Rows = 18 }, // 95% takes 19
		"more than all":        func(c *Calibration) { c.Groups[1].Rows = 81 },
		"not all rows":         func(c *Calibration) { c.Groups = c.Groups[:2] },
		"scores of other rows": func(c *Calibration) { c.Groups[1].Targets[0].Scores = c.Groups[0].Targets[0].Scores },
	} {
		c := fit(t, r, Options{GroupColumn: "weather"})
		if err := c.Check(1, distribution.Normal); err != nil {
			t.Fatal(err)
		}
		if change(c); c.Check(1, distribution.Normal) == nil {
			t.Errorf("%s: it is not refused", name)
		}
	}
}

// A shape's levels and quantiles are each other's inverse as far as steps allow, and
// ascend.
func TestShapes(t *testing.T) {
	for _, n := range []int{39, 20_000} {
		r := rows(n, 2, (*rand.Rand).NormFloat64)
		for _, kind := range []string{"conformal", "isotonic"} {
			c := fit(t, r, Options{Kind: kind})
			k, _ := Lookup(kind)
			s := k.Shape(c.Groups[0].Targets[0].TargetFit.Scores)
			last := math.Inf(-1)
			for z := -6.0; z <= 6; z += 0.01 {
				level := s.Level(z)
				if level < 0 || level > 1 || level < last {
					t.Fatalf("%s of %d: level %v at %v, %v before", kind, n, level, z, last)
				}
				last = level
			}
			for level := 0.03; level < 0.98; level += 0.01 {
				if got := s.Level(s.Quantile(level)); math.Abs(got-level) > 1.0/float64(min(n, maxKept))+1e-12 {
					t.Errorf("%s of %d: the quantile at %v has level %v", kind, n, level, got)
				}
			}
			if got := s.Quantile(0.9999999); !math.IsInf(got, 1) {
				t.Errorf("%s of %d rows: the quantile at 0.9999999 is %v", kind, n, got)
			}
		}
	}
}

// Across calibrates each row by others, so that it covers less than in the sample.
func TestAcross(t *testing.T) {
	r := rows(400, 9, (*rand.Rand).NormFloat64)
	p, err := CrossCalibrate(r, Options{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	parts := rows(400, 9, (*rand.Rand).NormFloat64)
	others := Rows{Predictions: &evaluation.Predictions{Targets: 1}}
	for i := range parts.Y {
		if i%10 != 3 {
			others.Predictions.Values, others.Y = append(others.Predictions.Values, parts.Predictions.Values[i]), append(others.Y, parts.Y[i])
		}
	}
	want := fit(t, others, Options{}).Apply(r.Predictions, nil)
	for i := 3; i < 400; i += 10 {
		if p.Values[i].Std() != want.Values[i].Std() || p.Values[i].Quantile(0.9) != want.Values[i].Quantile(0.9) {
			t.Fatalf("row %d is not calibrated by the rows of other folds", i)
		}
	}
}

// A calibration from a file is refused or applied, whatever it says.
func FuzzCalibration(f *testing.F) {
	r := rows(59, 1, (*rand.Rand).NormFloat64)
	for _, kind := range kindsForNumbers() {
		for _, o := range []Options{{Kind: kind.Name}, {Kind: kind.Name, Coverage: 0.8, MeanGroups: 3}} {
			c, err := Fit(r, o)
			if err != nil {
				f.Fatal(err)
			}
			text, _ := json.Marshal(c)
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := new(Calibration)
		if strict.Unmarshal(text, c) != nil || c.Check(1, distribution.Normal) != nil {
			return
		}
		p := c.Apply(r.Predictions, nil)
		for i := range p.Values {
			p.Values[i].Quantile(0.9)
			p.Values[i].CDF(0.3)
		}
		if c.Stds != nil {
			c.Percentile(1, 0)
		}
		if again, err := json.Marshal(c); err != nil || len(again) == 0 {
			t.Fatal(err)
		}
	})
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
			if err := c.Check(1, distribution.Normal); err != nil {
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
	return slices.DeleteFunc(Kinds(), func(k Kind) bool { return k.Fit == nil })
}
