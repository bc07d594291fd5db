package evaluation

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"sml/internal/expect"
	"sml/internal/strict"
)

// Every draw of every row is counted, in the histograms and among the pairs.
func TestCountLossTerms(t *testing.T) {
	const rows, draws = 300, 200
	rng := rand.New(rand.NewPCG(1, 0))
	a, b := make([]float64, rows), make([][]float32, draws)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	for k := range b {
		for i := range a {
			b[k] = append(b[k], float32(math.Abs(a[i])*rng.NormFloat64()))
		}
	}
	b[0][0], b[1][0] = float32(math.NaN()), float32(math.Inf(1))
	terms := expect.Must(CountLossTerms(a, b))
	sum := func(counts []int) (n int) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	if n := sum(terms.A.Counts) + terms.A.Outside; n != rows {
		t.Errorf("%d residuals; want %d", n, rows)
	}
	for _, h := range []Histogram{terms.B, terms.Difference} {
		n := sum(h.Counts) + h.Outside
		if share := float64(h.Outside) / float64(n); n != rows*draws || share > 0.006 {
			t.Errorf("%d values, %v of them beyond; want %d and 0.5 %%", n, share, rows*draws)
		}
	}
	// The pairs within the limits of a, summed over a, are the histogram of b.
	pairs := make([]int, len(terms.Pairs))
	for _, line := range terms.Pairs {
		for j, n := range line {
			pairs[j] += n
		}
	}
	if n := sum(pairs) + terms.PairsOutside; n != rows*draws {
		t.Errorf("%d pairs; want %d", n, rows*draws)
	}
	// Counted again by hand, in the left half of b's limits.
	middle, want := (terms.B.Low+terms.B.High)/2, 0
	for _, line := range b {
		for i, v := range line {
			if v := float64(v); v >= terms.B.Low && v < middle && a[i] >= terms.A.Low && a[i] <= terms.A.High {
				want++
			}
		}
	}
	if got := sum(pairs[:len(pairs)/2]); got != want {
		t.Errorf("%d pairs on the left; want %d", got, want)
	}
}

func TestHistogramCounts(t *testing.T) {
	values := []float64{math.NaN(), math.Inf(1)}
	for i := range 1000 {
		values = append(values, float64(i%10))
	}
	low, high := CentralLimits(values, limitsFraction)
	if low != 0 || high != 9 {
		t.Errorf("limits %v and %v; want 0 and 9", low, high)
	}
	h := newHistogram(low, high, 20)
	for _, v := range values {
		h.add(v)
	}
	if h.Outside != 2 || h.Counts[0] != 100 || h.Counts[1] != 0 || h.Counts[19] != 100 {
		t.Errorf("%+v; want two beyond, and 100 of each number", h)
	}
}

// Limits of the extremes of float64 are finite and apart, so that there are bins.
func TestHistogramsOfExtremes(t *testing.T) {
	for _, values := range [][]float64{nil, {math.NaN()}, {1e308, -1e308}, {1e300, -1e300}, {3, 3}, {0, 5e-324}, {1e20, 1e20 + 16384}, {math.Inf(-1), 7}} {
		h := histogramFor(append([]float64(nil), values...))
		for _, v := range values {
			h.add(v)
		}
		counted := h.Outside
		for _, n := range h.Counts {
			counted += n
		}
		if counted != len(values) || !(h.Low < h.High) || math.IsInf(h.High-h.Low, 0) {
			t.Errorf("of %v, %d values are counted, between %v and %v", values, counted, h.Low, h.High)
		}
	}
}

func TestLossTermsRejects(t *testing.T) {
	for _, c := range []struct {
		a []float64
		b [][]float32
	}{{nil, nil}, {[]float64{1}, nil}, {nil, [][]float32{{}}}, {[]float64{1}, [][]float32{{1, 2}}}} {
		if _, err := CountLossTerms(c.a, c.b); err == nil {
			t.Errorf("%v and %v: no error", c.a, c.b)
		}
	}
}

// Loss terms are written and read again, whatever numbers they count.
func TestLossTermsJSON(t *testing.T) {
	terms := expect.Must(CountLossTerms([]float64{1, math.Inf(1), math.NaN()}, [][]float32{{1, 2, float32(math.Inf(-1))}, {0, 1, float32(math.NaN())}}))
	text := expect.Must(json.Marshal(terms))
	var back LossTerms
	if err := strict.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, terms) {
		t.Errorf("%v: %+v", err, back.A)
	}
}
