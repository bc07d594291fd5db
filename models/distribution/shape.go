package distribution

import "math/rand/v2"

// WithMoments returns the distribution d, moved and spread so that it has this mean and
// this standard deviation.
func WithMoments(d Distribution, mean, std float64) Distribution {
	if IsNormal(d) || d.Std() == 0 || std == 0 {
		return normal{mean, std}
	}
	scale := std / d.Std()
	return d.Affine(scale, mean-float64(scale*d.Mean()))
}

// Shape is the form of a distribution about its mean, in standard deviations.
type Shape interface {
	// Quantile returns the quantile at a level between 0 and 1: infinite where nothing
	// finite is known.
	Quantile(level float64) float64
	// Level returns the probability of a number up to z; it grows with z.
	Level(z float64) float64
}

// NewShaped returns the distribution of mean + std·Z, where Z has a shape: its CDF and its
// quantiles. A shape has no density: LogDensity and CRPS come from d, moved and spread to
// this mean and this standard deviation.
func NewShaped(d Distribution, mean, std float64, shape Shape) Distribution {
	return shaped{WithMoments(d, mean, std), mean, std, shape}
}

type shaped struct {
	Distribution
	mean, std float64
	shape     Shape
}

func (d shaped) CDF(y float64) float64 { return d.shape.Level(normal{d.mean, d.std}.z(y)) }

func (d shaped) Quantile(level float64) float64 {
	if d.std == 0 {
		return d.mean
	}
	return d.mean + float64(d.shape.Quantile(level)*d.std)
}

func (d shaped) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

func (d shaped) Affine(scale, shift float64) Distribution {
	return shaped{d.Distribution.Affine(scale, shift), float64(d.mean*scale) + shift, d.std * scale, d.shape}
}
