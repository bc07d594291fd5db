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

// crossValidated are n rows of a cross-validation whose folds have these members, and further rows that all members
// predict. Each fold has a bias and noise of its own, as a model has that lacks these rows.
func crossValidated(n, further int, rng *rand.Rand, foldMembers [][]int) (fitted, others Rows) {
	folds := len(foldMembers)
	bias := make([]float64, countMembers(foldMembers))
	for member := range bias {
		bias[member] = 0.7 * rng.NormFloat64()
	}
	row := func(r *Rows, fold int) { // a negative fold stands for all members
		x := rng.NormFloat64()
		var p models.Prediction
		mean := 0.0
		for member, b := range bias {
			if fold < 0 || slices.Contains(foldMembers[fold], member) {
				p.Members = append(p.Members, distribution.NewNormal(x+b, 1))
				mean += x + b
			}
		}
		p.Distribution = distribution.NewNormal(mean/float64(len(p.Members)), 1)
		r.Predictions.Values = append(r.Predictions.Values, p)
		r.Y = append(r.Y, x+rng.NormFloat64())
	}
	fitted = Rows{Predictions: &evaluation.Predictions{Targets: 1}, FoldMembers: foldMembers}
	others = Rows{Predictions: &evaluation.Predictions{Targets: 1}}
	for i := range n {
		row(&fitted, i%folds)
		fitted.Folds = append(fitted.Folds, i%folds)
	}
	for range further {
		row(&others, -1)
	}
	return fitted, others
}

// The ends of an interval are order statistics of μ_k(x) ± score_i·σ_k(x) over all n rows: Barber et al. (2021),
// equation 11, computed here by sorting all n numbers.
func TestCVPlusIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	foldMembers := [][]int{{0, 1}, {1, 2, 3}, {0, 3, 4}} // some members hold out two folds
	fitted, others := crossValidated(62, 20, rng, foldMembers)
	c := fit(t, fitted, Options{Kind: "cv-plus", Coverage: 0.9})
	f := c.Groups[0].Targets[0]
	got := c.Apply(others.Predictions, nil)
	for i, p := range others.Predictions.Values {
		var uppers, lowers []float64
		for row, fold := range fitted.Folds {
			mean, std := matchMoments(momentsOf(fitted.Predictions.Values[row].Members))
			score := math.Abs(fitted.Y[row]-mean) / f.calibrateStd(std)
			var ofFold []distribution.Distribution
			for member, d := range p.Members {
				if slices.Contains(foldMembers[fold], member) {
					ofFold = append(ofFold, d)
				}
			}
			mean, std = matchMoments(momentsOf(ofFold))
			uppers = append(uppers, mean+score*f.calibrateStd(std))
			lowers = append(lowers, mean-score*f.calibrateStd(std))
		}
		slices.Sort(uppers)
		slices.Sort(lowers)
		for _, coverage := range []float64{0.8, 0.9, 0.95} {
			rank := int(math.Ceil(coverage * 63)) // of 62 + 1
			upper, lower := uppers[rank-1], lowers[62-rank]
			v := got.Values[i]
			if u, l := v.Quantile((1+coverage)/2), v.Quantile((1-coverage)/2); math.Abs(u-upper) > 1e-12 || math.Abs(l-lower) > 1e-12 {
				t.Errorf("row %d, coverage %v: from %v to %v, want %v to %v", i, coverage, l, u, lower, upper)
			}
		}
	}
}

// With one fold whose members are all members, CV+ is split conformal prediction.
func TestCVPlusOfOneFold(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	fitted, others := crossValidated(99, 30, rng, [][]int{{0, 1, 2}})
	for _, rows := range []*Rows{&fitted, &others} {
		for i, p := range rows.Predictions.Values { // the joint prediction has the moments of its members
			mean, std := matchMoments(momentsOf(p.Members))
			rows.Predictions.Values[i].Distribution = distribution.NewNormal(mean, std)
		}
	}
	cross := fit(t, fitted, Options{Kind: "cv-plus"}).Apply(others.Predictions, nil)
	conformal := fit(t, fitted, Options{}).Apply(others.Predictions, nil)
	for i := range cross.Values {
		for _, level := range []float64{0.025, 0.1, 0.5, 0.8, 0.975} {
			if got, want := cross.Values[i].Quantile(level), conformal.Values[i].Quantile(level); math.Abs(got-want) > 1e-12 {
				t.Errorf("row %d: the quantile at %v is %v, want %v", i, level, got, want)
			}
		}
		for _, y := range []float64{-4, -0.5, 0, 0.01, 1.3, 9} {
			if got, want := cross.Values[i].CDF(y), conformal.Values[i].CDF(y); math.Abs(got-want) > 1e-12 {
				t.Errorf("row %d: the level of %v is %v, want %v", i, y, got, want)
			}
		}
	}
}

// Without folds CV+ is the calibration conformal, to the bytes.
func TestCVPlusWithoutFolds(t *testing.T) {
	r := rows(60, 3, (*rand.Rand).NormFloat64)
	got := fit(t, r, Options{Kind: "cv-plus"})
	want := fit(t, r, Options{})
	want.Kind = got.Kind
	gotText, _ := json.Marshal(got)
	wantText, _ := json.Marshal(want)
	if string(gotText) != string(wantText) {
		t.Errorf("%s, want %s", gotText, wantText)
	}
}

// Over 200 repeats, intervals of 90 % cover at least 1 − 2·0.1 of further rows on average (Barber et al. 2021, theorem
// 4), and here, with stable predictions, 90 %.
func TestCVPlusCoverage(t *testing.T) {
	const repeats, n, tested, coverage = 200, 60, 50, 0.9
	levels := []float64{0.05, 0.5, 0.95}
	for _, family := range []distribution.Family{distribution.Normal, distribution.Quantiles(levels...)} {
		covered := 0
		for seed := range uint64(repeats) {
			rng := rand.New(rand.NewPCG(seed, 5))
			fitted, others := crossValidated(n, tested, rng, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}})
			if family.Levels != nil {
				predictQuantiles(&fitted, family)
				predictQuantiles(&others, family)
			}
			c := fit(t, fitted, Options{Kind: "cv-plus", Coverage: coverage})
			for i, v := range c.Apply(others.Predictions, nil).Values {
				if v.Quantile(levels[0]) <= others.Y[i] && others.Y[i] <= v.Quantile(levels[2]) {
					covered++
				}
			}
		}
		fraction := float64(covered) / (repeats * tested)
		std := math.Sqrt(coverage * (1 - coverage) * (1.0/(n+2) + 1.0/tested) / repeats)
		if fraction < coverage-3*std || fraction > 0.96 { // folds have two members each and err more than all eight together
			t.Errorf("%s: %.4f of the rows are covered; want %v to 0.96 ± %v", family.Name, fraction, coverage, 3*std)
		}
	}
}

// Quantiles ascend with the level and are inverted by the CDF, up to the steps between scores.
func TestCVPlusIsADistribution(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	fitted, others := crossValidated(300, 5, rng, [][]int{{0, 2}, {1, 3}})
	for i, v := range fit(t, fitted, Options{Kind: "cv-plus"}).Apply(others.Predictions, nil).Values {
		previous := math.Inf(-1)
		for level := 0.01; level < 1; level += 0.01 {
			q := v.Quantile(level)
			if q < previous {
				t.Fatalf("row %d: the quantile at %v is %v, below %v", i, level, q, previous)
			}
			previous = q
			isInTail := level < 0.3 || level > 0.7 // near the median, ends stay on their side of the mean
			if got := v.CDF(q); isInTail && math.Abs(got-level) > 0.02 {
				t.Errorf("row %d: the level of the quantile at %v is %v", i, level, got)
			}
		}
	}
}

// predictQuantiles replaces the predictions of rows, and of their members, by quantiles at three levels: the mean and
// two numbers around it.
func predictQuantiles(r *Rows, family distribution.Family) {
	around := func(mean float64) distribution.Distribution { return family.New([]float64{mean - 1, mean, mean + 2}) }
	r.Predictions.Family = family
	for i, p := range r.Predictions.Values {
		for m, member := range p.Members {
			p.Members[m] = around(member.Mean())
		}
		p.Distribution = around(p.Mean())
		r.Predictions.Values[i] = p
	}
}

// An interval between quantiles whose rank ⌈(n + 1)·0.99⌉ is above the number n of calibration rows is refused, whatever
// the coverage of the options, as an interval from standard deviations is: it needs 0.99/0.01 rows. With folds, too.
func TestTooFewRowsForLevels(t *testing.T) {
	family := distribution.Quantiles(0.005, 0.5, 0.995)
	for n, want := range map[int]string{98: "intervals of 99% need 99 calibration rows, and there are 98", 99: ""} {
		for _, kind := range []string{"conformal", "cv-plus"} {
			fitted, others := crossValidated(n, 1, rand.New(rand.NewPCG(9, 0)), [][]int{{0, 2}, {1, 3}})
			predictQuantiles(&fitted, family)
			predictQuantiles(&others, family)
			c, err := Fit(fitted, Options{Kind: kind, Coverage: 0.5})
			if want != "" {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v; want %q", kind, err, want)
				}
				continue
			}
			if err != nil || c.Check(1, family) != nil {
				t.Fatal(kind, err, c)
			}
			q := c.Apply(others.Predictions, nil).Values[0]
			if width := q.Quantile(0.995) - q.Quantile(0.005); math.IsInf(width, 0) || c.Coverage != 0.99 {
				t.Errorf("%s: an interval of the width %v, for a coverage of %v", kind, width, c.Coverage)
			}
			c.Coverage = 0.5
			if c.Check(1, family) == nil {
				t.Errorf("%s: a coverage below the levels' is accepted", kind)
			}
		}
	}
}

// Rows that do not fit their folds are refused, not a panic.
func TestRowsOfFolds(t *testing.T) {
	for want, edit := range map[string]func(r *Rows){
		"keeps 0 members, and its fold has 2":      func(r *Rows) { r.Predictions.Values[3].Members = nil },
		"there are 0 folds of rows; want one":      func(r *Rows) { r.Folds = nil },
		"row 5 is in fold 2; want 0 to 1":          func(r *Rows) { r.Folds[5] = 2 },
		"it has 0 folds; want 1 to 1024":           func(r *Rows) { r.FoldMembers = nil },
		"the members [2 0] of its fold 0 are not ": func(r *Rows) { r.FoldMembers = [][]int{{2, 0}, {1, 3}} },
	} {
		fitted, _ := crossValidated(40, 1, rand.New(rand.NewPCG(9, 0)), [][]int{{0, 2}, {1, 3}})
		edit(&fitted)
		if _, err := Fit(fitted, Options{Kind: "cv-plus"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// Of a method that predicts quantiles, the ends of each interval are order statistics of the quantiles of each row's
// fold, minus and plus the row's distance outside of its own interval, computed here by sorting.
func TestCVPlusOfQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	foldMembers := [][]int{{0, 2}, {1, 3}}
	family := distribution.Quantiles(0.05, 0.5, 0.95)
	fitted, others := crossValidated(59, 5, rng, foldMembers)
	predictQuantiles(&fitted, family)
	predictQuantiles(&others, family)
	c := fit(t, fitted, Options{Kind: "cv-plus", Coverage: 0.9})
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	read := new(Calibration)
	if err := strict.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	if err := read.Check(1, family); err != nil {
		t.Fatal(err)
	}
	got := read.Apply(others.Predictions, nil)
	for i, p := range others.Predictions.Values {
		var lowers, uppers []float64
		for row, fold := range fitted.Folds {
			own := meanQuantiles(memberQuantiles(fitted.Predictions.Values[row].Members, family.Levels))
			distance := max(own[0]-fitted.Y[row], fitted.Y[row]-own[2])
			new := meanQuantiles(appendMembersOfFold(nil, memberQuantiles(p.Members, family.Levels), foldMembers[fold], 1))
			lowers = append(lowers, new[0]-distance)
			uppers = append(uppers, new[2]+distance)
		}
		slices.Sort(lowers)
		slices.Sort(uppers)
		const rank = 54 // ⌈0.9·60⌉
		v := got.Values[i]
		if l, u := v.Quantile(0.05), v.Quantile(0.95); math.Abs(l-lowers[59-rank]) > 1e-12 || math.Abs(u-uppers[rank-1]) > 1e-12 {
			t.Errorf("row %d: from %v to %v, want %v to %v", i, l, u, lowers[59-rank], uppers[rank-1])
		}
		if v.Quantile(0.5) != p.Quantile(0.5) {
			t.Errorf("row %d: the median has moved", i)
		}
	}
}

// A calibration with folds is written and read as JSON, in groups too, and refused if its folds do not fit.
func TestCVPlusAsJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	foldMembers := [][]int{{0, 3}, {1, 4}, {2, 5}}
	fitted, others := crossValidated(200, 10, rng, foldMembers)
	for _, o := range []Options{{Kind: "cv-plus"}, {Kind: "cv-plus", Coverage: 0.8, MeanGroups: 3}} {
		c := fit(t, fitted, o)
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		read := new(Calibration)
		if err := strict.Unmarshal(text, read); err != nil {
			t.Fatal(err)
		}
		if err := read.Check(1, distribution.Normal); err != nil {
			t.Fatal(err)
		}
		got, want := read.Apply(others.Predictions, nil), c.Apply(others.Predictions, nil)
		for i := range want.Values {
			if g, w := got.Values[i].Quantile(0.9), want.Values[i].Quantile(0.9); g != w {
				t.Errorf("%+v: %v, want %v", o, g, w)
			}
		}
		if err := read.CheckMembers(5); err == nil {
			t.Error("folds of six members are accepted for five")
		}
		for _, wrong := range [][][]int{{{0, 3}, {1, 4}, {2, 6}}, {{0, 3}, {1, 2, 4, 5}}, {{-1, 0}, {1, 4}, {2, 3}}, {{3, 0}, {1, 4}, {2, 5}}, {{0, 3}, {1, 4, 4}, {2, 5}}, {{0, 3}, {}, {1, 2}}, {}} {
			read.FoldMembers = wrong
			if err := read.Check(1, distribution.Normal); err == nil {
				t.Errorf("the folds %v are accepted", wrong)
			}
		}
		read.FoldMembers = nil
		if err := read.Check(1, distribution.Normal); err == nil {
			t.Error("scores of folds are accepted without folds")
		}
	}
}
