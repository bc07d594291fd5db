package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/internal/expect"
	"sml/internal/portable"
	"sml/models"
	"sml/models/distribution"
)

// With one target the energy score is the CRPS, up to the error of 100 draws. With k independent targets N(0, 1) and the
// target in their middle it is E‖Y‖ − E‖Y − Y′‖/2 = (1 − 1/√2) √2 Γ((k + 1)/2)/Γ(k/2), as ‖Y − Y′‖ is √2 times a chi variable.
func TestEnergy(t *testing.T) {
	normalColumn := func(y float64) *measure.Column {
		return &measure.Column{Mean: []float64{0}, Std: []float64{1}, Y: []float64{y}, Protocol: data.Sound}
	}
	const tolerance = 0.08 // the standard error of a draw, 0.7, over √100
	for _, y := range []float64{-2, 0, 1} {
		if got, want := meanOfDraws([]*measure.Column{normalColumn(y)}, energyOfRow), distribution.NewNormal(0, 1).CRPS(y); math.Abs(got-want) > tolerance {
			t.Errorf("the energy score of one target %v is %v; its CRPS is %v", y, got, want)
		}
	}
	for _, k := range []float64{2, 3} {
		var columns []*measure.Column
		for range int(k) {
			columns = append(columns, normalColumn(0))
		}
		want := (math.Sqrt2 - 1) * math.Gamma((k+1)/2) / math.Gamma(k/2)
		if got := meanOfDraws(columns, energyOfRow); math.Abs(got-want) > tolerance {
			t.Errorf("the energy score of %v targets is %v; want %v", k, got, want)
		}
	}
}

// Evaluate scores the targets together once, in the rows in which all are known, and the right standard deviations have a
// lower score than others.
func TestEnergyOfEvaluation(t *testing.T) {
	const rows = 300
	random := rand.New(rand.NewPCG(5, 6))
	truth := evaluation.Truth{Columns: data.Scalers{{Name: "a", Std: 1}, {Name: "b", Std: 1}}}
	for range rows {
		truth.Y = append(truth.Y, portable.NormFloat64(random), 2*portable.NormFloat64(random))
	}
	truth.Y[1] = math.NaN()
	energyOf := func(stds ...float64) float64 {
		p := &evaluation.Predictions{Targets: 2, Family: distribution.Normal}
		for i := range 2 * rows {
			p.Values = append(p.Values, models.NewPrediction(distribution.Normal, []float64{0, stds[i%2]}, nil))
		}
		e := expect.Must(evaluation.Evaluate(p, truth, data.Sound, []string{"energy", "crps"}))
		for _, c := range e.Columns {
			if c.Standardised.Has("energy") || !c.Standardised.Has("crps") {
				t.Errorf("target %s has the scores %v", c.Name, c.Standardised)
			}
		}
		return e.Standardised.Get("energy")
	}
	right := energyOf(1, 2)
	for _, stds := range [][]float64{{2, 1}, {1, 4}, {0.3, 2}} {
		if wrong := energyOf(stds...); !(right < wrong) {
			t.Errorf("the energy score of the standard deviations 1, 2 is %v; of %v it is %v", right, stds, wrong)
		}
	}
}

// With the right correlation of two targets each score is lower than with others.
func TestJointScoresOfCorrelations(t *testing.T) {
	const rows, right = 2000, 0.8
	random := rand.New(rand.NewPCG(7, 8))
	columns := []*measure.Column{{Protocol: data.Sound}, {Protocol: data.Sound}}
	for range rows {
		first := portable.NormFloat64(random)
		second := float64(right*first) + float64(math.Sqrt(1-right*right)*portable.NormFloat64(random))
		for target, y := range []float64{first, second} {
			c := columns[target]
			c.Y = append(c.Y, y)
			c.Mean = append(c.Mean, 0)
			c.Std = append(c.Std, 1)
		}
	}
	scoresOf := func(correlation float64) measure.Scores {
		for target, c := range columns {
			own := []float64{correlation, correlation}
			own[target] = 1
			c.Correlations = slices.Repeat([][]float64{own}, rows)
		}
		measures := expect.Must(measure.Select([]string{"energy", "variogram", "joint-nll"}))
		return measure.ScoreJoint(columns, measures)
	}
	best := scoresOf(right)
	for _, wrong := range []float64{-0.5, 0, 0.95} {
		for _, s := range scoresOf(wrong) {
			if !(s.Score > best.Get(s.Measure)) {
				t.Errorf("%s is %v with the correlation %v, and %v with the right one", s.Measure, s.Score, wrong, best.Get(s.Measure))
			}
		}
	}
}

// Of two independent N(0, 1), E √|Y₁ − Y₂| = 2^¼ · 2^¼ Γ(¾)/√π, as Y₁ − Y₂ is √2 times a normal number.
func TestVariogramOfNormals(t *testing.T) {
	column := &measure.Column{Mean: []float64{0}, Std: []float64{1}, Y: []float64{0}, Protocol: data.Sound}
	want := math.Sqrt2 * math.Gamma(0.75) / math.Sqrt(math.Pi)
	got := math.Sqrt(meanOfDraws([]*measure.Column{column, column}, variogramOfRow)) // the true difference is 0
	if math.Abs(got-want) > 0.15 {                                                   // three standard errors of 100 draws
		t.Errorf("the mean root of the difference is %v; want %v", got, want)
	}
}

// The index follows from seven comparable pairs: (1, 2), (1, 3), (1, 4), (1, 5), (3, 4), (3, 5), and (4, 5), since row 5 is
// censored at the target of row 4. Row 2 is censored.
func TestConcordance(t *testing.T) {
	for _, test := range []struct {
		mean, weights []float64
		want          float64
	}{
		{[]float64{1, 2, 3, 4, 5}, nil, 1},
		{[]float64{5, 4, 3, 2, 1}, nil, 0},
		{[]float64{2, 3, 1, 4, 9}, nil, 6.0 / 7},                       // (1, 3) is discordant
		{[]float64{2, 2, 1, 4, 9}, nil, 5.5 / 7},                       // and the means of (1, 2) are equal
		{[]float64{2, 3, 1, 4, 9}, []float64{1, 1, 2, 1, 1}, 8.0 / 10}, // (1, 3), (3, 4) and (3, 5) count twice
		{[]float64{2, 3, 1, 4, 9}, []float64{1, 0, 1e-9, 0, 0}, 0},     // only (1, 3) is left
		{[]float64{7, 7, 7, 7, 7}, []float64{1, 2, 3, 4, 5}, 0.5},
	} {
		c := &measure.Column{
			Mean:     test.mean,
			Y:        []float64{1, 2, 3, 4, 4},
			Extras:   map[string][]float64{"censored": {0, 1, 0, 0, 1}},
			Weights:  test.weights,
			Protocol: data.Sound,
		}
		expect.NoError(t, c.Check())
		if got := score(t, c, "concordance"); !(got-test.want < 1e-15 && test.want-got < 1e-15) {
			t.Errorf("the concordance of means %v with weights %v is %v; want %v", test.mean, test.weights, got, test.want)
		}
	}
	withoutColumn := &measure.Column{Mean: []float64{1}, Y: []float64{1}, Protocol: data.Sound}
	m := expect.Must(measure.Lookup("concordance"))
	if scores := withoutColumn.Score([]measure.Measure{m}); scores != nil {
		t.Errorf("a table without the column has %v", scores)
	}
}
