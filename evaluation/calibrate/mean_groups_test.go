package calibrate

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sml/evaluation"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
)

// fromMeans returns rows with predictions N(mean, 1) and targets at the given distances from the means.
func fromMeans(means, distances []float64) Rows {
	r := Rows{Predictions: &evaluation.Predictions{Targets: 1}}
	for i, mean := range means {
		r.Predictions.Values = append(r.Predictions.Values, normal(mean, 1, 1, 0))
		r.Y = append(r.Y, mean+distances[i])
	}
	return r
}

// A Mondrian conformal regressor (Boström & Johansson 2020) takes the interval μ ± q of a group from the rows of
// the group alone: q is the ⌈(n + 1)c⌉-th smallest |y − μ| of its n rows. Here n is 4 and c is 0.75, so q is the
// largest of 4 distances.
func TestMondrianIntervals(t *testing.T) {
	r := fromMeans([]float64{5, 1, 2, 6, 3, 7, 4, 8}, []float64{10, 0.1, -0.2, -20, 0.3, 30, -0.4, 40})
	c := fit(t, r, Options{Kind: "conformal", Coverage: 0.75, MeanGroups: 2})
	if edges := c.Groups[0].Targets[0].ByMean.Edges; !slices.Equal(edges, []float64{4.5}) {
		t.Errorf("the edges are %v; want the middle of 4 and 5", edges)
	}
	p := c.Apply(fromMeans([]float64{-9, 4.4, 4.5, 99}, make([]float64, 4)).Predictions, nil)
	for i, want := range []float64{0.4, 0.4, 40, 40} {
		low := p.Values[i].Quantile(0.125)
		high := p.Values[i].Quantile(0.875)
		mean := p.Values[i].Mean()
		if math.Abs(mean-low-want) > 1e-12*want || math.Abs(high-mean-want) > 1e-12*want {
			t.Errorf("row %d: the interval of %v is from %v to %v; want ± %v", i, mean, low, high, want)
		}
	}
}

// heteroscedastic returns rows whose noise grows with the mean, although the same standard deviation is
// predicted for all of them.
func heteroscedastic(n int, seed uint64) Rows {
	rng := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, n)
	distances := make([]float64, n)
	for i := range means {
		means[i] = 4 * rng.Float64()
		distances[i] = (0.2 + means[i]) * rng.NormFloat64()
	}
	return fromMeans(means, distances)
}

// coverageByMean returns the fraction of the targets in 90 % intervals of the rows with means from 0 to 1, from
// 1 to 2, from 2 to 3 and from 3 to 4.
func coverageByMean(c *Calibration, r Rows) []float64 {
	covered := make([]float64, 4)
	rows := make([]float64, 4)
	for i, v := range c.Apply(r.Predictions, nil).Values {
		level := int(v.Mean())
		rows[level]++
		if v.Quantile(0.05) <= r.Y[i] && r.Y[i] <= v.Quantile(0.95) {
			covered[level]++
		}
	}
	for level := range covered {
		covered[level] /= rows[level]
	}
	return covered
}

// Groups by the predicted mean cover 90 % of small and of large means, where one calibration covers too
// many small and too few large ones.
func TestCoverageByMean(t *testing.T) {
	fitted := heteroscedastic(8000, 1)
	others := heteroscedastic(8000, 2)
	together := coverageByMean(fit(t, fitted, Options{}), others)
	if together[0] < 0.99 || together[3] > 0.8 {
		t.Errorf("together, the coverage by mean is %.3f; want it far from 0.9", together)
	}
	for _, kind := range kindsForNumbers() {
		separate := coverageByMean(fit(t, fitted, Options{Kind: kind.Name, MeanGroups: 4}), others)
		for level, coverage := range separate {
			// Of 2000 rows to fit and 2000 to test, four standard deviations are 0.038.
			if math.Abs(coverage-0.9) > 4*math.Sqrt(2*0.9*0.1/2000) {
				t.Errorf("%s: at means from %d, the coverage is %.3f; want 0.9", kind.Name, level, coverage)
			}
		}
	}
}

// Quantiles are moved by the mean of the predicted distribution, each target by its own mean: by the distances of the
// targets, 0.1 and 10, from the upper quantile, 1 above the mean.
func TestQuantilesByMean(t *testing.T) {
	family := distribution.Quantiles(0.05, 0.5, 0.95)
	r := Rows{Predictions: &evaluation.Predictions{Targets: 2, Family: family}}
	for i := range 80 {
		for target := range 2 {
			mean := float64((i + 40*target) % 80) // the targets of a row are in different groups
			noise := 0.1
			if mean >= 40 {
				noise = 10
			}
			r.Predictions.Values = append(r.Predictions.Values, models.NewPrediction(family, []float64{mean - 1, mean, mean + 1}, nil))
			r.Y = append(r.Y, mean+noise)
		}
	}
	c := fit(t, r, Options{Kind: "isotonic", MeanGroups: 2})
	for target, calibration := range c.Groups[0].Targets {
		_, fits := calibration.FitsByMean()
		for i, want := range []float64{-0.9, 9} {
			if got := fits[i].Shifts[2]; math.Abs(got-want) > 1e-12 {
				t.Errorf("target %d: group %d shifts the upper quantile by %v; want %v", target, i, got, want)
			}
		}
	}
	for i, v := range c.Apply(r.Predictions, nil).Values {
		if got := v.Quantile(0.95); math.Abs(got-r.Y[i]) > 1e-12 {
			t.Errorf("value %d: the upper quantile is %v; want %v", i, got, r.Y[i])
		}
	}
}

// Groups have equally many rows, except that equal means stay together and no group is too small.
func TestGroupStarts(t *testing.T) {
	for _, c := range []struct {
		means           []float64
		groups, minRows int
		want            []int
	}{
		{[]float64{1, 2, 3, 4, 5, 6}, 3, 2, []int{0, 2, 4}},
		{[]float64{1, 2, 3, 4, 5, 6, 7}, 3, 2, []int{0, 2, 4}},
		{[]float64{1, 2, 2, 2, 5, 6}, 3, 2, []int{0, 4}},
		{[]float64{1, 1, 1, 1, 5, 6}, 3, 2, []int{0, 4}},
		{[]float64{1, 2, 3, 3, 3, 3}, 3, 2, []int{0, 2}},
		{[]float64{1, 1, 1, 1, 1, 1}, 3, 2, []int{0}},
	} {
		if got := groupStarts(c.means, c.groups, c.minRows); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d groups of at least %d: they start at %v, want %v", c.means, c.groups, c.minRows, got, c.want)
		}
	}
}

// An edge between two means belongs to the upper one, even if no number is between them.
func TestEdgeBetween(t *testing.T) {
	for _, low := range []float64{-3, 0, 1, math.MaxFloat64 / 2} {
		for _, high := range []float64{math.Nextafter(low, math.Inf(1)), low + 1, math.MaxFloat64} {
			if edge := edgeBetween(low, high); low < high && !(edge > low && edge <= high) {
				t.Errorf("the edge between %v and %v is %v", low, high, edge)
			}
		}
	}
}

// Values of a column and the predicted mean divide the rows together.
func TestMeanGroupsOfColumn(t *testing.T) {
	r := heteroscedastic(160, 3)
	for i := range r.Y {
		r.Groups = append(r.Groups, []string{"north", "south"}[i%2])
	}
	o := Options{Coverage: 0.95, GroupColumn: "plant", MeanGroups: 4}
	c := fit(t, r, o)
	for _, g := range c.Groups {
		if got := len(g.Targets[0].ByMean.Groups); got != 4 {
			t.Errorf("%q has %d groups by the predicted mean", g.Value, got)
		}
	}
	if err := c.CheckCoverage(0.95); err != nil {
		t.Error(err)
	}
	expect.Error(t, c.CheckCoverage(0.96), "calibrated intervals of 96% need 24 calibration rows in each group, and the smallest group has 20")
	o.MeanGroups = 5
	_, err := Fit(r, o)
	want := `intervals of 95% need 95 calibration rows (19 in each of 5 groups by the predicted mean) with each value of plant; there are too few with "north" (80), "south" (80)`
	expect.Error(t, err, want)
}

// Numbers of groups that rows or predictions do not permit are refused.
func TestMeanGroupsAreRefused(t *testing.T) {
	r := heteroscedastic(60, 4)
	for _, c := range []struct {
		rows Rows
		o    Options
		want string
	}{
		{r, Options{Coverage: 0.95, MeanGroups: 4}, "intervals of 95% need 76 calibration rows (19 in each of 4 groups by the predicted mean), and there are 60"},
		{classRows(), Options{Kind: "temperature", MeanGroups: 2}, "the method predicts classes, which have no mean to group rows by"},
	} {
		expect.Error(t, expect.ErrorOf(Fit(c.rows, c.o)), c.want)
	}
}

// Without groups by the predicted mean a calibration has no field of them.
func TestNoMeanGroups(t *testing.T) {
	text, err := json.Marshal(fit(t, rows(60, 1, (*rand.Rand).NormFloat64), Options{}))
	if err != nil || strings.Contains(string(text), "mean") {
		t.Errorf("%s, %v", text, err)
	}
}
