package evaluation

import (
	"fmt"
	"math"
	"slices"
)

// LossTerms counts what the second-moment loss compares on some rows, over
// all sub-networks of every row: a and b of the paper's appendix A.3. Pairs
// are counted and not kept, since there are 200 of them for each row.
type LossTerms struct {
	Rows       int       `json:"rows"`
	Samples    int       `json:"draws"`      // sub-networks of each row
	A          Histogram `json:"a"`          // f − y of each row: the full network against the target
	B          Histogram `json:"b"`          // f~ − f of each sub-network of each row
	Difference Histogram `json:"difference"` // |b| − |a| of each of them

	// Pairs counts the pairs (b, a) between the limits of B and A: a list for
	// each of 256 bins of a, from the low one on, with a count for each of 256
	// bins of b.
	Pairs        [][]int `json:"pairs"`
	PairsOutside int     `json:"pairs_beyond"` // outside the limits of B or of A
}

const (
	pairBins       = 256
	limitsFraction = 0.995 // of the values lie within the limits of a histogram
)

// CountLossTerms counts residuals a = f − y, one for each row, and distances
// b = f~ − f, a list over the rows for each sub-network. Limits hold 99.5 % of
// the values. It is an error if there are no rows or no sub-networks, or if
// lists differ in length.
func CountLossTerms(a []float64, b [][]float32) (LossTerms, error) {
	t := LossTerms{Rows: len(a), Samples: len(b)}
	if len(a) == 0 || len(b) == 0 {
		return t, fmt.Errorf("loss terms of %d rows and %d sub-networks; want at least one of either", len(a), len(b))
	}
	values := make([]float64, 0, len(a)*len(b))
	for k, line := range b {
		if len(line) != len(a) {
			return t, fmt.Errorf("sub-network %d has %d distances for %d residuals", k, len(line), len(a))
		}
		for _, v := range line {
			values = append(values, float64(v))
		}
	}
	t.B = histogramFor(values)
	values = values[:0]
	for _, line := range b {
		for i, v := range line {
			values = append(values, math.Abs(float64(v))-math.Abs(a[i]))
		}
	}
	t.Difference = histogramFor(values)
	t.A = histogramFor(slices.Clone(a))
	t.Pairs = make([][]int, pairBins)
	for i := range t.Pairs {
		t.Pairs[i] = make([]int, pairBins)
	}
	for _, v := range a {
		t.A.add(v)
	}
	for _, line := range b {
		for i, v := range line {
			t.B.add(float64(v))
			t.Difference.add(math.Abs(float64(v)) - math.Abs(a[i]))
			along, ok := t.B.bin(float64(v), pairBins)
			up, both := t.A.bin(a[i], pairBins)
			if ok && both {
				t.Pairs[up][along]++
			} else {
				t.PairsOutside++
			}
		}
	}
	return t, nil
}

// emptyHistogram has limits and bins for values, which it reorders.
func histogramFor(values []float64) Histogram {
	bins := 8
	for bins < 60 && (bins+1)*(bins+1)*(bins+1) <= 8*len(values) { // Rice's rule, 2·∛n
		bins++
	}
	low, high := limitsInPlace(values, limitsFraction)
	return newHistogram(low, high, bins)
}

// Check returns what is wrong with counts that come from a file.
func (t LossTerms) Check() error {
	const most = math.MaxInt32 // far more rows and draws than there are, so that their product is an int
	if t.Rows < 1 || t.Samples < 1 || t.Rows > most || t.Samples > most {
		return fmt.Errorf("loss terms of %d rows and %d sub-networks", t.Rows, t.Samples)
	}
	var pairs []int
	for _, line := range t.Pairs {
		if len(line) != len(t.Pairs) {
			return fmt.Errorf("loss terms: pairs in %d lists, one of %d counts; want as many", len(t.Pairs), len(line))
		}
		pairs = append(pairs, line...)
	}
	if err := checkTotal(pairs, t.PairsOutside, t.Rows*t.Samples); err != nil {
		return fmt.Errorf("loss terms: pairs: %w", err)
	}
	for _, h := range []struct {
		name string
		Histogram
		values int
	}{{"a", t.A, t.Rows}, {"b", t.B, t.Rows * t.Samples}, {"difference", t.Difference, t.Rows * t.Samples}} {
		if err := h.check(h.values); err != nil {
			return fmt.Errorf("loss terms: %s: %w", h.name, err)
		}
	}
	return nil
}
