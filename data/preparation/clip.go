package preparation

import (
	"math"
	"slices"

	"sml/data"
)

// Clip holds the range of a column of numbers with a few values so far off that all others would be equal after
// standardising. A value beyond the range counts as its nearest end, in every table.
type Clip struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Rows int     `json:"rows"` // number of training rows with a value beyond
}

// apply returns the nearest number to v within the range, and NaN for NaN. A nil Clip changes nothing.
func (c *Clip) apply(v float64) float64 {
	if c == nil {
		return v
	}
	return min(max(v, c.Low), c.High)
}

const (
	// rareDeviations is the least distance, in standard deviations, of a value that makes a column's scale: a value in
	// one of n rows is up to √n standard deviations from the mean.
	rareDeviations = 5

	// narrowFraction is the fraction of the standard deviation below which the middle of a column counts as narrow: the
	// values between the 10th and the 90th percentile of a normal distribution span 2.6 of its standard deviations, those
	// of a log-normal one with σ = 2 a quarter.
	narrowFraction = 0.1

	// minOthers is the least number of values beside the one in the middle, of which the range is known.
	minOthers = 10

	// clipSpans is how many times this span beyond its ends values are cut off: beyond it, a value tells a network no more
	// than that it is far off.
	clipSpans = 20

	// sparseClipSpans takes the place of clipSpans where one value fills the middle: the few others make the scale, so one
	// among them that is far off outweighs them sooner.
	sparseClipSpans = 5
)

// fitClip returns the range of a column's values, and nil if none is so far off that the others would be equal. It changes
// values beyond the range to its ends.
func fitClip(values []float64) *Clip {
	means, stds := data.Moments(values, 1, nil)
	mean, std := means[0], stds[0]
	isFar := func(v float64) bool { return math.Abs(v-mean) > rareDeviations*std }
	if !slices.ContainsFunc(values, isFar) {
		return nil
	}
	sample := evenSample(values)
	slices.Sort(sample)
	low, high := deciles(sample)
	spans := float64(clipSpans)
	if low == high { // one value fills the middle, as 0 does for rain: the others make the scale
		isMiddle := func(v float64) bool { return v == low }
		others := slices.DeleteFunc(slices.Clone(sample), isMiddle)
		if len(others) < minOthers {
			return nil
		}
		otherLow, otherHigh := deciles(others)
		spans = sparseClipSpans
		low = min(low, otherLow)
		high = max(high, otherHigh)
	}
	span := high - low
	if !(span > 0 && span < narrowFraction*std) {
		return nil
	}
	margin := float64(spans * span) // rounded before the sums, so that all CPUs compute the same bits
	c := &Clip{Low: low - margin, High: high + margin}
	for i, v := range values {
		if clipped := c.apply(v); clipped != v {
			c.Rows++
			values[i] = clipped
		}
	}
	if c.Rows == 0 {
		return nil
	}
	return c
}

// evenSample returns a copy of at most 10,000 of the values, evenly spaced.
func evenSample(values []float64) []float64 {
	const maxSample = 10_000
	n := min(len(values), maxSample)
	sample := make([]float64, n)
	for i := range sample {
		sample[i] = values[i*len(values)/n]
	}
	return sample
}

// deciles returns the 10th and the 90th percentile of ascending values.
func deciles(sorted []float64) (low, high float64) {
	tenth := len(sorted) / 10
	return sorted[tenth], sorted[len(sorted)-1-tenth]
}
