package measure_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/measure"
	"sml/internal/expect"
	"sml/models/distribution"
)

// waves returns forty predictions and targets that any program can make: mean 3 sin(i), standard deviation
// ½ + 0.4 cos²(2i), and targets 1.3·cos(3i) standard deviations above the mean.
func waves() *measure.Column {
	c := &measure.Column{Protocol: data.Sound}
	for row := range 40 {
		i := float64(row)
		c.Mean = append(c.Mean, 3*math.Sin(i))
		c.Std = append(c.Std, 0.5+0.4*math.Cos(2*i)*math.Cos(2*i))
		c.Y = append(c.Y, c.Mean[row]+1.3*c.Std[row]*math.Cos(3*i))
	}
	return c
}

// The expected numbers are those of scikit-learn 1.2.1 (median_absolute_error, mean_absolute_percentage_error,
// mean_pinball_loss), of the formulas of Bracher et al. (2021), Levi et al. (2022) and Gneiting and Raftery (2007) in
// numpy, and, for the CRPS beyond a threshold, of scipy.integrate.quad of (F(x) − 1[x ≥ y])².
func TestOtherProgramsScores(t *testing.T) {
	for name, want := range map[string]float64{
		"median-ae":        0.5636083218760114,
		"mape":             0.5889909796680153,
		"wis":              0.3254222746454304,
		"pinball30":        0.23070601814843558,
		"ence":             0.11819392280790582,
		"interval-score70": 1.761438256958158,
		"coverage70":       0.65,
		"crps-above1":      0.14611743841088276,
		"crps-above3.5":    0.00616051175382479,
		"crps-below-2":     0.08100538442900004,
	} {
		m, err := measure.Lookup(name)
		if err != nil || m.Name != name {
			t.Errorf("%s: found %q, %v", name, m.Name, err)
			continue
		}
		tolerance := 1e-12
		if strings.HasPrefix(name, "crps-") {
			tolerance = 1e-4 // 1,000 quantiles beyond the threshold
		}
		if got := m.Compute(waves()); math.Abs(got-want) > tolerance*want {
			t.Errorf("%s is %v; want %v", name, got, want)
		}
	}
}

// Above −∞ and below ∞ the CRPS is the usual one, and both sides of a threshold add up to it.
func TestTailCRPSAddsUp(t *testing.T) {
	for name, d := range map[string]distribution.Distribution{
		"normal":  distribution.Normal.New([]float64{1, 2}),
		"student": distribution.StudentT.New([]float64{1, 2, 5}),
	} {
		for _, y := range []float64{-3, 0.9, 4} {
			c := &measure.Column{Y: []float64{y}, Mean: []float64{d.Mean()}, Distributions: []distribution.Distribution{d}, Protocol: data.Sound}
			score := func(name string) float64 {
				m := expect.Must(measure.Lookup(name))
				return m.Compute(c)
			}
			want := score("crps")
			for _, sum := range []float64{score("crps-above0.7") + score("crps-below0.7"), score("crps-above-500"), score("crps-below500")} {
				if math.Abs(sum-want) > 0.01*want {
					t.Errorf("%s, target %v: %v; want the CRPS %v", name, y, sum, want)
				}
			}
		}
	}
}

// A name has a number in one form only, and percentages are between 0 and 100.
func TestNamesWithNumbers(t *testing.T) {
	for _, name := range []string{"coverage0", "coverage100", "coverage070", "coverage7e1", "width-5", "pinballx", "crps-aboveInf", "crps-below+1", "crps-above"} {
		expect.Error(t, expect.ErrorOf(measure.Lookup(name)), "coverageP")
	}
	if selected, err := measure.Select([]string{"width70", "pinball2.5", "crps-above-5"}); err != nil || len(selected) != 3 {
		t.Errorf("%v, %v", selected, err)
	}
	if slices.Contains(measure.Names(), "coverage70") {
		t.Error("coverage70 is listed")
	}
}
