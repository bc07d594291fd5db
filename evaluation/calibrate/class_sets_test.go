package calibrate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/evaluation"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
)

// drawnClasses returns rows of four classes whose true classes are drawn from the probabilities, if these are tempered:
// a sharpness above 1 makes them too sure. Rows of group "b" are harder to tell.
func drawnClasses(n int, sharpness float64, seed uint64) Rows {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &evaluation.Predictions{Targets: 1, Family: distribution.Categorical(4)}
	r := Rows{Predictions: p}
	for i := range n {
		spread := 2.5
		group := "a"
		if i%2 == 1 {
			spread, group = 0.8, "b"
		}
		truth := make(distribution.Classes, 4)
		for k := range truth {
			truth[k] = math.Exp(spread * rng.NormFloat64())
		}
		truth = applyTemperature(truth, 1)
		r.Y = append(r.Y, truth.Sample(rng))
		r.Groups = append(r.Groups, group)
		p.Values = append(p.Values, models.Prediction{Distribution: applyTemperature(truth, sharpness)})
	}
	return r
}

// covered returns the fraction of the rows, of a group or of all, whose true class is in its set, and the mean size.
func covered(p *evaluation.Predictions, r Rows, group string, coverage float64) (fraction, size float64) {
	n := 0.0
	for i, prediction := range p.Values {
		if group != "" && r.Groups[i] != group {
			continue
		}
		n++
		for class, isIn := range prediction.Distribution.(distribution.ClassSets).Set(coverage) {
			if isIn {
				size++
			}
			if isIn && class == int(r.Y[i]) {
				fraction++
			}
		}
	}
	return fraction / n, size / n
}

// Sets cover, however wrong the probabilities are, and with a group column they cover in each group.
func TestClassSetsCover(t *testing.T) {
	for _, kind := range []string{"lac", "aps"} {
		for _, sharpness := range []float64{0.5, 1, 3} {
			t.Run(fmt.Sprint(kind, " ", sharpness), func(t *testing.T) {
				fitted, judged := drawnClasses(8000, sharpness, 1), drawnClasses(20000, sharpness, 2)
				byGroup := expect.Must(Fit(fitted, Options{Kind: kind, GroupColumn: "g"}))
				p := byGroup.Apply(judged.Predictions, judged.Groups)
				for _, group := range []string{"a", "b"} {
					if got, _ := covered(p, judged, group, 0.9); math.Abs(got-0.9) > 0.025 && !(got > 0.9 && kind == "aps") {
						t.Errorf("group %s: %v of the rows are covered; want 0.9", group, got)
					}
				}
				fitted.Groups = nil
				all := expect.Must(Fit(fitted, Options{Kind: kind}))
				sizes := []float64{}
				for _, coverage := range []float64{0.8, 0.9, 0.97} {
					got, size := covered(all.Apply(judged.Predictions, nil), judged, "", coverage)
					if got < coverage-0.02 || kind == "lac" && coverage > 0.85 && got > coverage+0.02 {
						t.Errorf("%v of the rows are covered; want %v", got, coverage)
					}
					sizes = append(sizes, size)
				}
				if !slices.IsSorted(sizes) {
					t.Errorf("sizes of larger coverages %v", sizes)
				}
			})
		}
	}
}

// By hand: of nine scores 0.1, …, 0.9, the bound of coverage 0.8 is the eighth, since ⌈10·0.8⌉ = 8, and there is none for
// 0.95. The set of (0.5, 0.3, 0.2) with the bound 0.75 has the classes of probability 0.25 or more.
func TestLACByHand(t *testing.T) {
	r := Rows{Predictions: &evaluation.Predictions{Targets: 1, Family: distribution.Categorical(2)}}
	for i := range 9 {
		p := float64(9-i) / 10
		r.Predictions.Values = append(r.Predictions.Values, models.Prediction{Distribution: distribution.Classes{p, 1 - p}})
		r.Y = append(r.Y, 0)
	}
	c := expect.Must(Fit(r, Options{Kind: "lac", Coverage: 0.8}))
	scores := c.Groups[0].Targets[0].Residuals
	if got := scores.boundOf(0.8); math.Abs(got-0.8) > 1e-12 {
		t.Errorf("the bound of 0.8 is %v; want 0.8", got)
	}
	if got := scores.boundOf(0.95); !math.IsInf(got, 1) {
		t.Errorf("the bound of 0.95 is %v", got)
	}
	d := distribution.ClassSets{Classes: distribution.Classes{0.5, 0.3, 0.2}, Scores: missingProbability(distribution.Classes{0.5, 0.3, 0.2}), Bound: func(float64) float64 { return 0.75 }}
	if got := d.Set(0.8); !slices.Equal(got, []bool{true, true, false}) {
		t.Errorf("set %v", got)
	}
	d.Bound = func(float64) float64 { return 0.1 }
	if got := d.Set(0.1); !slices.Equal(got, []bool{true, false, false}) {
		t.Errorf("the set of a low coverage is %v; want the most probable class", got)
	}
	if err := c.CheckCoverage(0.95); err == nil {
		t.Error("nine rows support sets of 95%")
	}
}

// MAPIE's scores of three calibration rows of classes 0, 1 and 2, by the first three numbers of NumPy's generator with the
// seed 42 (mapie/tests/test_classification.py, CumulatedScoreClassifier).
func TestAPSHasTheScoresOfMAPIE(t *testing.T) {
	uniform := []float64{0.3745401188473625, 0.9507143064099162, 0.7319939418114051}
	want := []float64{0.750183952461055, 0.029571416154050345, 0.9268006058188594}
	for class, p := range []distribution.Classes{{0.4, 0.5, 0.1}, {0.2, 0.6, 0.2}, {0.6, 0.3, 0.1}} {
		if got := cumulate(p, uniform[class])[class]; math.Abs(got-want[class]) > 1e-15 {
			t.Errorf("class %d: score %v; want %v", class, got, want[class])
		}
	}
}

// MAPIE's sets of nine rows for α = 0.5 (mapie/tests/test_classification.py, y_toy_mapie, lac): a logistic regression of
// scikit-learn gives the probabilities, here to four digits. MAPIE takes the sixth score, NumPy's quantile "higher" of
// (n + 1)(1 - α)/n; it is the sixth by Sadinle, Lei and Wasserman's rank, too, for a coverage of 0.6.
func TestLACHasTheSetsOfMAPIE(t *testing.T) {
	probabilities := []distribution.Classes{
		{0.8860, 0.1128, 0.0012},
		{0.7735, 0.2218, 0.0046},
		{0.5980, 0.3862, 0.0159},
		{0.3889, 0.5654, 0.0457},
		{0.2086, 0.6829, 0.1085},
		{0.0937, 0.6906, 0.2157},
		{0.0360, 0.5972, 0.3668},
		{0.0120, 0.4476, 0.5404},
		{0.0035, 0.2954, 0.7011},
	}
	want := []string{"0", "0", "0", "1", "1", "1", "1", "12", "2"} // classes of each row's set
	p := &evaluation.Predictions{Targets: 1, Family: distribution.Categorical(3)}
	for _, classes := range probabilities {
		p.Values = append(p.Values, models.Prediction{Distribution: classes})
	}
	c := expect.Must(Fit(Rows{Predictions: p, Y: []float64{0, 0, 1, 0, 1, 1, 2, 1, 2}}, Options{Kind: "lac", Coverage: 0.6}))
	for row, prediction := range c.Apply(p, nil).Values {
		got := ""
		for class, isIn := range prediction.Distribution.(distribution.ClassSets).Set(0.6) {
			if isIn {
				got += fmt.Sprint(class)
			}
		}
		if got != want[row] {
			t.Errorf("row %d: the set is %s; want %s", row, got, want[row])
		}
	}
}
