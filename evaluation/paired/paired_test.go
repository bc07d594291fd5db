package paired

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"sml/evaluation/measure"
)

// The t interval of a mean of differences. Source: scipy.stats.ttest_rel([1, 3, 2, 5], [2, 2, 2, 1]).confidence_interval()
// is (−2.4340, 4.4340) around 1: by hand, the differences −1, 1, 0, 4 have the variance 14/3, and t with 3 degrees of
// freedom is 3.1824463.
func TestOverRows(t *testing.T) {
	loss := measure.RowLoss{Values: []float64{1, 3, 2, 5}}
	other := measure.RowLoss{Values: []float64{2, 2, 2, 1}}
	got := overRows(loss, other, nil, nil)
	want := 3.182446305284263 * math.Sqrt(14./3/4)
	if got.Mean != 1 || math.Abs(got.HalfWidth-want) > 1e-9 {
		t.Errorf("the difference is %v ± %v; want 1 ± %v", got.Mean, got.HalfWidth, want)
	}
	if got.IsSignificant() {
		t.Error("an interval with 0 is significant")
	}
	weighted := overRows(loss, other, []float64{3, 3, 3, 3}, nil)
	if math.Abs(weighted.HalfWidth-got.HalfWidth) > 1e-12 {
		t.Errorf("equal weights change the interval to ± %v", weighted.HalfWidth)
	}
	loss.Values = append(loss.Values, math.Inf(1))
	other.Values = append(other.Values, 0)
	if ignored := overRows(loss, other, []float64{1, 1, 1, 1, 0}, nil); ignored != got {
		t.Errorf("with a row of weight 0 the difference is %v; want %v", ignored, got)
	}
}

// The intervals of differences of RMSEs contain the true difference in about 95 % of draws.
func TestOverRowsOfRoots(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const draws, rows = 2000, 200
	trueDifference := math.Sqrt(1+0.25) - 1 // the errors are e + f and e, with variances 1 and 0.25
	inside := 0
	for range draws {
		var loss, other measure.RowLoss
		loss.IsRoot, other.IsRoot = true, true
		for range rows {
			e, f := random.NormFloat64(), 0.5*random.NormFloat64()
			loss.Values = append(loss.Values, (e+f)*(e+f))
			other.Values = append(other.Values, e*e)
		}
		d := overRows(loss, other, nil, nil)
		if math.Abs(d.Mean-trueDifference) < d.HalfWidth {
			inside++
		}
	}
	// Four standard errors of a fraction of 0.95 are 0.0195.
	if fraction := float64(inside) / draws; math.Abs(fraction-0.95) > 0.0195 {
		t.Errorf("%v of the intervals contain the difference; want 0.95", fraction)
	}
}

// Groups of one row each give the interval over rows, whatever the weights are.
func TestGroupsOfOneRow(t *testing.T) {
	loss := measure.RowLoss{Values: []float64{1, 3, 2, 5, 4}, IsRoot: true}
	other := measure.RowLoss{Values: []float64{2, 2, 2, 1, math.Inf(1)}, IsRoot: true}
	weights := []float64{1, 3, 0.5, 2, 0}
	got := overRows(loss, other, weights, []string{"e", "b", "c", "d", "a"})
	if want := overRows(loss, other, weights, nil); got != want {
		t.Errorf("the difference is %v; want %v", got, want)
	}
}

// By hand: the differences −1, 1, 0, 4 have the mean 1 and the deviations −2, 0, −1, 3. The groups of the first two and
// of the last two rows have the sums −2 and 2, so that the variance of the mean is 2/1·(4 + 4)/4² = 1. Student's t with
// one degree of freedom is 12.7062047 (scipy.stats.t.ppf(0.975, 1)).
func TestOverGroups(t *testing.T) {
	loss := measure.RowLoss{Values: []float64{1, 3, 2, 5}}
	other := measure.RowLoss{Values: []float64{2, 2, 2, 1}}
	got := overRows(loss, other, nil, []string{"a", "a", "b", "b"})
	if got.Mean != 1 || math.Abs(got.HalfWidth-12.706204736174694) > 1e-7 {
		t.Errorf("the difference is %v ± %v; want 1 ± 12.7062047", got.Mean, got.HalfWidth)
	}
	if one := overRows(loss, other, nil, []string{"a", "a", "a", "a"}); one.IsSignificant() || !math.IsNaN(one.HalfWidth) {
		t.Errorf("one group gives ± %v", one.HalfWidth)
	}
}

// drawGroups returns the losses of two methods on the rows of 80 groups of 1 to 19 rows. The errors of the first are
// u + f, and those of the other v + g, where u and v are common to a group: the mean squares are 1 + 1 and 1 + 0.25.
func drawGroups(random *rand.Rand) (loss, other measure.RowLoss, groups []string) {
	loss.IsRoot, other.IsRoot = true, true
	for group := range 80 {
		u, v := random.NormFloat64(), random.NormFloat64()
		for range 1 + (7*group)%19 {
			f, g := random.NormFloat64(), 0.5*random.NormFloat64()
			loss.Values = append(loss.Values, (u+f)*(u+f))
			other.Values = append(other.Values, (v+g)*(v+g))
			groups = append(groups, strconv.Itoa(group))
		}
	}
	return loss, other, groups
}

// Intervals over groups contain the true difference in about 95 % of draws if the rows of a group have errors in
// common. Intervals over rows do so much less often.
func TestCoverageOfGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const draws = 1000
	trueDifference := math.Sqrt(2) - math.Sqrt(1.25)
	insideGroups, insideRows := 0, 0
	for range draws {
		loss, other, groups := drawGroups(random)
		d := overRows(loss, other, nil, groups)
		if math.Abs(d.Mean-trueDifference) < d.HalfWidth {
			insideGroups++
		}
		d = overRows(loss, other, nil, nil)
		if math.Abs(d.Mean-trueDifference) < d.HalfWidth {
			insideRows++
		}
	}
	// Three standard errors of a fraction of 0.95 are 3·√(0.95·0.05/1000) = 0.0207.
	if fraction := float64(insideGroups) / draws; math.Abs(fraction-0.95) > 0.0207 {
		t.Errorf("%v of the intervals over groups contain the difference; want 0.95", fraction)
	}
	if fraction := float64(insideRows) / draws; fraction > 0.75 {
		t.Errorf("%v of the intervals over rows contain the difference; want far fewer than 0.95", fraction)
	}
}

// Nadeau and Bengio's interval, by hand: three differences with mean 2 and variance 1, t with two degrees of freedom
// is 4.3026527.
func TestOverFolds(t *testing.T) {
	got := OverFolds([]float64{1, 2, 3}, 0.5)
	want := 4.302652729696142 * math.Sqrt(1./3+0.5)
	if got.Mean != 2 || math.Abs(got.HalfWidth-want) > 1e-9 {
		t.Errorf("the difference is %v ± %v; want 2 ± %v", got.Mean, got.HalfWidth, want)
	}
	if one := OverFolds([]float64{1}, 0.5); one.IsSignificant() || !math.IsNaN(one.HalfWidth) {
		t.Errorf("one fold gives ± %v", one.HalfWidth)
	}
}

// Equal predictions differ by 0 for certain.
func TestEqualMethods(t *testing.T) {
	loss := measure.RowLoss{Values: []float64{1, 3, 2}, IsRoot: true}
	if d := overRows(loss, loss, nil, nil); d.Mean != 0 || d.HalfWidth != 0 || d.IsSignificant() {
		t.Errorf("the difference is %v ± %v", d.Mean, d.HalfWidth)
	}
}
