package calibrate

import (
	"encoding/json"
	"fmt"
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

// bagged is an ensemble whose members were trained on bootstrap samples.
type bagged struct {
	x, y    []float64                 // training rows
	isDrawn [][]bool                  // by member and row
	predict []func(x float64) float64 // by member
}

// newBagged trains members on bootstrap samples of n rows (x, x + noise).
func newBagged(n, members int, rng *rand.Rand, learn func(x, y []float64) func(float64) float64) bagged {
	b := bagged{x: make([]float64, n), y: make([]float64, n)}
	for i := range n {
		b.x[i] = rng.NormFloat64()
		b.y[i] = b.x[i] + rng.NormFloat64()
	}
	for range members {
		isDrawn := make([]bool, n)
		var x, y []float64
		for range n {
			i := rng.IntN(n)
			isDrawn[i] = true
			x = append(x, b.x[i])
			y = append(y, b.y[i])
		}
		b.isDrawn = append(b.isDrawn, isDrawn)
		b.predict = append(b.predict, learn(x, y))
	}
	return b
}

// nearest predicts the target of the nearest row, which a single row changes as much as possible.
func nearest(x, y []float64) func(float64) float64 {
	return func(v float64) float64 {
		best := 0
		for i := range x {
			if math.Abs(x[i]-v) < math.Abs(x[best]-v) {
				best = i
			}
		}
		return y[best]
	}
}

// line predicts by least squares through the origin, which a single row changes little.
func line(x, y []float64) func(float64) float64 {
	var xy, xx float64
	for i := range x {
		xy += x[i] * y[i]
		xx += x[i] * x[i]
	}
	return func(v float64) float64 { return v * xy / xx }
}

// without returns the members that did not draw a row, or all members for a negative row.
func (b bagged) without(row int) []int {
	var members []int
	for member := range b.predict {
		if row < 0 || !b.isDrawn[member][row] {
			members = append(members, member)
		}
	}
	return members
}

// mean returns the mean prediction of x by members.
func (b bagged) mean(members []int, x float64) float64 {
	sum := 0.0
	for _, member := range members {
		sum += b.predict[member](x)
	}
	return sum / float64(len(members))
}

// prediction returns the prediction of x by members: of a normal distribution with a standard deviation of 1 or, for
// a family with levels, of quantiles that are all equal to the mean.
func (b bagged) prediction(family distribution.Family, members []int, x float64) models.Prediction {
	at := func(mean, std float64) distribution.Distribution {
		if family.Levels == nil {
			return distribution.NewNormal(mean, std)
		}
		return family.New(slices.Repeat([]float64{mean}, len(family.Levels)))
	}
	var p models.Prediction
	for _, member := range members {
		p.Members = append(p.Members, at(b.predict[member](x), 1))
	}
	mean, std := matchMoments(momentsOf(p.Members))
	p.Distribution = at(mean, std)
	return p
}

// rows returns the training rows that a member did not draw, as a calibration gets them.
func (b bagged) rows(family distribution.Family) Rows {
	r := Rows{Predictions: &evaluation.Predictions{Targets: 1, Family: family}}
	foldOf := make(map[string]int)
	for row := range b.x {
		members := b.without(row)
		if members == nil {
			continue
		}
		key := fmt.Sprint(members)
		if _, ok := foldOf[key]; !ok {
			foldOf[key] = len(foldOf)
			r.FoldMembers = append(r.FoldMembers, members)
		}
		r.Folds = append(r.Folds, foldOf[key])
		r.Predictions.Values = append(r.Predictions.Values, b.prediction(family, members, b.x[row]))
		r.Y = append(r.Y, b.y[row])
	}
	return r
}

// threeQuantiles is a family of quantiles at the ends of an interval of 90 % and its median.
var threeQuantiles = distribution.Quantiles(0.05, 0.5, 0.95)

// If a method predicts quantiles that are all equal to its mean, the interval is that of Kim, Xu and Barber (2020),
// algorithm 1: from the ⌊α(n + 1)⌋-th smallest μ_φ∖i(x) − R_i to the ⌈(1 − α)(n + 1)⌉-th smallest μ_φ∖i(x) + R_i,
// with the mean μ_φ∖i of the members that did not draw row i, and R_i = |y_i − μ_φ∖i(x_i)|. It is computed here for
// each pair of a training row and a new row. Rows that all members drew have no R_i and are left out.
func TestJackknifeAfterBootstrapIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	for _, members := range []int{4, 12} {
		b := newBagged(80, members, rng, nearest)
		c := fit(t, b.rows(threeQuantiles), Options{Kind: "cv-plus", Coverage: 0.9})
		for range 20 {
			x := rng.NormFloat64()
			var lowers, uppers []float64
			for row := range b.x {
				without := b.without(row)
				if without == nil {
					continue
				}
				residual := math.Abs(b.y[row] - b.mean(without, b.x[row]))
				lowers = append(lowers, b.mean(without, x)-residual)
				uppers = append(uppers, b.mean(without, x)+residual)
			}
			slices.Sort(lowers)
			slices.Sort(uppers)
			n := len(uppers)
			p := &evaluation.Predictions{Targets: 1, Family: threeQuantiles, Values: []models.Prediction{b.prediction(threeQuantiles, b.without(-1), x)}}
			got := c.Apply(p, nil).Values[0]
			upper := uppers[int(math.Ceil(0.9*float64(n+1)))-1]
			lower := lowers[int(math.Floor(0.1*float64(n+1)+1e-9))-1]
			if math.Abs(got.Quantile(0.95)-upper) > 1e-12 || math.Abs(got.Quantile(0.05)-lower) > 1e-12 {
				t.Errorf("%d members, x = %v: from %v to %v; want %v to %v", members, x, got.Quantile(0.05), got.Quantile(0.95), lower, upper)
			}
		}
	}
}

// Over 200 repeats, intervals of 90 % cover at least 1 − 2·0.1 of further rows (Kim, Xu and Barber 2020, theorem 1),
// also if predictions are unstable, and with stable predictions 90 %.
func TestJackknifeAfterBootstrapCoverage(t *testing.T) {
	const repeats, n, tested, coverage = 200, 40, 25, 0.9
	for name, c := range map[string]struct {
		learn  func(x, y []float64) func(float64) float64
		family distribution.Family
		lowest float64
	}{
		"stable":           {line, distribution.Normal, coverage},
		"stable quantiles": {line, threeQuantiles, coverage},
		"unstable":         {nearest, distribution.Normal, 1 - 2*(1-coverage)},
	} {
		covered := 0
		for seed := range uint64(repeats) {
			rng := rand.New(rand.NewPCG(seed, 12))
			b := newBagged(n, 8, rng, c.learn)
			fitted := fit(t, b.rows(c.family), Options{Kind: "cv-plus", Coverage: coverage})
			p := &evaluation.Predictions{Targets: 1, Family: c.family}
			var y []float64
			for range tested {
				x := rng.NormFloat64()
				p.Values = append(p.Values, b.prediction(c.family, b.without(-1), x))
				y = append(y, x+rng.NormFloat64())
			}
			for i, v := range fitted.Apply(p, nil).Values {
				if v.Quantile(0.05) <= y[i] && y[i] <= v.Quantile(0.95) {
					covered++
				}
			}
		}
		fraction := float64(covered) / (repeats * tested)
		std := math.Sqrt(coverage * (1 - coverage) * (1.0/(n+2) + 1.0/tested) / repeats)
		if fraction < c.lowest-3*std || fraction > 0.97 {
			t.Errorf("%s: %.4f of the rows are covered; want %v to 0.97 ± %v", name, fraction, c.lowest, 3*std)
		}
	}
}

// randomFolds returns folds with random scores, some of them equal, some folds empty, and one with more scores than
// are kept.
func randomFolds(rng *rand.Rand, count int) []FoldScores {
	folds := make([]FoldScores, count)
	for k := range folds {
		rows := rng.IntN(4)
		if k == 1 {
			rows = 3 * maxKept
		}
		scores := make([]float64, rows)
		for i := range scores {
			scores[i] = math.Round(10*rng.ExpFloat64()) / 10
		}
		mean := math.Round(5*rng.NormFloat64()) / 10
		folds[k] = FoldScores{Scores: newOrderStatistics(scores, nil), Mean: mean, Std: 0.5 + rng.Float64()}
	}
	return folds
}

// The end of a rank is the smallest of the ends of all scores with at least as many rows up to it.
func TestFoldShapeEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 0))
	for _, count := range []int{1, 3, 60} {
		folds := randomFolds(rng, count)
		s := newFoldShape(folds)
		for _, side := range []float64{-1, 1} {
			var ends []float64
			rowsAt := make(map[float64]int)
			for _, f := range folds {
				previous := 0
				for i, score := range f.Scores.Values {
					end := f.end(score, side)
					ends = append(ends, end)
					rowsAt[end] += keptRank(i, f.Scores.Count) - previous
					previous = keptRank(i, f.Scores.Count)
				}
			}
			slices.Sort(ends)
			ends = slices.Compact(ends)
			upTo := 0
			for _, want := range ends {
				first := upTo + 1
				upTo += rowsAt[want]
				for _, rank := range []int{first, upTo} {
					if got := s.end(float64(rank), side); got != want {
						t.Fatalf("%d folds: the end of rank %d is %v; want %v", count, rank, got, want)
					}
				}
			}
			if upTo != s.rows || !math.IsInf(s.end(float64(s.rows+1), side), 1) {
				t.Errorf("%d folds: there are %d ends of %d rows, and a finite one after them", count, upTo, s.rows)
			}
		}
	}
}

// Levels grow, and are the levels of the quantiles, for folds of one row as for large ones.
func TestFoldShapeLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	single := make([]FoldScores, 99)
	for k := range single {
		single[k] = FoldScores{Scores: newOrderStatistics([]float64{rng.ExpFloat64()}, nil), Mean: 0.1 * rng.NormFloat64(), Std: 1}
	}
	large := make([]FoldScores, 4)
	for k := range large {
		scores := make([]float64, 100+2*maxKept)
		for i := range scores {
			scores[i] = rng.ExpFloat64()
		}
		large[k] = FoldScores{Scores: newOrderStatistics(scores, nil), Mean: 0.1 * rng.NormFloat64(), Std: 1}
	}
	for _, folds := range [][]FoldScores{single, large, randomFolds(rng, 5)} {
		s := newFoldShape(folds)
		for _, level := range []float64{0.02, 0.05, 0.1, 0.2, 0.8, 0.9, 0.95, 0.98} {
			z := s.Quantile(level)
			hasTies := len(folds) == 5 // the levels of equal ends differ
			if got := s.Level(z); math.Abs(got-level) > 1.0/100 && !hasTies {
				t.Errorf("the level of the quantile at %v is %v", level, got)
			}
		}
		previous := 0.0
		for z := -40.0; z < 40; z += 0.01 {
			level := s.Level(z)
			if !(level >= previous && level <= 1) {
				t.Fatalf("the level of %v is %v, after %v", z, level, previous)
			}
			previous = level
		}
	}
}

// hostile are calibrations that no fit makes. Each edits the JSON of a valid one.
var hostile = map[string]struct{ old, new, want string }{
	"a kind without folds":     {`"kind":"cv-plus"`, `"kind":"scale"`, "it has folds, which calibration scale does not distinguish"},
	"members descend":          {`"fold_members":[[`, `"fold_members":[[9,`, "are not ascending"},
	"a fold without members":   {`"fold_members":[[`, `"fold_members":[[],[`, "the members [] of its fold 0"},
	"no folds":                 {`"fold_members":[[`, `"fold_members":[],"x":[[`, "unknown key"},
	"more folds than scores":   {`"fold_members":[[`, `"fold_members":[[0],[`, "folds"},
	"scores that are not kept": {`{"of":1,`, `{"of":2,`, "it keeps 1 of 2 residuals"},
	"scores that descend":      {`{"of":2,"values":[`, `{"of":3,"values":[1e9,`, "ascending order"},
}

// Calibrations with folds that no fit makes are refused.
func TestHostileFolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 0))
	c := fit(t, newBagged(60, 5, rng, line).rows(distribution.Normal), Options{Kind: "cv-plus"})
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for name, h := range hostile {
		edited := strings.Replace(string(text), h.old, h.new, 1)
		if edited == string(text) {
			t.Fatalf("%s: there is no %s to edit", name, h.old)
		}
		read := new(Calibration)
		err := strict.Unmarshal([]byte(edited), read)
		if err == nil {
			err = read.Check(1, distribution.Normal)
		}
		if err == nil || !strings.Contains(err.Error(), h.want) {
			t.Errorf("%s: %v; want %q", name, err, h.want)
		}
	}
	c.FoldMembers = slices.Repeat([][]int{{0}}, MaxFolds+1)
	if err := c.Check(1, distribution.Normal); err == nil || !strings.Contains(err.Error(), "it has 1025 folds; want 1 to 1024") {
		t.Errorf("%d folds: %v", MaxFolds+1, err)
	}
}

// A calibration that Check accepts can be applied.
func FuzzCheck(f *testing.F) {
	rng := rand.New(rand.NewPCG(16, 0))
	b := newBagged(40, 4, rng, line)
	families := []distribution.Family{distribution.Normal, threeQuantiles}
	for _, family := range families {
		for _, o := range []Options{{Kind: "cv-plus"}, {Kind: "cv-plus", Coverage: 0.5, MeanGroups: 2}, {}, {Coverage: 0.5, MeanGroups: 3}} {
			c, err := Fit(b.rows(family), o)
			if err != nil {
				f.Fatal(err)
			}
			text, err := json.Marshal(c)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
			for _, h := range hostile {
				f.Add([]byte(strings.Replace(string(text), h.old, h.new, 1)))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, family := range families {
			c := new(Calibration)
			if strict.Unmarshal(text, c) != nil || c.Check(1, family) != nil || c.CheckMembers(4) != nil {
				continue
			}
			p := &evaluation.Predictions{Targets: 1, Family: family, Values: []models.Prediction{b.prediction(family, b.without(-1), 0.3)}}
			v := c.Apply(p, slices.Repeat([]string{"red"}, 1)).Values[0]
			for _, level := range []float64{0.05, 0.5, 0.95} {
				v.CDF(v.Quantile(level))
			}
		}
	})
}

// The time of a prediction with as many folds as there may be, of 7 of 20 members each.
func BenchmarkFoldShape(b *testing.B) {
	rng := rand.New(rand.NewPCG(17, 0))
	bag := newBagged(1024, 20, rng, line)
	c, err := Fit(bag.rows(distribution.Normal), Options{Kind: "cv-plus"})
	if err != nil {
		b.Fatal(err)
	}
	p := &evaluation.Predictions{Targets: 1, Family: distribution.Normal, Values: []models.Prediction{bag.prediction(distribution.Normal, bag.without(-1), 0.3)}}
	b.ReportMetric(float64(len(c.FoldMembers)), "folds")
	for b.Loop() {
		v := c.Apply(p, nil).Values[0]
		v.Quantile(0.05)
		v.Quantile(0.95)
	}
}
