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
	// Moments returns the mean and the standard deviation of Invert(X) for
	// X ~ N(mean, std²).
	Moments(mean, std float64) (invertedMean, invertedStd float64)
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
	return inverted{d, t}
}

type inverted struct {
	Distribution
	t Transform
}

func (d inverted) moments() (mean, std float64) {
	switch d.Distribution.(type) {
	case normal, shaped: // the outermost quantiles of a shape may be infinite
		return d.t.Moments(d.Distribution.Mean(), d.Distribution.Std())
	}
	var squares float64
	quantiles := d.quantiles()
	for _, q := range quantiles {
		mean += q / float64(len(quantiles))
	}
	for _, q := range quantiles {
		squares += float64((q-mean)*(q-mean)) / float64(len(quantiles))
	}
	return mean, math.Sqrt(squares)
}

func (d inverted) Mean() float64 {
	mean, _ := d.moments()
	return mean
}

func (d inverted) Std() float64 {
	if math.IsNaN(d.Distribution.Std()) {
		return math.NaN()
	}
	_, std := d.moments()
	return std
}

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

// Midpoints returns the levels (i + ½)/200, at which quantiles stand for the distribution of
// t.Invert(X) if X is not normal: they have its mean and its standard deviation.
var Midpoints = sync.OnceValue(func() []float64 {
	const n = 200
	list := make([]float64, n)
	for i := range list {
		list[i] = (float64(i) + 0.5) / n
	}
	return list
})

// quantiles returns the quantiles at the levels.
func (d inverted) quantiles() []float64 {
	list := make([]float64, len(Midpoints()))
	for i, level := range Midpoints() {
		list[i] = d.Quantile(level)
	}
	return list
}

// CRPS returns twice the mean pinball loss of 200 quantiles. Source: Gneiting and Ranjan
// 2011, equations 11 and 12.
func (d inverted) CRPS(y float64) float64 {
	sum, n := 0.0, float64(len(Midpoints()))
	for i, q := range d.quantiles() {
		level, off := Midpoints()[i], y-q
		sum += max(float64(level*off), float64((level-1)*off)) / n
	}
	return float64(2 * sum)
}

func (d inverted) Sample(r *rand.Rand) float64 { return d.t.Invert(d.Distribution.Sample(r)) }

// Affine returns the distribution of an affine function of t.Invert(X).
func (d inverted) Affine(scale, shift float64) Distribution {
	return inverted{d.Distribution, affine{d.t, scale, shift}}
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

func (t affine) Moments(mean, std float64) (float64, float64) {
	mean, std = t.Transform.Moments(mean, std)
	return float64(mean*t.scale) + t.shift, std * t.scale
}

func (t affine) LogSlope(y float64) float64 {
	return t.Transform.LogSlope((y-t.shift)/t.scale) - portable.Log(t.scale)
}
