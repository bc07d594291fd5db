package report

import (
	"math"
	"slices"
	"testing"
)

// Four methods on six data sets, with equal scores on two of them. Source of the ranks: SciPy 1.10.1,
// scipy.stats.rankdata; of the exact p-value: all 24⁶ orders of the ranks, as fractions in Python; of the formula's:
// scipy.stats.friedmanchisquare, which gives χ² = 1.653, and scipy.stats.f.sf of F = 5χ²/(18 − χ²) with 3 and 15 degrees
// of freedom.
func TestRank(t *testing.T) {
	accuracies := [][]float64{
		{0.763, 0.768, 0.771, 0.798},
		{0.599, 0.591, 0.590, 0.569},
		{0.954, 0.971, 0.968, 0.967},
		{0.628, 0.661, 0.654, 0.657},
		{1, 1, 1, 1},
		{0.936, 0.931, 0.916, 0.931},
	}
	var badness [][]float64
	for _, row := range accuracies {
		var negated []float64
		for _, accuracy := range row {
			negated = append(negated, -accuracy)
		}
		badness = append(badness, negated)
	}
	r := rankMethods(badness)
	for i, want := range []float64{2.75, 2, 2.75, 2.5} {
		if math.Abs(r.MeanRanks[i]-want) > 1e-12 {
			t.Errorf("mean rank %d is %v; want %v", i, r.MeanRanks[i], want)
		}
	}
	if math.Abs(r.PValue-0.6888683931327161) > 1e-12 {
		t.Errorf("the p-value is %v", r.PValue)
	}
	var ranks [][]float64
	for _, scores := range badness {
		ranks = append(ranks, ranksOf(scores))
	}
	if p := friedmanPValue(ranks, r.MeanRanks); math.Abs(p-0.6842445582601346) > 1e-9 {
		t.Errorf("the formula's p-value is %v", p)
	}
}

// Few data sets have exact p-values. Source: counted by hand and, for three methods on three data sets, in fractions in
// Python: 6 of 216 orders have rank sums whose squared deviations from 6 add up to 18, and 42 add up to 14 or more. All
// orders that agree are k! of k!ᴺ.
func TestExactFriedman(t *testing.T) {
	agreed := []float64{1, 2, 3}
	for _, c := range []struct {
		badness [][]float64
		want    float64
	}{
		{[][]float64{agreed, agreed, agreed}, 1.0 / 36},
		{[][]float64{agreed, agreed, {1, 3, 2}}, 7.0 / 36},
		{[][]float64{{1, 2}, {1, 2}, {1, 2}, {1, 2}}, 2.0 / 16},
		{[][]float64{{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}}, 1.0 / 720},
		{[][]float64{agreed, {1, 1, 1}}, 1},                         // any order of {1, 2, 3} is as far from equal sums
		{[][]float64{{1, 1, 2}, {1, 1, 2}, {1, 1, 2}}, 3.0 / 27},    // the worst method has three places
		{slices.Repeat([][]float64{{1, 2}}, 60), math.Pow(0.5, 59)}, // the sign test
	} {
		if p := rankMethods(c.badness).PValue; math.Abs(p-c.want) > 1e-12*c.want {
			t.Errorf("%v: the p-value is %v; want %v", c.badness, p, c.want)
		}
	}
	many := slices.Repeat([][]float64{{1, 2, 3, 4, 5, 6, 7, 8}}, 3)
	if _, isExact := exactFriedmanPValue(many); isExact {
		t.Error("the orders of eight methods are enumerated")
	}
}

// Demšar (2006), section 3.2.2: the critical difference of four methods on 14 data sets is 1.25.
func TestCriticalDifference(t *testing.T) {
	if got := criticalDifference(4, 14); math.Abs(got-1.25) > 0.005 {
		t.Errorf("the critical difference is %v; want 1.25", got)
	}
}

// Source: SciPy 1.10.1, scipy.stats.studentized_range.ppf(0.95, n, inf).
func TestRangeQuantiles(t *testing.T) {
	for n, want := range map[int]float64{2: 2.771807648699355, 3: 3.314493155398122, 10: 4.474124221725907, 22: 5.081193155799909} {
		if got := rangeQuantile(0.95, n); math.Abs(got-want) > 1e-6 {
			t.Errorf("the range of %d numbers has the quantile %v; want %v", n, got, want)
		}
	}
}

// By hand: equal scores share the ranks 1 and 2, and NaN ranks last.
func TestRanksOfEqualScores(t *testing.T) {
	got := ranksOf([]float64{5, math.NaN(), 5, math.Inf(1)})
	if want := []float64{1.5, 4, 1.5, 3}; !slices.Equal(got, want) {
		t.Errorf("ranks are %v; want %v", got, want)
	}
}

// Methods that are equal everywhere do not differ.
func TestRankExtremes(t *testing.T) {
	equal := rankMethods([][]float64{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}})
	if equal.PValue != 1 || !slices.Equal(equal.MeanRanks, []float64{2, 2, 2}) {
		t.Errorf("equal methods: %+v", equal)
	}
	for _, few := range [][][]float64{{{1, 2}}, {{1}, {2}}, nil} {
		if r := rankMethods(few); !math.IsNaN(r.PValue) || !math.IsNaN(r.CriticalDifference) {
			t.Errorf("%v: %+v", few, r)
		}
	}
}
