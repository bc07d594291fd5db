package evaluation

import (
	"math"
	"slices"
)

// Histogram counts values in bins of equal width between two limits.
type Histogram struct {
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Counts  []int   `json:"counts"` // number of values in each bin, from Low to High; the last bin includes High
	Outside int     `json:"beyond"` // number of values outside the limits or not finite
}

// CentralLimits returns limits that contain the given fraction of the values, with as many values
// below them as above. A limit near the smallest or largest value is moved to it (see SnapLimits).
// Values that are not finite, or above 1e300 in size, are ignored; if there are no others, the limits
// are 0 and 1.
func CentralLimits(values []float64, fraction float64) (low, high float64) {
	return limitsInPlace(slices.Clone(values), fraction)
}

// limitsInPlace is CentralLimits for values that it may reorder.
func limitsInPlace(values []float64, fraction float64) (low, high float64) {
	const maxSize = 1e300                                                  // sums and differences of such values stay finite
	isIgnored := func(v float64) bool { return !(math.Abs(v) <= maxSize) } // true for NaN, too
	values = slices.DeleteFunc(values, isIgnored)
	if len(values) == 0 {
		return 0, 1
	}
	slices.Sort(values)
	low = empiricalQuantile(values, (1-fraction)/2)
	high = empiricalQuantile(values, (1+fraction)/2)
	return SnapLimits(low, high, values[0], values[len(values)-1])
}

// SnapLimits returns the limits low and high, each moved to the smallest or the largest value if that is
// inside the limits, or outside by at most a quarter of the range: so little is worth showing.
func SnapLimits(low, high, smallest, largest float64) (float64, float64) {
	tolerance := float64((high - low) / 4) // compiled to a product, which the conversion keeps from being fused
	if smallest >= low-tolerance {
		low = smallest
	}
	if largest <= high+tolerance {
		high = largest
	}
	return low, high
}

// newHistogram returns a histogram with the given number of empty bins. Limits that are equal, or
// almost, are moved apart.
func newHistogram(low, high float64, bins int) Histogram {
	const minRelativeWidth = 1e-12 // far above the precision of float64
	isWide := high-low > minRelativeWidth*max(math.Abs(low), math.Abs(high))
	if !isWide {
		halfWidth := max(1, math.Abs(low)/2)
		low -= halfWidth
		high += halfWidth
	}
	return Histogram{Low: low, High: high, Counts: make([]int, bins)}
}

// bin returns the index of a value's bin if the range between the limits is divided into the given number
// of bins. ok is false if the value is outside the limits or NaN.
func (h Histogram) bin(v float64, bins int) (index int, ok bool) {
	if !(v >= h.Low && v <= h.High) {
		return 0, false
	}
	return min(bins-1, int((v-h.Low)/(h.High-h.Low)*float64(bins))), true
}

// add counts a value.
func (h *Histogram) add(v float64) {
	bin, ok := h.bin(v, len(h.Counts))
	if ok {
		h.Counts[bin]++
	} else {
		h.Outside++
	}
}

// empiricalQuantile returns the smallest of the sorted values for which at least the fraction p of the
// values, from 0 to 1, is not larger.
func empiricalQuantile(sorted []float64, p float64) float64 {
	i := int(math.Ceil(float64(p*float64(len(sorted))))) - 1
	return sorted[max(0, min(i, len(sorted)-1))]
}
