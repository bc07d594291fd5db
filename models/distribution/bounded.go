package distribution

import (
	"math"
	"math/rand/v2"
)

// Bounds holds the smallest and the largest number that a target can be. An end is infinite if the
// target has no bound there.
type Bounds struct{ Low, High float64 }

// clip returns the nearest number to y within the bounds, and NaN for NaN.
func (b Bounds) clip(y float64) float64 { return min(max(y, b.Low), b.High) }

// Bound returns d with all numbers outside of the bounds clipped to the nearest bound. The mean is the
// clipped mean of d, which is never farther from a target within the bounds than the mean of d. (The mean
// of the clipped numbers may be: clipping shortens one of the two tails.) The standard deviation and the
// density are not clipped. Bound returns classes unchanged.
func Bound(d Distribution, b Bounds) Distribution {
	switch d := d.(type) {
	case point:
		return point(b.clip(float64(d)))
	case quantiles:
		if d.hasOneLevel() {
			return quantiles{d.levels, []float64{b.clip(d.values[0])}}
		}
	case Classes:
		return d
	}
	return bounded{d, b}
}

// bounded is the distribution of the embedded distribution's numbers, clipped to the bounds.
type bounded struct {
	Distribution
	bounds Bounds
}

// Mean returns the clipped mean; see Bound.
func (d bounded) Mean() float64 { return d.bounds.clip(d.Distribution.Mean()) }

// LogDensity returns the density before clipping, so that a target on a bound has a density, too.
func (d bounded) LogDensity(y float64) float64 { return d.Distribution.LogDensity(y) }

func (d bounded) CDF(y float64) float64 {
	probability := d.Distribution.CDF(y)
	switch {
	case math.IsNaN(probability):
		return probability
	case y < d.bounds.Low:
		return 0
	case y >= d.bounds.High:
		return 1
	}
	return probability
}

func (d bounded) Quantile(level float64) float64 {
	return d.bounds.clip(d.Distribution.Quantile(level))
}

// CRPS returns the score before clipping, less what clipping the quantiles at MidpointLevels takes from
// their pinball losses, plus the distance of y from the bounds. The score of a target within the bounds
// is therefore never larger than before, and the same if none of these quantiles is outside. Twice the
// mean pinball loss over all levels is the exact score. Source: Gneiting and Ranjan 2011, equations 11
// and 12.
func (d bounded) CRPS(y float64) float64 {
	inside := d.bounds.clip(y)
	score := d.Distribution.CRPS(inside)
	levels := MidpointLevels()
	first := d.Distribution.Quantile(levels[0])
	last := d.Distribution.Quantile(levels[len(levels)-1])
	if first < d.bounds.Low || last > d.bounds.High {
		score -= d.clippedLoss()
	}
	return max(0, score) + math.Abs(y-inside)
}

// clippedLoss returns twice the mean, over the quantiles at MidpointLevels, of the pinball loss that clipping
// saves. It is the same for all targets within the bounds.
func (d bounded) clippedLoss() float64 {
	mean, std, z := standardisedQuantiles(d.Distribution)
	meanSaved := 0.0
	n := float64(len(z))
	for i, level := range MidpointLevels() {
		quantile := mean + float64(std*z[i])
		below := max(0, d.bounds.Low-quantile)
		above := max(0, quantile-d.bounds.High)
		meanSaved += (float64(level*below) + float64((1-level)*above)) / n
	}
	return float64(2 * meanSaved)
}

func (d bounded) Sample(r *rand.Rand) float64 { return d.bounds.clip(d.Distribution.Sample(r)) }

// Affine returns the distribution of scale·Y + shift, where Y has the distribution d.
func (d bounded) Affine(scale, shift float64) Distribution {
	return bounded{
		Distribution: d.Distribution.Affine(scale, shift),
		bounds: Bounds{
			Low:  float64(scale*d.bounds.Low) + shift,
			High: float64(scale*d.bounds.High) + shift,
		},
	}
}
