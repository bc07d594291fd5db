package evaluation

import (
	"fmt"
	"math"
	"slices"
)

// Histogram counts values in bins of one width between two limits.
type Histogram struct {
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Counts  []int   `json:"counts"` // of each bin, from the low one on; High belongs to the last
	Outside int     `json:"beyond"` // values outside the limits, and values that are not finite
}

// Limits returns limits that hold the given share of many values, as many
// left out below as above: the quantiles, or the least and the most value
// where these are inside them or outside by no more than a quarter of the
// range. What is not finite, or above 1e300 in size, lies outside; of nothing
// the limits are 0 and 1.
func Limits(values []float64, share float64) (low, high float64) {
	return limitsInPlace(slices.Clone(values), share)
}

// limits is Limits of values that it may reorder.
func limitsInPlace(values []float64, share float64) (low, high float64) {
	values = slices.DeleteFunc(values, func(v float64) bool { return !(math.Abs(v) <= 1e300) })
	if len(values) == 0 {
		return 0, 1
	}
	slices.Sort(values)
	return SnapLimits(empiricalQuantile(values, (1-share)/2), empiricalQuantile(values, (1+share)/2), values[0], values[len(values)-1])
}

// Within moves a limit to the least or the most value where that is inside
// it, or outside it by no more than a quarter of the range.
func SnapLimits(low, high, least, most float64) (float64, float64) {
	tolerance := float64((high - low) / 4) // a product by 0.25 to the compiler
	if least >= low-tolerance {
		low = least
	}
	if most <= high+tolerance {
		high = most
	}
	return low, high
}

// newHistogram has so many empty bins between two limits, which are moved
// apart where they are one.
func newHistogram(low, high float64, bins int) Histogram {
	if !(high-low > 1e-12*max(math.Abs(low), math.Abs(high))) {
		around := max(1, math.Abs(low)/2)
		low, high = low-around, high+around
	}
	return Histogram{Low: low, High: high, Counts: make([]int, bins)}
}

// bin is the number of the bin that a value belongs to, of so many; false if
// it lies beyond the limits.
func (h Histogram) bin(v float64, bins int) (int, bool) {
	if !(v >= h.Low && v <= h.High) {
		return 0, false
	}
	return min(bins-1, int((v-h.Low)/(h.High-h.Low)*float64(bins))), true
}

func (h *Histogram) add(v float64) {
	if bin, ok := h.bin(v, len(h.Counts)); ok {
		h.Counts[bin]++
		return
	}
	h.Outside++
}

// check tells whether a histogram can be one of so many values.
func (h Histogram) check(values int) error {
	if !(h.Low < h.High) || math.IsInf(h.High-h.Low, 0) || len(h.Counts) == 0 {
		return fmt.Errorf("%d bins from %v to %v; want at least one, and finite limits in order", len(h.Counts), h.Low, h.High)
	}
	return checkTotal(h.Counts, h.Outside, values)
}

// total tells whether counts are those of so many values.
func checkTotal(counts []int, beyond, values int) error {
	sum := 0
	for _, n := range append(slices.Clone(counts), beyond) {
		if n < 0 || n > values-sum {
			return fmt.Errorf("a count of %d after %d; want counts of %d values", n, sum, values)
		}
		sum += n
	}
	if sum != values {
		return fmt.Errorf("counts of %d values; want %d", sum, values)
	}
	return nil
}

// empirical is the smallest of sorted values that a share of p of them, from
// 0 to 1, does not exceed.
func empiricalQuantile(sorted []float64, p float64) float64 {
	at := int(math.Ceil(float64(p*float64(len(sorted))))) - 1
	return sorted[max(0, min(at, len(sorted)-1))]
}
