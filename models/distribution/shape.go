package distribution

import "math/rand/v2"

// WithMoments returns the distribution d, shifted and scaled so that it has the given mean and
// standard deviation. It returns a normal distribution if d or the result has no spread.
func WithMoments(d Distribution, mean, std float64) Distribution {
	if IsNormal(d) || d.Std() == 0 || std == 0 {
		return normal{mean, std}
	}
	scale := std / d.Std()
	shift := mean - float64(scale*d.Mean())
	return d.Affine(scale, shift)
}

// Shape is a distribution of standardised numbers z = (y − mean)/std, such as the distribution of
// errors in calibration rows.
type Shape interface {
	// Quantile returns the quantile at a level between 0 and 1. It is infinite if no finite quantile
	// is known.
	Quantile(level float64) float64
	// Level returns the probability of a number up to z. It grows with z.
	Level(z float64) float64
}

// WithShape returns the distribution of mean + std·Z, where Z has the given shape. CDF, quantiles
// and samples follow from the shape. LogDensity and CRPS, which a shape does not have, are those of
// d, shifted and scaled to the mean and the standard deviation.
func WithShape(d Distribution, mean, std float64, shape Shape) Distribution {
	return shaped{WithMoments(d, mean, std), mean, std, shape}
}

// shaped is a distribution that WithShape returns.
type shaped struct {
	Distribution // for LogDensity and CRPS; it has the same mean and standard deviation
	mean, std    float64
	shape        Shape
}

// CDF returns the shape's probability of numbers up to the standardised y.
func (d shaped) CDF(y float64) float64 { return d.shape.Level(normal{d.mean, d.std}.standardise(y)) }

// Quantile returns mean + std·z for the shape's quantile z. Without spread it is the mean, even where z
// is infinite.
func (d shaped) Quantile(level float64) float64 {
	if d.std == 0 {
		return d.mean
	}
	return d.mean + float64(d.shape.Quantile(level)*d.std)
}

func (d shaped) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

// Affine returns the distribution of scale·Y + shift. Standardised numbers, and thus the shape, stay
// the same.
func (d shaped) Affine(scale, shift float64) Distribution {
	return shaped{
		Distribution: d.Distribution.Affine(scale, shift),
		mean:         float64(d.mean*scale) + shift,
		std:          d.std * scale,
		shape:        d.shape,
	}
}
