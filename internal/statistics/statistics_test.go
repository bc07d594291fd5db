package statistics

import (
	"math"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	cases := []struct {
		xs   []float64
		want float64
	}{
		{[]float64{3}, 3}, {[]float64{5, 1, 2}, 2}, {[]float64{4, 1, 2, 8}, 3},
		{[]float64{1, inf, inf}, inf}, {[]float64{inf, inf}, inf}, {[]float64{1, inf}, inf},
		{[]float64{1, 2, inf}, 2}, {[]float64{1, nan, 3}, nan}, {nil, nan},
	}
	for _, c := range cases {
		if got := Median(c.xs); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Median(%v) = %v; want %v", c.xs, got, c.want)
		}
	}
}

func TestMedianInPlace(t *testing.T) {
	for _, values := range [][]float64{{3}, {2, 1}, {5, 1, 4}, {1, 1, 1, 1}, {9, 2, 7, 2, 8, 1}, {1, 2, 3, 4, 5, 6, 7}} {
		sorted := slices.Sorted(slices.Values(values))
		n := len(values)
		if got, want := MedianInPlace(slices.Clone(values)), (sorted[(n-1)/2]+sorted[n/2])/2; got != want {
			t.Errorf("the median of %v is %v, want %v", values, got, want)
		}
	}
}

func TestMeanStd(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		values    []float64
		mean, std float64
	}{
		{[]float64{2, 4, 4, 4, 5, 5, 7, 9}, 5, math.Sqrt(32.0 / 7)}, // squares of the distances: 9 + 1 + 1 + 1 + 4 + 16
		{[]float64{7}, 7, 0},
		{[]float64{1, inf}, inf, math.NaN()},
		{nil, math.NaN(), math.NaN()},
	} {
		mean, std := MeanStd(c.values)
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !same(mean, c.mean) || !same(std, c.std) {
			t.Errorf("%v: %v ± %v, want %v ± %v", c.values, mean, std, c.mean, c.std)
		}
		if len(c.values) > 0 && Mean(c.values) != c.mean {
			t.Errorf("%v: the mean is %v, want %v", c.values, Mean(c.values), c.mean)
		}
	}
	if IsFinite(inf) || IsFinite(math.NaN()) || !IsFinite(math.MaxFloat64) {
		t.Error("Finite is wrong")
	}
}

// The values are of numpy.quantile.
func TestQuantile(t *testing.T) {
	sorted := []float64{1, 2, 3, 10}
	for level, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 2.5, 0.75: 4.75, 1: 10} {
		if got := Quantile(sorted, level); got != want {
			t.Errorf("the quantile of level %v is %v; want %v", level, got, want)
		}
	}
}
