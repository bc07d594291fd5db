package distribution

import (
	"math"
	"math/rand/v2"
	"sync"

	"sml/internal/portable"
)

// Transform is an ascending function.
type Transform interface {
	// Apply returns the value of the function at y.
	Apply(y float64) float64
	// Invert returns the y whose value is z.
	Invert(z float64) float64
	// Moments returns the mean and the standard deviation of Invert(X), where X has this mean
	// and this standard deviation, and z holds its quantiles at Midpoints, in standard
	// deviations from the mean.
	Moments(mean, std float64, z []float64) (invertedMean, invertedStd float64)
	// LogSlope returns the logarithm of the derivative of Apply at y; it is not finite
	// where Invert(X) has no density.
	LogSlope(y float64) float64
}

// Invert returns the distribution of t.Invert(X), where X has the distribution d.
func Invert(d Distribution, t Transform) Distribution {
	if p, ok := d.(point); ok {
		return point(t.Invert(float64(p)))
	}
	if q, ok := d.(quantiles); ok && q.last() == 0 {
		return quantiles{q.levels, []float64{t.Invert(q.values[0])}}
	}
	if _, ok := d.(Classes); ok {
		return d
	}
	mean, std, z := standardised(d)
	invertedMean, invertedStd := t.Moments(mean, std, z)
	if math.IsNaN(d.Std()) {
		invertedStd = math.NaN()
	}
	return inverted{Distribution: d, t: t, mean: invertedMean, std: invertedStd, at: mean, spread: std, z: z}
}

// standardised returns mean and standard deviation of a distribution, and its quantiles at
// Midpoints in standard deviations from the mean. For a shape, whose outermost quantiles may be
// infinite, it returns the quantiles of the normal distribution.
func standardised(d Distribution) (mean, std float64, z []float64) {
	mean, std = d.Mean(), d.Std()
	switch d.(type) {
	case normal, shaped:
		return mean, std, normalMidpoints()
	}
	if std == 0 {
		return mean, std, normalMidpoints()
	}
	if math.IsNaN(std) || math.IsInf(std, 0) {
		mean, std = 0, 1
	}
	z = make([]float64, len(Midpoints()))
	for i, level := range Midpoints() {
		z[i] = (d.Quantile(level) - mean) / std
	}
	return mean, std, z
}

// inverted is the distribution of t.Invert(X), where X has the embedded distribution.
type inverted struct {
	Distribution
	t          Transform
	mean, std  float64   // of t.Invert(X)
	at, spread float64   // of X: at + spread·z are its quantiles at Midpoints
	z          []float64 // ascending
}

func (d inverted) Mean() float64 { return d.mean }
func (d inverted) Std() float64  { return d.std }

func (d inverted) LogDensity(y float64) float64 {
	slope := d.t.LogSlope(y)
	if math.IsNaN(slope) || math.IsInf(slope, 0) {
		return math.NaN()
	}
	return d.Distribution.LogDensity(d.t.Apply(y)) + slope
}

func (d inverted) CDF(y float64) float64 { return d.Distribution.CDF(d.t.Apply(y)) }

func (d inverted) Quantile(level float64) float64 {
	return d.t.Invert(d.Distribution.Quantile(level))
}

// Midpoints returns the levels (i + ½)/200 of the quantiles that stand for a distribution
// under a transform.
var Midpoints = sync.OnceValue(func() []float64 {
	const n = 200
	list := make([]float64, n)
	for i := range list {
		list[i] = (float64(i) + 0.5) / n
	}
	return list
})

// normalMidpoints returns the quantiles of N(0, 1) at Midpoints.
var normalMidpoints = sync.OnceValue(func() []float64 {
	z := make([]float64, len(Midpoints()))
	for i, level := range Midpoints() {
		z[i] = portable.NormalQuantile(level)
	}
	return z
})

// CRPS returns twice the mean pinball loss of the quantiles at Midpoints. Source: Gneiting
// and Ranjan 2011, equations 11 and 12.
func (d inverted) CRPS(y float64) float64 {
	sum, n := 0.0, float64(len(d.z))
	for i, z := range d.z {
		level, off := Midpoints()[i], y-d.t.Invert(d.at+float64(d.spread*z))
		sum += max(float64(level*off), float64((level-1)*off)) / n
	}
	return float64(2 * sum)
}

func (d inverted) Sample(r *rand.Rand) float64 { return d.t.Invert(d.Distribution.Sample(r)) }

// Affine returns the distribution of an affine function of t.Invert(X).
func (d inverted) Affine(scale, shift float64) Distribution {
	return Invert(d.Distribution, affine{d.t, scale, shift})
}

// affine is a transform after an affine function: its inverse is scale·Invert(z) + shift.
type affine struct {
	Transform
	scale, shift float64
}

func (t affine) Apply(y float64) float64 { return t.Transform.Apply((y - t.shift) / t.scale) }
func (t affine) Invert(z float64) float64 {
	return float64(t.Transform.Invert(z)*t.scale) + t.shift
}

func (t affine) Moments(mean, std float64, z []float64) (float64, float64) {
	mean, std = t.Transform.Moments(mean, std, z)
	return float64(mean*t.scale) + t.shift, std * t.scale
}

func (t affine) LogSlope(y float64) float64 {
	return t.Transform.LogSlope((y-t.shift)/t.scale) - portable.Log(t.scale)
}
