package distribution

import (
	"math"
	"math/rand/v2"
	"sync"

	"sml/internal/portable"
)

// Transform is an ascending function, such as the logarithm, and its inverse.
type Transform interface {
	// Apply returns the value of the function at y.
	Apply(y float64) float64
	// Invert returns the y with Apply(y) = z.
	Invert(z float64) float64
	// Moments returns the mean and the standard deviation of Invert(X). X has the given mean and
	// standard deviation, and is represented by the ascending numbers mean + std·z with the weights, which add up
	// to 1; nil for equal weights.
	Moments(mean, std float64, z, weights []float64) (invertedMean, invertedStd float64)
	// IsSmooth reports whether Invert has a derivative, except in a few points, so that NormalNodes represent a normal X.
	IsSmooth() bool
	// LogSlope returns the natural logarithm of the derivative of Apply at y. It is not finite where
	// Invert(X) has no density.
	LogSlope(y float64) float64
}

// Invert returns the distribution of t.Invert(X), where X has the distribution d. Classes are
// returned as they are.
//
// The mean and the standard deviation of normal distributions and mixtures of them are exact to the precision of
// NormalNodes if t is smooth. Those of all other distributions are the moments of the quantiles at MidpointLevels,
// which leave out the outer 0.25 % on each side. The moments of a Student t distribution under a logarithm, which
// do not exist, are thereby those of its central 99.5 %.
func Invert(d Distribution, t Transform) Distribution {
	switch d := d.(type) {
	case point:
		return point(t.Invert(float64(d)))
	case quantiles:
		if d.hasOneLevel() {
			return quantiles{d.levels, []float64{t.Invert(d.values[0])}}
		}
	case Classes:
		return d
	}
	mean, std, z := standardisedQuantiles(d)
	var invertedMean, invertedStd float64
	mixture, isMixture := d.(normalMixture)
	switch {
	case isMixture && t.IsSmooth():
		invertedMean, invertedStd = invertedMixtureMoments(mixture, t)
	case IsNormal(d) && t.IsSmooth():
		nodes, weights := NormalNodes()
		invertedMean, invertedStd = t.Moments(mean, std, nodes, weights)
	default:
		invertedMean, invertedStd = t.Moments(mean, std, z, nil)
	}
	if math.IsNaN(d.Std()) { // std is then only the scale of z
		invertedStd = math.NaN()
	}
	return inverted{
		Distribution: d,
		transform:    t,
		mean:         invertedMean,
		std:          invertedStd,
		innerMean:    mean,
		innerStd:     std,
		z:            z,
	}
}

// invertedMixtureMoments returns the mean and the standard deviation of t.Invert(X), where X has the distribution d and t is
// smooth: Σ w m and √(Σ w (s² + (m − mean)²)) with the weight w and the inverted moments m and s of each component. Each
// component has t.Moments of its own: a narrow one is not limited to the training range because the mixture is wide.
func invertedMixtureMoments(d normalMixture, t Transform) (mean, std float64) {
	nodes, nodeWeights := NormalNodes()
	means := make([]float64, len(d.means))
	stds := make([]float64, len(d.means))
	weights := make([]float64, len(d.means))
	total := 0.0 // of the weights, which are rounded
	largest := 0.0
	for k, logWeight := range d.logWeights {
		weights[k] = portable.Exp(logWeight)
		if weights[k] == 0 {
			continue // 0 times an infinite moment would be NaN
		}
		means[k], stds[k] = t.Moments(d.means[k], d.stds[k], nodes, nodeWeights)
		total += weights[k]
		largest = max(largest, math.Abs(means[k]), stds[k])
	}
	if math.IsInf(largest, 0) {
		return largest, largest // an affine function of finite moments overflowed
	}
	for k, weight := range weights {
		mean += float64(weight / total * means[k])
	}
	// Numbers are multiplied by a power of two that makes them about 1, so that their squares do not overflow.
	_, exponent := math.Frexp(largest)
	scale := math.Ldexp(1, -min(max(exponent, -1000), 1000))
	variance := 0.0
	for k, weight := range weights {
		deviation := float64(means[k]*scale) - float64(mean*scale)
		scaledStd := float64(stds[k] * scale)
		variance += float64(weight / total * (float64(scaledStd*scaledStd) + float64(deviation*deviation)))
	}
	return mean, math.Sqrt(variance) / scale
}

// standardisedQuantiles returns the mean and the standard deviation of d, and z such that the quantiles
// at MidpointLevels are mean + std·z. If d has no finite standard deviation, it returns 0 and 1 for
// them, and z are the quantiles themselves.
func standardisedQuantiles(d Distribution) (mean, std float64, z []float64) {
	mean = d.Mean()
	std = d.Std()
	if IsNormal(d) || std == 0 { // without spread, any z gives the mean
		return mean, std, normalMidpoints()
	}
	if s, ok := d.(shaped); ok {
		return mean, std, s.shape.z
	}
	if math.IsNaN(std) || math.IsInf(std, 0) {
		mean, std = 0, 1
	}
	z = make([]float64, len(MidpointLevels()))
	for i, level := range MidpointLevels() {
		z[i] = (d.Quantile(level) - mean) / std
	}
	return mean, std, z
}

// NormalNodes returns numbers and weights that represent N(0, 1): the mean of a smooth function is the weighted sum of its
// values, the trapezoidal rule, whose error is negligible for functions that vanish, times the density, at both ends. Means
// of quantiles at MidpointLevels would lack the tails, and thereby a quarter of the standard deviation of a log-normal
// distribution with σ = 1.5.
var NormalNodes = sync.OnceValues(func() (z, weights []float64) {
	const (
		n     = 200
		width = 0.1
	)
	for i := range n {
		z = append(z, (float64(i)-float64(n-1)/2)*width)
		weights = append(weights, portable.NormalPDF(z[i])*width)
	}
	return z, weights
})

// inverted is the distribution of transform.Invert(X), where X has the embedded distribution.
type inverted struct {
	Distribution
	transform Transform
	mean, std float64 // moments of transform.Invert(X)

	// The quantiles of X at MidpointLevels are innerMean + innerStd·z; z ascends.
	innerMean, innerStd float64
	z                   []float64
}

func (d inverted) Mean() float64 { return d.mean }
func (d inverted) Std() float64  { return d.std }

// LogDensity returns log p(Apply(y)) + log Apply′(y) with the density p of X, and NaN where there is
// no density.
func (d inverted) LogDensity(y float64) float64 {
	logSlope := d.transform.LogSlope(y)
	if math.IsNaN(logSlope) || math.IsInf(logSlope, 0) {
		return math.NaN()
	}
	return d.Distribution.LogDensity(d.transform.Apply(y)) + logSlope
}

func (d inverted) CDF(y float64) float64 { return d.Distribution.CDF(d.transform.Apply(y)) }

func (d inverted) Quantile(level float64) float64 {
	return d.transform.Invert(d.Distribution.Quantile(level))
}

// MidpointLevels returns the levels (i + ½)/200 of the quantiles that represent a distribution under a
// transform.
var MidpointLevels = sync.OnceValue(func() []float64 {
	const n = 200
	levels := make([]float64, n)
	for i := range levels {
		levels[i] = (float64(i) + 0.5) / n
	}
	return levels
})

// normalMidpoints returns the quantiles of N(0, 1) at MidpointLevels.
var normalMidpoints = sync.OnceValue(func() []float64 {
	z := make([]float64, len(MidpointLevels()))
	for i, level := range MidpointLevels() {
		z[i] = portable.NormalQuantile(level)
	}
	return z
})

// CRPS returns twice the mean pinball loss of the quantiles at MidpointLevels. The exact score is twice
// the integral of the pinball loss over all levels. Source: Gneiting and Ranjan 2011, equations 11 and
// 12.
func (d inverted) CRPS(y float64) float64 {
	meanLoss := 0.0
	n := float64(len(d.z))
	for i, z := range d.z {
		level := MidpointLevels()[i]
		quantile := d.transform.Invert(d.innerMean + float64(d.innerStd*z))
		meanLoss += pinballLoss(level, y-quantile) / n
	}
	return float64(2 * meanLoss)
}

// pinballLoss returns the loss of a predicted quantile at a level. err is the target minus the
// quantile: a target above costs level per unit, a target below 1 − level.
func pinballLoss(level, err float64) float64 {
	return max(float64(level*err), float64((level-1)*err))
}

func (d inverted) Sample(r *rand.Rand) float64 { return d.transform.Invert(d.Distribution.Sample(r)) }

// Affine returns the distribution of scale·transform.Invert(X) + shift.
func (d inverted) Affine(scale, shift float64) Distribution {
	return Invert(d.Distribution, affineTransform{d.transform, scale, shift})
}

// affineTransform is the transform of (y − shift)/scale; its inverse is scale·Invert(z) + shift.
type affineTransform struct {
	Transform
	scale, shift float64
}

func (t affineTransform) Apply(y float64) float64 { return t.Transform.Apply((y - t.shift) / t.scale) }

func (t affineTransform) Invert(z float64) float64 {
	return float64(t.Transform.Invert(z)*t.scale) + t.shift
}

func (t affineTransform) Moments(mean, std float64, z, weights []float64) (invertedMean, invertedStd float64) {
	mean, std = t.Transform.Moments(mean, std, z, weights)
	return float64(mean*t.scale) + t.shift, std * t.scale
}

func (t affineTransform) LogSlope(y float64) float64 {
	return t.Transform.LogSlope((y-t.shift)/t.scale) - portable.Log(t.scale)
}
