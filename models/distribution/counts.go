package distribution

import (
	"math"
	"math/rand/v2"

	"sml/internal/portable"
)

// counts is a distribution of the whole numbers 0, 1, 2, ….
type counts interface {
	mean() float64
	std() float64
	// logProbabilities returns the natural logarithm of the probability of each number.
	logProbabilities(numbers []float64) []float64
}

// discrete is the distribution of (K − offset)/scale, where K is distributed by counts: with the mean and the standard
// deviation of a target as offset and scale, the standardised distribution of a target that is a count. It divides as
// targets are standardised, so that a quantile has the same bits as the target.
type discrete struct {
	counts        counts
	table         countTable // sums of the probabilities of counts
	offset, scale float64
}

// newDiscrete returns the distribution of (K − offset)/scale, where K is distributed by c.
func newDiscrete(c counts, offset, scale float64) discrete {
	return discrete{c, newCountTable(c), offset, scale}
}

// standardise returns the number that stands for a count.
func (d discrete) standardise(count float64) float64 { return (count - d.offset) / d.scale }

// countAt returns the count that y stands for. It is a whole number if y is the number of a count, up to rounding.
func (d discrete) countAt(y float64) float64 {
	count := float64(y*d.scale) + d.offset
	nearest := math.Round(count)
	const roundingError = 1e-9 // of the product and the sum, relative to their sizes; targets have 1e-16
	if math.Abs(count-nearest) <= roundingError*(math.Abs(count)+math.Abs(d.offset)+1) {
		return nearest
	}
	return count
}

func (d discrete) Mean() float64 { return d.standardise(d.counts.mean()) }
func (d discrete) Std() float64  { return d.counts.std() / d.scale }

// LogDensity returns the logarithm of the probability of the count per unit of y, −Inf between counts. In the unit of
// counts it is the logarithm of the probability.
func (d discrete) LogDensity(y float64) float64 {
	count := d.countAt(y)
	if count < 0 || count != math.Floor(count) {
		return math.Inf(-1)
	}
	return d.counts.logProbabilities([]float64{count})[0] + portable.Log(d.scale)
}

func (d discrete) CDF(y float64) float64 { return d.table.cdf(math.Floor(d.countAt(y))) }

// Quantile returns the smallest number with a CDF of at least level.
func (d discrete) Quantile(level float64) float64 { return d.standardise(d.table.quantile(level)) }

func (d discrete) CRPS(y float64) float64 { return d.table.crps(d.countAt(y)) / d.scale }

func (d discrete) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

// Affine returns the distribution of scale·Y + shift. With the scale and the offset of the standardisation, the
// result is exactly the distribution of the counts.
func (d discrete) Affine(scale, shift float64) Distribution {
	d.scale /= scale
	d.offset -= float64(shift * d.scale)
	return d
}

// withMoments returns the distribution of counts with another mean and standard deviation: see WithMoments.
func (d discrete) withMoments(mean, std float64) discrete {
	ofCounts := normal{float64(mean*d.scale) + d.offset, std * d.scale}
	return newDiscrete(roundedNormal{ofCounts}, d.offset, d.scale)
}

// CDFStep returns the probabilities of numbers below y and of numbers up to y, CDF(y). They differ for distributions of
// counts, and are the same for all others.
func CDFStep(d Distribution, y float64) (below, upTo float64) {
	switch d := d.(type) {
	case discrete:
		count := d.countAt(y)
		return d.table.cdf(math.Ceil(count) - 1), d.table.cdf(math.Floor(count))
	case bounded:
		if _, isDiscrete := d.Distribution.(discrete); isDiscrete {
			return d.cdfStep(y)
		}
	}
	upTo = d.CDF(y)
	return upTo, upTo
}

// cdfStep returns the result of CDFStep for clipped counts.
func (d bounded) cdfStep(y float64) (below, upTo float64) {
	below, _ = CDFStep(d.Distribution, y)
	if y <= d.bounds.Low {
		below = 0
	}
	if y > d.bounds.High {
		below = 1
	}
	return below, d.CDF(y)
}

// roundedNormal is the distribution of the nearest count to a normal number with a mean and a standard deviation, 0 for
// negative numbers. It stands for counts of which a calibration has changed the moments: all counts have a probability.
type roundedNormal struct{ normal }

func (c roundedNormal) mean() float64 { return c.normal.mean }
func (c roundedNormal) std() float64  { return c.normal.std }

// logProbabilities returns log(Φ(z + h) − Φ(z − h)) with z = (k − mean)/std and h = ½/std.
func (c roundedNormal) logProbabilities(numbers []float64) []float64 {
	logs := make([]float64, len(numbers))
	for i, count := range numbers {
		low := (count - 0.5 - c.normal.mean) / c.normal.std
		high := (count + 0.5 - c.normal.mean) / c.normal.std
		switch {
		case count == 0:
			logs[i] = portable.LogNormalCDF(high)
		case low > 0: // both probabilities would be about 1
			logs[i] = logNormalBetween(-high, -low)
		default:
			logs[i] = logNormalBetween(low, high)
		}
	}
	return logs
}

// logNormalBetween returns log(Φ(high) − Φ(low)).
func logNormalBetween(low, high float64) float64 {
	logHigh := portable.LogNormalCDF(high)
	return logHigh + portable.Log(-portable.Expm1(portable.LogNormalCDF(low)-logHigh))
}
